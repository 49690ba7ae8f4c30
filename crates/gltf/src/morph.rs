//! Morph targets: how many a node's mesh has, how they weigh at rest, what they are called.
//!
//! Meshes are strangers here. What is wrong with one is passed over; only where numbers are left out is a line reported.

use std::sync::Arc;

use throng_tracks::import::Morph;

use crate::Report;
use crate::json::{At, List};

/// The morph targets of the node.
pub(crate) fn of_node(morphs: &[Morph], node: usize) -> Option<&Morph> {
    morphs.binary_search_by_key(&node, |morph| morph.node).ok().map(|i| &morphs[i])
}

/// What a mesh says of its targets, shared by all nodes that show it: a small file can have many nodes and many targets.
#[derive(Clone)]
struct Targets {
    weights: Arc<[f32]>,
    names: Arc<[String]>,
}

/// All nodes with morph targets, in order.
pub(crate) fn survey(root: At<'_>, nodes: List<'_>, report: &mut Report) -> Vec<Morph> {
    let Ok(meshes) = root.list("meshes") else { return Vec::new() };
    let mut known: Vec<Option<Option<Targets>>> = vec![None; meshes.len()];
    let mut morphs = Vec::new();
    for (node, at) in nodes.iter().enumerate() {
        let mesh = at.get("mesh").and_then(|mesh| mesh.index_into(meshes).ok());
        let Some((index, mesh)) = mesh else { continue };
        let targets = known[index].get_or_insert_with(|| targets(mesh, report));
        let Some(Targets { weights, names }) = targets.clone() else { continue };
        let weights = own_weights(at, weights.len(), report).unwrap_or(weights);
        morphs.push(Morph { node, weights, names });
    }
    morphs
}

fn targets(mesh: At<'_>, report: &mut Report) -> Option<Targets> {
    let count = mesh.list("primitives").ok()?.get(0)?.list("targets").ok()?.len();
    if count == 0 {
        return None;
    }
    let weights = own_weights(mesh, count, report).unwrap_or_else(|| vec![0.0; count].into());
    let names = mesh.get("extras").and_then(|extras| extras.list("targetNames").ok());
    let names = names.map_or(Vec::new(), |names| {
        names.iter().map(|name| name.text().unwrap_or_default().to_owned()).collect()
    });
    if names.is_empty() || names.len() == count {
        return Some(Targets { weights, names: names.into() });
    }
    let place = mesh.place.key("extras").key("targetNames");
    report.skip(place, format!("{} names for {count} morph targets", names.len()));
    Some(Targets { weights, names: [].into() })
}

/// The weights that a node or a mesh has of its own, if they are as many as the targets.
fn own_weights(at: At<'_>, count: usize, report: &mut Report) -> Option<Arc<[f32]>> {
    let own = at.get("weights")?;
    let weights =
        at.list("weights").and_then(|list| list.iter().map(At::number).collect::<Result<Vec<_>, _>>());
    match weights {
        Ok(weights) if weights.len() == count => return Some(weights.into()),
        Ok(weights) => {
            report.skip(own.place, format!("{} weights for {count} morph targets", weights.len()));
        }
        Err(problem) => report.skip(own.place, format!("weights that can't be read ({problem})")),
    }
    None
}
