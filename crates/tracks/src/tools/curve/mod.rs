//! A stretch of a track's curve, written as keys of its own: what cutting, joining and unrolling share.
//!
//! A curve is cut into `piece`s, one for each two keys. Each is written in a form, an interpolation that can hold
//! it, as keys that `keys` collects. `window` walks the pieces between two times; `stretch` does so with
//! what a track shows beyond its keys; `asking` is for the curves that no keys can hold: the new track asks the old one.

mod asking;
mod keys;
mod piece;
mod polynomial;
mod stretch;
mod window;

pub(super) use asking::{Section, asking, stitched};
pub(super) use keys::Keys;
pub(super) use stretch::{form_of, stretch};
