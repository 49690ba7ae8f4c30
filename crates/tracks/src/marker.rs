//! Marks on a clip's time.

use crate::{Clip, ClipError};

/// Something that happens at a time of a clip: a foot comes down, a hit lands.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Marker {
    /// When, in seconds of the clip; from 0 to its end.
    pub time_s: f32,
    /// What it is called; names need not be unique.
    pub name: String,
    /// A number that goes with it, such as an index into a table of the caller's.
    pub payload: u32,
}

/// Markers in order of time; those of one time as they came.
pub(crate) fn sorted(mut markers: Vec<Marker>) -> Vec<Marker> {
    markers.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    markers
}

/// The first marker that is outside of a clip of `duration_s` seconds.
pub(crate) fn outside(markers: &[Marker], duration_s: f32) -> Option<&Marker> {
    markers.iter().find(|marker| !(0.0..=duration_s).contains(&marker.time_s))
}

/// Markers at times that `time` moves, but for those that are outside of `duration_s` seconds then. What a clip's end and
/// its last marker were rounded by does not count.
pub(crate) fn retimed(
    markers: &[Marker],
    duration_s: f32,
    time: impl Fn(f64) -> f64,
) -> impl Iterator<Item = Marker> {
    let end = f64::from(duration_s);
    let slack = 1e-6 * end;
    markers.iter().filter_map(move |marker| {
        let t = time(marker.time_s.into());
        let inside = (-slack..=end + slack).contains(&t);
        inside.then(|| Marker { time_s: t.clamp(0.0, end) as f32, ..marker.clone() })
    })
}

impl Clip {
    /// The clip with these markers besides those that it has. They go with it through tools and into a bank, whose crowds
    /// tell when an instance passes one.
    ///
    /// ```
    /// use throng_tracks::*;
    /// let skeleton = Skeleton::new([Joint { name: "foot".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// let step = Track::new("foot", Channel::Scalar, Interpolation::Linear, [0.0, 1.0], vec![0.0, 1.0])?;
    /// let mark = |time_s, name: &str| Marker { time_s, name: name.into(), payload: 0 };
    /// let clip = Clip::new("walk", &skeleton, [])?
    ///     .with_properties(&skeleton, [("way", step)])?
    ///     .with_markers([mark(0.75, "right"), mark(0.25, "left")])?;
    /// assert_eq!(clip.markers()[0].name, "left");
    /// // Half as fast.
    /// assert_eq!(tools::scale_time(&clip, &skeleton, 2.0)?.markers()[0].time_s, 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ClipError::MarkerTime`] if a time is not inside of the clip.
    pub fn with_markers(mut self, markers: impl IntoIterator<Item = Marker>) -> Result<Self, ClipError> {
        let mut all = std::mem::take(&mut self.markers);
        all.extend(markers);
        if let Some(Marker { name, time_s, .. }) = outside(&all, self.duration_s()) {
            let (clip, marker, time_s) = (self.name().to_owned(), name.clone(), *time_s);
            return Err(ClipError::MarkerTime { clip, marker, time_s, duration_s: self.duration_s() });
        }
        self.markers = sorted(all);
        Ok(self)
    }

    /// The clip with the markers of another in place of its own, at times that `time` moves; those that are outside then
    /// are dropped.
    pub(crate) fn marked_as(mut self, other: &Self, time: impl Fn(f64) -> f64) -> Self {
        self.markers = sorted(retimed(&other.markers, self.duration_s(), time).collect());
        self
    }
}
