//! Clips one after the other.

use std::collections::HashMap;
use std::sync::Arc;

use super::TimeError;
use super::curve::{Keys, Section, form_of, stitched, stretch};
use super::rebuild::{Target, built, moved};
use crate::marker::{retimed, sorted};
use crate::{Channel, Clip, Extrapolation, Interpolation, Skeleton, Track, TrackError, Transform};

/// One clip that shows `clips`, all of one skeleton, one after the other, with `gap_s` seconds between them.
///
/// Each is shown for its duration, with what its tracks show beyond their keys written out. At a seam, the later clip's first
/// instant is shown. In a gap the pose that the earlier clip ended with stands. Beyond the ends the result clamps.
///
/// A joint's channel that a clip does not move is at rest while that clip is shown; if the clips are additive, it has the
/// identity. Weights and properties have no rest:
/// they stay as they were at the end of the clip ahead, or if there is none, are as the next begins.
///
/// Tracks keep their interpolation if all clips have the same for what they move, and are cubic splines or lines of the
/// same curves where they have not (see [`subclip`](super::subclip)). Slerp and splines, and functions of the caller's, have
/// no keys in common: they become a function that asks the clips' own tracks. Tables of discrete tracks are merged.
///
/// ```
/// use throng_tracks::*;
/// let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// let to = |x: f32| Track::new("root", Channel::Translation, Interpolation::Linear, [0.0, 1.0],
///     vec![0.0, 0.0, 0.0, x, 0.0, 0.0]);
/// let [walk, run] = [1.0, 3.0].map(|x| Clip::new("move", &skeleton, [(JointIndex(0), to(x).unwrap())]).unwrap());
/// let both = tools::concat("both", &[walk, run], &skeleton, 0.0)?;
/// assert_eq!(both.timelines()[0][..], [0.0, 1.0, 1.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TimeError::Gap`] unless the gap is 0 or above and finite; [`TimeError::Additive`] if some clips are additive and
/// some are not; [`TimeError::Channels`] if clips move different kinds of
/// value, or numbers of weights, by one name; those of [`subclip`](super::subclip).
pub fn concat(name: &str, clips: &[Clip], skeleton: &Skeleton, gap_s: f32) -> Result<Clip, TimeError> {
    if !(gap_s >= 0.0 && gap_s.is_finite()) {
        return Err(TimeError::Gap { gap_s });
    }
    let additive = clips.iter().any(Clip::is_additive);
    if let Some(pose) = clips.iter().find(|clip| additive && !clip.is_additive()) {
        return Err(TimeError::Additive { clip: pose.name().to_owned() });
    }
    let mut parts: Vec<(Target<'_>, Part<'_>)> = Vec::new();
    let mut known: HashMap<(Target<'_>, &str), usize> = HashMap::new();
    for (index, clip) in clips.iter().enumerate() {
        for moved in moved(clip, skeleton)? {
            // A joint has several channels; a property is one thing, whatever its channel.
            let channel = match moved.target {
                Target::Joint(_) => moved.track.channel().name(),
                Target::Property(_) => "",
            };
            let place = *known.entry((moved.target, channel)).or_insert_with(|| {
                parts.push((moved.target, Part::new(moved.label(), clips.len())));
                parts.len() - 1
            });
            parts[place].1.tracks[index] = Some(moved.track);
        }
    }
    let mut starts = Vec::with_capacity(clips.len());
    let mut end = 0.0;
    for clip in clips {
        starts.push((end, clip.duration_s()));
        end += f64::from(clip.duration_s()) + f64::from(gap_s);
    }
    let mut tracks = Vec::with_capacity(parts.len());
    for (target, part) in parts {
        let rest = match target {
            Target::Joint(_) if additive => Some(&Transform::IDENTITY),
            Target::Joint(joint) => Some(&skeleton.rest()[joint.get()]),
            Target::Property(_) => None,
        };
        let joined = part.joined(&starts, |channel| {
            let rest = rest?;
            Some(match channel {
                Channel::Translation => rest.translation.to_array().to_vec(),
                Channel::Rotation => rest.rotation.to_array().to_vec(),
                Channel::Scale => rest.scale.to_array().to_vec(),
                _ => return None,
            })
        })?;
        tracks.push((target, joined));
    }
    let mut all = built(name, additive, skeleton, tracks)?;
    let mut markers = Vec::new();
    for (clip, (start, _)) in clips.iter().zip(&starts) {
        markers.extend(retimed(clip.markers(), all.duration_s(), |t| start + t));
    }
    all.markers = sorted(markers);
    Ok(all)
}

/// All that the clips do to one thing.
struct Part<'a> {
    label: String,
    /// By clip.
    tracks: Vec<Option<&'a Track>>,
}

impl Part<'_> {
    fn new(label: String, clips: usize) -> Self {
        Self { label, tracks: vec![None; clips] }
    }

    fn joined(
        &self,
        starts: &[(f64, f32)],
        rest: impl Fn(Channel) -> Option<Vec<f32>>,
    ) -> Result<Track, TimeError> {
        let sources = self.sources(starts, rest)?;
        let sections = || sources.iter().zip(starts).map(|((track, moves), s)| (track, *moves, *s));
        let forms = sections().filter(|s| s.1).map(|(track, _, (_, length))| form_of(track, 0.0, length));
        let first = &sources[0].0;
        let form = common_form(forms, first.channel().is_rotation());
        let mut keys = Keys::new(form);
        for (track, _, (start_s, length_s)) in sections() {
            let at = |t: f32| (f64::from(t) + start_s) as f32;
            // In the gap ahead of this the last value stands. A step stands without a key.
            if let Some(last) = keys.keys.last().map(|last| last.value.clone())
                && keys.keys.last().is_some_and(|last| last.time_s < at(0.0))
            {
                let end = keys.keys.last().map_or(0.0, |last| last.time_s);
                let times = [end, at(0.0)];
                times.into_iter().filter(|_| form != Interpolation::Step).for_each(|t| keys.still(t, &last));
            }
            for mut key in stretch(&self.label, track, form, 0.0, length_s)?.keys {
                key.time_s = at(key.time_s);
                keys.push(key);
            }
        }
        let times: Vec<f32> = keys.keys.iter().map(|key| key.time_s).collect();
        if form == Interpolation::Custom {
            let values = keys.keys.into_iter().flat_map(|key| key.value).collect();
            let sections = sources.into_iter().zip(starts);
            let sections = sections.map(|((source, _), &(start_s, length_s))| Section {
                start_s,
                length_s: f64::from(length_s),
                source,
            });
            return Ok(stitched(&self.label, sections.collect(), times, values)?);
        }
        Ok(keys.track(&self.label, &still(&sources), |t| t)?)
    }

    /// Each clip's track, and whether it moves: one that stands where the clip has none.
    fn sources(
        &self,
        starts: &[(f64, f32)],
        rest: impl Fn(Channel) -> Option<Vec<f32>>,
    ) -> Result<Vec<(Track, bool)>, TimeError> {
        let present = || self.tracks.iter().copied().flatten();
        let channel = present().map(Track::channel).next().unwrap_or(Channel::Discrete);
        if let Some(other) = present().map(Track::channel).find(|&other| other != channel) {
            return Err(TimeError::Channels { track: self.label.clone(), found: (channel, other) });
        }
        let tracks = merged_tables(&self.label, &self.tracks)?;
        let mut sources: Vec<(Track, bool)> = Vec::with_capacity(tracks.len());
        let first = tracks.iter().flatten().next();
        for (index, track) in tracks.iter().enumerate() {
            let source = match (track, first) {
                (Some(track), _) => {
                    let spline = match track.interpolation() {
                        Interpolation::CatmullRom => track.to_cubic_spline(&self.label)?,
                        _ => None,
                    };
                    (spline.unwrap_or_else(|| track.clone()), true)
                }
                (None, Some(first)) => {
                    let mut value = vec![0.0; channel.components()];
                    match (rest(channel), sources.last(), index.checked_sub(1)) {
                        (Some(rest), ..) => value = rest,
                        (None, Some((ahead, _)), Some(ahead_of)) => {
                            ahead.sample(starts[ahead_of].1, &mut value);
                        }
                        _ => first.sample(0.0, &mut value),
                    }
                    (standing(&self.label, first, value)?, false)
                }
                // There is a part for what some clip moves.
                (None, None) => continue,
            };
            sources.push(source);
        }
        Ok(sources)
    }
}

/// A track of one key, of the kind of another.
fn standing(label: &str, like: &Track, value: Vec<f32>) -> Result<Track, TrackError> {
    if like.channel() == Channel::Discrete {
        return Ok(like
            .with_keys(label, [0.0], value)?
            .with_extrapolation(Extrapolation::Clamp, Extrapolation::Clamp));
    }
    Track::new(label, like.channel(), Interpolation::Step, [0.0], value)
}

/// The first that moves, clamped: what the joined track is like. It keeps signs if any source does.
fn still(sources: &[(Track, bool)]) -> Track {
    let like = sources.iter().find(|source| source.1).unwrap_or(&sources[0]);
    let keeps_signs = sources.iter().any(|source| source.0.keeps_signs());
    let like = like.0.clone().with_extrapolation(Extrapolation::Clamp, Extrapolation::Clamp);
    like.keeping_signs(keeps_signs)
}

/// The form that can hold curves of all these. Steps can be written in any.
fn common_form(forms: impl Iterator<Item = Interpolation>, rotation: bool) -> Interpolation {
    forms.fold(Interpolation::Step, |common, form| match (common, form) {
        (a, b) if a == b => a,
        (Interpolation::Step, other) | (other, Interpolation::Step) => other,
        (Interpolation::Custom, _) | (_, Interpolation::Custom) => Interpolation::Custom,
        (Interpolation::Linear, _) | (_, Interpolation::Linear) if rotation => Interpolation::Custom,
        _ => Interpolation::CubicSpline,
    })
}

/// Discrete tracks with one table for all; others as they are.
fn merged_tables(label: &str, tracks: &[Option<&Track>]) -> Result<Vec<Option<Track>>, TrackError> {
    let (mut names, mut places) = (Vec::new(), HashMap::new());
    for name in tracks.iter().flatten().flat_map(|track| track.names()) {
        places.entry(name.as_str()).or_insert_with(|| {
            names.push(name.clone());
            names.len() as u32 - 1
        });
    }
    let names: Arc<[String]> = names.into();
    let merged = tracks.iter().map(|track| match track {
        Some(track) if track.channel() == Channel::Discrete && track.names() != &names[..] => {
            let indices: Vec<u32> =
                track.values().iter().map(|&v| places[track.names()[v as usize].as_str()]).collect();
            let (before, after) = track.extrapolation();
            let times = Arc::clone(track.times());
            let merged = Track::discrete(label, times, &indices, Arc::clone(&names))?;
            Ok(Some(merged.with_extrapolation(before, after)))
        }
        other => Ok(other.cloned()),
    });
    merged.collect()
}
