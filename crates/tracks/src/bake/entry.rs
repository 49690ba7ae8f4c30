//! The clips on their way into the bank.

use std::borrow::Cow;

use super::error::Measured;
use super::left_out::{LeftOut, Shorten, WhyLeftOut};
use super::motion::{self, Taken};
use super::rate::Grid;
use super::rows::Schedule;
use super::{BakeError, BakeOptions, MotionReport, plan};
use crate::{Clip, JointIndex, MotionCurve, Skeleton};

/// A clip that the bank is to hold.
pub(super) struct Entry<'a> {
    /// Its index among the clips that the caller gave.
    pub(super) source: usize,
    /// Without its root motion, if that was taken.
    pub(super) clip: Cow<'a, Clip>,
    pub(super) motion: Option<(MotionCurve, MotionReport)>,
    pub(super) schedule: Schedule,
    /// None as long as the rows may change.
    pub(super) measured: Option<Measured>,
}

/// All clips: those that the bank is to hold, and those that it can't.
pub(super) struct Entries<'a> {
    pub(super) kept: Vec<Entry<'a>>,
    left_out: Vec<LeftOut>,
    /// The joint whose root motion was looked for.
    pub(super) motion_joint: Option<JointIndex>,
}

/// An index among the kept entries, and why the bank can't hold it.
pub(super) type Refused = (usize, WhyLeftOut);

impl<'a> Entries<'a> {
    /// Plans each clip's rows on the grid of its rate, its root motion taken, and leaves out what is too long.
    pub(super) fn new(
        skeleton: &Skeleton,
        clips: &'a [Clip],
        options: &BakeOptions,
    ) -> Result<Self, BakeError> {
        let count = skeleton.joint_count();
        for clip in clips {
            if let Some(bound) = clip.tracks().iter().find(|b| b.joint().get() >= count) {
                let joint = bound.joint().get();
                return Err(BakeError::Skeleton { clip: clip.name().into(), joint, count });
            }
        }
        let taking = motion::choice(skeleton, clips, options)?;
        let motion_joint = taking.as_ref().map(|(_, joint)| *joint);
        let mut entries = Self { kept: Vec::new(), left_out: Vec::new(), motion_joint };
        let mut free = plan::most_rows(options);
        for (source, clip) in clips.iter().enumerate() {
            // Before anything of that size exists.
            let planned = Self::check(clip, &Grid::choose(clip, options.rate_hz), free, options);
            let planned = planned.and_then(|()| match &taking {
                Some((choice, _)) => motion::taken(skeleton, clip, choice),
                None => Ok(Taken { clip: Cow::Borrowed(clip), motion: None }),
            });
            let planned = planned.and_then(|Taken { clip, motion }| {
                let grid = Grid::choose(&clip, options.rate_hz);
                Self::check(&clip, &grid, free, options)?;
                let schedule = Schedule::new(&clip, grid, &vec![1; grid.intervals]);
                let rows = schedule.rows.len();
                if rows > free {
                    return Err(Self::too_long(&clip, &grid, rows, free, options).into());
                }
                free -= rows;
                Ok(Entry { source, clip, motion, schedule, measured: None })
            });
            match planned {
                Ok(entry) => entries.kept.push(entry),
                Err(Fault::OfClip(why)) => entries.put_aside(source, clip.name(), why),
                Err(Fault::OfBake(error)) => return Err(error),
            }
        }
        Ok(entries)
    }

    /// Whether a clip's rows on the grid alone are few enough.
    fn check(clip: &Clip, grid: &Grid, free: usize, options: &BakeOptions) -> Result<(), Fault> {
        let rows = grid.intervals.saturating_add(1);
        if rows <= free { Ok(()) } else { Err(Self::too_long(clip, grid, rows, free, options).into()) }
    }

    fn too_long(clip: &Clip, grid: &Grid, rows: usize, free: usize, options: &BakeOptions) -> WhyLeftOut {
        WhyLeftOut::TooManyRows {
            duration_s: clip.duration_s(),
            rate_hz: grid.rate_hz,
            rows,
            free,
            limit: plan::most_rows(options),
            help: Shorten::for_clip(clip, options, free),
        }
    }

    fn put_aside(&mut self, clip: usize, name: &str, why: WhyLeftOut) {
        self.left_out.push(LeftOut { clip, name: name.to_owned(), why });
    }

    /// Takes entries out. The bank is another without them, so that all others are to be measured again.
    pub(super) fn leave_out(&mut self, mut refused: Vec<Refused>) {
        if refused.is_empty() {
            return;
        }
        refused.sort_by_key(|(index, _)| *index);
        for (index, why) in refused.into_iter().rev() {
            let entry = self.kept.remove(index);
            self.put_aside(entry.source, entry.clip.name(), why);
        }
        self.kept.iter_mut().for_each(|entry| entry.measured = None);
    }

    /// The clips that are not in the bank, by index.
    pub(super) fn into_left_out(mut self) -> Vec<LeftOut> {
        self.left_out.sort_by_key(|left_out| left_out.clip);
        self.left_out
    }
}

/// What is wrong while clips are planned.
pub(super) enum Fault {
    /// With one clip.
    OfClip(WhyLeftOut),
    /// With what the caller asks for.
    OfBake(BakeError),
}

impl From<WhyLeftOut> for Fault {
    fn from(why: WhyLeftOut) -> Self {
        Self::OfClip(why)
    }
}
