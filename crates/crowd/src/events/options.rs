//! Which events are recorded, and how many at most.

use std::ops::{BitOr, Sub};

use throng_tracks::Bank;

use super::EventKind;
use crate::CrowdError;

/// The largest number of events of a step of time that is kept by default, in a crowd of few slots.
pub const DEFAULT_EVENT_CAP: usize = 1 << 17;

/// In a crowd of many slots, the default is so many events for each.
const DEFAULT_EVENTS_A_SLOT: usize = 4;

/// A set of kinds of events.
///
/// ```
/// use throng_crowd::EventKinds;
/// let kinds = EventKinds::MARKER | EventKinds::FINISHED;
/// assert!(kinds.contains(EventKinds::MARKER) && !kinds.contains(EventKinds::LOOPED));
/// assert_eq!(EventKinds::ALL - EventKinds::LOOPED | EventKinds::LOOPED, EventKinds::ALL);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventKinds(u8);

impl EventKinds {
    /// No event.
    pub const NONE: Self = Self(0);
    /// [`EventKind::Started`].
    pub const STARTED: Self = Self(1);
    /// [`EventKind::Paused`].
    pub const PAUSED: Self = Self(1 << 1);
    /// [`EventKind::Resumed`].
    pub const RESUMED: Self = Self(1 << 2);
    /// [`EventKind::Stopped`].
    pub const STOPPED: Self = Self(1 << 3);
    /// [`EventKind::Looped`].
    pub const LOOPED: Self = Self(1 << 4);
    /// [`EventKind::Finished`].
    pub const FINISHED: Self = Self(1 << 5);
    /// [`EventKind::Marker`].
    pub const MARKER: Self = Self(1 << 6);
    /// Every kind.
    pub const ALL: Self = Self((1 << 7) - 1);

    /// Whether all kinds of `other` are in this set.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set of one kind. [`EventKind::Overflow`] is in none: it is always recorded.
    #[inline]
    pub(crate) fn of(kind: &EventKind) -> Self {
        match kind {
            EventKind::Started => Self::STARTED,
            EventKind::Paused => Self::PAUSED,
            EventKind::Resumed => Self::RESUMED,
            EventKind::Stopped => Self::STOPPED,
            EventKind::Looped { .. } => Self::LOOPED,
            EventKind::Finished => Self::FINISHED,
            EventKind::Marker { .. } => Self::MARKER,
            EventKind::Overflow { .. } => Self::NONE,
        }
    }
}

impl BitOr for EventKinds {
    type Output = Self;

    /// The kinds of either set.
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for EventKinds {
    type Output = Self;

    /// The kinds of this set that are not in the other.
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// Which events a crowd records, and how many of a step of time at most: see
/// [`Crowd::set_event_options`](crate::Crowd::set_event_options).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventOptions {
    /// The kinds that are recorded. All by default.
    pub kinds: EventKinds,
    /// The clips, by index, whose playbacks' events are recorded; none, as by default: all clips.
    pub clips: Option<Vec<usize>>,
    /// How many events of a step of time are kept, the first ones in their order. An
    /// [`Overflow`](EventKind::Overflow) behind them says how many were lost. None, as by default:
    /// [`DEFAULT_EVENT_CAP`], or four for each slot if that is more.
    pub cap: Option<usize>,
}

impl Default for EventOptions {
    /// All events of all clips.
    fn default() -> Self {
        Self { kinds: EventKinds::ALL, clips: None, cap: None }
    }
}

impl EventOptions {
    /// The same, with other kinds.
    #[must_use]
    pub fn with_kinds(self, kinds: EventKinds) -> Self {
        Self { kinds, ..self }
    }

    /// The same, with the events of these clips alone.
    #[must_use]
    pub fn with_clips(self, clips: impl IntoIterator<Item = usize>) -> Self {
        Self { clips: Some(clips.into_iter().collect()), ..self }
    }

    /// The same, with another cap. At 0 nothing but [`Overflow`](EventKind::Overflow) is emitted.
    #[must_use]
    pub fn with_cap(self, cap: usize) -> Self {
        Self { cap: Some(cap), ..self }
    }

    /// The kinds that are recorded of each clip of a bank.
    pub(crate) fn by_clip(&self, bank: &Bank) -> Result<Box<[EventKinds]>, CrowdError> {
        let clips = bank.clips().len();
        let Some(listed) = &self.clips else { return Ok(vec![self.kinds; clips].into()) };
        let mut kinds = vec![EventKinds::NONE; clips];
        for &clip in listed {
            *kinds.get_mut(clip).ok_or(CrowdError::NoSuchClip { clip, clips })? = self.kinds;
        }
        Ok(kinds.into())
    }

    /// How many events are kept in a crowd of so many slots.
    pub(crate) fn cap_of(&self, slots: usize) -> usize {
        self.cap.unwrap_or(slots.saturating_mul(DEFAULT_EVENTS_A_SLOT).max(DEFAULT_EVENT_CAP))
    }
}
