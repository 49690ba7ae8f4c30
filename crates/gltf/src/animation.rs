//! Animations: which node each channel moves, and its keys.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use throng_tracks::{Channel, Clip, Interpolation, JointIndex, Track};

use crate::accessor::{Accessor, Accessors, Component};
use crate::json::{At, List, Place, quote};
use crate::nodes::{Joints, Use};
use crate::{Morph, Problem, Report, morph, pointer};

/// What a channel moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Property {
    /// The property of a node that `path` names.
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

/// A channel that moves a node which exists.
struct RawChannel<'a> {
    place: Place,
    node: usize,
    property: Property,
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
            let Some((node, property)) = target(channel, nodes, report)? else { continue };
            if !seen.insert((node, property)) {
                report.skip(
                    channel.place,
                    format!("nodes[{node}] has a channel for this already; the first counts"),
                );
                continue;
            }
            let (_, sampler) = channel.need("sampler", "the index of a sampler")?.index_into(samplers)?;
            let input = accessors.open(sampler.need("input", "the index of an accessor of key times")?)?;
            uses[node].needed = true;
            uses[node].moved |= property != Property::Weights;
            channels.push(RawChannel { place: channel.place, node, property, sampler, input });
        }
        if channels.is_empty() {
            report.remark(at.place, "no channel that moves a node; the clip is empty");
        }
        clips.push(RawClip { at, channels });
    }
    Ok(clips)
}

/// The node and the property a channel moves; none, with a line in the report, if it is not for us.
fn target(
    channel: At<'_>,
    nodes: List<'_>,
    report: &mut Report,
) -> Result<Option<(usize, Property)>, Problem> {
    let Some(target) = channel.get("target") else {
        report.skip(channel.place, "a channel without a target");
        return Ok(None);
    };
    let path = target.get("path").map(At::text).transpose()?.unwrap_or_default();
    if path == "pointer" {
        return Ok(match pointer::target(target, nodes.len()) {
            Ok((node, property)) => {
                if let Some(beside) = target.get("node") {
                    report.repair(beside.place, "a node beside a pointer; the pointer counts");
                }
                Some((node, property))
            }
            Err(why) => {
                report.skip(channel.place, why);
                None
            }
        });
    }
    let Some(property) = Property::named(path) else {
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
    Ok(Some((node.index_into(nodes)?.0, property)))
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
            self.load_times(channel)?;
        }
        let shifted = self.shifted(clip);
        let mut tracks = Vec::with_capacity(clip.channels.len());
        for channel in &clip.channels {
            let times = shifted.get(&channel.input.0).or_else(|| self.times.get(&channel.input.0));
            // Loaded above.
            let times = times.cloned().unwrap_or_default();
            if let Some(joint) = self.joints.of_node[channel.node] {
                tracks.push((joint, self.track(channel, joint, times)?));
            }
        }
        Clip::new(clip.at.name(), &self.joints.skeleton, tracks)
            .map_err(|source| Problem::Clip { place: clip.at.place.to_string(), source })
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
    /// is nothing to shift.
    fn shifted(&mut self, clip: &RawClip<'a>) -> HashMap<usize, Arc<[f32]>> {
        let mut shifted = HashMap::new();
        if !self.shift_negative_times {
            return shifted;
        }
        let inputs = || clip.channels.iter().filter_map(|c| Some((c.input.0, self.times.get(&c.input.0)?)));
        let start = inputs().filter_map(|(_, times)| times.first().copied()).fold(0.0, f32::min);
        if start < 0.0 && start.is_finite() {
            for (index, times) in inputs() {
                shifted.entry(index).or_insert_with(|| times.iter().map(|t| t - start).collect());
            }
            self.report.repair(clip.at.place, format!("starts at {start} s; shifted to start at 0"));
        }
        shifted
    }

    fn track(
        &mut self,
        channel: &RawChannel<'a>,
        joint: JointIndex,
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
        let kind = self.channel_kind(channel, &output, times.len() * interpolation.values_per_key())?;
        if output.component != Component::F32 && !output.normalized {
            let what = format!("integers that are not normalised, for {}", kind.name());
            self.report.remark(output.at.place, what);
        }
        let values = self.accessors.read(&output, self.report)?;
        let keys = times.len();
        let label = format!("{} of {}", kind.name(), self.joints.skeleton.name(joint));
        let track = Track::new(&label, kind, interpolation, times, values)
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
        output: &Accessor<'a>,
        values: usize,
    ) -> Result<Channel, Problem> {
        let (kind, expected) = match channel.property {
            Property::Translation => (Channel::Translation, "VEC3"),
            Property::Scale => (Channel::Scale, "VEC3"),
            Property::Rotation => (Channel::Rotation, "VEC4"),
            Property::Weights => return self.weights(channel, output, values),
        };
        if output.kind != expected {
            return Err(output.wrong_kind(&format!("{expected}, for {}", kind.name())));
        }
        if output.count != values {
            return Err(Problem::Count {
                place: output.at.place.key("count").to_string(),
                what: "values",
                found: output.count,
                expected: format!("{values} for {}", channel.place),
            });
        }
        Ok(kind)
    }

    /// How many weights a value has: as many as there are morph targets, and what the numbers make.
    fn weights(
        &mut self,
        channel: &RawChannel<'a>,
        output: &Accessor<'a>,
        values: usize,
    ) -> Result<Channel, Problem> {
        let numbers = output.count.saturating_mul(output.width);
        let each = numbers.checked_div(values).unwrap_or(0);
        let count =
            u32::try_from(each).ok().filter(|_| each > 0 && each.checked_mul(values) == Some(numbers));
        let Some(count) = count else {
            return Err(Problem::Count {
                place: output.at.place.key("count").to_string(),
                what: "weights",
                found: numbers,
                expected: format!("a multiple of {values} for {}", channel.place),
            });
        };
        let targets = morph::of_node(self.morphs, channel.node).map_or(0, Morph::count);
        if targets != each {
            let what =
                format!("{each} weights a key, but nodes[{}] has {targets} morph targets", channel.node);
            self.report.remark(channel.place, what);
        }
        Ok(Channel::Weights(count))
    }
}
