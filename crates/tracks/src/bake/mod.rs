//! From authored clips to a [`Bank`] of rows, uniform in time.
//!
//! In order: `motion` takes root motion out of the clips; `rate` chooses how many rows a second; `rows` finds where the clip jumps, and samples the exact clip at
//! each row, twice: first `columns` sees over all clips what moves at all and lays out the columns, then it writes the
//! rows; and `error` plays the bank against the exact clips and reports the largest difference. The README beside this
//! file tells why.

mod build;
mod columns;
mod entry;
mod error;
mod left_out;
mod motion;
mod plan;
pub(crate) mod rate;
mod report;
mod rows;

use thiserror::Error;

use entry::Entries;
pub use left_out::{LeftOut, Shorten, WhyLeftOut};
pub use motion::MotionReport;
pub use report::{BakeReport, ClipBakeReport, LargestError};

use crate::tools::{RootMotion, RootMotionError};
use crate::{Bank, Clip, JointIndex, Skeleton};

/// What a caller can choose about a bake.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct BakeOptions {
    /// Rows a second for all clips. None takes for each clip the lowest of 24, 25, 30, 48, 50, 60 and 120 Hz on whose
    /// grid all keys lie, else 60.
    pub rate_hz: Option<f32>,
    /// Where the error between two rows is larger than this, relative to the skeleton's size (the larger of the extent
    /// and the largest coordinate of its rest), up to 32 times as many rows are stored there, as long as the limits below
    /// allow. Infinity never adds rows.
    pub error_bound: f32,
    /// A channel that never leaves its first value by more than this does not vary; it is a constant, unless that is off
    /// the rest by more than ten times as much. For rotations per component, for scales relative to the largest axis, for
    /// translations relative to the skeleton's extent.
    pub constant_tolerance: f32,
    /// Joints that have columns though no clip moves them, for poses that come from elsewhere.
    pub posable: Posable,
    /// The most rows of a bank. A clip that needs more than the clips before it leave is [left out](BakeReport::left_out).
    /// Beyond 2^30 it makes no difference.
    pub max_rows: usize,
    /// The most bytes that the rows of a bank take. A clip that needs more than the clips before it leave is
    /// [left out](BakeReport::left_out).
    pub max_bytes: usize,
    /// What of the clips moves the character rather than its pose: it is
    /// [taken out](crate::tools::extract_root_motion) of them and kept with [the bank's clips](crate::BankClip::motion).
    pub root_motion: Option<RootMotion>,
}

/// Which joints have columns in a bank, so that poses that no clip knows (a ragdoll's, one from the network) can move them.
/// Columns that no clip needs make rows longer, for all instances.
///
/// A joint whose rest is a matrix has none in any case.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Posable {
    /// What some clip moves.
    #[default]
    Moved,
    /// Rotations of all joints besides.
    Rotations,
    /// Rotations, translations and scales of these joints besides. A scale is uniform, unless a clip or the rest stretches the
    /// joint.
    Joints(Vec<JointIndex>),
    /// Those of all joints.
    All,
}

impl Default for BakeOptions {
    /// The rate by the keys, an error bound of 2e-3, a constant tolerance of 1e-6, and limits that no sensible bank meets: about 19 hours at
    /// 60 Hz, and 1 GiB.
    fn default() -> Self {
        Self {
            rate_hz: None,
            error_bound: 2e-3,
            constant_tolerance: 1e-6,
            posable: Posable::Moved,
            max_rows: 1 << 20,
            max_bytes: 1 << 30,
            root_motion: None,
        }
    }
}

/// Why clips can't be baked.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The rate asked for is no rate.
    #[error("a bake needs a rate above 0 and finite, but was asked for {rate_hz} Hz")]
    Rate {
        /// The rate asked for.
        rate_hz: f32,
    },
    /// The error asked for is no error.
    #[error("a bake needs an error bound of 0 or above, but was asked for {error_bound}")]
    ErrorBound {
        /// The bound asked for.
        error_bound: f32,
    },
    /// The clip was built for a larger skeleton.
    #[error("clip {clip:?} moves joint {joint}, but the skeleton has {count} joints")]
    Skeleton {
        /// The clip.
        clip: String,
        /// The joint it moves.
        joint: usize,
        /// How many joints there are.
        count: usize,
    },
    /// A joint that is to be posable does not exist.
    #[error("joint {joint} is to be posable, but the skeleton has {count} joints")]
    NoSuchJoint {
        /// The joint given.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// Root motion can't be taken out of a clip.
    #[error(transparent)]
    RootMotion(#[from] RootMotionError),
}

/// Resamples `clips` of one `skeleton` into rows, and measures the result against the exact clips.
///
/// Rows of additive clips are differences, the identity where such a clip moves nothing; their error is that of the rest with
/// the difference added.
///
/// A clip that the bank can't hold, since it is too long or its poses leave f32, is not in the bank, and
/// [`BakeReport::left_out`] says why. The other clips keep their order; [`BakeReport::bank_clip`] maps an index in `clips`
/// to that of the bank's clip.
///
/// # Errors
/// Any [`BakeError`]: what the caller asks for can't be had, or clips are of another skeleton.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0],
///     vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
/// let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
/// let (bank, report) = bake(&skeleton, &[clip], &BakeOptions::default())?;
/// assert_eq!(bank.clips()[0].rate_hz(), 24.0);
/// assert!(report.largest.error < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bake(
    skeleton: &Skeleton,
    clips: &[Clip],
    options: &BakeOptions,
) -> Result<(Bank, BakeReport), BakeError> {
    if let Some(rate_hz) = options.rate_hz
        && !(rate_hz > 0.0 && rate_hz.is_finite())
    {
        return Err(BakeError::Rate { rate_hz });
    }
    let error_bound = options.error_bound;
    if !(error_bound >= 0.0) {
        return Err(BakeError::ErrorBound { error_bound });
    }
    if let Posable::Joints(joints) = &options.posable {
        let count = skeleton.joint_count();
        if let Some(&joint) = joints.iter().find(|joint| joint.get() >= count) {
            return Err(BakeError::NoSuchJoint { joint, count });
        }
    }
    let mut entries = Entries::new(skeleton, clips, options)?;
    // Ends, since each round leaves out an entry or divides some interval further, and none beyond a limit.
    loop {
        let mut bank = match build::build(skeleton, &entries.kept, options) {
            Ok(bank) => bank,
            Err(refused) => {
                entries.leave_out(refused);
                continue;
            }
        };
        let (mut finer, mut refused) = (false, Vec::new());
        for index in 0..entries.kept.len() {
            let entry = &entries.kept[index];
            if entry.measured.is_some() {
                continue;
            }
            let found = match error::measure(&bank, index, &entry.clip, &entry.schedule) {
                Ok(found) => found,
                Err(why) => {
                    refused.push((index, why));
                    continue;
                }
            };
            let divided = plan::divided(skeleton, &entry.clip, &entry.schedule, &found, options)
                .filter(|divided| plan::fits(&bank, &entries.kept, index, divided, options));
            let entry = &mut entries.kept[index];
            match divided {
                Some(divided) => (entry.schedule, finer) = (divided, true),
                None => entry.measured = Some(found),
            }
        }
        if !finer && refused.is_empty() {
            if bank.clips.iter().any(|clip| clip.motion.is_some()) {
                bank.motion_joint = entries.motion_joint;
            }
            let report = report::report(&bank, entries);
            return Ok((bank, report));
        }
        entries.leave_out(refused);
    }
}
