//! The tree of nodes, and where each stands at rest.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Mat3A, Quat, Vec3, Vec3A};
use throng_tracks::{Joint, JointIndex, Rest, Skeleton, Transform};

use crate::json::{At, List};
use crate::{Problem, Report, bind_rest};

/// A matrix counts as translation, rotation and scale if these give it back this well, relative to the axis.
const RECOMPOSES: f64 = 1e-6;

/// Each node's parent. No node has two, and none is its own ancestor.
pub(crate) fn parents(nodes: List<'_>, report: &mut Report) -> Result<Vec<Option<usize>>, Problem> {
    let mut parents = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for child in node.list("children")?.iter() {
            let (index, _) = child.index_into(nodes)?;
            match parents[index] {
                None => parents[index] = Some(parent),
                Some(first) if first == parent => {
                    report.repair(child.place, format!("nodes[{index}] is named twice; counted once"));
                }
                Some(first) => return Err(Problem::TwoParents { node: index, first, second: parent }),
            }
        }
    }
    check_tree(&parents)?;
    Ok(parents)
}

/// Walks up from each node until a node that is known to lead to a root.
fn check_tree(parents: &[Option<usize>]) -> Result<(), Problem> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        OnThisWalk,
        Before,
    }
    let mut seen = vec![Seen::No; parents.len()];
    for start in 0..parents.len() {
        let mut walk = Some(start);
        while let Some(node) = walk.filter(|&n| seen[n] == Seen::No) {
            seen[node] = Seen::OnThisWalk;
            walk = parents[node];
        }
        if let Some(node) = walk.filter(|&n| seen[n] == Seen::OnThisWalk) {
            return Err(Problem::Cycle { node });
        }
        walk = Some(start);
        while let Some(node) = walk.filter(|&n| seen[n] == Seen::OnThisWalk) {
            seen[node] = Seen::Before;
            walk = parents[node];
        }
    }
    Ok(())
}

/// A value for each node, made of its parent's; none above a root.
pub(crate) fn inherit<T: Copy>(parents: &[Option<usize>], value: impl Fn(usize, Option<T>) -> T) -> Vec<T> {
    let mut known: Vec<Option<T>> = vec![None; parents.len()];
    let mut path = Vec::new();
    for start in 0..parents.len() {
        let mut walk = Some(start);
        while let Some(node) = walk.filter(|&n| known[n].is_none()) {
            path.push(node);
            walk = parents[node];
        }
        while let Some(node) = path.pop() {
            known[node] = Some(value(node, parents[node].and_then(|parent| known[parent])));
        }
    }
    known.into_iter().flatten().collect()
}

/// Whether each node is part of a scene; none if the file has no scenes.
pub(crate) fn in_scenes(root: At<'_>, nodes: List<'_>, parents: &[Option<usize>]) -> Option<Vec<bool>> {
    let scenes = root.list("scenes").ok().filter(|scenes| scenes.len() > 0)?;
    let mut listed = vec![false; nodes.len()];
    for scene in scenes.iter().filter_map(|scene| scene.list("nodes").ok()) {
        for (node, _) in scene.iter().filter_map(|node| node.index_into(nodes).ok()) {
            listed[node] = true;
        }
    }
    Some(inherit(parents, |node, above| listed[node] || above == Some(true)))
}

/// What the rest of the file does with a node.
#[derive(Clone, Copy, Default)]
pub(crate) struct Use {
    /// A skin names it, or an animation moves it or its weights.
    pub(crate) needed: bool,
    /// An animation moves its translation, rotation or scale.
    pub(crate) moved: bool,
}

/// The skeleton, the node of each joint, and the joint of each node.
pub(crate) struct Joints {
    pub(crate) skeleton: Skeleton,
    pub(crate) nodes: Vec<usize>,
    pub(crate) of_node: Vec<Option<JointIndex>>,
}

/// One skeleton of all nodes that are needed and all their ancestors. Nodes that are `bound` in model space rest there.
pub(crate) fn joints(
    nodes: List<'_>,
    parents: &[Option<usize>],
    uses: &[Use],
    bound: Option<&[Option<DAffine3>]>,
    report: &mut Report,
) -> Result<Joints, Problem> {
    let mut taken = vec![false; nodes.len()];
    for node in (0..nodes.len()).filter(|&n| uses[n].needed) {
        let mut walk = Some(node);
        while let Some(node) = walk.filter(|&n| !taken[n]) {
            taken[node] = true;
            walk = parents[node];
        }
    }
    // Every ancestor is taken, so a node's place in the list is how many were taken before it.
    let mut place_of = vec![0; nodes.len()];
    let mut rests = Vec::new();
    for (node, at) in nodes.iter().enumerate().filter(|(n, _)| taken[*n]) {
        place_of[node] = rests.len();
        rests.push((node, rest(at, uses[node].moved, report)?));
    }
    if let Some(bound) = bound {
        bind_rest::replace(&mut rests, parents, bound, report);
    }
    let listed: Vec<usize> = rests.iter().map(|(node, _)| *node).collect();
    let list = rests.into_iter().map(|(node, rest)| {
        let name = nodes.get(node).map_or("", At::name).to_owned();
        Joint { name, parent: parents[node].map(|parent| place_of[parent]), rest }
    });
    let list = list.collect();
    let (skeleton, placed) = Skeleton::from_any_order(list)
        .map_err(|source| Problem::Skeleton { place: "nodes".into(), source: source.into() })?;
    let mut joints = Joints { skeleton, nodes: vec![0; listed.len()], of_node: vec![None; nodes.len()] };
    for (node, joint) in listed.into_iter().zip(placed) {
        joints.nodes[joint.get()] = node;
        joints.of_node[node] = Some(joint);
    }
    Ok(joints)
}

fn rest(node: At<'_>, moved: bool, report: &mut Report) -> Result<Rest, Problem> {
    let parts = ["translation", "rotation", "scale"].map(|key| node.get(key));
    if let Some(at) = node.get("matrix") {
        if parts.iter().any(Option::is_some) {
            report.repair(node.place, "a matrix beside translation, rotation or scale; the matrix was taken");
        }
        return matrix_rest(at, moved, report);
    }
    let [translation, rotation, scale] = parts;
    let vec =
        |at: Option<At<'_>>, default| at.map_or(Ok(default), |at| at.numbers::<3>().map(Vec3::from_array));
    let mut transform = Transform {
        translation: vec(translation, Vec3::ZERO)?,
        rotation: Quat::IDENTITY,
        scale: vec(scale, Vec3::ONE)?,
    };
    if let Some(at) = rotation {
        let q = at.numbers::<4>()?;
        let length = q.iter().map(|&c| f64::from(c).powi(2)).sum::<f64>().sqrt();
        if length == 0.0 {
            report.repair(at.place, "a quaternion of length 0; the identity was taken");
        } else {
            if (length - 1.0).abs() > 1e-2 {
                report.repair(at.place, format!("a quaternion of length {length:.4}; normalised"));
            }
            transform.rotation = Quat::from_array(q);
        }
    }
    Ok(Rest::Trs(transform))
}

fn matrix_rest(at: At<'_>, moved: bool, report: &mut Report) -> Result<Rest, Problem> {
    let numbers = at.numbers::<16>()?;
    if !has_plain_bottom(&numbers) {
        report.repair(at.place, "a bottom row that is not 0 0 0 1; taken as such");
    }
    let matrix = affine(&numbers);
    let (transform, error) = decompose(&matrix);
    if error > RECOMPOSES && !moved {
        return Ok(Rest::Matrix(matrix));
    }
    if moved && error <= RECOMPOSES {
        report.remark(at.place, "an animated node with a matrix; decomposed");
    } else if moved {
        report.repair(
            at.place,
            format!("an animated node with a sheared matrix; decomposed, off by {error:.1e}"),
        );
    }
    Ok(Rest::Trs(transform))
}

/// Whether the bottom row of a column-major matrix is 0 0 0 1, but for rounding.
pub(crate) fn has_plain_bottom(m: &[f32; 16]) -> bool {
    [m[3], m[7], m[11], m[15] - 1.0].iter().all(|c| c.abs() <= 1e-6)
}

/// The upper three rows of a column-major matrix.
pub(crate) fn affine(m: &[f32; 16]) -> Affine3A {
    let column = |i: usize| Vec3A::new(m[i], m[i + 1], m[i + 2]);
    Affine3A { matrix3: Mat3A::from_cols(column(0), column(4), column(8)), translation: column(12) }
}

/// The translation, rotation and scale nearest at hand, and how far they are from the matrix: the largest difference of
/// a column, relative to its length.
///
/// A mirroring matrix gets a negative x scale, as in three.js. Axes of length zero keep that scale; their direction is
/// made up from the others.
pub(crate) fn decompose(matrix: &Affine3A) -> (Transform, f64) {
    let m = matrix.matrix3;
    let columns = [m.x_axis, m.y_axis, m.z_axis].map(|c| c.as_dvec3());
    let mut scale = DVec3::from_array(columns.map(DVec3::length));
    if DMat3::from_cols_array_2d(&columns.map(|c| c.to_array())).determinant() < 0.0 {
        scale.x = -scale.x;
    }
    let axes = [0, 1, 2].map(|i| (scale[i] != 0.0).then(|| columns[i] / scale[i]));
    let [x, y] = match axes {
        [Some(x), Some(y), _] => [x, y],
        [Some(x), None, Some(z)] => [x, z.cross(x)],
        [None, Some(y), Some(z)] => [y.cross(z), y],
        [Some(x), None, None] => [x, x.any_orthonormal_vector()],
        [None, Some(y), None] => [y.any_orthonormal_vector(), y],
        [None, None, Some(z)] => [z.any_orthonormal_vector(), z.cross(z.any_orthonormal_vector())],
        [None, None, None] => [DVec3::X, DVec3::Y],
    };
    // Gram and Schmidt: a quaternion needs axes at right angles. Parallel axes leave the other free.
    let x = x.try_normalize().unwrap_or(DVec3::X);
    let y = (y - x * x.dot(y)).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    let rotation = DMat3::from_cols(x, y, x.cross(y));
    let rotation = DQuat::from_mat3(&rotation).normalize().as_quat();
    let transform = Transform { translation: matrix.translation.into(), rotation, scale: scale.as_vec3() };

    let back = DMat3::from_quat(transform.rotation.as_dquat().normalize());
    let mut error: f64 = 0.0;
    for (i, column) in columns.iter().enumerate().filter(|(_, c)| c.length() > 0.0) {
        let recomposed = back.col(i) * f64::from(transform.scale[i]);
        error = error.max((recomposed - column).length() / column.length());
    }
    (transform, error)
}

/// How far two matrices are apart: the largest difference of a column, relative to the longer of its two lengths or to 1.
pub(crate) fn affine_difference(a: &DAffine3, b: &DAffine3) -> f64 {
    let columns = |m: &DAffine3| [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
    let apart = columns(a)
        .into_iter()
        .zip(columns(b))
        .map(|(a, b)| (a - b).length() / a.length().max(b.length()).max(1.0));
    apart.fold(0.0, f64::max)
}
