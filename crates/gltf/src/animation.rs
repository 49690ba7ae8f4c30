//! Animations: which node or property each channel moves, and its keys.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use throng_tracks::{Channel, Clip, Interpolation, Property, Track};

use crate::accessor::{Accessor, Accessors, Component};
use crate::json::{At, List, Place, quote};
use crate::nodes::{Joints, Use};
use crate::{Morph, Problem, Report, markers, morph, pointer};

/// The member of a target's extras that tells what numbers of a property are, where glTF has no word for it.
pub(crate) const SAID: &str = "channel";

/// The word for weights there.
pub(crate) const WEIGHTS: &str = "weights";

/// What a channel moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// A node.
    Node(usize, Node),
    /// A property of the whole, or of the node given.
    Property(Option<usize>, String),
}

/// What can be moved of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Node {
    /// What `path` names.
    pub(crate) fn named(path: &str) -> Option<Self> {
        Some(match path {
            "translation" => Self::Translation,
            "rotation" => Self::Rotation,
            "scale" => Self::Scale,
            "weights" => Self::Weights,
            _ => return None,
        })
    }
}

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

/// An animation, channels that can't be used left out.
pub(crate) struct RawClip<'a> {
    at: At<'a>,
    channels: Vec<RawChannel<'a>>,
}

/// Reads which nodes the channels move, and marks them as needed.
pub(crate) fn survey<'a>(
    root: At<'a>,
    nodes: List<'a>,
    accessors: &Accessors<'a>,
    uses: &mut [Use],
    report: &mut Report,
) -> Result<Vec<RawClip<'a>>, Problem> {
    let mut clips = Vec::new();
    for at in root.list("animations")?.iter() {
        let samplers = at.list("samplers")?;
        let mut channels = Vec::new();
        let mut seen = HashSet::new();
        for channel in at.list("channels")?.iter() {
            let Some(target) = target(channel, root, nodes, report)? else { continue };
            if !seen.insert(target.clone()) {
                let of = match &target {
                    Target::Node(node, _) | Target::Property(Some(node), _) => format!("nodes[{node}]"),
                    Target::Property(None, name) => quote(name),
                };
                report.skip(channel.place, format!("{of} has a channel for this already; the first counts"));
                continue;
            }
            let opened = || {
                let (_, sampler) = channel.need("sampler", "the index of a sampler")?.index_into(samplers)?;
                let input =
                    accessors.open(sampler.need("input", "the index of an accessor of key times")?)?;
                Ok((sampler, input))
            };
            let (sampler, input) = match (opened(), &target) {
                (Ok(opened), _) => opened,
                (Err(problem), Target::Property(..)) => {
                    report.skip(channel.place, left_out(&problem));
                    continue;
                }
                (Err(problem), Target::Node(..)) => return Err(problem),
            };
            match target {
                Target::Node(node, moved) => {
                    uses[node].needed = true;
                    uses[node].moved |= moved != Node::Weights;
                }
                Target::Property(Some(node), _) => uses[node].needed = true,
                Target::Property(None, _) => {}
            }
            let said = channel.get("target").and_then(|t| t.get("extras")?.get(SAID)?.text().ok());
            channels.push(RawChannel { place: channel.place, target, said, sampler, input });
        }
        if channels.is_empty() {
            report.remark(at.place, "no channel that moves a node; the clip is empty");
        }
        clips.push(RawClip { at, channels });
    }
    Ok(clips)
}

/// For a property whose keys can't be read. The poses are right without it.
fn left_out(problem: &Problem) -> String {
    format!("a property that can't be read ({problem})")
}

/// What a channel moves; none, with a line in the report, if it is not for us.
fn target(
    channel: At<'_>,
    root: At<'_>,
    nodes: List<'_>,
    report: &mut Report,
) -> Result<Option<Target>, Problem> {
    let Some(target) = channel.get("target") else {
        report.skip(channel.place, "a channel without a target");
        return Ok(None);
    };
    let path = target.get("path").map(At::text).transpose()?.unwrap_or_default();
    if path == "pointer" {
        return Ok(match pointer::target(target, root, nodes.len()) {
            Ok(pointed) => {
                if let Some(beside) = target.get("node") {
                    report.repair(beside.place, "a node beside a pointer; the pointer counts");
                }
                Some(pointed)
            }
            Err(why) => {
                report.skip(channel.place, why);
                None
            }
        });
    }
    let Some(moved) = Node::named(path) else {
        report.skip(
            channel.place,
            format!("a channel for {}, which is nothing that can be moved", quote(path)),
        );
        return Ok(None);
    };
    let Some(node) = target.get("node") else {
        report.skip(channel.place, "a channel without a node");
        return Ok(None);
    };
    Ok(Some(Target::Node(node.index_into(nodes)?.0, moved)))
}

/// Makes clips of the animations. Channels with the same accessor of key times share one array of them.
pub(crate) struct Builder<'a, 'b> {
    pub(crate) morphs: &'b [Morph],
    pub(crate) joints: &'b Joints,
    pub(crate) accessors: &'b mut Accessors<'a>,
    pub(crate) times: HashMap<usize, Arc<[f32]>>,
    pub(crate) shift_negative_times: bool,
    pub(crate) report: &'b mut Report,
}

impl<'a> Builder<'a, '_> {
    pub(crate) fn clip(&mut self, clip: &RawClip<'a>) -> Result<Clip, Problem> {
        for channel in &clip.channels {
            match (self.load_times(channel), &channel.target) {
                // Told when its track is made.
                (Ok(()), _) | (Err(_), Target::Property(..)) => {}
                (Err(problem), Target::Node(..)) => return Err(problem),
            }
        }
        let (shifted, shift_s) = self.shifted(clip);
        let (mut tracks, mut properties) = (Vec::with_capacity(clip.channels.len()), Vec::new());
        for channel in &clip.channels {
            let times = shifted.get(&channel.input.0).or_else(|| self.times.get(&channel.input.0)).cloned();
            match &channel.target {
                Target::Node(node, moved) => {
                    let joints = self.joints;
                    if let Some(joint) = joints.of_node[*node] {
                        let label =
                            |kind: Channel| format!("{} of {}", kind.name(), joints.skeleton.name(joint));
                        // Loaded above.
                        let times = times.unwrap_or_default();
                        tracks.push((joint, self.track(channel, Some((*node, *moved)), label, times)?));
                    }
                }
                Target::Property(node, name) => {
                    let joint = node.and_then(|node| self.joints.of_node[node]);
                    match self.property(channel, name, times) {
                        Ok(track) => properties.push((Property { name: name.clone(), joint }, track)),
                        Err(problem) => self.report.skip(channel.place, left_out(&problem)),
                    }
                }
            }
        }
        let built = Clip::new(clip.at.name(), &self.joints.skeleton, tracks)
            .and_then(|clip| clip.with_properties(&self.joints.skeleton, properties))
            .map_err(|source| Problem::Clip { place: clip.at.place.to_string(), source })?;
        Ok(markers::marked(built, clip.at, shift_s, self.report))
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

    /// The key times of a clip that starts before 0, all shifted by the same so that it starts at 0. Empty where there
    /// is nothing to shift. And by how much, which is below 0.
    fn shifted(&mut self, clip: &RawClip<'a>) -> (HashMap<usize, Arc<[f32]>>, f32) {
        let mut shifted = HashMap::new();
        if !self.shift_negative_times {
            return (shifted, 0.0);
        }
        let inputs = || clip.channels.iter().filter_map(|c| Some((c.input.0, self.times.get(&c.input.0)?)));
        let start = inputs().filter_map(|(_, times)| times.first().copied()).fold(0.0, f32::min);
        if start < 0.0 && start.is_finite() {
            for (index, times) in inputs() {
                shifted.entry(index).or_insert_with(|| times.iter().map(|t| t - start).collect());
            }
            self.report.repair(clip.at.place, format!("starts at {start} s; shifted to start at 0"));
            return (shifted, start);
        }
        (shifted, 0.0)
    }

    fn property(
        &mut self,
        channel: &RawChannel<'a>,
        name: &str,
        times: Option<Arc<[f32]>>,
    ) -> Result<Track, Problem> {
        if times.is_none() {
            self.load_times(channel)?;
        }
        let times = times.or_else(|| self.times.get(&channel.input.0).cloned()).unwrap_or_default();
        self.track(channel, None, |_| name.to_owned(), times)
    }

    /// The track of what a node has, or without one of a property.
    fn track(
        &mut self,
        channel: &RawChannel<'a>,
        node: Option<(usize, Node)>,
        label: impl FnOnce(Channel) -> String,
        times: Arc<[f32]>,
    ) -> Result<Track, Problem> {
        let sampler = channel.sampler;
        let interpolation = match sampler.get("interpolation").map(At::text).transpose()? {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => {
                self.report
                    .repair(sampler.place, format!("interpolation {}; LINEAR was taken", quote(other)));
                Interpolation::Linear
            }
        };
        let (_, output) =
            self.accessors.open(sampler.need("output", "the index of an accessor of values")?)?;
        let count = times.len() * interpolation.values_per_key();
        let kind = match node {
            Some((node, moved)) => self.channel_kind(channel, node, moved, &output, count)?,
            None => property_kind(channel, &output, count)?,
        };
        if output.component != Component::F32 && !output.normalized {
            let what = format!("integers that are not normalised, for {}", kind.name());
            self.report.remark(output.at.place, what);
        }
        let mut values = self.accessors.read(&output, self.report)?;
        if kind == Channel::Rotation && output.component != Component::F32 {
            normalise(&mut values, interpolation);
        }
        let keys = times.len();
        let track = Track::new(&label(kind), kind, interpolation, times, values)
            .map_err(|source| Problem::Track { place: channel.place.to_string(), source })?;
        let off = track.off_unit_quaternions();
        if off > 0 {
            let what = format!("{off} of {keys} quaternions off unit length; normalised");
            self.report.repair(channel.place, what);
        }
        Ok(track)
    }

    /// The channel that `output` fits, which must hold `values` values.
    fn channel_kind(
        &mut self,
        channel: &RawChannel<'a>,
        node: usize,
        moved: Node,
        output: &Accessor<'a>,
        values: usize,
    ) -> Result<Channel, Problem> {
        let (kind, expected) = match moved {
            Node::Translation => (Channel::Translation, "VEC3"),
            Node::Scale => (Channel::Scale, "VEC3"),
            Node::Rotation => (Channel::Rotation, "VEC4"),
            Node::Weights => return self.weights(channel, node, output, values),
        };
        if output.kind != expected {
            return Err(output.wrong_kind(&format!("{expected}, for {}", kind.name())));
        }
        counted(channel, output, values)?;
        Ok(kind)
    }

    /// How many weights a value has: as many as there are morph targets, and what the numbers make.
    fn weights(
        &mut self,
        channel: &RawChannel<'a>,
        node: usize,
        output: &Accessor<'a>,
        values: usize,
    ) -> Result<Channel, Problem> {
        let each = weights_each(channel, output, values)?;
        let targets = morph::of_node(self.morphs, node).map_or(0, Morph::count);
        if targets != each as usize {
            let what = format!("{each} weights a key, but nodes[{node}] has {targets} morph targets");
            self.report.remark(channel.place, what);
        }
        Ok(Channel::Weights(each))
    }
}

fn counted(channel: &RawChannel<'_>, output: &Accessor<'_>, values: usize) -> Result<(), Problem> {
    if output.count == values {
        return Ok(());
    }
    Err(Problem::Count {
        place: output.at.place.key("count").to_string(),
        what: "values".into(),
        found: output.count,
        expected: format!("{values} for {}", channel.place),
    })
}

/// How many weights a value has, where there are `values` of them.
fn weights_each(channel: &RawChannel<'_>, output: &Accessor<'_>, values: usize) -> Result<u32, Problem> {
    let numbers = output.count.saturating_mul(output.width);
    let each = numbers.checked_div(values).unwrap_or(0);
    let whole = u32::try_from(each).ok().filter(|_| each > 0 && each.checked_mul(values) == Some(numbers));
    whole.ok_or_else(|| Problem::Count {
        place: output.at.place.key("count").to_string(),
        what: "weights".into(),
        found: numbers,
        expected: format!("a multiple of {values} for {}", channel.place),
    })
}

/// What a property is: numbers tell how many there are, and the extras of the target what they are, if they are written here.
fn property_kind(channel: &RawChannel<'_>, output: &Accessor<'_>, values: usize) -> Result<Channel, Problem> {
    let said = channel.said;
    let kind = match output.kind {
        "SCALAR" if output.count != values || said == Some(WEIGHTS) => {
            return weights_each(channel, output, values).map(Channel::Weights);
        }
        "SCALAR" => Channel::Scalar,
        "VEC2" => Channel::Vec2,
        "VEC3" => Channel::Vec3,
        "VEC4" => {
            let named =
                [Channel::Colour, Channel::Quaternion].into_iter().find(|kind| said == Some(kind.name()));
            named.unwrap_or(Channel::Vec4)
        }
        _ => return Err(output.wrong_kind("SCALAR, VEC2, VEC3 or VEC4, for a property")),
    };
    counted(channel, output, values)?;
    Ok(kind)
}

/// Brings rotations of integers to unit length, which their rounding took from them. Tangents stay, and so does what no
/// rounding explains: the track brings that to unit length too, and tells of it.
fn normalise(values: &mut [f32], interpolation: Interpolation) {
    let (of, each) = match interpolation {
        Interpolation::CubicSpline => (1, 3),
        _ => (0, 1),
    };
    for key in values.chunks_exact_mut(4 * each) {
        let q = &mut key[4 * of..4 * of + 4];
        let length = q.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
        if (length - 1.0).abs() <= 1e-2 {
            q.iter_mut().for_each(|v| *v = (f64::from(*v) / length) as f32);
        }
    }
}
