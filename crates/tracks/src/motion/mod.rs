//! Where a character goes while it plays a clip: root motion, at rest.
//!
//! [`tools::extract_root_motion`](crate::tools::extract_root_motion) makes a [`MotionCurve`] of a clip. Asked for the time from
//! here to there, the curve answers with a [`Placement`], the character's step in its own frame, which its place in the
//! world is [multiplied](Placement::then) with. [`MotionBlend`] is the step of one that plays several clips. `rigid` is the
//! arithmetic: a turn about one axis and a translation.

mod blend;
mod curve;
mod placement;
mod rigid;

pub use blend::MotionBlend;
pub(crate) use curve::Sample;
pub use curve::{Axis, MotionCurve};
pub use placement::Placement;
pub(crate) use rigid::Rigid;
