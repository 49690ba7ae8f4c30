//! What an instance plays, as callers say it.

use throng_tracks::{Bank, WrapMode};

use crate::masks::MaskTable;
use crate::{CrowdError, MaskId};

/// What an instance plays: given to [`Crowd::spawn`](crate::Crowd::spawn), [`play`](crate::Crowd::play) and
/// [`crossfade`](crate::Crowd::crossfade), told by [`Crowd::playback`](crate::Crowd::playback).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Which clip of the bank.
    pub clip: usize,
    /// Seconds since the clip began, wrapped by the mode when it is read: for ping-pong up to twice the duration, where the
    /// second half is the way back. Any finite number may be given.
    pub time_s: f64,
    /// Seconds of the clip a second. Negative plays backwards, 0 stands still.
    pub speed: f32,
    /// What happens at the clip's ends.
    pub wrap: WrapMode,
    /// How much of it. What the weights of an instance leave of 1, the rest pose takes; above 1 they are divided by their
    /// sum. Finite, and 0 or above unless additive.
    pub weight: f32,
    /// Which joints it moves; none: all.
    pub mask: Option<MaskId>,
    /// Whether it is laid on top of the others. That is for [additive clips](throng_tracks::BankClip::is_additive), and they
    /// are for nothing else.
    pub additive: bool,
    /// What follows where a clip that plays once, [`WrapMode::Clamp`], is at its end.
    pub at_end: AtEnd,
}

/// What follows where a clip that plays once is at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum AtEnd {
    /// Its last pose.
    #[default]
    Hold,
    /// As if its weight was 0: the rest pose, if nothing else plays. A new time or speed starts it again.
    Rest,
    /// The playback is over, and its id names nothing any more. One that a crossfade leaves holds until that is over.
    Remove,
}

impl Default for Playback {
    /// The first clip from its start, as fast as it was made, in a loop, and nothing else.
    fn default() -> Self {
        Self {
            clip: 0,
            time_s: 0.0,
            speed: 1.0,
            wrap: WrapMode::Loop,
            weight: 1.0,
            mask: None,
            additive: false,
            at_end: AtEnd::Hold,
        }
    }
}

/// `value`, if it is finite.
pub(crate) fn finite(what: &'static str, value: f64) -> Result<f64, CrowdError> {
    if value.is_finite() { Ok(value) } else { Err(CrowdError::NotFinite { what, value }) }
}

/// `value`, if it is finite, 0 or above.
pub(crate) fn at_least_zero(what: &'static str, value: f32) -> Result<f32, CrowdError> {
    let wide = finite(what, value.into())?;
    if wide >= 0.0 { Ok(value) } else { Err(CrowdError::Negative { what, value: wide }) }
}

/// A weight that such a playback can have.
pub(crate) fn check_weight(weight: f32, additive: bool) -> Result<(), CrowdError> {
    if additive {
        finite("weight", weight.into()).map(drop)
    } else {
        at_least_zero("weight", weight).map(drop)
    }
}

/// The duration of a clip in seconds, if there is such a clip and it can be played so.
pub(crate) fn duration_s(bank: &Bank, clip: usize, additive: bool) -> Result<f64, CrowdError> {
    let clips = bank.clips();
    let found = clips.get(clip).ok_or(CrowdError::NoSuchClip { clip, clips: clips.len() })?;
    if found.is_additive() != additive {
        return Err(CrowdError::ClipKind { clip, additive });
    }
    Ok(f64::from(found.duration_s()))
}

impl Playback {
    /// The duration of its clip, if it can be played.
    pub(crate) fn check(&self, bank: &Bank, masks: &MaskTable) -> Result<f64, CrowdError> {
        finite("time_s", self.time_s)?;
        finite("speed", f64::from(self.speed))?;
        check_weight(self.weight, self.additive)?;
        masks.check(self.mask)?;
        duration_s(bank, self.clip, self.additive)
    }

    /// The same, of what others are faded from and to.
    pub(crate) fn check_main(&self, bank: &Bank, masks: &MaskTable) -> Result<f64, CrowdError> {
        if self.additive {
            return Err(CrowdError::AdditiveMain { clip: self.clip });
        }
        self.check(bank, masks)
    }
}
