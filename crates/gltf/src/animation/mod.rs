//! Animations: which node or property each channel moves, and its keys.
//!
//! An animation is read whole before anything else knows of it: one that can't be built is left out, and nodes that it
//! alone moves are no joints. `target` says what a channel moves, `keys` makes its track, and `repair` mends rotations.

mod keys;
mod repair;
mod target;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use throng_tracks::{Clip, ClipError, Property, Track};

use crate::accessor::{Accessor, Accessors, Component};
use crate::json::{At, List, Place, quote};
use crate::nodes::{Joints, Use};
use crate::{ImportOptions, LeftOutClip, Morph, Problem, Report, markers};

pub(crate) use target::{Node, Target};

/// The member of a target's extras that tells what numbers of a property are, where glTF has no word for it.
pub(crate) const SAID: &str = "channel";

/// The word for weights there.
pub(crate) const WEIGHTS: &str = "weights";

/// A channel that moves something which exists.
struct RawChannel<'a> {
    place: Place,
    target: Target,
    /// What the target's extras say that a property is.
    said: Option<&'a str>,
    sampler: At<'a>,
    /// Index and place of the key times' accessor.
    input: (usize, Accessor<'a>),
}

/// An animation whose channels are read; those that can't be used are left out.
pub(crate) struct RawClip<'a> {
    /// The animation's index in the file.
    source: usize,
    at: At<'a>,
    tracks: Vec<(Target, Track)>,
    /// By how much its keys were moved towards 0.
    shift_s: f32,
}

/// All animations of a file.
#[derive(Default)]
pub(crate) struct Animations<'a> {
    pub(crate) clips: Vec<RawClip<'a>>,
    pub(crate) left_out: Vec<LeftOutClip>,
    /// Why the first of those was left out.
    pub(crate) first_problem: Option<Problem>,
}

/// Clips, the index of the animation of each, and what was left out.
type Built = (Vec<Clip>, Vec<usize>, Vec<LeftOutClip>);

impl Animations<'_> {
    /// Leaves out an animation that can't be built, with a line in the report, unless that is to be an error.
    fn leave_out(
        &mut self,
        source: usize,
        at: At<'_>,
        problem: Problem,
        options: &ImportOptions,
        report: &mut Report,
    ) -> Result<(), Problem> {
        if options.strict {
            return Err(problem);
        }
        let (name, why) = (at.name().to_owned(), problem.to_string());
        let what = format!("clip {} is left out: {why} (with `strict`, an error)", quote(&name));
        report.skip(at.place, what);
        self.left_out.push(LeftOutClip { source, name, why });
        self.first_problem.get_or_insert(problem);
        Ok(())
    }
}

/// Reads animations. Channels with the same accessor of key times share one array of them.
pub(crate) struct Reader<'a, 'b> {
    pub(crate) root: At<'a>,
    pub(crate) nodes: List<'a>,
    pub(crate) morphs: &'b [Morph],
    pub(crate) accessors: &'b mut Accessors<'a>,
    pub(crate) options: &'b ImportOptions,
    pub(crate) times: HashMap<usize, Arc<[f32]>>,
    pub(crate) report: &'b mut Report,
}

impl<'a> Reader<'a, '_> {
    /// Reads all animations, and marks the nodes as needed that those which can be built move.
    pub(crate) fn read(mut self, uses: &mut [Use]) -> Result<Animations<'a>, Problem> {
        let mut animations = Animations::default();
        for (source, at) in self.root.list("animations")?.iter().enumerate() {
            match self.clip(source, at) {
                Ok(clip) => {
                    clip.mark(uses);
                    animations.clips.push(clip);
                }
                Err(problem) => animations.leave_out(source, at, problem, self.options, self.report)?,
            }
        }
        Ok(animations)
    }

    fn clip(&mut self, source: usize, at: At<'a>) -> Result<RawClip<'a>, Problem> {
        if !at.is_object() {
            return Err(at.wrong("an object"));
        }
        let channels = self.channels(at)?;
        if channels.is_empty() {
            self.report.remark(at.place, "no channel that moves a node; the clip is empty");
        }
        for channel in &channels {
            match (self.load_times(channel), &channel.target) {
                // Told when its track is made.
                (Ok(()), _) | (Err(_), Target::Property(..)) => {}
                (Err(problem), Target::Node(..)) => return Err(problem),
            }
        }
        let (shifted, shift_s) = self.shifted(at, &channels);
        let mut tracks = Vec::with_capacity(channels.len());
        for channel in &channels {
            let times = shifted.get(&channel.input.0).or_else(|| self.times.get(&channel.input.0)).cloned();
            match (self.track(channel, times), &channel.target) {
                (Ok(track), _) => tracks.push((channel.target.clone(), track)),
                (Err(problem), Target::Property(..)) => self.report.skip(channel.place, unread(&problem)),
                (Err(problem), Target::Node(..)) => return Err(problem),
            }
        }
        Ok(RawClip { source, at, tracks, shift_s })
    }

    /// The channels that move something, the first for each target.
    fn channels(&mut self, at: At<'a>) -> Result<Vec<RawChannel<'a>>, Problem> {
        let samplers = at.list("samplers")?;
        let mut channels = Vec::new();
        let mut seen = HashSet::new();
        for channel in at.list("channels")?.iter() {
            let Some(target) = target::target(channel, self.root, self.nodes, self.report)? else { continue };
            if !seen.insert(target.clone()) {
                let of = match &target {
                    Target::Node(node, _) | Target::Property(Some(node), _) => format!("nodes[{node}]"),
                    Target::Property(None, name) => quote(name),
                };
                let what = format!("{of} has a channel for this already; the first counts");
                self.report.skip(channel.place, what);
                continue;
            }
            let opened = || {
                let (_, sampler) = channel.need("sampler", "the index of a sampler")?.index_into(samplers)?;
                let input = sampler.need("input", "the index of an accessor of key times")?;
                Ok((sampler, self.accessors.open(input)?))
            };
            let (sampler, input) = match (opened(), &target) {
                (Ok(opened), _) => opened,
                (Err(problem), Target::Property(..)) => {
                    self.report.skip(channel.place, unread(&problem));
                    continue;
                }
                (Err(problem), Target::Node(..)) => return Err(problem),
            };
            let said = channel.get("target").and_then(|t| t.get("extras")?.get(SAID)?.text().ok());
            channels.push(RawChannel { place: channel.place, target, said, sampler, input });
        }
        Ok(channels)
    }

    fn load_times(&mut self, channel: &RawChannel<'a>) -> Result<(), Problem> {
        let (index, input) = &channel.input;
        if self.times.contains_key(index) {
            return Ok(());
        }
        if input.kind != "SCALAR" {
            return Err(input.wrong_kind("SCALAR, for key times"));
        }
        if input.at.get("min").is_none() || input.at.get("max").is_none() {
            self.report.remark(input.at.place, "key times without min and max");
        }
        if input.component != Component::F32 {
            self.report.remark(input.at.place, "integers for key times");
        }
        let times = self.accessors.read(input, self.report)?;
        self.times.insert(*index, times.into());
        Ok(())
    }

    /// The key times of a clip, all moved by the same so that it starts at 0, and by how much. Empty where nothing is to
    /// be moved.
    fn shifted(&mut self, at: At<'a>, channels: &[RawChannel<'a>]) -> (HashMap<usize, Arc<[f32]>>, f32) {
        let inputs = || channels.iter().filter_map(|c| Some((c.input.0, self.times.get(&c.input.0)?)));
        let start = inputs().filter_map(|(_, times)| times.first().copied()).reduce(f32::min).unwrap_or(0.0);
        let ImportOptions { shift_negative_times, trim_start, .. } = *self.options;
        let moves = if start < 0.0 { shift_negative_times || trim_start } else { start > 0.0 && trim_start };
        if !(moves && start.is_finite()) {
            return (HashMap::new(), 0.0);
        }
        let mut shifted = HashMap::new();
        for (index, times) in inputs() {
            shifted.entry(index).or_insert_with(|| times.iter().map(|t| t - start).collect());
        }
        if start < 0.0 {
            self.report.repair(at.place, format!("starts at {start} s; shifted to start at 0"));
        } else {
            self.report.remark(at.place, format!("its first key is at {start} s; trimmed to start at 0"));
        }
        (shifted, start)
    }
}

/// For a property whose keys can't be read. The poses are right without it.
fn unread(problem: &Problem) -> String {
    format!("a property that can't be read ({problem})")
}

impl RawClip<'_> {
    fn mark(&self, uses: &mut [Use]) {
        for (target, _) in &self.tracks {
            match target {
                Target::Node(node, moved) => {
                    uses[*node].needed = true;
                    uses[*node].moved |= *moved != Node::Weights;
                }
                Target::Property(Some(node), _) => uses[*node].needed = true,
                Target::Property(None, _) => {}
            }
        }
    }

    fn build(self, joints: &Joints, report: &mut Report) -> Result<Clip, ClipError> {
        let (mut tracks, mut properties) = (Vec::with_capacity(self.tracks.len()), Vec::new());
        for (target, track) in self.tracks {
            match target {
                Target::Node(node, _) => {
                    tracks.extend(joints.of_node[node].map(|joint| (joint, track)));
                }
                Target::Property(node, name) => {
                    let joint = node.and_then(|node| joints.of_node[node]);
                    properties.push((Property { name, joint }, track));
                }
            }
        }
        let built = Clip::new(self.at.name(), &joints.skeleton, tracks)?
            .with_properties(&joints.skeleton, properties)?;
        Ok(markers::marked(built, self.at, self.shift_s, report))
    }
}

impl Animations<'_> {
    /// Binds the animations to joints: the clips, the index of each one's animation, and those that are left out.
    pub(crate) fn build(
        mut self,
        joints: &Joints,
        options: &ImportOptions,
        report: &mut Report,
    ) -> Result<Built, Problem> {
        let (mut clips, mut sources) = (Vec::new(), Vec::new());
        for clip in std::mem::take(&mut self.clips) {
            let (source, at) = (clip.source, clip.at);
            match clip.build(joints, report) {
                Ok(clip) => {
                    clips.push(clip);
                    sources.push(source);
                }
                Err(why) => {
                    let problem = Problem::Clip { place: at.place.to_string(), source: why };
                    self.leave_out(source, at, problem, options, report)?;
                }
            }
        }
        self.left_out.sort_by_key(|left_out| left_out.source);
        Ok((clips, sources, self.left_out))
    }
}
