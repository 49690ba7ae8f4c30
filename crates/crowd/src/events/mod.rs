//! What happens to playbacks, told once a frame: `passed` finds markers and ends of passes on a clock's way, where `grid` does
//! not say at once that there are none.
//!
//! Events have two sources. Controls tell theirs when they are called: these few are sorted. A step of time tells its own slot
//! by slot, so in order already, on every thread into a list of its own. A frame merges both, by instance and playback.

mod grid;
mod passed;

pub(crate) use grid::MarkerGrid;
pub(crate) use passed::Passing;

use crate::{InstanceId, PlaybackId};

/// Something that happened to a playback: one entry of [`Crowd::events`](crate::Crowd::events).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// To which. It may be over by now, and its instance gone.
    pub playback: PlaybackId,
    /// What.
    pub kind: EventKind,
}

/// What happened to a playback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind {
    /// It began, its delay over.
    Started,
    /// Its clock was [told](crate::Crowd::pause) to stand still.
    Paused,
    /// Its clock runs again.
    Resumed,
    /// It was [ended](crate::Crowd::stop) before its end, or has lost its weight to a [fade](crate::Crowd::fade_out) or a
    /// [crossfade](crate::Crowd::crossfade). Of one that was still waiting for another, nothing else is told: it will never come.
    Stopped,
    /// A pass came to its end, the last one too, if it is whole: a repeat of 1.5 loops once. Passes count from 0, those gone through backwards from -1 down.
    Looped {
        /// Which pass.
        pass: i32,
    },
    /// It came to the end of its repeat. What is stopped never does, nor what is endless.
    Finished,
    /// It passed a [marker](throng_tracks::Marker) of its clip.
    Marker {
        /// The clip.
        clip: u32,
        /// Which of the clip's [markers](throng_tracks::BankClip::markers).
        marker: u32,
        /// The marker's payload.
        payload: u32,
    },
}

impl Event {
    /// To whom it happened.
    #[must_use]
    pub fn instance(&self) -> InstanceId {
        self.playback.instance()
    }
}

/// An event of a control.
#[derive(Clone, Copy)]
struct Told {
    event: Event,
    /// The how-manieth of its frame.
    turn: u32,
}

/// One more in a list of a job. Lists grow by an eighth: in a crowd that begins all at once each has an event of every instance,
/// and would keep twice the room for them.
#[inline]
pub(crate) fn add(list: &mut Vec<Event>, event: Event) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 8).max(512));
    }
    list.push(event);
}

/// The events of a frame, and those told for the next.
#[derive(Default)]
pub(crate) struct Events {
    told: Vec<Told>,
    /// Those of the step of time, one list a job.
    pub(crate) lists: Vec<Vec<Event>>,
    all: Vec<Event>,
    /// Whether the first list is all there is.
    is_first: bool,
}

impl Events {
    /// The last frame's, in order.
    pub(crate) fn all(&self) -> &[Event] {
        if self.is_first { &self.lists[0] } else { &self.all }
    }

    /// Tells what a control did, for the next frame.
    pub(crate) fn tell(&mut self, playback: PlaybackId, kind: EventKind) {
        let turn = self.told.len() as u32;
        self.told.push(Told { event: Event { playback, kind }, turn });
    }

    /// Ahead of a frame: lists for so many jobs.
    pub(crate) fn begin(&mut self, jobs: usize) -> &mut [Vec<Event>] {
        self.lists.iter_mut().for_each(Vec::clear);
        if self.lists.len() < jobs {
            self.lists.resize_with(jobs, Vec::new);
        }
        &mut self.lists[..jobs]
    }

    /// After a frame: everything in its order.
    pub(crate) fn settle(&mut self) {
        let Self { told, lists, all, is_first } = self;
        all.clear();
        *is_first = told.is_empty() && lists.iter().skip(1).all(Vec::is_empty) && !lists.is_empty();
        if *is_first {
            return;
        }
        // In one go, so that a frame in which all begin leaves no room that nobody needs.
        all.reserve(told.len() + lists.iter().map(Vec::len).sum::<usize>());
        told.sort_unstable_by_key(|told| (told.event.playback, told.turn));
        let mut told_left = told.as_slice();
        for event in lists.iter().flatten() {
            while let [next, rest @ ..] = told_left {
                if next.event.playback > event.playback {
                    break;
                }
                all.push(next.event);
                told_left = rest;
            }
            all.push(*event);
        }
        all.extend(told_left.iter().map(|told| told.event));
        told.clear();
    }
}
