//! Random meshes and palettes for the laws of skinning.

use glam::{Affine3A, DAffine3, Mat3A, Quat, Vec3, Vec3A};
use throng_kernels::{Level, MeshBlocks, SkinnedVertices, SkinningJob, skin_vertices};
use throng_tracks::{Influence, Influences, MeshSource, SkinnedMesh, WeightRule};

use crate::random::Random;

/// What a mesh is made of, to be changed and made again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) tangents: Vec<[f32; 4]>,
    pub(crate) influences: Vec<Vec<Influence>>,
    pub(crate) joints: usize,
}

impl Parts {
    /// Vertices that each follow up to `most` joints: most of them few, some many.
    pub(crate) fn random(random: &mut Random, vertices: usize, joints: usize, most: usize) -> Self {
        let mut parts = Self { joints, ..Self::default() };
        for _ in 0..vertices {
            let position = random.vector(2.0).to_array();
            parts.positions.push(position.map(|x| if random.percent(5) { -0.0 } else { x }));
            let normal = random.rotation() * Vec3::Z * random.between(0.5, 2.0);
            parts.normals.push(if random.percent(3) { [0.0; 3] } else { normal.to_array() });
            let tangent = normal.normalize().any_orthonormal_vector();
            parts.tangents.push(tangent.extend(random.pick(&[1.0, -1.0])).to_array());
            let most = if random.percent(70) { most.min(4) } else { most };
            let count = 1 + random.below(most);
            let influence = |_| Influence {
                joint: random.below(joints) as u16,
                weight: random.between(0.0, 1.0).max(1e-3),
            };
            parts.influences.push((0..count).map(influence).collect());
        }
        parts
    }

    pub(crate) fn mesh(&self, rule: WeightRule) -> SkinnedMesh {
        let mut offsets = vec![0];
        let mut list = Vec::new();
        for influences in &self.influences {
            list.extend(influences);
            offsets.push(list.len() as u32);
        }
        let source = MeshSource {
            positions: &self.positions,
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            influences: Influences::Lists { offsets: &offsets, list: &list },
        };
        SkinnedMesh::new(source, self.joints, rule).unwrap().0
    }

    /// The vertices `order`, in that order.
    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        fn pick<T: Clone>(all: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|&vertex| all[vertex].clone()).collect()
        }
        Self {
            positions: pick(&self.positions, order),
            normals: pick(&self.normals, order),
            tangents: pick(&self.tangents, order),
            influences: pick(&self.influences, order),
            joints: self.joints,
        }
    }
}

/// A joint's matrix: turned and moved; besides scaled, sheared or mirrored, in a part of cases.
pub(crate) fn any_matrix(random: &mut Random) -> Affine3A {
    let scale = match random.below(4) {
        0 => Vec3::from_array(std::array::from_fn(|_| random.between(0.3, 2.0) * random.pick(&[1.0, -1.0]))),
        1 => Vec3::splat(random.pick(&[0.01, 1.0, 100.0])),
        _ => Vec3::ONE,
    };
    let mut matrix = Affine3A::from_scale_rotation_translation(scale, random.rotation(), random.vector(3.0));
    if random.percent(20) {
        matrix.matrix3.x_axis += Vec3A::from(random.vector(0.3)) * scale.x;
    }
    matrix
}

pub(crate) fn rigid_matrix(random: &mut Random) -> Affine3A {
    Affine3A::from_rotation_translation(random.rotation(), random.vector(3.0))
}

/// Matrices near each other, of either handedness, so that blends of them are far from flat.
pub(crate) fn alike(random: &mut Random, joints: usize) -> Vec<Affine3A> {
    let base = any_matrix(random);
    let near = |random: &mut Random| {
        let axis = (random.rotation() * Vec3::X).normalize();
        let turn = Quat::from_axis_angle(axis, random.between(0.0, 0.4));
        let mut matrix = base * Affine3A::from_quat(turn);
        matrix.translation += Vec3A::from(random.vector(0.2));
        matrix
    };
    (0..joints).map(|_| near(random)).collect()
}

pub(crate) fn floats(palette: &[Affine3A]) -> Vec<f32> {
    let row = |m: &Affine3A, r: usize| {
        let Mat3A { x_axis: x, y_axis: y, z_axis: z } = m.matrix3;
        [x[r], y[r], z[r], m.translation[r]]
    };
    palette.iter().flat_map(|m| [0, 1, 2].map(|r| row(m, r))).flatten().collect()
}

pub(crate) fn doubles(palette: &[Affine3A]) -> Vec<DAffine3> {
    palette.iter().map(Affine3A::as_daffine3).collect()
}

/// What comes out, all of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Skinned {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) tangents: Vec<[f32; 4]>,
}

impl Skinned {
    pub(crate) fn bits(&self) -> Vec<u32> {
        let vectors = self.positions.as_flattened().iter().chain(self.normals.as_flattened());
        vectors.chain(self.tangents.as_flattened()).map(|x| x.to_bits()).collect()
    }
}

pub(crate) fn skin(level: Level, mesh: &SkinnedMesh, palettes: &[f32]) -> Skinned {
    let blocks = MeshBlocks::new(mesh);
    let count = mesh.vertex_count() * palettes.len().checked_div(blocks.palette_floats()).unwrap_or(0);
    let mut out = Skinned {
        positions: vec![[f32::NAN; 3]; count],
        normals: vec![[f32::NAN; 3]; count],
        tangents: vec![[f32::NAN; 4]; count],
    };
    let places = SkinnedVertices {
        positions: &mut out.positions,
        normals: Some(&mut out.normals),
        tangents: Some(&mut out.tangents),
    };
    skin_vertices(level, SkinningJob::new(&blocks, palettes, places).unwrap());
    out
}
