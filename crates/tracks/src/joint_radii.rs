//! Bounds of skinned meshes, by spheres around joints.

use std::collections::BTreeMap;

use glam::{DAffine3, DMat3, DVec3};

use crate::{DTransform, JointIndex, Skeleton, Skin, SkinnedMesh, model_matrices_f64};

/// For each joint that vertices of `meshes` follow, in order, the radius of a sphere around it that holds them. All meshes
/// are those of `skin`.
///
/// The box around these spheres holds the skinned meshes in every pose that stretches no joint more than the rest pose does.
/// A vertex `v` is skinned to the sum of `w * M * b * v` over its joints, `M` being a joint's model matrix and `b` its
/// inverse bind matrix. `M * b * v` is no further from the joint's position `M * 0` than `|b * v|` times the
/// largest stretch of `M`, and so is in the sphere. The weights sum to 1
/// ([`WeightRule::Normalise`](crate::WeightRule::Normalise)), so the vertex is a weighted mean of points of spheres, and a box that
/// holds the spheres holds their means, as it is convex.
///
/// Radii are in model space, in the asset's unit: the stretch is that of the rest pose. Where clips scale joints, multiply the radii by
/// the largest scale. They are rounded up.
///
/// ```
/// use throng_tracks::*;
/// let root = Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
/// let skeleton = Skeleton::new([root])?;
/// let skin = Skin::new("ball", &skeleton, vec![JointIndex(0)], None)?;
/// let source = MeshSource {
///     positions: &[[0.0, 3.0, 4.0], [1.0, 0.0, 0.0]],
///     normals: None,
///     tangents: None,
///     influences: Influences::Sets(&[InfluenceSet { joints: &[[0; 4]; 2], weights: &[[1.0, 0.0, 0.0, 0.0]; 2] }]),
/// };
/// let (mesh, _) = SkinnedMesh::new(source, 1, WeightRule::Normalise)?;
/// let radii = joint_radii([&mesh], &skeleton, &skin);
/// assert!(radii[0].0 == JointIndex(0) && (radii[0].1 - 5.0).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If a mesh has another number of joints than the skin has entries, or the skin is not one of the skeleton.
pub fn joint_radii<'a>(
    meshes: impl IntoIterator<Item = &'a SkinnedMesh>,
    skeleton: &Skeleton,
    skin: &Skin,
) -> Vec<(JointIndex, f32)> {
    let rest: Vec<DTransform> = skeleton.rest().iter().map(|rest| rest.as_dtransform()).collect();
    let mut models = vec![DAffine3::IDENTITY; skeleton.joint_count()];
    model_matrices_f64(skeleton, &rest, &mut models);
    let inverse: Vec<DAffine3> = skin.inverse_bind().iter().map(|matrix| matrix.as_daffine3()).collect();
    let mut radii: BTreeMap<JointIndex, f64> = BTreeMap::new();
    for mesh in meshes {
        assert_eq!(mesh.joint_count(), skin.joints().len(), "a mesh follows the joints of its skin");
        for (vertex, position) in mesh.positions().iter().enumerate() {
            let position = DVec3::from(position.map(f64::from));
            for influence in mesh.influences(vertex) {
                let entry = usize::from(influence.joint);
                let radius = radii.entry(skin.joints()[entry]).or_default();
                *radius = radius.max(inverse[entry].transform_point3(position).length());
            }
        }
    }
    let scaled = |(joint, radius): (JointIndex, f64)| {
        (joint, ((radius * stretch(&models[joint.get()].matrix3)) as f32).next_up())
    };
    radii.into_iter().map(scaled).collect()
}

/// By how much a matrix lengthens a vector at most. By Gershgorin's circles no eigenvalue of the product with the
/// transpose is above the largest sum of a row, which is exact where the axes are at right angles.
fn stretch(matrix: &DMat3) -> f64 {
    let squares = matrix.transpose() * *matrix;
    let row = |axis: DVec3| axis.abs().element_sum();
    row(squares.x_axis).max(row(squares.y_axis)).max(row(squares.z_axis)).sqrt()
}
