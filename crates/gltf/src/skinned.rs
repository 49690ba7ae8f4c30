//! Nodes that show skinned meshes: which of their transforms have no effect, and what of their meshes no skin can use.
//!
//! None of it changes a pose, so all of it is remarks. `survey` looks at the document alone; `check_joints`, last of all,
//! also at the joint indices of vertices: one beyond its skin would read beyond a palette.

use std::collections::HashMap;

use crate::accessor::Accessors;
use crate::json::{At, List};
use crate::nodes::{Use, inherit};
use crate::skin::RawSkin;
use crate::{Problem, Report};

/// The attributes of a vertex's joints and of their weights: 16 joints a vertex, more than exporters write.
pub(crate) const SETS: [(&str, &str); 4] = [
    ("JOINTS_0", "WEIGHTS_0"),
    ("JOINTS_1", "WEIGHTS_1"),
    ("JOINTS_2", "WEIGHTS_2"),
    ("JOINTS_3", "WEIGHTS_3"),
];

/// A mesh that a skin bends.
#[derive(Clone, Copy)]
pub(crate) struct Skinned<'a> {
    mesh: At<'a>,
    /// Of the skins it is shown with, the one with the fewest joints, and how many these are.
    skin: usize,
    joints: usize,
}

/// Remarks on nodes with skins and their meshes; these meshes, each once.
pub(crate) fn survey<'a>(
    root: At<'a>,
    nodes: List<'a>,
    parents: &[Option<usize>],
    uses: &[Use],
    skins: &[RawSkin<'a>],
    report: &mut Report,
) -> Vec<Skinned<'a>> {
    let Ok(meshes) = root.list("meshes") else { return Vec::new() };
    let idle = idle(nodes, parents, uses, skins);
    let mut skinned: Vec<Option<Skinned<'a>>> = vec![None; meshes.len()];
    for (node, at) in nodes.iter().enumerate() {
        let mesh = at.get("mesh").and_then(|mesh| mesh.index_into(meshes).ok());
        let (mesh_index, mesh, skin) = match (mesh, at.get("skin")) {
            (None, None) => continue,
            (None, Some(skin)) => {
                report.remark(skin.place, "a skin on a node without a mesh");
                continue;
            }
            (Some((_, mesh)), None) => {
                if has_joints(mesh) {
                    let what = format!("{} has joints, but the node has no skin", mesh.place);
                    report.remark(at.place, what);
                }
                continue;
            }
            (Some((index, mesh)), Some(skin)) => (index, mesh, skin),
        };
        let known = skin.whole().ok().and_then(|index| Some((index, skins.get(index)?.nodes.len())));
        let Some((index, joints)) = known else {
            report.remark(skin.place, format!("no skin of the file, which has {}", skins.len()));
            continue;
        };
        if !has_joints(mesh) {
            report.remark(skin.place, format!("{} has no joints for a skin to bend it by", mesh.place));
            continue;
        }
        if let Some(idle) = idle[node] {
            let what = if uses[idle].moved { "animation" } else { "transform" };
            let whose = if idle == node { String::new() } else { format!(" of nodes[{idle}], above it,") };
            report.remark(at.place, format!("a skinned mesh; the {what}{whose} does not move it"));
        }
        let fewest = skinned[mesh_index].get_or_insert(Skinned { mesh, skin: index, joints });
        if joints < fewest.joints {
            (fewest.skin, fewest.joints) = (index, joints);
        }
    }
    skinned.into_iter().flatten().inspect(|skinned| check_sets(skinned.mesh, report)).collect()
}

/// For each node the nearest transform, its own or an ancestor's, that would move it, but does not move a skinned mesh.
///
/// Skinned vertices stand where their joints take them. So the walk up ends at the ancestors of joints, of any skin:
/// what moves those moves the mesh after all.
fn idle(
    nodes: List<'_>,
    parents: &[Option<usize>],
    uses: &[Use],
    skins: &[RawSkin<'_>],
) -> Vec<Option<usize>> {
    let mut bends = vec![false; parents.len()];
    for &joint in skins.iter().flat_map(|skin| &skin.nodes) {
        let mut walk = Some(joint);
        while let Some(node) = walk.filter(|&n| !bends[n]) {
            bends[node] = true;
            walk = parents[node];
        }
    }
    let moves: Vec<bool> =
        nodes.iter().zip(uses).map(|(node, uses)| uses.moved || has_transform(node)).collect();
    inherit(parents, |node, above: Option<Option<usize>>| {
        if bends[node] {
            None
        } else if moves[node] {
            Some(node)
        } else {
            above.flatten()
        }
    })
}

/// Whether the node's own transform is more than the identity with rounding.
fn has_transform(node: At<'_>) -> bool {
    fn far<const N: usize>(node: At<'_>, key: &'static str, identity: [f32; N]) -> bool {
        let numbers = node.get(key).and_then(|at| at.numbers::<N>().ok());
        numbers.is_some_and(|numbers| numbers.iter().zip(identity).any(|(a, b)| (a - b).abs() > 1e-6))
    }
    let turned = |w| far(node, "rotation", [0.0, 0.0, 0.0, w]);
    let mut matrix = [0.0; 16];
    (matrix[0], matrix[5], matrix[10], matrix[15]) = (1.0, 1.0, 1.0, 1.0);
    far(node, "matrix", matrix)
        || far(node, "translation", [0.0; 3])
        || far(node, "scale", [1.0; 3])
        // Both are the rotation by nothing.
        || (turned(1.0) && turned(-1.0))
}

/// The attributes of each primitive of the mesh.
fn attributes(mesh: At<'_>) -> impl Iterator<Item = At<'_>> {
    let primitives = mesh.list("primitives").ok();
    primitives.into_iter().flat_map(List::iter).filter_map(|primitive| primitive.get("attributes"))
}

fn has_joints(mesh: At<'_>) -> bool {
    attributes(mesh).any(|attributes| attributes.get(SETS[0].0).is_some())
}

fn check_sets(mesh: At<'_>, report: &mut Report) {
    for attributes in attributes(mesh) {
        for (joints, weights) in SETS {
            match (attributes.get(joints), attributes.get(weights)) {
                (Some(at), None) => report.remark(at.place, format!("joints without {weights}")),
                (None, Some(at)) => report.remark(at.place, format!("weights without {joints}")),
                _ => {}
            }
        }
    }
}

/// Looks for vertices that name joints their skin has not. The first that can't be read ends the search: reading on
/// could meet the same fault many times.
pub(crate) fn check_joints<'a>(skinned: &[Skinned<'a>], accessors: &mut Accessors<'a>, report: &mut Report) {
    let mut known = HashMap::new();
    for &Skinned { mesh, skin, joints } in skinned {
        for at in attributes(mesh).flat_map(|a| SETS.iter().filter_map(move |(joints, _)| a.get(joints))) {
            match highest(at, &mut known, accessors, report) {
                Ok(Some(highest)) if highest >= joints as f32 => {
                    let what = format!("names joint {highest}, but skins[{skin}] has {joints}");
                    report.remark(at.place, what);
                }
                Ok(_) => {}
                Err(problem) => {
                    let what = format!("can't be read, so joints of vertices are not checked ({problem})");
                    report.remark(at.place, what);
                    return;
                }
            }
        }
    }
}

/// The highest joint that the accessor at `index` names; none if it has no elements.
fn highest<'a>(
    index: At<'a>,
    known: &mut HashMap<usize, Option<f32>>,
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Result<Option<f32>, Problem> {
    let (index, accessor) = accessors.open(index)?;
    if let Some(&highest) = known.get(&index) {
        return Ok(highest);
    }
    let highest = accessors.read(&accessor, report)?.into_iter().reduce(f32::max);
    known.insert(index, highest);
    Ok(highest)
}
