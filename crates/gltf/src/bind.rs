//! Clips of one skeleton, bound by name to the joints of another: for files that hold only animations.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use throng_tracks::tools::{Unbound, namesakes, remap};
use throng_tracks::{Clip, JointIndex, Skeleton};

/// What became of the tracks. Displays as lines, the first for what was bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BindReport {
    /// Tracks of all clips that were bound.
    pub bound: usize,
    /// What was not bound, in the order of the joints.
    pub unbound: Vec<Unbound>,
    /// Joints of the other skeleton that tracks were bound to although they share their name with joints behind them.
    pub ambiguous: Vec<JointIndex>,
    /// Joints of the other skeleton that a bound track moves.
    pub moved: usize,
    /// Joints of the other skeleton that none moves, in no clip.
    pub still: usize,
}

impl BindReport {
    /// Tracks of all clips that were not bound.
    #[must_use]
    pub fn unbound_tracks(&self) -> usize {
        self.unbound.iter().map(|joint| joint.tracks).sum()
    }
}

impl fmt::Display for BindReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bound, moved, still, .. } = self;
        let lost = self.unbound_tracks();
        writeln!(
            f,
            "{bound} tracks bound to {moved} joints, {lost} not bound; {still} joints are not moved"
        )?;
        for Unbound { joint, name, tracks, why } in &self.unbound {
            writeln!(f, "skip: joint {joint} {name:?}: {tracks} tracks: {why}")?;
        }
        self.ambiguous.iter().try_for_each(|joint| {
            writeln!(f, "remark: joint {joint}: bound to it, the first of several of its name")
        })
    }
}

/// Binds each track of `clips`, which are clips of `from`, to the joint of the same name in `to`.
///
/// There is one clip for each, of the same name, even if nothing of it was bound. Names must be equal to the letter. Of
/// several joints of one name the first counts, in `from` and in `to`; joints without a name are not bound. Properties of
/// joints go with their joints, properties of the whole stay.
///
/// The tracks are taken as they are: a joint gets the local transform that the clip gives its namesake. Where the two
/// skeletons differ at rest, in their proportions or in the axes of their joints, nothing is corrected, so that lengths of
/// bones which the clip moves are those of the clip. What the clip does not move is at the rest of `to`.
///
/// ```no_run
/// let (moves, character) = (throng_gltf::import("moves.glb")?, throng_gltf::import("character.glb")?);
/// let (clips, report) = throng_gltf::bind_by_name(&moves.clips, &moves.skeleton, &character.skeleton);
/// eprint!("{report}");
/// # Ok::<(), throng_gltf::ImportError>(())
/// ```
///
/// # Panics
/// If a clip moves joints that `from` has not.
#[must_use]
pub fn bind_by_name(clips: &[Clip], from: &Skeleton, to: &Skeleton) -> (Vec<Clip>, BindReport) {
    let namesakes = namesakes(from, to);
    let mut report = BindReport::default();
    let mut unbound: BTreeMap<JointIndex, Unbound> = BTreeMap::new();
    let mut moved = vec![false; to.joint_count()];
    let bound = clips.iter().map(|clip| {
        // Different joints have different namesakes, so all that can go wrong is a joint that `from` has not.
        let (clip, remapped) = remap(clip, from, &namesakes, to).unwrap_or_else(|e| panic!("{e}"));
        report.bound += remapped.bound;
        for lost in remapped.unbound {
            let joint = unbound.entry(lost.joint).or_insert_with(|| Unbound { tracks: 0, ..lost });
            joint.tracks += lost.tracks;
        }
        let tracks = clip.tracks().iter().map(|track| track.joint());
        let properties = clip.properties().iter().filter_map(|moved| moved.property().joint);
        tracks.chain(properties).for_each(|joint| moved[joint.get()] = true);
        clip
    });
    let bound = bound.collect();
    report.unbound = unbound.into_values().collect();
    report.moved = moved.iter().filter(|&&moved| moved).count();
    report.still = moved.len() - report.moved;
    let mut sharing: HashMap<&str, usize> = HashMap::new();
    to.names().iter().for_each(|name| *sharing.entry(name).or_default() += 1);
    let shared = |joint: &JointIndex| moved[joint.get()] && sharing[to.name(*joint)] > 1;
    report.ambiguous = to.joints().filter(shared).collect();
    (bound, report)
}
