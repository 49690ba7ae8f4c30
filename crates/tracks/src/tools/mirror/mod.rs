//! Clips seen in a mirror: README.md beside this file has the formula.
//!
//! `names` and `pairs` find which joints are left and right of each other, and `sides` each joint's partner. `reference`
//! finds a pose in which the skeleton is symmetric (`plane` about what), or `offsets` what takes its place. `frames` makes
//! one linear map for each joint; every track of the joint goes through it to become one of its partner. `measure` says how
//! far the result is from the reflection.

mod error;
mod frames;
mod measure;
mod names;
mod offsets;
mod options;
mod pairs;
mod plane;
mod reference;
mod report;
mod sides;
mod tracks;
mod world;

use glam::DVec3;

pub use error::MirrorError;
pub use names::{is_sided, other_side};
pub use options::{MirrorAxis, MirrorOptions, MirrorPlane};
pub use pairs::pairs_by_name;
pub use report::{MirrorDistance, MirrorReference, MirrorReport};

use super::rebuild::{Target, moved};
use crate::{Channel, Clip, JointIndex, Skeleton};
use frames::{Frames, OFF_PLANE, Setting};
use measure::Shown;
use plane::Plane;
use reference::{Reference, references, rest_frames};
use sides::Sides;

/// The clip in a mirror: in model space, each joint's partner gets the joint's motion, reflected. Joints in the middle get
/// their own.
///
/// The two joints of a pair may have any axes. What counts is how their frames stand to each other in a reference pose, in
/// which the skeleton is symmetric: the pose that the options name, or else the bind pose of the skins, or else the rest
/// pose; where none of them is symmetric, frames are chosen in which the offsets of joints from their parents are. The
/// reference pose becomes itself. A skeleton that is symmetric in it shows the exact reflection of every pose. Otherwise
/// each side keeps its own lengths, and the report says how far that is from the reflection.
///
/// A joint without a partner under one side keeps its motion and so follows its parent's reflection: a sword stays in the
/// right hand. Joints off the plane in no pair stay on their side of their parent. The report names both.
///
/// Where the rest pose is not symmetric, joints that the clip does not move get a constant track, so that they show the
/// reflection of their partner's rest.
///
/// Of an additive clip the differences are mirrored: the image of a pose with the clip added is the pose's image with the
/// clip's image added.
///
/// Every interpolation comes through exactly. Mirroring twice gives back the pose at every time, but for rounding. Weights
/// and properties of a joint go to its partner as they are: left and right morph targets of one mesh are not told apart.
/// Markers keep time, name and payload; [`other_side`] has the other name of one that names a foot.
///
/// ```
/// use throng_tracks::*;
/// let at = |x: f32| Rest::Trs(Transform { translation: [x, 1.0, 0.0].into(), ..Transform::IDENTITY });
/// let joint = |name: &str, x| Joint { name: name.into(), parent: None, rest: at(x) };
/// let skeleton = Skeleton::new([joint("hand.L", 0.5), joint("hand.R", -0.5)])?;
/// let wave = Track::new("wave", Channel::Translation, Interpolation::Linear, [0.0], vec![0.75, 2.0, 0.25])?;
/// let clip = Clip::new("wave", &skeleton, [(JointIndex(0), wave)])?;
/// let (other, report) = tools::mirror(&clip, &skeleton, &tools::MirrorOptions::default())?;
/// assert_eq!(other.tracks()[0].joint(), JointIndex(1));
/// assert_eq!(other.tracks()[0].track().values(), [-0.75, 2.0, 0.25]);
/// assert_eq!(report.plane, tools::MirrorPlane::X);
/// assert!(report.fraction() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Any [`MirrorError`]; [`MirrorError::NotSymmetric`] if a joint is further from the reflection of its partner than the
/// options allow.
pub fn mirror(
    clip: &Clip,
    skeleton: &Skeleton,
    options: &MirrorOptions<'_>,
) -> Result<(Clip, MirrorReport), MirrorError> {
    let sides = Sides::new(skeleton, options)?;
    let mut turned = vec![false; skeleton.joint_count()];
    for moved in moved(clip, skeleton)? {
        if let (Target::Joint(joint), Channel::Rotation | Channel::Scale) =
            (moved.target, moved.track.channel())
        {
            turned[joint.get()] |= tracks::leaves_rest(moved.track, &skeleton.rest()[joint.get()]);
        }
    }
    let task = Task { clip, skeleton, options, sides: &sides, turned: &turned };
    let (others, reference) = references(skeleton, &sides, options)?;
    let all = || others.iter().chain([&reference]);
    let size = all().map(|reference| reference.size).find(|size| *size > 0.0).unwrap_or(0.0);
    let through = |exact: bool| {
        let others = others.iter().map(|reference| task.through_pose(reference, size, exact));
        nearer(task.through_pose(&reference, size, exact), others)
    };
    let mut nearest = through(false);
    // Sides that are alike but for little may take each other's lengths, where their own would lead too far.
    if !near(&nearest) && all().any(|pose| pose.worst <= f64::from(ALIKE) * pose.size) {
        nearest = nearer(nearest, std::iter::once(through(true)));
    }
    if !near(&nearest) && options.reference.is_none() && !sides.pairs.is_empty() {
        nearest = nearer(nearest, std::iter::once(task.through_offsets(&reference, size)));
    }
    match nearest? {
        (clip, report) if task.allows(&report) => Ok((clip, report)),
        (_, report) => Err(task.too_far(&report)),
    }
}

/// Up to this fraction of the size sides are alike.
const ALIKE: f32 = 0.02;

type Tried = Result<(Clip, MirrorReport), MirrorError>;

/// Of several results the one whose largest distance is least; of none that is less than another the first.
fn nearer(first: Tried, others: impl Iterator<Item = Tried>) -> Tried {
    others.fold(first, |a, b| if distance(&b) < distance(&a) { b } else { a })
}

fn near(tried: &Tried) -> bool {
    tried.as_ref().is_ok_and(|(_, report)| report.fraction() <= f64::from(ALIKE))
}

fn distance(tried: &Tried) -> f64 {
    tried.as_ref().map_or(f64::INFINITY, |(_, report)| report.largest.distance)
}

/// What is asked for.
struct Task<'a> {
    clip: &'a Clip,
    skeleton: &'a Skeleton,
    options: &'a MirrorOptions<'a>,
    sides: &'a Sides,
    /// By joint: whether the clip rotates or scales it away from its rest.
    turned: &'a [bool],
}

impl Task<'_> {
    /// With `exact`, sides take each other's lengths if the pose is symmetric but for little.
    fn through_pose(&self, reference: &Reference, size: f64, exact: bool) -> Tried {
        let rest = rest_frames(self.skeleton);
        let middle = self.sides.body.map_or(DVec3::ZERO, |body| reference.frames[body.get()].translation);
        let plane = self.world_plane(&reference.plane, middle, size);
        let (skeleton, sides, turned) = (self.skeleton, self.sides, self.turned);
        let setting = Setting { skeleton, sides, rest: &rest, plane: plane.into(), turned };
        let exact = exact && reference.worst <= f64::from(ALIKE) * reference.size;
        let frames = Frames::of_pose(&setting, reference, exact);
        let mut report = self.report(reference.source, plane, size);
        report.off_plane = self.off_plane(reference);
        self.mirrored(&setting, &frames, report)
    }

    fn through_offsets(&self, rest_pose: &Reference, size: f64) -> Tried {
        let rest = rest_frames(self.skeleton);
        let (skeleton, sides, turned) = (self.skeleton, self.sides, self.turned);
        let guess: Plane = self.options.plane.map_or(rest_pose.plane, Plane::from);
        let turns = offsets::turns(skeleton, sides, &rest, &guess);
        // Where the joint that carries all pairs has its plane, so has the body.
        let at = sides.body.map_or(DVec3::ZERO, |body| rest[body.get()].translation);
        let normal = sides.body.map_or(guess.normal, |body| {
            let across = turns[body.get()];
            let own = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis - across * axis);
            let widest =
                own.into_iter().fold(DVec3::ZERO, |w, d| if d.length() > w.length() { d } else { w });
            plane::orthogonal(rest[body.get()].matrix3) * widest.normalize_or(DVec3::X)
        });
        let plane = self.world_plane(&Plane { normal, offset: normal.dot(at) }, at, size);
        let turns = if self.options.plane.is_some() {
            turns
        } else {
            offsets::turns(skeleton, sides, &rest, &plane.into())
        };
        let setting = Setting { skeleton, sides, rest: &rest, plane: plane.into(), turned };
        let frames = Frames::of_offsets(&setting, turns);
        self.mirrored(&setting, &frames, self.report(MirrorReference::Offsets, plane, size))
    }

    fn world_plane(&self, body: &Plane, at: DVec3, size: f64) -> MirrorPlane {
        let found = || world::plane(self.clip, self.skeleton, self.sides, body, at, size);
        self.options.plane.unwrap_or_else(found)
    }

    fn mirrored(
        &self,
        setting: &Setting<'_>,
        frames: &Frames,
        mut report: MirrorReport,
    ) -> Result<(Clip, MirrorReport), MirrorError> {
        let (mirrored, rest) = tracks::mirrored(self.clip, setting, frames, report.size)?;
        let source = Shown { clip: self.clip, rest: self.skeleton.rest() };
        let shown = Shown { clip: &mirrored, rest: &rest };
        let measured = self.measured(&report.off_plane);
        let (largest, reach) = measure::largest(self.skeleton, &source, &shown, &setting.plane, &measured);
        report.largest = largest;
        if report.size == 0.0 {
            report.size = reach;
        }
        Ok((mirrored, report))
    }

    /// Which joint is compared with the reflection of which: pairs, those too that could be none, and joints on the plane.
    fn measured(&self, off_plane: &[JointIndex]) -> Vec<(JointIndex, JointIndex)> {
        let both = |&(a, b): &(JointIndex, JointIndex)| [(a, b), (b, a)];
        let paired = self.sides.pairs.iter().chain(&self.sides.apart).flat_map(both);
        let alone = self.sides.pairs.is_empty();
        let middle = |joint: &JointIndex| {
            self.sides.is_middle(*joint)
                && (alone || !self.sides.outer[joint.get()] && !off_plane.contains(joint))
        };
        let in_the_middle = self.skeleton.joints().filter(middle).map(|joint| (joint, joint));
        paired.chain(in_the_middle).collect()
    }

    /// The joints in the middle that are off the plane of the reference pose, but for those above the body.
    fn off_plane(&self, reference: &Reference) -> Vec<JointIndex> {
        let off = |joint: &JointIndex| {
            let at = reference.frames[joint.get()].translation;
            self.sides.is_middle(*joint)
                && !(self.sides.outer[joint.get()] && self.sides.carries[joint.get()])
                && reference.plane.distance(at).abs() > OFF_PLANE * reference.size
        };
        self.skeleton.joints().filter(off).collect()
    }

    fn report(&self, reference: MirrorReference, plane: MirrorPlane, size: f64) -> MirrorReport {
        let joints = || self.skeleton.joints();
        let none = JointIndex(0);
        MirrorReport {
            plane,
            reference,
            pairs: self.sides.pairs.clone(),
            one_sided: joints().filter(|joint| self.sides.partner[joint.get()].is_none()).collect(),
            off_plane: Vec::new(),
            unpaired_names: joints()
                .filter(|&joint| self.sides.is_middle(joint) && is_sided(self.skeleton.name(joint)))
                .collect(),
            largest: MirrorDistance { distance: 0.0, joint: none, partner: none, time_s: 0.0 },
            size,
        }
    }

    fn allows(&self, report: &MirrorReport) -> bool {
        self.options.tolerance == f32::INFINITY || report.fraction() <= f64::from(self.options.tolerance)
    }

    fn too_far(&self, report: &MirrorReport) -> MirrorError {
        let MirrorDistance { distance, joint, partner, time_s } = report.largest;
        let [name, partner_name] = [joint, partner].map(|joint| self.skeleton.name(joint).to_owned());
        let (plane, size, tolerance) = (report.plane.to_string(), report.size, self.options.tolerance);
        MirrorError::NotSymmetric {
            joint,
            name,
            partner,
            partner_name,
            plane,
            distance,
            time_s,
            size,
            tolerance,
        }
    }
}
