//! The skinned mesh: tubes laid around the bones, each closed, each pushed a little into its neighbour.
//!
//! [`loft`] makes a tube from rings. [`trunk`], [`head`], [`arm`] and [`leg`] hold the rings; limbs are
//! written for the left side and mirrored. The result is one list of triangles with colours a vertex.

mod arm;
mod head;
mod leg;
mod loft;
mod trunk;

use glam::DVec3;

use super::skeleton::Skeleton;

/// Colours, linear, before the material's white.
mod colour {
    pub(super) const SKIN: [u8; 3] = [178, 112, 78];
    pub(super) const JACKET: [u8; 3] = [24, 66, 110];
    pub(super) const TRIM: [u8; 3] = [198, 150, 44];
    pub(super) const TROUSERS: [u8; 3] = [46, 48, 56];
    pub(super) const BOOT: [u8; 3] = [22, 18, 16];
    pub(super) const GLOVE: [u8; 3] = [190, 186, 172];
    pub(super) const EYE: [u8; 3] = [10, 9, 9];
}

/// Most joints that move one vertex.
pub(super) const INFLUENCES: usize = 4;

/// Parallel arrays, one entry a vertex, and three indices a triangle (counter-clockwise from outside).
#[derive(Default)]
pub(super) struct Mesh {
    pub(super) positions: Vec<DVec3>,
    pub(super) normals: Vec<DVec3>,
    pub(super) colours: Vec<[u8; 3]>,
    pub(super) joints: Vec<[u8; INFLUENCES]>,
    /// Multiples of 1/256 that sum to exactly one.
    pub(super) weights: Vec<[f32; INFLUENCES]>,
    pub(super) triangles: Vec<[u16; 3]>,
}

/// The whole body in the bind pose.
pub(super) fn build(skeleton: &Skeleton) -> Mesh {
    let mut mesh = Mesh::default();
    for part in trunk::parts().iter().chain(&head::parts()) {
        part.add_to(&mut mesh, skeleton, false);
    }
    for part in arm::parts().iter().chain(&leg::parts()).chain(&head::sided_parts()) {
        part.add_to(&mut mesh, skeleton, false);
        part.add_to(&mut mesh, skeleton, true);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Every edge is walked once in each direction, so every tube is closed and its sides face one way;
    /// the enclosed volume is positive, so that way is out.
    #[test]
    fn surface_is_closed_and_faces_outward() {
        let mesh = build(&Skeleton::new());
        let mut edges: HashMap<(u16, u16), i32> = HashMap::new();
        let mut volume = 0.0;
        for &[a, b, c] in &mesh.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let (key, step) = if from < to { ((from, to), 1) } else { ((to, from), -1) };
                *edges.entry(key).or_default() += step;
            }
            let [a, b, c] = [a, b, c].map(|index| mesh.positions[usize::from(index)]);
            volume += a.dot(b.cross(c)) / 6.0;
        }
        assert!(edges.values().all(|&balance| balance == 0));
        // A person's volume in cubic metres; the parts overlap a little.
        assert!((0.05..0.12).contains(&volume), "{volume}");
    }
}
