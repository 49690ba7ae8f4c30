//! Clips of one skeleton, bound by name to the joints of another: for files that hold only animations.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use throng_tracks::{Channel, Clip, JointIndex, Skeleton};

/// Why the tracks of a joint were not bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WhyUnbound {
    /// The other skeleton has no joint of that name.
    NoSuchJoint,
    /// The joint has no name.
    Unnamed,
    /// Another joint of its own skeleton comes first and has the same name.
    NotFirstOfName,
    /// The joint of that name in the other skeleton stands by a matrix and can't be moved.
    FixedMatrix,
}

impl fmt::Display for WhyUnbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchJoint => "no joint of that name",
            Self::Unnamed => "a joint without a name",
            Self::NotFirstOfName => "not the first joint of that name",
            Self::FixedMatrix => "the joint of that name stands by a matrix",
        })
    }
}

/// Tracks of one joint, or of its properties, that were not bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbound {
    /// The joint, in the clips' own skeleton.
    pub joint: JointIndex,
    /// Its name.
    pub name: String,
    /// How many tracks of all clips it has that were not bound.
    pub tracks: usize,
    /// Why.
    pub why: WhyUnbound,
}

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
    let mut report = BindReport::default();
    let (own, others) = (first_of_name(from), first_of_name(to));
    let namesakes: Vec<_> =
        from.joints().map(|joint| namesake(from.name(joint), joint, &own, &others)).collect();
    let mut moved = vec![false; to.joint_count()];
    let mut unbound: BTreeMap<JointIndex, Unbound> = BTreeMap::new();
    let mut bind = |joint: JointIndex, channel: Channel| {
        let target = namesakes[joint.get()].and_then(|target| {
            let fixed = channel.is_in_pose() && to.fixed_matrix(target).is_some();
            if fixed { Err(WhyUnbound::FixedMatrix) } else { Ok(target) }
        });
        match target {
            Ok(target) => {
                moved[target.get()] = true;
                Some(target)
            }
            Err(why) => {
                let name = || from.name(joint).to_owned();
                let none = || Unbound { joint, name: name(), tracks: 0, why };
                unbound.entry(joint).or_insert_with(none).tracks += 1;
                None
            }
        }
    };
    let bound = clips.iter().map(|clip| {
        let tracks = clip.tracks().iter().filter_map(|bound| {
            let track = bound.track();
            Some((bind(bound.joint(), track.channel())?, track.clone()))
        });
        let tracks: Vec<_> = tracks.collect();
        let properties = clip.properties().iter().filter_map(|moved| {
            let (mut property, track) = (moved.property().clone(), moved.track());
            if let Some(joint) = &mut property.joint {
                *joint = bind(*joint, track.channel())?;
            }
            Some((property, track.clone()))
        });
        let properties: Vec<_> = properties.collect();
        report.bound += tracks.len() + properties.len();
        let clip = Clip::new(clip.name(), to, tracks).and_then(|clip| clip.with_properties(to, properties));
        // Different joints have different namesakes, so all that can go wrong with a clip has been seen to.
        clip.unwrap_or_else(|e| unreachable!("{e}"))
    });
    let bound = bound.collect();
    report.unbound = unbound.into_values().collect();
    report.moved = moved.iter().filter(|&&moved| moved).count();
    report.still = moved.len() - report.moved;
    let behind = |&joint: &JointIndex| others[to.name(joint)] != joint;
    let shared: HashSet<&str> = to.joints().filter(behind).map(|joint| to.name(joint)).collect();
    report.ambiguous =
        to.joints().filter(|joint| moved[joint.get()] && shared.contains(to.name(*joint))).collect();
    (bound, report)
}

fn first_of_name(skeleton: &Skeleton) -> HashMap<&str, JointIndex> {
    let mut first = HashMap::new();
    for joint in skeleton.joints() {
        first.entry(skeleton.name(joint)).or_insert(joint);
    }
    first
}

/// The joint, of those that are the first of their name, whose tracks `joint` shall have.
fn namesake(
    name: &str,
    joint: JointIndex,
    own: &HashMap<&str, JointIndex>,
    others: &HashMap<&str, JointIndex>,
) -> Result<JointIndex, WhyUnbound> {
    if name.is_empty() {
        return Err(WhyUnbound::Unnamed);
    }
    if own.get(name) != Some(&joint) {
        return Err(WhyUnbound::NotFirstOfName);
    }
    others.get(name).copied().ok_or(WhyUnbound::NoSuchJoint)
}
