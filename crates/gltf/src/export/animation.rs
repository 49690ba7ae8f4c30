//! Animations, and what their channels need of the rest of the document.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use throng_tracks::tools::subclip;
use throng_tracks::{Channel, Clip, Extrapolation, PropertyTrack, Skeleton, Track};

use super::binary::Pool;
use super::document::named;
use super::written::writable;
use crate::animation::{SAID, WEIGHTS};
use crate::{Report, markers, pointer};

/// Animations as they are written, and what they ask for.
pub(super) struct Animations<'a> {
    pool: &'a mut Pool,
    report: &'a mut Report,
    pub(super) written: Vec<Value>,
    /// Nodes whose weights are moved, and how many there are.
    pub(super) weights: BTreeMap<usize, u32>,
    /// Properties of nodes or of the whole: names, and values for where nothing moves them.
    pub(super) extras: Vec<(Option<usize>, String, Value)>,
}

/// The channels of one animation.
#[derive(Default)]
struct Channels {
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// Accessors of key times, by their bits: tracks of one timeline share them.
    inputs: HashMap<Vec<u32>, usize>,
}

impl<'a> Animations<'a> {
    pub(super) fn new(pool: &'a mut Pool, report: &'a mut Report) -> Self {
        Self { pool, report, written: Vec::new(), weights: BTreeMap::new(), extras: Vec::new() }
    }

    /// One channel and one sampler a track; no animation if no track can be written.
    pub(super) fn push(&mut self, place: &str, clip: &Clip, skeleton: &Skeleton) {
        if clip.is_additive() {
            let what = "an additive clip is written as it is, and glTF has no word for that: whoever reads it takes it for poses";
            self.report.remark(place, what);
        }
        let clip = self.clamped(place, clip, skeleton);
        let mut channels = Channels::default();
        for (index, bound) in clip.tracks().iter().enumerate() {
            let (track, joint) = (bound.track(), bound.joint().get());
            let place = format!("{place}.tracks[{index}]");
            if let Channel::Weights(count) = track.channel() {
                if count == 0 {
                    self.report.skip(place, "weights of no morph target");
                    continue;
                }
                let most = self.weights.entry(joint).or_default();
                *most = count.max(*most);
            }
            let target = json!({ "node": joint, "path": track.channel().name() });
            self.channel(&place, track, target, &mut channels);
        }
        for (index, moved) in clip.properties().iter().enumerate() {
            self.property(&format!("{place}.properties[{index}]"), moved, &mut channels);
        }
        if channels.channels.is_empty() {
            let what = format!("clip {:?} has no track that glTF can hold", clip.name());
            self.report.skip(place, what);
            return;
        }
        let mut object = named(clip.name());
        object.insert("channels".into(), Value::Array(channels.channels));
        object.insert("samplers".into(), Value::Array(channels.samplers));
        if let Some(extras) = markers::written(&clip) {
            object.insert("extras".into(), extras);
        }
        self.written.push(Value::Object(object));
    }

    /// The clip with what its tracks show beyond their keys written out, as far as the clip goes: glTF only clamps.
    fn clamped<'c>(&mut self, place: &str, clip: &'c Clip, skeleton: &Skeleton) -> Cow<'c, Clip> {
        let tracks = clip.tracks().iter().map(|b| b.track());
        let mut tracks = tracks.chain(clip.properties().iter().map(PropertyTrack::track));
        let clamp = (Extrapolation::Clamp, Extrapolation::Clamp);
        if tracks.all(|track| track.extrapolation() == clamp) {
            return Cow::Borrowed(clip);
        }
        let (what, clip) = match subclip(clip, skeleton, 0.0, clip.duration_s()) {
            Ok(whole) => ("is written out to the end of the clip", Cow::Owned(whole)),
            Err(_) => ("is left out, being too much to write out", Cow::Borrowed(clip)),
        };
        self.report.remark(place, format!("what tracks show beyond their keys {what}; glTF only clamps"));
        clip
    }

    fn channel(&mut self, place: &str, track: &Track, target: Value, channels: &mut Channels) -> bool {
        let Some(track) = writable(place, track, self.report) else { return false };
        let (kind, width) = match track.channel() {
            Channel::Weights(_) => ("SCALAR", 1),
            channel => (["SCALAR", "VEC2", "VEC3", "VEC4"][channel.components() - 1], channel.components()),
        };
        let bits = track.times().iter().map(|t| t.to_bits()).collect();
        let input =
            *channels.inputs.entry(bits).or_insert_with(|| self.pool.push("SCALAR", 1, track.times(), true));
        let output = self.pool.push(kind, width, track.values(), false);
        channels.channels.push(json!({ "sampler": channels.samplers.len(), "target": target }));
        let interpolation = track.interpolation().name();
        channels.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        true
    }

    /// A property becomes an extra of its node or of the whole, since what it was of is not in the file.
    fn property(&mut self, place: &str, moved: &PropertyTrack, channels: &mut Channels) {
        let (name, track) = (&moved.property().name, moved.track());
        let node = moved.property().joint.map(|joint| joint.get());
        let said = match track.channel() {
            Channel::Discrete => {
                return self.report.skip(place, "the names of a discrete track, for which glTF has no place");
            }
            Channel::Weights(0) => return self.report.skip(place, "weights of no morph target"),
            Channel::Weights(_) => Some(WEIGHTS),
            Channel::Colour | Channel::Quaternion => Some(track.channel().name()),
            _ => None,
        };
        if name.starts_with('/') {
            let what = format!("{name:?} is written to extras, as the file has no such thing");
            self.report.remark(place, what);
        }
        let pointer = json!({ "pointer": pointer::to_extra(node, name) });
        let mut target = json!({ "path": "pointer", "extensions": { pointer::EXTENSION: pointer } });
        if let Some(said) = said {
            target["extras"] = json!({ SAID: said });
        }
        if self.channel(place, track, target, channels) {
            let value = match track.value(0) {
                [number] => json!(number),
                numbers => json!(numbers),
            };
            self.extras.push((node, name.clone(), value));
        }
    }
}
