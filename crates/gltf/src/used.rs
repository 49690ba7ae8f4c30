//! Which entries of a skin's palette vertices follow: the others need not be computed.
//!
//! Only joints and weights are read, and last of all, so that they can't use up what clips and meshes may take. Where
//! they can't be had, all entries count as used: poses are right then, too.

use std::collections::BTreeSet;

use crate::Report;
use crate::accessor::Accessors;
use crate::json::{At, List};
use crate::meshes::{indices, vectors};
use crate::skinned::SETS;

/// For each skin its entries, and whether some vertex has a weight for it; none for a skin without meshes, or with a mesh
/// that can't be read. `joints` tells how many each skin has.
pub(crate) fn joints<'a>(
    root: At<'a>,
    nodes: List<'a>,
    joints: &[usize],
    accessors: &mut Accessors<'a>,
) -> Vec<Option<Vec<bool>>> {
    let mut used: Vec<Option<Vec<bool>>> = vec![None; joints.len()];
    let Ok(meshes) = root.list("meshes") else { return used };
    let mut unknown = vec![false; joints.len()];
    let mut known = BTreeSet::new();
    for at in nodes.iter() {
        let mesh = at.get("mesh").and_then(|mesh| mesh.index_into(meshes).ok());
        let skin = at.get("skin").and_then(|skin| skin.whole().ok());
        let (Some((mesh, at)), Some(skin)) = (mesh, skin) else { continue };
        if skin >= joints.len() || unknown[skin] || !known.insert((mesh, skin)) {
            continue;
        }
        let Ok(primitives) = at.list("primitives") else { continue };
        let attributes = primitives.iter().filter_map(|primitive| primitive.get("attributes"));
        for attributes in attributes.filter(|attributes| attributes.get(SETS[0].0).is_some()) {
            let marks = used[skin].get_or_insert_with(|| vec![false; joints[skin]]);
            if mark(attributes, marks, accessors).is_none() {
                unknown[skin] = true;
                break;
            }
        }
    }
    used.iter_mut().zip(unknown).filter(|(_, unknown)| *unknown).for_each(|(used, _)| *used = None);
    used
}

/// Marks the entries that vertices of a primitive follow; none if its joints or weights can't be read.
fn mark<'a>(attributes: At<'a>, used: &mut [bool], accessors: &mut Accessors<'a>) -> Option<()> {
    // What is odd about them is told where they are checked and where meshes are read.
    let mut told = Report::default();
    let mut sets = Vec::new();
    for (joints, weights) in SETS {
        let Some(joints) = attributes.get(joints) else { continue };
        let joints = indices(joints, accessors, &mut told).ok()?;
        sets.push((joints, vectors::<4>(attributes.get(weights)?, accessors, &mut told).ok()?));
    }
    let vertices = sets.iter().map(|(joints, weights)| joints.len().min(weights.len())).min().unwrap_or(0);
    for vertex in 0..vertices {
        let pairs = sets.iter().flat_map(|(joints, weights)| joints[vertex].into_iter().zip(weights[vertex]));
        let mut weightless = true;
        for (joint, weight) in pairs {
            if weight > 0.0 {
                weightless = false;
                used.get_mut(usize::from(joint)).into_iter().for_each(|used| *used = true);
            }
        }
        // A vertex without any weight follows its first joint.
        if weightless && let Some(first) = used.get_mut(usize::from(sets[0].0[vertex][0])) {
            *first = true;
        }
    }
    Some(())
}
