//! What happened, told once a frame.

use throng_tracks::Marker;

use crate::{Crowd, CrowdError, Event, EventKind, EventOptions};

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
    /// pass of a long step, and never by a seek.
    ///
    /// A playback begins anew, with [`EventKind::Started`] and a marker exactly where it is, when a control changes its clip or
    /// moves its time to a start. Such are [`rewind`](Self::rewind), [`set_clip`](Self::set_clip), all that seeks, keys are
    /// stepped to by, or [`update_all`](Self::update_all) gives another time. A start is the start of the range, or if
    /// reversed its end; of a negative speed, either end.
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
    /// assert_eq!(kinds, [EventKind::Started, step, EventKind::Looped { pass: 0, count: 1 }, step]);
    /// assert_eq!(crowd.marker(&crowd.events()[1]).unwrap().name, "step");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.events.all()
    }

    /// Chooses which events are recorded from now on, and how many of a step of time at most. What is not recorded costs
    /// neither time nor memory.
    ///
    /// Which events are kept depends neither on threads nor on time: the first ones in the order of
    /// [`events`](Self::events), and of those of controls the first that were called. Memory that a step of many events took
    /// is given back when the steps behind it have fewer.
    ///
    /// # Errors
    /// If there is no such clip as one of those listed. Then nothing changed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, EventKind, EventKinds, EventOptions, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// for _ in 0..1000 {
    ///     crowd.spawn(Playback::default())?;
    /// }
    /// let kinds = EventKinds::LOOPED | EventKinds::FINISHED;
    /// crowd.set_event_options(EventOptions::default().with_kinds(kinds).with_cap(300))?;
    /// crowd.advance(3600.5)?;
    /// assert_eq!(crowd.events()[0].kind, EventKind::Looped { pass: 3599, count: 3600 });
    /// assert_eq!(crowd.events()[300].kind, EventKind::Overflow { lost: 700 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_event_options(&mut self, options: EventOptions) -> Result<(), CrowdError> {
        self.layers.record(options.by_clip(self.plan.bank())?);
        self.events.options = options;
        Ok(())
    }

    /// Which events are recorded, and how many at most.
    #[must_use]
    pub fn event_options(&self) -> &EventOptions {
        &self.events.options
    }

    /// The marker that an event tells of, if it tells of one.
    #[must_use]
    pub fn marker(&self, event: &Event) -> Option<&Marker> {
        let EventKind::Marker { clip, marker, .. } = event.kind else { return None };
        self.bank().clips().get(clip as usize)?.markers().get(marker as usize)
    }
}
