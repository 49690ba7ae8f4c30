//! The keys of one channel.

use std::sync::Arc;

use throng_tracks::{Channel, Interpolation, Track, TrackError};

use super::target::{Node, Target};
use super::{RawChannel, Reader, WEIGHTS, repair};
use crate::accessor::{Accessor, Component};
use crate::json::At;
use crate::{Morph, Problem, morph};

impl<'a> Reader<'a, '_> {
    /// The track of a channel, with these key times; none: those of a property that can't be read.
    pub(super) fn track(
        &mut self,
        channel: &RawChannel<'a>,
        times: Option<Arc<[f32]>>,
    ) -> Result<Track, Problem> {
        let times = match times {
            Some(times) => times,
            None => {
                self.load_times(channel)?;
                self.times.get(&channel.input.0).cloned().unwrap_or_default()
            }
        };
        let sampler = channel.sampler;
        let interpolation = self.interpolation(sampler);
        let output = sampler.need("output", "the index of an accessor of values")?;
        let (_, output) = self.accessors.open(output)?;
        let count = times.len().saturating_mul(interpolation.values_per_key());
        let kind = match channel.target {
            Target::Node(node, moved) => self.channel_kind(channel, node, moved, &output, count)?,
            Target::Property(..) => property_kind(channel, &output, count)?,
        };
        if output.component != Component::F32 && !output.normalized {
            let what = format!("integers that are not normalised, for {}", kind.name());
            self.report.remark(output.at.place, what);
        }
        let values = self.accessors.read(&output, self.report)?;
        let label = match &channel.target {
            Target::Node(node, _) => {
                let name = self.nodes.get(*node).map_or("", At::name);
                format!("{} of {name}", kind.name())
            }
            Target::Property(_, name) => name.clone(),
        };
        let track = if kind.is_rotation() {
            let exact = output.component == Component::F32;
            self.rotations(channel, &label, kind, interpolation, (times, values), exact)
        } else {
            Track::new(&label, kind, interpolation, times, values)
        };
        track.map_err(|source| problem(channel, source))
    }

    /// The interpolation of a sampler: LINEAR where there is none or it is none of glTF's.
    fn interpolation(&mut self, sampler: At<'a>) -> Interpolation {
        let Some(at) = sampler.get_or_null("interpolation") else { return Interpolation::Linear };
        match at.text() {
            Ok("LINEAR") => Interpolation::Linear,
            Ok("STEP") => Interpolation::Step,
            Ok("CUBICSPLINE") => Interpolation::CubicSpline,
            _ => {
                let found = at.described();
                let what =
                    format!("interpolation {found}, expected LINEAR, STEP or CUBICSPLINE; LINEAR was taken");
                self.report.repair(sampler.place, what);
                Interpolation::Linear
            }
        }
    }

    /// A track of rotations. Those that are not `exact` are rounded to integers.
    fn rotations(
        &mut self,
        channel: &RawChannel<'a>,
        label: &str,
        kind: Channel,
        interpolation: Interpolation,
        (times, mut values): (Arc<[f32]>, Vec<f32>),
        exact: bool,
    ) -> Result<Track, TrackError> {
        if !exact {
            repair::normalise(&mut values, interpolation);
        }
        let keys = times.len();
        let (times, values, zeros) = repair::without_zeros(times, values, interpolation);
        if zeros == keys && zeros > 0 {
            let what = format!("all {keys} quaternions have length 0; the identity was taken");
            self.report.repair(channel.place, what);
        } else if zeros > 0 {
            let what = format!("{zeros} of {keys} quaternions have length 0; their keys were dropped");
            self.report.repair(channel.place, what);
        }
        let jumps =
            if interpolation == Interpolation::CubicSpline { repair::jumps(&values) } else { Vec::new() };
        let kept = self.options.raw_cubic_keys && interpolation == Interpolation::CubicSpline;
        let make = if kept { Track::with_signs_kept } else { Track::new };
        let track = make(label, kind, interpolation, times, values)?;
        if let Some(&first) = jumps.first() {
            let (count, time_s) = (jumps.len(), track.times()[first]);
            let what = format!(
                "{count} jumps of a cubic track between hemispheres, the first to key {first} at {time_s} s"
            );
            if kept {
                self.report.remark(channel.place, format!("{what}; the raw keys were kept"));
            } else {
                let what = format!(
                    "{what}; keys were negated so that neighbours lie in one hemisphere, which changes the curve between \
                     them (`raw_cubic_keys`, `--raw-cubic-keys` keeps the raw keys)"
                );
                self.report.repair(channel.place, what);
            }
        }
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

/// The problem that a track has. Times before 0 have an option.
fn problem(channel: &RawChannel<'_>, source: TrackError) -> Problem {
    let place = channel.place.to_string();
    match source {
        TrackError::NegativeTime { track, key, time } => Problem::NegativeTime { place, track, key, time },
        source => Problem::Track { place, source },
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
