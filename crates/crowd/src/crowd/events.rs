//! What happened, told once a frame.

use throng_tracks::Marker;

use crate::{Crowd, Event, EventKind};

/// Events.
impl Crowd {
    /// What happened between the last two steps of time and in the last: what controls did since the step before, then what
    /// clocks came by, then what fades ended. The next [`advance`](Self::advance) begins anew.
    ///
    /// In order of instances by slot, then of an instance's playbacks as they began, then as it happened; the same for any
    /// number of threads. Poses are complete after [`evaluate`](Self::evaluate), and events stay until the next step: so act on
    /// them after both, and what is attached to a foot finds it where it came down.
    ///
    /// A marker is told when it is passed or reached, in whichever direction: a step includes where it ends, not where it
    /// began, but for the first of a playback. It is told once at the seam of a loop, once where a ping-pong turns, for each
    /// pass of a long step (of more than 4,096, the last ones), and never by a seek.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, EventKind, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// let step = Marker { time_s: 0.25, name: "step".into(), payload: 7 };
    /// let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?.with_markers([step])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let id = crowd.spawn(Playback::default())?;
    /// crowd.advance(1.25)?;
    /// crowd.evaluate();
    /// let kinds: Vec<EventKind> = crowd.events().iter().map(|event| event.kind).collect();
    /// let step = EventKind::Marker { clip: 0, marker: 0, payload: 7 };
    /// assert_eq!(kinds, [EventKind::Started, step, EventKind::Looped { pass: 0 }, step]);
    /// assert_eq!(crowd.marker(&crowd.events()[1]).unwrap().name, "step");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.events.all()
    }

    /// The marker that an event tells of, if it tells of one.
    #[must_use]
    pub fn marker(&self, event: &Event) -> Option<&Marker> {
        let EventKind::Marker { clip, marker, .. } = event.kind else { return None };
        self.bank().clips().get(clip as usize)?.markers().get(marker as usize)
    }
}
