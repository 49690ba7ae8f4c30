//! The stages of the fused pass one by one, for those who want what lies between.
//!
//! They do the same work as [`palettes`](crate::palettes) on all joints, with normalised rotations, and write everything
//! to memory: several times slower, and equal but for rounding. Inside a rounding class all levels return the same bits.
//!
//! [`sample`] has the first of them, local poses; here are the two behind it.

mod sample;

pub use sample::{sample, sample_layers};
use throng_tracks::JointIndex;

use crate::blocks::{ModelBlocks, PoseBlock, PoseBlocks};
use crate::fused::JobError;
use crate::isa::{BLOCK, Isa, Level, PlaceTable, dispatch};
use crate::layout::Layout;
use crate::math::{product_row, rotation, scale_axes, splat_rows};
use crate::plan::Plan;
use crate::unroll::{each3, each4};

/// Model matrices of all joints from local poses: `model[j] = model[parent] * local[j]`.
///
/// # Panics
/// If the blocks' joints or instances differ, or are not of the plan's skeleton.
pub fn pose_to_model(level: Level, plan: &Plan, poses: &PoseBlocks, models: &mut ModelBlocks) {
    assert_eq!(poses.joints(), plan.bank().skeleton().joint_count(), "poses are of another skeleton");
    assert_eq!(poses.joints(), models.joints(), "poses and models are of different skeletons");
    assert_eq!(poses.instances(), models.instances(), "poses and models are of different instances");
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || model_lanes(isa, plan, poses, models)));
}

#[inline(always)]
fn model_lanes<I: Isa>(isa: I, plan: &Plan, poses: &PoseBlocks, models: &mut ModelBlocks) {
    let skeleton = plan.bank().skeleton();
    for (poses, models) in poses.groups().zip(models.groups_mut()) {
        let mut fixed = skeleton.fixed_matrices().iter().peekable();
        for (joint, (pose, parent)) in poses.iter().zip(skeleton.parents()).enumerate() {
            let matrix = fixed.next_if(|m| m.0.get() == joint).map(|m| m.1.to_cols_array());
            let (done, rest) = models.split_at_mut(joint.min(models.len()));
            let Some(model) = rest.first_mut() else { break };
            let parent = parent.and_then(|p: JointIndex| done.get(p.get()));
            for part in 0..BLOCK / I::LANES {
                let own = match matrix {
                    Some(m) => each3!(R => each4!(C => isa.splat(m[3 * C + R]))),
                    None => pose_matrix(isa, pose, part),
                };
                each3!(R => {
                    let row = match parent {
                        Some(p) => product_row(isa, each4!(C => isa.load(&p[4 * R + C], part)), &own),
                        None => own[R],
                    };
                    each4!(C => isa.store(row[C], &mut model[4 * R + C], part));
                });
            }
        }
    }
}

#[inline(always)]
fn pose_matrix<I: Isa>(isa: I, pose: &PoseBlock, part: usize) -> [[I::F; 4]; 3] {
    let [tx, ty, tz, x, y, z, w, sx, sy, sz] = pose;
    let t = [isa.load(tx, part), isa.load(ty, part), isa.load(tz, part)];
    let q = [isa.load(x, part), isa.load(y, part), isa.load(z, part), isa.load(w, part)];
    let s = [isa.load(sx, part), isa.load(sy, part), isa.load(sz, part)];
    scale_axes(isa, rotation(isa, q, isa.splat(1.0), isa.splat(2.0)), s, t)
}

/// Palettes from model matrices, one instance after the other into `out`: `palette[i] = model[joint i] * inverse_bind[i]`.
///
/// # Errors
/// If `out` has no room for all palettes.
///
/// # Panics
/// If the models are not of the plan's skeleton.
pub fn model_to_palette(
    level: Level,
    plan: &Plan,
    models: &ModelBlocks,
    out: &mut [f32],
) -> Result<(), JobError> {
    assert_eq!(models.joints(), plan.bank().skeleton().joint_count(), "models are of another skeleton");
    let (floats, instances) = (plan.palette_floats(), models.instances());
    let room = out.len() / floats;
    if instances > room {
        return Err(JobError::NoSuchPlace { instance: room, place: room as u32, room, floats });
    }
    if let Some(out) = PlaceTable::new(out, Layout::default(), plan.palette_entries()) {
        dispatch!(level, isa => isa.vectorize(#[inline(always)] || palette_lanes(isa, plan, models, out)));
    }
    Ok(())
}

#[inline(always)]
fn palette_lanes<I: Isa>(isa: I, plan: &Plan, models: &ModelBlocks, mut out: PlaceTable<'_>) {
    for (group, blocks) in models.groups().enumerate() {
        for part in 0..BLOCK / I::LANES {
            // Lanes that are left hold the last instance once more, and write it once more.
            let first = group * BLOCK + part * I::LANES;
            let places: [u32; BLOCK] =
                std::array::from_fn(|lane| (first + lane).min(models.instances() - 1) as u32);
            let mut places = out.lanes(isa, &places);
            for (entry, (joint, bind)) in plan.skin.iter().enumerate() {
                let Some(model) = blocks.get(usize::from(*joint)) else { break };
                let bind = splat_rows(isa, bind);
                let palette =
                    each3!(R => product_row(isa, each4!(C => isa.load(&model[4 * R + C], part)), &bind));
                places.store(isa, &[entry as u32], palette);
            }
        }
    }
}
