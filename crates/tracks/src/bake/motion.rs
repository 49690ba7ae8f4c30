//! Root motion on its way into the bank: taken out of the clips ahead of everything else.

use std::borrow::Cow;

use super::{BakeError, BakeOptions};
use crate::tools::{RootMotion, RootMotionError, Taken, extract_root_motion};
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

/// The clips to bake, and what was taken out of them.
pub(super) struct Taking<'a> {
    pub(super) clips: Cow<'a, [Clip]>,
    /// By clip.
    pub(super) motions: Vec<Option<(MotionCurve, MotionReport)>>,
    pub(super) joint: Option<JointIndex>,
}

/// Takes the motion out of those clips that are to lose it.
pub(super) fn taken<'a>(
    skeleton: &Skeleton,
    clips: &'a [Clip],
    options: &BakeOptions,
) -> Result<Taking<'a>, BakeError> {
    let Some(choice) = &options.root_motion else {
        return Ok(Taking { clips: Cow::Borrowed(clips), motions: vec![None; clips.len()], joint: None });
    };
    let joint = choice.find_joint(skeleton)?;
    let unknown = |name: &&String| !clips.iter().any(|clip| clip.name() == **name);
    if let Some(clip) = choice.clips.iter().flatten().find(unknown) {
        return Err(RootMotionError::NoSuchClip { clip: clip.clone() }.into());
    }
    let choice = RootMotion { rate_hz: choice.rate_hz.or(options.rate_hz), ..choice.clone() };
    let (mut left, mut motions) = (Vec::with_capacity(clips.len()), Vec::with_capacity(clips.len()));
    for clip in clips {
        let chosen = match &choice.clips {
            Some(names) => names.iter().any(|name| name == clip.name()),
            None => !clip.is_additive(),
        };
        if !chosen {
            left.push(clip.clone());
            motions.push(None);
            continue;
        }
        let Taken { clip, motion, left_behind } = extract_root_motion(clip, skeleton, &choice)?;
        let pass = motion.step(0.0, f64::from(motion.duration_s()));
        let report = MotionReport { pass, samples: motion.sample_count(), left_behind };
        left.push(clip);
        // A character that is always at one place goes nowhere.
        motions.push(motion.travels().then_some((motion, report)));
    }
    Ok(Taking { clips: Cow::Owned(left), motions, joint: Some(joint) })
}
