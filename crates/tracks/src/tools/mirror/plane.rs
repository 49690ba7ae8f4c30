//! Reflections, and the plane about which a pose is symmetric.

use glam::{DAffine3, DMat3, DVec3};

use super::sides::Sides;
use super::{MirrorAxis, MirrorPlane};

/// Any plane of model space: the points with `dot(normal, point) == offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Of unit length.
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

impl From<MirrorPlane> for Plane {
    fn from(plane: MirrorPlane) -> Self {
        Self { normal: DVec3::AXES[plane.axis as usize], offset: plane.offset }
    }
}

impl Plane {
    fn through(normal: DVec3, point: DVec3) -> Self {
        Self { normal, offset: normal.dot(point) }
    }

    /// The linear part of the reflection: `1 - 2 n nᵀ`.
    pub(super) fn linear(&self) -> DMat3 {
        let n = self.normal;
        DMat3::IDENTITY - DMat3::from_cols(n * n.x, n * n.y, n * n.z) * 2.0
    }

    pub(super) fn reflection(&self) -> DAffine3 {
        DAffine3::from_mat3_translation(self.linear(), self.normal * (2.0 * self.offset))
    }

    pub(super) fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    pub(super) fn image(&self, point: DVec3) -> DVec3 {
        point - self.normal * (2.0 * self.distance(point))
    }
}

/// The largest side of the box around the frames' origins.
pub(super) fn extent(frames: &[DAffine3]) -> f64 {
    let origins = || frames.iter().map(|frame| frame.translation);
    let low = origins().fold(DVec3::INFINITY, DVec3::min);
    let high = origins().fold(DVec3::NEG_INFINITY, DVec3::max);
    if frames.is_empty() { 0.0 } else { (high - low).max_element() }
}

/// A plane is taken for a simpler one while pairs lie this much further from their images, as a fraction of the size.
const SIMPLER: f64 = 2e-3;

/// The plane about which the origins of all pairs are nearest to symmetric, and the largest distance between a joint and
/// the image of its partner.
///
/// Planes across an axis come before others, and planes through the joint that carries all pairs before those in the middle
/// of the pairs. Where no pair lies apart the plane is across `axis`, or x.
pub(super) fn fitted(
    frames: &[DAffine3],
    known: &[bool],
    sides: &Sides,
    axis: Option<MirrorAxis>,
) -> (Plane, f64) {
    let origin = |joint: crate::JointIndex| frames[joint.get()].translation;
    let pairs: Vec<(DVec3, DVec3)> = sides
        .pairs
        .iter()
        .filter(|(a, b)| known[a.get()] && known[b.get()])
        .map(|&(a, b)| (origin(a), origin(b)))
        .collect();
    let body = sides.body.map_or_else(|| frames.first().map_or(DVec3::ZERO, |f| f.translation), origin);
    let apart: DVec3 = pairs.iter().map(|(a, b)| (*a - *b).abs()).sum();
    let size = extent(frames);
    let named = axis.unwrap_or(MirrorAxis::X) as usize;
    if apart.max_element() <= 1e-6 * size {
        return (Plane::through(DVec3::AXES[named], body), 0.0);
    }
    let middle = pairs.iter().map(|(a, b)| (*a + *b) / 2.0).sum::<DVec3>() / pairs.len() as f64;
    let widest = pairs
        .iter()
        .map(|(a, b)| *a - *b)
        .fold(DVec3::ZERO, |w, d| if d.length_squared() > w.length_squared() { d } else { w });
    let normal = pairs.iter().map(|(a, b)| (*a - *b) * (*a - *b).dot(widest).signum()).sum::<DVec3>();
    let across = DVec3::AXES[apart.max_position()];
    let normal = normal.normalize_or(across);
    let normals = axis.map(|_| DVec3::AXES[named]).into_iter().chain([across, normal]);
    let planes = normals.flat_map(|n| [Plane::through(n, body), Plane::through(n, middle)]);
    let worst = |plane: &Plane| pairs.iter().map(|(a, b)| plane.image(*a).distance(*b)).fold(0.0, f64::max);
    let all: Vec<(Plane, f64)> = planes.map(|plane| (plane, worst(&plane))).collect();
    let least = all.iter().map(|(_, worst)| *worst).fold(f64::INFINITY, f64::min);
    all.into_iter()
        .find(|(_, worst)| *worst <= least + SIMPLER * size)
        .unwrap_or((Plane::through(across, body), least))
}

/// The rotation or rotated reflection nearest to a matrix: the orthogonal factor of its polar decomposition, by Newton's
/// iteration `X <- (X + X⁻ᵀ) / 2` (N. J. Higham, "Computing the Polar Decomposition — with Applications", SIAM J. Sci.
/// Stat. Comput. 7, 1986). The identity for a matrix without an inverse.
pub(super) fn orthogonal(matrix: DMat3) -> DMat3 {
    let mut x = matrix * (1.0 / matrix.determinant().abs().cbrt());
    for _ in 0..40 {
        let next = (x + x.inverse().transpose()) * 0.5;
        let change = next - x;
        x = next;
        if [change.x_axis, change.y_axis, change.z_axis].iter().all(|column| column.length() <= 1e-15) {
            break;
        }
    }
    if x.is_finite() { x } else { DMat3::IDENTITY }
}
