//! Root motion on its way into the bank: taken out of the clips ahead of everything else.

use std::borrow::Cow;

use super::entry::Fault;
use super::left_out::WhyLeftOut;
use super::{BakeError, BakeOptions};
use crate::tools::{self, RootMotion, RootMotionError, extract_root_motion};
use crate::{Clip, JointIndex, MotionCurve, Placement, Skeleton};

/// The root motion that a bake took from a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionReport {
    /// What leads from the start of the clip to its end.
    pub pass: Placement,
    /// Samples of the curve.
    pub samples: usize,
    /// The largest distance along the chosen axes by which the joint left the curve between two samples, in the asset's unit. It
    /// stayed in the pose, so that nothing is lost.
    pub left_behind: f32,
}

/// The clip to bake, and what was taken out of it.
pub(super) struct Taken<'a> {
    pub(super) clip: Cow<'a, Clip>,
    pub(super) motion: Option<(MotionCurve, MotionReport)>,
}

/// What is to be taken out of clips, and the joint that it is taken from.
pub(super) fn choice(
    skeleton: &Skeleton,
    clips: &[Clip],
    options: &BakeOptions,
) -> Result<Option<(RootMotion, JointIndex)>, BakeError> {
    let Some(choice) = &options.root_motion else { return Ok(None) };
    let joint = choice.find_joint(skeleton)?;
    let unknown = |name: &&String| !clips.iter().any(|clip| clip.name() == **name);
    if let Some(clip) = choice.clips.iter().flatten().find(unknown) {
        return Err(RootMotionError::NoSuchClip { clip: clip.clone() }.into());
    }
    let choice = RootMotion { rate_hz: choice.rate_hz.or(options.rate_hz), ..choice.clone() };
    Ok(Some((choice, joint)))
}

/// Takes the motion out of a clip if it is to lose it.
pub(super) fn taken<'a>(
    skeleton: &Skeleton,
    clip: &'a Clip,
    choice: &RootMotion,
) -> Result<Taken<'a>, Fault> {
    let chosen = match &choice.clips {
        Some(names) => names.iter().any(|name| name == clip.name()),
        None => !clip.is_additive(),
    };
    if !chosen {
        return Ok(Taken { clip: Cow::Borrowed(clip), motion: None });
    }
    let tools::Taken { clip, motion, left_behind } =
        extract_root_motion(clip, skeleton, choice).map_err(|error| match error {
            RootMotionError::TooLong { .. } | RootMotionError::NotFinite { .. } => {
                Fault::OfClip(WhyLeftOut::RootMotion(error))
            }
            error => Fault::OfBake(error.into()),
        })?;
    let pass = motion.step(0.0, f64::from(motion.duration_s()));
    let report = MotionReport { pass, samples: motion.sample_count(), left_behind };
    // A character that is always at one place goes nowhere.
    let motion = motion.travels().then_some((motion, report));
    Ok(Taken { clip: Cow::Owned(clip), motion })
}
