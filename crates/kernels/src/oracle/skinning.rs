use glam::{DAffine3, DMat3, DVec3, DVec4};
use throng_tracks::{Influence, SkinnedMesh};

/// A vertex where a palette takes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinnedVertex {
    /// Its place.
    pub position: DVec3,
    /// Its normal, of unit length; zero where there is none.
    pub normal: DVec3,
    /// Its tangent, `xyz` of unit length, and the sign of its bitangent; zero where there is none.
    pub tangent: DVec4,
}

/// The vertices of a mesh where a palette takes them; see [`skin_vertices`](crate::skin_vertices).
///
/// # Panics
/// If the palette has not an entry for each joint.
#[must_use]
pub fn skinned_vertices(mesh: &SkinnedMesh, palette: &[DAffine3]) -> Vec<SkinnedVertex> {
    (0..mesh.vertex_count()).map(|vertex| skinned_vertex(mesh, palette, vertex)).collect()
}

fn skinned_vertex(mesh: &SkinnedMesh, palette: &[DAffine3], vertex: usize) -> SkinnedVertex {
    let bind = DVec3::from_array(mesh.positions()[vertex].map(f64::from));
    let (mut position, mut linear) = (DVec3::ZERO, DMat3::ZERO);
    for &Influence { joint, weight } in mesh.influences(vertex) {
        let matrix = palette[usize::from(joint)];
        position += matrix.transform_point3(bind) * f64::from(weight);
        linear += matrix.matrix3 * f64::from(weight);
    }
    let normal = mesh.normals().map_or(DVec3::ZERO, |normals| {
        let normal = DVec3::from_array(normals[vertex].map(f64::from));
        inverse_transpose(linear).mul_vec3(normal).normalize_or_zero()
    });
    let tangent = mesh.tangents().map_or(DVec4::ZERO, |tangents| {
        let tangent = DVec4::from_array(tangents[vertex].map(f64::from));
        let sign = if linear.determinant() < 0.0 { -tangent.w } else { tangent.w };
        (linear * tangent.truncate()).normalize_or_zero().extend(sign)
    });
    SkinnedVertex { position, normal, tangent }
}

/// Of a matrix that flattens space onto a plane, what the inverse transpose tends to, but for its length: it takes
/// everything to the plane's normal. Of one that leaves less than a plane, zero.
fn inverse_transpose(m: DMat3) -> DMat3 {
    if m.determinant() != 0.0 {
        return m.inverse().transpose();
    }
    DMat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}
