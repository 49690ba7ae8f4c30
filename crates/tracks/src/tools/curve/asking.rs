//! Tracks that ask other tracks: for curves that no keys can hold.

use std::sync::Arc;

use crate::{Custom, Track, TrackError};

/// A track with these keys, which shows between them what `source` shows at the time that `to_source` tells, after
/// `change`. It is the caller's function to all who look at it.
///
/// `to_source` must rise or fall throughout. At no time between two keys does the source show what it jumps to at either.
pub(in crate::tools) fn asking(
    label: &str,
    source: &Track,
    times: Vec<f32>,
    values: Vec<f32>,
    to_source: impl Fn(f64) -> f64 + Send + Sync + 'static,
    change: impl Fn(&mut [f64]) + Send + Sync + 'static,
) -> Result<Track, TrackError> {
    let asked = Arc::new(source.clone());
    let function = Custom::new(move |u, keys, out| {
        let start = f64::from(keys.track().times()[keys.key()]);
        let [a, b, t] = [0.0, 1.0, u].map(|u| to_source(start + u * keys.span_s()) as f32);
        asked.sample_f64(t.min(a.max(b).next_down()).max(a.min(b)), out);
        change(out);
    });
    let (before, after) = source.extrapolation();
    let track = Track::custom(label, source.channel(), times, values, function)?;
    Ok(track.with_extrapolation(before, after))
}

/// A part of a track's time in which it shows another track.
pub(in crate::tools) struct Section {
    /// When the other track's time 0 is.
    pub(in crate::tools) start_s: f64,
    /// How much of the other track is shown. After that it stands.
    pub(in crate::tools) length_s: f64,
    pub(in crate::tools) source: Track,
}

/// A track with these keys, which shows between them one section after the other.
pub(in crate::tools) fn stitched(
    label: &str,
    sections: Vec<Section>,
    times: Vec<f32>,
    values: Vec<f32>,
) -> Result<Track, TrackError> {
    let channel = sections[0].source.channel();
    let function = Custom::new(move |u, keys, out| {
        let start = f64::from(keys.track().times()[keys.key()]);
        let middle = start + 0.5 * keys.span_s();
        let section = sections.partition_point(|section| section.start_s <= middle).saturating_sub(1);
        let Section { start_s, length_s, source } = &sections[section];
        let [a, b, t] =
            [0.0, 1.0, u].map(|u| (start + u * keys.span_s() - start_s).clamp(0.0, *length_s) as f32);
        source.sample_f64(t.min(b.next_down()).max(a), out);
    });
    Track::custom(label, channel, times, values, function)
}
