//! A tube through a row of rings, capped at both ends.

use glam::DVec3;

use super::{INFLUENCES, Mesh};
use crate::assets::skeleton::Skeleton;

/// A share of a vertex's movement, by joint name.
pub(super) type Weight = (&'static str, f64);

/// A closed curve around the tube's axis. Points are `centre + cos * u + sin * v`, so `u` and `v` hold the
/// radii; `u x v` points along the row of rings.
#[derive(Clone)]
pub(super) struct Ring {
    pub(super) centre: DVec3,
    pub(super) u: DVec3,
    pub(super) v: DVec3,
    pub(super) weights: Vec<Weight>,
    /// This share of the weight goes, growing with the distance from the middle plane, to the joint of the
    /// vertex's own side (stem without its side).
    pub(super) outer: Option<Weight>,
}

impl Ring {
    pub(super) fn new(centre: [f64; 3], u: [f64; 3], v: [f64; 3], weights: &[Weight]) -> Self {
        let [centre, u, v] = [centre, u, v].map(DVec3::from_array);
        Self { centre, u, v, weights: weights.to_vec(), outer: None }
    }

    /// A ring in a level plane: half its width in x, half its depth in z. Stacks upward.
    pub(super) fn level(centre: [f64; 3], width: f64, depth: f64, weights: &[Weight]) -> Self {
        Self::new(centre, [0.0, 0.0, depth], [width, 0.0, 0.0], weights)
    }

    pub(super) fn with_outer(mut self, stem: &'static str, share: f64) -> Self {
        self.outer = Some((stem, share));
        self
    }
}

/// One tube.
pub(super) struct Part {
    pub(super) colour: [u8; 3],
    pub(super) sides: usize,
    /// 1 makes ellipses, less makes them boxier (a superellipse of exponent 2 / roundness).
    pub(super) roundness: f64,
    pub(super) rings: Vec<Ring>,
    /// How far the middles of the two caps stand out from the end rings, metres.
    pub(super) caps: [f64; 2],
}

impl Part {
    /// Appends the tube, or its image on the right side.
    pub(super) fn add_to(&self, mesh: &mut Mesh, skeleton: &Skeleton, mirrored: bool) {
        let first = mesh.positions.len();
        let mut put = |mut point: DVec3, ring: &Ring| {
            let mut weights: Vec<(usize, f64)> = ring
                .influences(point)
                .into_iter()
                .map(|(name, weight)| (skeleton.find(&name), weight))
                .collect();
            if mirrored {
                point.x = -point.x;
                weights.iter_mut().for_each(|(joint, _)| *joint = skeleton.mirrored(*joint));
            }
            let (joints, weights) = quantise(weights);
            mesh.positions.push(point);
            mesh.colours.push(self.colour);
            mesh.joints.push(joints);
            mesh.weights.push(weights);
        };
        for ring in &self.rings {
            for side in 0..self.sides {
                let angle = std::f64::consts::TAU * (side as f64 + 0.5) / self.sides as f64;
                let bulge = |part: f64| part.abs().powf(self.roundness).copysign(part);
                put(ring.centre + ring.u * bulge(angle.cos()) + ring.v * bulge(angle.sin()), ring);
            }
        }
        let ends = [(&self.rings[0], -self.caps[0]), (&self.rings[self.rings.len() - 1], self.caps[1])];
        for (ring, out) in ends {
            put(ring.centre + ring.u.cross(ring.v).normalize() * out, ring);
        }
        self.connect(mesh, first, mirrored);
    }

    fn connect(&self, mesh: &mut Mesh, first: usize, mirrored: bool) {
        let at = |ring: usize, side: usize| first + ring * self.sides + side % self.sides;
        let last = self.rings.len() - 1;
        let [start, end] = [0, 1].map(|cap| first + self.rings.len() * self.sides + cap);
        let mut triangles = Vec::new();
        for side in 0..self.sides {
            for ring in 0..last {
                let (a, b) = (at(ring, side), at(ring, side + 1));
                let (c, d) = (at(ring + 1, side + 1), at(ring + 1, side));
                triangles.extend([[a, b, c], [a, c, d]]);
            }
            triangles.push([start, at(0, side + 1), at(0, side)]);
            triangles.push([end, at(last, side), at(last, side + 1)]);
        }
        if mirrored {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        mesh.normals.resize(mesh.positions.len(), DVec3::ZERO);
        for triangle in triangles {
            let [a, b, c] = triangle.map(|index| mesh.positions[index]);
            let area = (b - a).cross(c - a);
            triangle.iter().for_each(|&index| mesh.normals[index] += area);
            let narrow =
                |index: usize| u16::try_from(index).expect("the mesh has fewer than 65,536 vertices");
            mesh.triangles.push(triangle.map(narrow));
        }
        for normal in &mut mesh.normals[first..] {
            *normal = normal.normalize();
        }
    }
}

impl Ring {
    fn influences(&self, point: DVec3) -> Vec<(String, f64)> {
        let mut influences: Vec<(String, f64)> =
            self.weights.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect();
        if let Some((stem, share)) = self.outer {
            let half_width = self.u.x.abs().max(self.v.x.abs());
            let share = share * (point.x.abs() / half_width).min(1.0);
            influences.iter_mut().for_each(|(_, weight)| *weight *= 1.0 - share);
            let suffix = if point.x < 0.0 { "r" } else { "l" };
            influences.push((format!("{stem}_{suffix}"), share));
        }
        influences
    }
}

/// Weights as multiples of 1/256, largest first; the largest takes what rounding left over.
fn quantise(mut influences: Vec<(usize, f64)>) -> ([u8; INFLUENCES], [f32; INFLUENCES]) {
    assert!(influences.len() <= INFLUENCES, "a ring with {} influences", influences.len());
    let total: f64 = influences.iter().map(|(_, weight)| weight).sum();
    influences.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut joints = [0; INFLUENCES];
    let mut parts = [0_i32; INFLUENCES];
    for (slot, (joint, weight)) in influences.into_iter().enumerate() {
        let part = (weight / total * 256.0).round() as i32;
        if part > 0 {
            joints[slot] = u8::try_from(joint).expect("the skeleton has fewer than 256 joints");
            parts[slot] = part;
        }
    }
    parts[0] += 256 - parts.iter().sum::<i32>();
    (joints, parts.map(|part| part as f32 / 256.0))
}
