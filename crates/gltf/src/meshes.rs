//! The vertices of skinned meshes, for those who skin on the CPU.
//!
//! Read only where the caller asks for them, and last, so that meshes can't use up what clips may take. A mesh that can't be
//! had is left out, with a line of the report: poses are right without it.

use std::collections::BTreeSet;

use throng_tracks::import::MeshPart;
use throng_tracks::{InfluenceSet, Influences, MeshSource, SkinnedMesh, WeightRule};

use crate::accessor::{Accessor, Accessors, Component};
use crate::json::{At, List};
use crate::skinned::SETS;
use crate::{Problem, Report};

/// All parts of all meshes that are shown with a skin; `joints` tells how many each skin has.
pub(crate) fn read<'a>(
    root: At<'a>,
    nodes: List<'a>,
    joints: &[usize],
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Vec<MeshPart> {
    let Ok(meshes) = root.list("meshes") else { return Vec::new() };
    let mut parts = Vec::new();
    let mut known = BTreeSet::new();
    for at in nodes.iter() {
        let mesh = at.get("mesh").and_then(|mesh| mesh.index_into(meshes).ok());
        let skin = at.get("skin").and_then(|skin| skin.whole().ok());
        let (Some((mesh, at)), Some(skin)) = (mesh, skin) else { continue };
        let Some(&joint_count) = joints.get(skin) else { continue };
        if !known.insert((mesh, skin)) {
            continue;
        }
        let Ok(primitives) = at.list("primitives") else { continue };
        for (primitive, part) in primitives.iter().enumerate() {
            // One without joints is no skin's.
            let Some(attributes) = part.get("attributes").filter(|a| a.get(SETS[0].0).is_some()) else {
                continue;
            };
            match vertices(attributes, joint_count, accessors, report) {
                Ok(vertices) => {
                    parts.push(MeshPart { mesh, primitive, skin, name: at.name().to_owned(), vertices });
                }
                Err(why) => report.skip(part.place, format!("vertices for skins[{skin}] left out ({why})")),
            }
        }
    }
    parts
}

fn vertices<'a>(
    attributes: At<'a>,
    joint_count: usize,
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Result<SkinnedMesh, String> {
    let words = |problem: Problem| problem.to_string();
    let place = attributes.place;
    let position = attributes.need("POSITION", "the places of vertices").map_err(words)?;
    let positions = vectors::<3>(position, accessors, report).map_err(words)?;
    let normals = attributes.get("NORMAL").map(|at| vectors::<3>(at, accessors, report));
    let normals = normals.transpose().map_err(words)?;
    let tangents = attributes.get("TANGENT").map(|at| vectors::<4>(at, accessors, report));
    let tangents = tangents.transpose().map_err(words)?;
    let mut sets = Vec::new();
    for (joints, weights) in SETS {
        let (Some(joints), Some(weights)) = (attributes.get(joints), attributes.get(weights)) else {
            continue;
        };
        let joints = indices(joints, accessors, report).map_err(words)?;
        sets.push((joints, vectors::<4>(weights, accessors, report).map_err(words)?));
    }
    let sets: Vec<_> = sets.iter().map(|(joints, weights)| InfluenceSet { joints, weights }).collect();
    let source = MeshSource {
        positions: &positions,
        normals: normals.as_deref(),
        tangents: tangents.as_deref(),
        influences: Influences::Sets(&sets),
    };
    let (mesh, weights) =
        SkinnedMesh::new(source, joint_count, WeightRule::Normalise).map_err(|error| error.to_string())?;
    if weights.off > 0 {
        let (off, count, largest) = (weights.off, mesh.vertex_count(), weights.largest);
        report.repair(
            place,
            format!(
                "weights of {off} of {count} vertices that sum to 1 but for up to {largest:.1e}; normalised"
            ),
        );
    }
    Ok(mesh)
}

/// All vectors of the accessor that the number at `index` names.
pub(crate) fn vectors<'a, const N: usize>(
    index: At<'a>,
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Result<Vec<[f32; N]>, Problem> {
    let (_, accessor) = accessors.open(index)?;
    if accessor.kind != if N == 3 { "VEC3" } else { "VEC4" } {
        return Err(accessor.wrong_kind(if N == 3 { "VEC3" } else { "VEC4" }));
    }
    Ok(accessors.read(&accessor, report)?.as_chunks().0.to_vec())
}

/// The joints of vertices, four each.
pub(crate) fn indices<'a>(
    index: At<'a>,
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Result<Vec<[u16; 4]>, Problem> {
    let (_, accessor) = accessors.open(index)?;
    if !matches!(accessor.component, Component::U8 | Component::U16 | Component::U32) {
        let component = accessor.at.get("componentType").unwrap_or(accessor.at);
        return Err(component.wrong("an unsigned type, for joints (5121, 5123)"));
    }
    // Some files call joints normalised; nobody takes them for fractions.
    let plain = Accessor { normalized: false, ..accessor };
    if accessor.kind != "VEC4" {
        return Err(accessor.wrong_kind("VEC4"));
    }
    let (joints, most) = (accessors.read(&plain, report)?, f32::from(u16::MAX));
    if let Some(joint) = joints.iter().find(|&&joint| joint > most) {
        return Err(Problem::Field {
            place: accessor.at.place.to_string(),
            found: format!("joint {joint}"),
            expected: format!("joints up to {most}"),
        });
    }
    Ok(joints.as_chunks().0.iter().map(|four| four.map(|joint| joint as u16)).collect())
}
