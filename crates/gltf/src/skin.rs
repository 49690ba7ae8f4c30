//! Skins: which joints, and their inverse bind matrices.

use glam::Affine3A;
use throng_tracks::{JointIndex, Skin};

use crate::accessor::Accessors;
use crate::json::{At, List};
use crate::nodes::{Joints, Use, in_scenes};
use crate::{Problem, Report, inverse_bind};

/// A skin whose joints are known to be nodes.
pub(crate) struct RawSkin<'a> {
    pub(crate) at: At<'a>,
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

/// The inverse bind matrices of each skin; none for a skin without.
pub(crate) fn inverse_binds<'a>(
    skins: &[RawSkin<'a>],
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Result<Vec<Option<Vec<Affine3A>>>, Problem> {
    let mut read = |skin: &RawSkin<'a>| {
        let index = skin.at.get("inverseBindMatrices");
        index.map(|index| inverse_bind::read(index, &skin.nodes, accessors, report)).transpose()
    };
    skins.iter().map(&mut read).collect()
}

/// Makes the skins of their joints and matrices.
pub(crate) fn build(
    skins: Vec<RawSkin<'_>>,
    inverse_binds: Vec<Option<Vec<Affine3A>>>,
    joints: &Joints,
    report: &mut Report,
) -> Result<Vec<Skin>, Problem> {
    let mut roots: Vec<usize> = Vec::new();
    for (joint, parent) in joints.skeleton.parents().iter().enumerate() {
        roots.push(parent.map_or(joint, |p| roots[p.get()]));
    }
    skins
        .into_iter()
        .zip(inverse_binds)
        .map(|(RawSkin { at, nodes }, matrices)| {
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
            Skin::new(at.name(), &joints.skeleton, list, matrices)
                .map_err(|source| Problem::Skin { place: at.place.to_string(), source })
        })
        .collect()
}
