//! Local poses, of one pair of rows an instance or of several layers.
//!
//! The pass blends in palette space; here the same formulas run over the bank's own rows.

use throng_tracks::{Bank, RowPair, ScaleColumns};

use crate::blocks::PoseBlocks;
use crate::fused::{BlendLanes, JobError, Layer, Layers, Sampler, check_layers};
use crate::isa::{BLOCK, Isa, Level, RowLanes, RowTable, dispatch};
use crate::math::normalize;
use crate::plan::{Columns, Decoding, Plan};
use crate::unroll::{each3, each4};

/// The local pose of each row pair, into `poses`.
///
/// # Errors
/// If a pair's rows do not exist, or there are not as many pairs as instances in `poses`.
///
/// # Panics
/// If `poses` has not as many joints as the bank's skeleton.
pub fn sample(level: Level, plan: &Plan, pairs: &[RowPair], poses: &mut PoseBlocks) -> Result<(), JobError> {
    check_joints(plan, poses);
    if pairs.len() != poses.instances() {
        return Err(JobError::Count { pairs: pairs.len(), places: poses.instances() });
    }
    let rows = plan.bank().row_count();
    if let Some(instance) = pairs.iter().position(|p| (p.row as usize).saturating_add(2) > rows) {
        return Err(JobError::NoSuchRow { instance, row: pairs[instance].row, rows });
    }
    let (bank, table) = bank_rows(plan);
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || {
        sample_groups(isa, bank, table, One(pairs), poses);
    }));
    Ok(())
}

/// The local pose of each instance under several layers, into `poses`: what [`palettes`](crate::palettes) shows of a
/// [layered job](crate::PaletteJob::layered), ahead of kinematics.
///
/// # Errors
/// If a layer's row pairs, weights or masks are not as many as instances in `poses`, or not right for the plan; or if there
/// are no layers, or more than [`LAYERS`](crate::LAYERS), or a layer's poses are [external](crate::ExternalRows).
///
/// # Panics
/// If `poses` has not as many joints as the bank's skeleton.
///
/// ```
/// use std::sync::Arc;
/// use throng_kernels::{Layer, Level, Plan, PoseBlocks, sample_layers};
/// use throng_tracks::*;
/// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
/// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
/// let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
/// let plan = Plan::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
/// let at = |time_s| [plan.bank().locate(0, time_s)];
/// let (early, late) = (at(0.25), at(0.75));
/// let mut poses = PoseBlocks::new(1, 1);
/// sample_layers(Level::detect(), &plan, &[Layer::new(&early, &[0.5]), Layer::new(&late, &[0.5])], &mut poses)?;
/// assert_eq!(poses.transform(0, JointIndex(0)).translation.x, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sample_layers(
    level: Level,
    plan: &Plan,
    layers: &[Layer<'_>],
    poses: &mut PoseBlocks,
) -> Result<(), JobError> {
    check_joints(plan, poses);
    if let Some(layer) = layers.iter().position(|layer| layer.external.is_some()) {
        return Err(JobError::ExternalLayer { layer });
    }
    let layers = check_layers(plan, layers, poses.instances())?;
    let (bank, table) = bank_rows(plan);
    let source = Several { plan, layers };
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || {
        sample_groups(isa, bank, table, source, poses);
    }));
    Ok(())
}

fn bank_rows(plan: &Plan) -> (&Bank, RowTable<'_>) {
    let bank = plan.bank().as_ref();
    (bank, RowTable::new(bank.rows(), bank.row_stride()))
}

fn check_joints(plan: &Plan, poses: &PoseBlocks) {
    assert_eq!(poses.joints(), plan.bank().skeleton().joint_count(), "poses are of another skeleton");
}

/// What groups of lanes are made of, in the bank's rows.
trait Source<'a, I: Isa> {
    type Lanes: Sampler<I>;
    /// The instances from `first` on. The last one takes the lanes that are left.
    fn lanes(&self, isa: I, table: RowTable<'a>, first: usize) -> Self::Lanes;
}

/// One pair of rows an instance.
struct One<'a>(&'a [RowPair]);

impl<'a, I: Isa> Source<'a, I> for One<'a> {
    type Lanes = RowLanes<'a, I>;

    #[inline(always)]
    fn lanes(&self, isa: I, table: RowTable<'a>, first: usize) -> RowLanes<'a, I> {
        RowLanes::new(isa, table, self.0.get(first..).unwrap_or_default())
    }
}

/// Several layers.
struct Several<'a> {
    plan: &'a Plan,
    layers: Layers<'a>,
}

impl<'a, I: Isa> Source<'a, I> for Several<'a> {
    type Lanes = BlendLanes<'a, I>;

    #[inline(always)]
    fn lanes(&self, isa: I, table: RowTable<'a>, first: usize) -> BlendLanes<'a, I> {
        BlendLanes::over(isa, table, &self.plan.local_blending, &self.layers, first)
    }
}

/// Columns of the bank itself, whose numbers mean themselves.
#[inline(always)]
fn columns(at: u32) -> Columns {
    Columns { at, packed: false, decoding: Decoding::default() }
}

#[inline(always)]
fn sample_groups<'a, I: Isa>(
    isa: I,
    bank: &'a Bank,
    table: RowTable<'a>,
    source: impl Source<'a, I>,
    poses: &mut PoseBlocks,
) {
    let last = poses.instances().saturating_sub(1);
    for (group, poses) in poses.groups_mut().enumerate() {
        for part in 0..BLOCK / I::LANES {
            // Blocks are full, whatever the level: a later stage may run at another.
            let from = source.lanes(isa, table, (group * BLOCK + part * I::LANES).min(last));
            let joints = poses.iter_mut().zip(bank.columns()).zip(bank.constants());
            for (joint, ((pose, at), constant)) in joints.enumerate() {
                let blend = from.joint(isa, joint as u32);
                let mut t = each3!(A => isa.splat(constant.translation[A]));
                let mut s = each3!(A => isa.splat(constant.scale[A]));
                let q = match at.rotation {
                    Some(at) => normalize(isa, from.rotation(isa, &columns(at), blend)),
                    None => {
                        let q = constant.rotation.to_array();
                        each4!(C => isa.splat(q[C]))
                    }
                };
                if let Some(translation) = at.translation {
                    let [x, y, z, w] = from.placing(isa, &columns(translation), blend);
                    t = [x, y, z];
                    if at.scale == ScaleColumns::Uniform {
                        s = [w; 3];
                    }
                }
                if let ScaleColumns::Axes(at) = at.scale {
                    let [x, y, z, _] = from.axes(isa, &columns(at), blend);
                    s = [x, y, z];
                }
                each3!(A => isa.store(t[A], &mut pose[A], part));
                each4!(C => isa.store(q[C], &mut pose[3 + C], part));
                each3!(A => isa.store(s[A], &mut pose[7 + A], part));
            }
        }
    }
}
