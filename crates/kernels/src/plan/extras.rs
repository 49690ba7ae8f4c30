//! What a pass writes besides palettes, matrix by matrix.

use std::collections::BTreeMap;

use super::compile::Standing;
use super::{PlanOptions, rows_of};

/// What of one matrix is written besides palettes, once all matrices of a group of lanes are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Extra {
    /// The slot that keeps it, a joint at first; nowhere: the identity.
    pub(crate) from: Option<u32>,
    /// Sockets, and what comes behind the matrix for each.
    pub(crate) sockets: Vec<(u32, [f32; 12])>,
    /// Centres that the matrix moves, and radii.
    pub(crate) spheres: Vec<[f32; 4]>,
}

/// What the options ask for, and the lowest and the highest coordinates of spheres that nothing moves: of none,
/// infinities that give way to any.
pub(super) fn collect(options: &PlanOptions<'_>, standings: &[Standing]) -> (Vec<Extra>, [[f32; 3]; 2]) {
    let mut extras: BTreeMap<Option<usize>, Extra> = BTreeMap::new();
    for (socket, joint) in options.sockets.iter().enumerate() {
        let Standing { anchor, rest, .. } = &standings[joint.get()];
        extras.entry(*anchor).or_default().sockets.push((socket as u32, rows_of(rest)));
    }
    let mut still = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for sphere in options.spheres {
        let Standing { anchor, rest, .. } = &standings[sphere.joint.get()];
        let (centre, radius) = (rest.translation.as_vec3(), sphere.radius);
        if anchor.is_some() {
            extras.entry(*anchor).or_default().spheres.push(centre.extend(radius).to_array());
            continue;
        }
        for axis in 0..3 {
            still[0][axis] = still[0][axis].min(centre[axis] - radius);
            still[1][axis] = still[1][axis].max(centre[axis] + radius);
        }
    }
    let from = |anchor: Option<usize>| anchor.map(|joint| joint as u32);
    (extras.into_iter().map(|(anchor, extra)| Extra { from: from(anchor), ..extra }).collect(), still)
}
