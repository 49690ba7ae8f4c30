//! What follows for a slot from all that it plays.

use super::NONE;
use crate::columns::is_over;
use crate::fade::Fade;
use crate::kind::Kind;

/// One playback of a slot, as far as something follows from it.
pub(super) struct Playing<'a> {
    pub(super) place: usize,
    pub(super) kind: Kind,
    pub(super) fade: &'a Fade,
    pub(super) mask: u16,
    pub(super) wait_s: f64,
    pub(super) speed: f32,
}

impl Playing<'_> {
    /// Whether its weight changes with time, or it ends in the next step.
    fn is_busy(&self) -> bool {
        self.fade.is_running() || is_over(self.kind, self.fade, self.wait_s)
    }

    /// Whether a step of time moves its clock, or runs its delay down.
    fn moves(&self) -> bool {
        !self.kind.is_paused() && self.speed != 0.0 && self.wait_s != f64::INFINITY
    }

    /// Whether the next step of time emits that it began.
    fn starts(&self) -> bool {
        let is_delayed = self.wait_s > 0.0 && self.wait_s < f64::INFINITY;
        self.kind.is_fresh() && !is_delayed
    }
}

/// What follows from all that a slot plays.
pub(super) struct Settled {
    /// The place of the only playback, if one pair of rows is enough for it; or [`NONE`].
    pub(super) whole: u8,
    /// Whether time changes more than clocks, or has a playback to end.
    pub(super) busy: bool,
    /// Whether a step of time has anything to do.
    pub(super) active: bool,
}

impl Settled {
    /// Of playbacks by place.
    pub(super) fn of<'a>(playing: impl Iterator<Item = Playing<'a>>) -> Self {
        let (mut settled, mut count) = (Self { whole: NONE, busy: false, active: false }, 0);
        for playing in playing {
            count += 1;
            let is_whole = count == 1 && is_whole(playing.kind, playing.fade, playing.mask);
            settled.whole = if is_whole { playing.place as u8 } else { NONE };
            settled.busy |= playing.is_busy();
            settled.active |= playing.moves() || playing.starts();
        }
        settled.active |= settled.busy;
        settled
    }
}

/// Whether a playback is all that is shown where it is the only one, so that one pair of rows is enough.
fn is_whole(kind: Kind, fade: &Fade, mask: u16) -> bool {
    let plain = !kind.is_additive() && !kind.is_external() && !kind.rests();
    plain && fade.weight == 1.0 && mask == 0
}
