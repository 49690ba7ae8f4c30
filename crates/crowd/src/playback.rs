//! What an instance plays, as callers say it.

use throng_tracks::{Bank, BankClip, Play, PlaybackClock, Repeat, WrapMode};

use throng_kernels::{ExternalError, MAX_WEIGHT, Plan, RowFormat};

use crate::masks::MaskTable;
use crate::{CrowdError, MaskId};

/// What an instance plays: given to [`Crowd::spawn`](crate::Crowd::spawn), [`play`](crate::Crowd::play) and
/// [`crossfade`](crate::Crowd::crossfade), told by [`Crowd::playback`](crate::Crowd::playback).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Playback {
    /// Which clip of the bank.
    pub clip: usize,
    /// Seconds of the clip from the start of the first pass: 5 in the third pass of a loop of 2 s, negative ones ahead of
    /// the first. Any finite number may be given; it ends where the repeat does.
    pub time_s: f64,
    /// Seconds of the clip a second. Negative plays backwards, 0 stands still.
    pub speed: f32,
    /// What happens at the end of a pass.
    pub wrap: WrapMode,
    /// Whether passes run from the clip's end to its start.
    pub reversed: bool,
    /// How many passes, a real number: after 1.5 the clip stops in its middle. A leg of a ping-pong is a pass; clamp plays
    /// one at most.
    pub repeat: Repeat,
    /// The part of the clip that is played, in seconds; none for all of it.
    pub range_s: Option<[f32; 2]>,
    /// Seconds until it runs. It shows its first pose till then.
    pub delay_s: f64,
    /// Whether its clock stands still. Fades go on.
    pub paused: bool,
    /// How much of it. What the weights of an instance leave of 1, the rest pose takes; above 1 they are divided by their
    /// sum. 0 or above unless additive, and no farther from 0 than [`MAX_WEIGHT`].
    pub weight: f32,
    /// Which joints it moves; none: all.
    pub mask: Option<MaskId>,
    /// Whether it is laid on top of the others. That is for [additive clips](throng_tracks::BankClip::is_additive), and they
    /// are for nothing else.
    pub additive: bool,
    /// What follows the end of the last pass.
    pub at_end: AtEnd,
    /// Whether it shows the [pose](crate::Crowd::set_pose) that the instance's caller gives, in the place of its clip's: at rest, if
    /// none was given. Of the clip it has its clock alone, which says when it ends; neither markers nor root motion.
    pub external: bool,
}

/// What follows the end of the last pass. One that a crossfade leaves, and that ends on the way, holds until that is over, whatever
/// it says here: no pose jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum AtEnd {
    /// Its last pose.
    #[default]
    Hold,
    /// As if its weight was 0: the rest pose, if nothing else plays. A new time or speed starts it again.
    Rest,
    /// The playback is over, and its id names nothing any more.
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
            reversed: false,
            repeat: Repeat::Endless,
            range_s: None,
            delay_s: 0.0,
            paused: false,
            weight: 1.0,
            mask: None,
            additive: false,
            at_end: AtEnd::Hold,
            external: false,
        }
    }
}

/// `value`, if it is finite.
pub(crate) fn finite(what: &'static str, value: f64) -> Result<f64, CrowdError> {
    if value.is_finite() { Ok(value) } else { Err(CrowdError::NotFinite { what, value }) }
}

/// `value`, if it is finite, 0 or above.
pub(crate) fn at_least_zero(what: &'static str, value: f64) -> Result<f64, CrowdError> {
    let value = finite(what, value)?;
    if value >= 0.0 { Ok(value) } else { Err(CrowdError::Negative { what, value }) }
}

/// A time that something takes.
pub(crate) fn seconds(value: f32) -> Result<f32, CrowdError> {
    at_least_zero("seconds", value.into()).map(|_| value)
}

/// A weight that such a playback can have.
pub(crate) fn check_weight(weight: f32, additive: bool) -> Result<(), CrowdError> {
    let (what, value) = ("weight", f64::from(weight));
    if additive {
        finite(what, value)?
    } else {
        at_least_zero(what, value)?
    };
    if weight.abs() > MAX_WEIGHT { Err(CrowdError::TooHeavy { what, value: weight }) } else { Ok(()) }
}

/// The clip of that number, if it can be played so.
pub(crate) fn clip(bank: &Bank, clip: usize, additive: bool) -> Result<&BankClip, CrowdError> {
    let clips = bank.clips();
    let found = clips.get(clip).ok_or(CrowdError::NoSuchClip { clip, clips: clips.len() })?;
    if found.is_additive() != additive {
        return Err(CrowdError::ClipKind { clip, additive });
    }
    Ok(found)
}

impl Playback {
    /// The [pose](crate::Crowd::set_pose) that an instance is given, until something else takes its place. Its clock stands still.
    #[must_use]
    pub fn external() -> Self {
        Self { external: true, speed: 0.0, ..Self::default() }
    }

    /// What its clock plays.
    pub(crate) fn play(&self) -> Play {
        let &Self { wrap, reversed, repeat, range_s, speed, .. } = self;
        Play { wrap, reversed, repeat, range_s, speed }
    }

    /// Its clock, if it can be played.
    pub(crate) fn check(&self, plan: &Plan, masks: &MaskTable) -> Result<PlaybackClock, CrowdError> {
        if self.external && plan.row_format() != RowFormat::F32 {
            return Err(ExternalError::RowFormat.into());
        }
        if self.external && self.additive {
            return Err(CrowdError::AdditivePose);
        }
        finite("time_s", self.time_s)?;
        finite("speed", f64::from(self.speed))?;
        at_least_zero("delay_s", self.delay_s)?;
        check_weight(self.weight, self.additive)?;
        masks.check(self.mask)?;
        let mut clock =
            PlaybackClock::new(clip(plan.bank(), self.clip, self.additive)?.duration_s(), &self.play())?;
        clock.set_delay(self.delay_s)?;
        clock.seek_played(self.time_s)?;
        Ok(clock)
    }

    /// The same, of what others are faded from and to.
    pub(crate) fn check_main(&self, plan: &Plan, masks: &MaskTable) -> Result<PlaybackClock, CrowdError> {
        if self.additive {
            return Err(CrowdError::AdditiveMain { clip: self.clip });
        }
        self.check(plan, masks)
    }
}
