//! Clips of one skeleton, bound by name to the joints of another: for files that hold only animations.

use std::collections::BTreeMap;
use std::fmt;

use super::{RestComparison, Unbound, compare_rest, namesakes, remap};
use crate::{Clip, JointIndex, Skeleton};

/// What became of the tracks. Displays as lines, the first for what was bound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BindReport {
    /// Tracks of all clips that were bound.
    pub bound: usize,
    /// What was not bound, in the order of the joints.
    pub unbound: Vec<Unbound>,
    /// Joints of the other skeleton that tracks were bound to although another joint of their name could be meant as well.
    pub ambiguous: Vec<JointIndex>,
    /// How the two skeletons differ at rest, in their units too.
    pub rest: RestComparison,
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
        })?;
        self.rest.fmt(f)
    }
}

/// Binds each track of `clips`, which are clips of `from`, to the joint of the same name in `to`.
///
/// There is one clip for each, of the same name, even if nothing of it was bound. Names must be equal to the letter. Where
/// a name repeats, the path of names from the root decides, as [`namesakes`] says; joints without a name are not
/// bound. Properties of joints go with their joints, properties of the whole stay.
///
/// The tracks are taken as they are: a joint gets the local transform that the clip gives its namesake. Where the two
/// skeletons differ at rest, in their units, their proportions or the axes of their joints, nothing is corrected, so that
/// lengths of bones which the clip moves are those of the clip; the report has [remarks](BindReport::rest). What the clip does not move is at the rest of `to`.
///
/// ```
/// use throng_tracks::tools::bind_by_name;
/// use throng_tracks::*;
/// # let joint = |name: &str| Joint { name: name.into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
/// # let moves = Skeleton::new([joint("tail"), joint("hips")])?;
/// # let character = Skeleton::new([joint("hips"), joint("hat")])?;
/// # let track = || Track::new("t", Channel::Translation, Interpolation::Linear, [0.0], vec![1.0, 2.0, 3.0]);
/// # let sit = Clip::new("sit", &moves, [(JointIndex(0), track()?), (JointIndex(1), track()?)])?;
/// // `sit` moves the joints `tail` and `hips`; the character has `hips` and `hat`.
/// let (clips, report) = bind_by_name(&[sit], &moves, &character);
/// assert_eq!(clips[0].tracks()[0].joint(), JointIndex(0));
/// assert_eq!((report.bound, report.unbound_tracks(), report.still), (1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If a clip moves joints that `from` has not.
#[must_use]
pub fn bind_by_name(clips: &[Clip], from: &Skeleton, to: &Skeleton) -> (Vec<Clip>, BindReport) {
    let namesakes = namesakes(from, to);
    let rest = compare_rest(from, to, &namesakes.joints);
    let mut report = BindReport { rest, ..BindReport::default() };
    let mut unbound: BTreeMap<JointIndex, Unbound> = BTreeMap::new();
    let mut moved = vec![false; to.joint_count()];
    let bound = clips.iter().map(|clip| {
        // Different joints have different namesakes, so all that can go wrong is a joint that `from` has not.
        let (clip, remapped) = remap(clip, from, &namesakes.joints, to).unwrap_or_else(|e| panic!("{e}"));
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
    report.ambiguous = namesakes.ambiguous.into_iter().filter(|joint| moved[joint.get()]).collect();
    (bound, report)
}
