//! What a plan is to do besides palettes.

use throng_tracks::JointIndex;

use super::{PlanError, RowFormat};

/// What a [`Plan`](super::Plan) does, and how.
///
/// ```
/// use throng_kernels::{JointSphere, PlanOptions};
/// use throng_tracks::JointIndex;
///
/// let (hand, head) = (JointIndex(9), JointIndex(4));
/// let options = PlanOptions {
///     sockets: &[hand],
///     spheres: &[JointSphere { joint: head, radius: 0.2 }, JointSphere { joint: hand, radius: 0.1 }],
///     ..PlanOptions::default()
/// };
/// # assert_eq!(options.sockets.len(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanOptions<'a> {
    /// How rows are stored.
    pub rows: RowFormat,
    /// Joints whose model matrices [`PaletteJob::with_sockets`](crate::PaletteJob::with_sockets) writes, in that order: to hang
    /// something on.
    pub sockets: &'a [JointIndex],
    /// What [`PaletteJob::with_bounds`](crate::PaletteJob::with_bounds) encloses.
    pub spheres: &'a [JointSphere],
}

/// A sphere around a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointSphere {
    /// The joint, whose position is the centre.
    pub joint: JointIndex,
    /// In model space, whatever the joint's scale; finite, and 0 or more.
    pub radius: f32,
}

/// The box that encloses an instance's spheres, along the axes of model space.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Bounds {
    /// The smallest `x`, `y` and `z`.
    pub min: [f32; 3],
    /// The largest.
    pub max: [f32; 3],
}

/// The first thing wrong with sockets and spheres for so many joints.
pub(super) fn check(options: &PlanOptions<'_>, count: usize) -> Result<(), PlanError> {
    if let Some(place) = options.sockets.iter().position(|j| j.get() >= count) {
        return Err(PlanError::NoSuchSocket { place, joint: options.sockets[place], count });
    }
    for (place, &JointSphere { joint, radius }) in options.spheres.iter().enumerate() {
        if joint.get() >= count {
            return Err(PlanError::NoSuchCentre { place, joint, count });
        }
        if !(radius.is_finite() && radius >= 0.0) {
            return Err(PlanError::Radius { place, joint, radius });
        }
    }
    Ok(())
}
