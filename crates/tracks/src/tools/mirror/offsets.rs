//! Frames where no pose is symmetric: such that what hangs on a joint lies, reflected, as on its partner.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::plane::{Plane, orthogonal};
use super::sides::Sides;
use crate::{JointIndex, Skeleton};

/// Axes may be exchanged for others while offsets fit this much worse, as a fraction of their lengths.
const AS_GOOD: f64 = 0.01;
/// Offsets that fit worse than this along axes are not built along axes.
const ALONG_AXES: f64 = 0.02;

/// What is fitted: a turn `K` with `K * theirs == ours` for each offset of a child, and about `hint` otherwise.
struct Fit {
    /// The offset of each child of the joint, and that of the child's partner.
    offsets: Vec<(DVec3, DVec3)>,
    hint: DMat3,
    /// Whether the joint is its own partner, so that `K` is a reflection.
    middle: bool,
}

/// By joint, the turn `K` between its reflected frame and its partner's.
///
/// Of a limb with one child the offsets leave open how far it is turned about itself. Exporters build left and right alike
/// along axes, so the reflected axes of a signed permutation are preferred, of those the nearest to what rest says.
pub(super) fn turns(skeleton: &Skeleton, sides: &Sides, rest: &[DAffine3], plane: &Plane) -> Vec<DMat3> {
    let mut turns = vec![DMat3::IDENTITY; rest.len()];
    let local = |joint: JointIndex| DMat3::from_quat(skeleton.rest()[joint.get()].rotation.as_dquat());
    let mut children = vec![Vec::new(); rest.len()];
    for joint in skeleton.joints() {
        if let Some(parent) = skeleton.parents()[joint.get()] {
            children[parent.get()].push(joint);
        }
    }
    let at = |joint: JointIndex| skeleton.rest()[joint.get()].translation.as_dvec3();
    for joint in skeleton.joints() {
        let Some(partner) = sides.partner[joint.get()].filter(|&partner| partner >= joint) else { continue };
        let above = skeleton.parents()[joint.get()].map_or(plane.linear(), |p| turns[p.get()]);
        let frame = orthogonal(rest[joint.get()].matrix3);
        let hint = if sides.outer[joint.get()] || sides.body == Some(joint) {
            frame.transpose() * plane.linear() * frame
        } else {
            local(joint).transpose() * above * local(partner)
        };
        let carried = |child: &&JointIndex| sides.partner[child.get()].is_some();
        let offsets = children[joint.get()].iter().filter(carried);
        let offsets = offsets.filter_map(|&child| Some((at(child), at(sides.partner[child.get()]?))));
        let middle = partner == joint;
        let fit = Fit { offsets: offsets.collect(), hint, middle };
        let turn = if sides.outer[joint.get()] { orthogonal(hint) } else { fit.turn() };
        turns[joint.get()] = turn;
        turns[partner.get()] = turn.transpose();
    }
    turns
}

impl Fit {
    fn turn(&self) -> DMat3 {
        let length: f64 = self.offsets.iter().map(|(ours, _)| ours.length()).sum();
        let along: Vec<(DMat3, f64)> = signed_permutations()
            .filter(|turn| !self.middle || is_reflection(turn))
            .map(|turn| (turn, self.misfit(&turn)))
            .collect();
        let least = along.iter().map(|(_, misfit)| *misfit).fold(f64::INFINITY, f64::min);
        let near = |turn: &DMat3| {
            let product = turn.transpose() * self.hint;
            product.x_axis.x + product.y_axis.y + product.z_axis.z
        };
        let good =
            along.iter().filter(|(_, misfit)| *misfit <= least + AS_GOOD * length).map(|(turn, _)| *turn);
        let best = good.max_by(|a, b| near(a).total_cmp(&near(b)));
        match best {
            Some(best) if !self.offsets.is_empty() && least <= ALONG_AXES * length => best,
            _ => self.nearest(),
        }
    }

    fn misfit(&self, turn: &DMat3) -> f64 {
        self.offsets.iter().map(|&(ours, theirs)| (*turn * theirs - ours).length()).sum()
    }

    /// The best fit along any axes: the reflection across what separates pairs, or Kabsch's rotation of the reflected offsets
    /// (W. Kabsch, "A solution for the best rotation to relate two sets of vectors", Acta Cryst. A32, 1976).
    fn nearest(&self) -> DMat3 {
        if self.middle {
            let symmetric = orthogonal((self.hint + self.hint.transpose()) * 0.5);
            let widest = self
                .offsets
                .iter()
                .map(|&(a, b)| a - b)
                .fold(DVec3::ZERO, |w, d| if d.length_squared() > w.length_squared() { d } else { w });
            return match widest.try_normalize() {
                Some(normal) => Plane { normal, offset: 0.0 }.linear(),
                None if is_reflection(&symmetric) => symmetric,
                None => self.hint,
            };
        }
        let length: f64 = self.offsets.iter().map(|(ours, _)| ours.length_squared()).sum();
        let sum = self
            .offsets
            .iter()
            .fold(self.hint * (1e-3 * length.max(f64::MIN_POSITIVE)), |sum, &(ours, theirs)| {
                sum + DMat3::from_cols(ours * theirs.x, ours * theirs.y, ours * theirs.z)
            });
        let turn = orthogonal(sum);
        let longest = |a: &&(DVec3, DVec3), b: &&(DVec3, DVec3)| a.0.length().total_cmp(&b.0.length());
        match self.offsets.iter().max_by(longest) {
            Some(_) if turn.determinant() < 0.0 => turn,
            Some((ours, theirs)) => {
                let [from, to] = [self.hint * *theirs, *ours].map(|v| v.normalize_or(DVec3::X));
                DMat3::from_quat(DQuat::from_rotation_arc(from, to)) * self.hint
            }
            None => orthogonal(self.hint),
        }
    }
}

/// The 24 ways to put axes onto axes that change left for right.
fn signed_permutations() -> impl Iterator<Item = DMat3> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    orders
        .into_iter()
        .flat_map(|order| {
            (0..8).map(move |signs: u32| {
                let axis = |i: usize| DVec3::AXES[order[i]] * if signs >> i & 1 == 1 { -1.0 } else { 1.0 };
                DMat3::from_cols(axis(0), axis(1), axis(2))
            })
        })
        .filter(|turn| turn.determinant() < 0.0)
}

/// Whether an orthogonal matrix is a reflection in a plane: it is its own inverse, and keeps two directions.
fn is_reflection(turn: &DMat3) -> bool {
    let trace = turn.x_axis.x + turn.y_axis.y + turn.z_axis.z;
    turn.abs_diff_eq(turn.transpose(), 1e-9) && (trace - 1.0).abs() < 1e-6
}
