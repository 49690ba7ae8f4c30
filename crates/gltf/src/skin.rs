//! Skins: which joints, and their inverse bind matrices.

use glam::Affine3A;
use throng_tracks::{JointIndex, Skin};

use crate::accessor::{Accessors, Component};
use crate::json::{At, List};
use crate::nodes::{Joints, Use, affine, has_plain_bottom, in_scenes};
use crate::{Problem, Report};

/// A skin whose joints are known to be nodes.
pub(crate) struct RawSkin<'a> {
    at: At<'a>,
    pub(crate) nodes: Vec<usize>,
}

/// Reads which nodes the skins name, and marks them as needed.
pub(crate) fn survey<'a>(
    root: At<'a>,
    nodes: List<'a>,
    parents: &[Option<usize>],
    uses: &mut [Use],
    report: &mut Report,
) -> Result<Vec<RawSkin<'a>>, Problem> {
    let mut skins = Vec::new();
    let shown = in_scenes(root, nodes, parents);
    for at in root.list("skins")?.iter() {
        let mut joints = Vec::new();
        for joint in at.list("joints")?.iter() {
            let (node, _) = joint.index_into(nodes)?;
            uses[node].needed = true;
            joints.push(node);
        }
        if joints.is_empty() {
            report.remark(at.place, "no joints");
        }
        let hidden = shown.as_ref().map_or(0, |shown| joints.iter().filter(|&&node| !shown[node]).count());
        if hidden > 0 {
            report.remark(at.place, format!("{hidden} of {} joints are in no scene", joints.len()));
        }
        skins.push(RawSkin { at, nodes: joints });
    }
    Ok(skins)
}

/// Reads the matrices and makes the skins.
pub(crate) fn build<'a>(
    skins: Vec<RawSkin<'a>>,
    joints: &Joints,
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Result<Vec<Skin>, Problem> {
    let mut roots: Vec<usize> = Vec::new();
    for (joint, parent) in joints.skeleton.parents().iter().enumerate() {
        roots.push(parent.map_or(joint, |p| roots[p.get()]));
    }
    skins
        .into_iter()
        .map(|RawSkin { at, nodes }| {
            let list: Vec<JointIndex> = nodes.iter().filter_map(|&node| joints.of_node[node]).collect();
            if list.windows(2).any(|w| roots[w[0].get()] != roots[w[1].get()]) {
                report.remark(at.place, "joints of several trees");
            }
            if let Some(skeleton) = at.get("skeleton") {
                let root = |joint: JointIndex| roots[joint.get()];
                let named = skeleton.whole().ok().and_then(|node| *joints.of_node.get(node)?);
                if named.map(root) != list.first().copied().map(root) {
                    report.remark(skeleton.place, "no ancestor of the joints; it has no say in poses");
                }
            }
            let matrices = match at.get("inverseBindMatrices") {
                Some(index) => Some(inverse_bind(index, list.len(), accessors, report)?),
                None => None,
            };
            Skin::new(at.name(), &joints.skeleton, list, matrices)
                .map_err(|source| Problem::Skin { place: at.place.to_string(), source })
        })
        .collect()
}

fn inverse_bind<'a>(
    index: At<'a>,
    joints: usize,
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Result<Vec<Affine3A>, Problem> {
    let (_, accessor) = accessors.open(index)?;
    if accessor.kind != "MAT4" {
        return Err(accessor.wrong_kind("MAT4, for inverse bind matrices"));
    }
    if accessor.count < joints {
        return Err(Problem::Count {
            place: index.place.to_string(),
            what: "matrices".into(),
            found: accessor.count,
            expected: format!("one for each of {joints} joints"),
        });
    }
    if accessor.count > joints {
        report.repair(
            index.place,
            format!("{} matrices for {joints} joints; the first were taken", accessor.count),
        );
    }
    if accessor.component != Component::F32 {
        report.remark(index.place, "integers for matrices");
    }
    let numbers = accessors.read(&accessor, report)?;
    let (matrices, _) = numbers.as_chunks::<16>();
    let matrices = &matrices[..joints];
    let odd = matrices.iter().filter(|m| !has_plain_bottom(m)).count();
    if odd > 0 {
        report.repair(
            index.place,
            format!("{odd} of {joints} matrices whose bottom row is not 0 0 0 1; taken as such"),
        );
    }
    Ok(matrices.iter().map(affine).collect())
}
