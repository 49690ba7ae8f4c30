//! Tracks whose values are names: pictures, states, whatever is one of several.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Channel, Interpolation, Track, TrackError};

/// Indices are kept as f32, which counts to here.
const MOST_NAMES: usize = 1 << 24;

impl Track {
    /// A track that shows one of `names` after the other: `indices` into them, one a key.
    ///
    /// # Errors
    /// [`TrackError::NoSuchName`] for an index out of the table, or any other [`TrackError`].
    ///
    /// ```
    /// use throng_tracks::Track;
    /// let names = ["shut", "open"].map(String::from);
    /// let mouth = Track::discrete("mouth", [0.0, 0.5, 0.75], &[0, 1, 0], names)?;
    /// assert_eq!([0.0, 0.5, 0.74, 2.0].map(|t| mouth.name_at(t)), [Some("shut"), Some("open"), Some("open"), Some("shut")]);
    /// # Ok::<(), throng_tracks::TrackError>(())
    /// ```
    pub fn discrete(
        label: &str,
        times: impl Into<Arc<[f32]>>,
        indices: &[u32],
        names: impl Into<Arc<[String]>>,
    ) -> Result<Self, TrackError> {
        let names = names.into();
        if names.len() > MOST_NAMES {
            return Err(TrackError::TooManyNames {
                track: label.to_owned(),
                count: names.len(),
                limit: MOST_NAMES,
            });
        }
        let mut track = Self::empty(Channel::Discrete, Interpolation::Step);
        track.names = Some(names);
        // Where an f32 can't hold an index, it rounds to one that is out of the table too.
        track.filled(label, times.into(), indices.iter().map(|&i| i as f32).collect())
    }

    /// A discrete track of pictures or states: one item a frame, frame `i` at `i / rate_hz` seconds.
    ///
    /// The table holds each distinct item once, in the order of their first appearance. There are keys only where the item
    /// changes, and one at the end, `items / rate_hz`, so that the last frame lasts as long as every other.
    ///
    /// # Errors
    /// [`TrackError::Rate`] if the rate is not above 0 and finite; [`TrackError::NoKey`] without items; any other
    /// [`TrackError`].
    ///
    /// ```
    /// use throng_tracks::Track;
    /// let run = Track::from_frames("run", ["left", "left", "right", "left"], 10.0)?;
    /// assert_eq!(run.names(), ["left", "right"]);
    /// assert_eq!(run.times()[..], [0.0, 0.2, 0.3, 0.4]);
    /// assert_eq!(run.name_at(0.2), Some("right"));
    /// # Ok::<(), throng_tracks::TrackError>(())
    /// ```
    pub fn from_frames<S: AsRef<str>>(
        label: &str,
        items: impl IntoIterator<Item = S>,
        rate_hz: f32,
    ) -> Result<Self, TrackError> {
        if !(rate_hz > 0.0 && rate_hz.is_finite()) {
            return Err(TrackError::Rate { track: label.to_owned(), rate_hz });
        }
        // Rounded once: the same number as a caller's f32 division for every frame that an f32 can count.
        let time = |frame: usize| (frame as f64 / f64::from(rate_hz)) as f32;
        let (mut names, mut known) = (Vec::new(), HashMap::new());
        let (mut times, mut indices, mut frames) = (Vec::new(), Vec::new(), 0);
        for item in items {
            let index = match known.get(item.as_ref()) {
                Some(&index) => index,
                None => {
                    let index = names.len() as u32;
                    names.push(item.as_ref().to_owned());
                    known.insert(item.as_ref().to_owned(), index);
                    index
                }
            };
            if indices.last() != Some(&index) {
                times.push(time(frames));
                indices.push(index);
            }
            frames += 1;
        }
        if let Some(&last) = indices.last() {
            times.push(time(frames));
            indices.push(last);
        }
        Self::discrete(label, times, &indices, names)
    }

    /// The table of a discrete track; empty for all others.
    #[must_use]
    pub fn names(&self) -> &[String] {
        self.names.as_deref().unwrap_or_default()
    }

    /// The name that a discrete track shows at time `t`; none for all other tracks.
    #[must_use]
    pub fn name_at(&self, t: f32) -> Option<&str> {
        let mut index = [0.0];
        (self.channel == Channel::Discrete).then(|| self.sample(t, &mut index))?;
        self.names().get(index[0] as usize).map(String::as_str)
    }
}
