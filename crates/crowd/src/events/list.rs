//! A list of events that keeps the first ones, and counts the others.

use super::{Event, EventKind, EventKinds};
use crate::PlaybackId;

/// Steps of time after which a list may be shrunk to what they needed.
const WINDOW: u32 = 32;

/// A list of fewer events, of 28 bytes each, is not shrunk.
const SMALL: usize = 1 << 14;

/// The events of a job, or those of a control in the middle of a step.
#[derive(Default)]
pub(crate) struct EventList {
    pub(crate) events: Vec<Event>,
    pub(crate) lost: Lost,
    cap: usize,
    size: Size,
}

/// Events that were not kept.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lost {
    pub(crate) count: u64,
    /// The first playback, in the order of events, of which one was lost.
    first: Option<PlaybackId>,
}

impl Lost {
    pub(crate) fn add(&mut self, playback: PlaybackId, count: u64) {
        if count > 0 {
            self.count = self.count.saturating_add(count);
            self.first = Some(self.first.map_or(playback, |first| first.min(playback)));
        }
    }

    /// What was lost here and there.
    pub(crate) fn join(&mut self, other: Self) {
        if let Some(first) = other.first {
            self.add(first, other.count);
        }
    }

    /// The event that says so, if any was lost.
    pub(crate) fn event(&self) -> Option<Event> {
        let lost = u32::try_from(self.count).unwrap_or(u32::MAX);
        Some(Event { playback: self.first?, kind: EventKind::Overflow { lost } })
    }
}

impl EventList {
    /// Empties it for a step of time, of which it keeps so many events.
    pub(crate) fn begin(&mut self, cap: usize) {
        self.size.note(&mut self.events);
        self.events.clear();
        (self.lost, self.cap) = (Lost::default(), cap);
    }

    /// How many more events it keeps.
    pub(crate) fn room(&self) -> usize {
        self.cap.saturating_sub(self.events.len())
    }

    /// One more, if its kind is among those that are recorded.
    #[inline]
    pub(crate) fn push(&mut self, recorded: EventKinds, playback: PlaybackId, kind: EventKind) {
        if recorded.contains(EventKinds::of(&kind)) {
            self.keep(Event { playback, kind });
        }
    }

    /// One more. It grows by an eighth: in a crowd that begins all at once each job has an event of
    /// every instance, and would keep twice the memory for them.
    fn keep(&mut self, event: Event) {
        if self.events.len() >= self.cap {
            return self.lost.add(event.playback, 1);
        }
        if self.events.len() == self.events.capacity() {
            self.events.reserve_exact((self.events.len() / 8).max(512));
        }
        self.events.push(event);
    }
}

/// How large a list was in the last steps, and whether its memory is given back.
#[derive(Default)]
pub(crate) struct Size {
    steps: u32,
    largest: usize,
}

impl Size {
    /// Takes note of a list at the end of its step. Once in a while, a list with four times the
    /// memory that it needed since is shrunk to twice as much. A list whose steps are alike is
    /// never shrunk twice.
    pub(crate) fn note<T>(&mut self, list: &mut Vec<T>) {
        self.largest = self.largest.max(list.len());
        self.steps += 1;
        if self.steps < WINDOW {
            return;
        }
        if list.capacity() / 4 > self.largest.max(SMALL / 4) {
            list.clear();
            list.shrink_to(2 * self.largest.max(SMALL / 8));
        }
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_gives_its_memory_back_and_then_keeps_what_it_needs() {
        let (mut list, mut size) = (vec![0; 1 << 20], Size::default());
        for _ in 0..2 * WINDOW {
            size.note(&mut list);
            list.resize(3000, 0);
        }
        let capacity = list.capacity();
        assert!((3000..SMALL).contains(&capacity), "{capacity}");
        for step in 0..10 * WINDOW {
            list.resize(1000 + step as usize % 2000, 0);
            size.note(&mut list);
            assert_eq!(list.capacity(), capacity);
        }
    }
}
