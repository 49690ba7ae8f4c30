//! What happens to playbacks, told once a frame: `passed` finds markers and ends of passes on a clock's way, where `grid` does
//! not say at once that there are none.
//!
//! Events have two sources. Controls tell theirs when they are called: these few are sorted. A step of time tells its own slot
//! by slot, so in order already, on every thread into a list of its own. A frame merges both, by instance and playback. `options`
//! says which kinds are recorded and how many at most; a `list` keeps the first ones and counts the others.

mod grid;
mod list;
mod options;
mod passed;

pub(crate) use grid::MarkerGrid;
pub(crate) use list::EventList;
use list::{Lost, Size};
pub use options::{DEFAULT_EVENT_CAP, EventKinds, EventOptions};
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
    /// It began, its delay over; or began anew, because a control changed its clip or went to a start.
    Started,
    /// Its clock was [told](crate::Crowd::pause) to stand still.
    Paused,
    /// Its clock runs again.
    Resumed,
    /// It was [ended](crate::Crowd::stop) before its end, or has lost its weight to a [fade](crate::Crowd::fade_out) or a
    /// [crossfade](crate::Crowd::crossfade). Of one that was still waiting for another, nothing else is told: it will never come.
    Stopped,
    /// Passes came to their end, the last one too, if it is whole: a repeat of 1.5 loops once. Passes count from 0, those gone
    /// through backwards from -1 down. All passes that end in one step of time are one event, at the end of the last of them.
    Looped {
        /// The last pass that ended.
        pass: i32,
        /// How many passes ended, 1 or more: backwards, down to `pass`. [`u32::MAX`] stands for more.
        count: u32,
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
    /// The last event of a step of time with more events than are [kept](EventOptions::cap). Its playback is the first one of
    /// which an event was lost.
    Overflow {
        /// How many events were lost. [`u32::MAX`] stands for more.
        lost: u32,
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

/// The events of a frame, and those told for the next.
#[derive(Default)]
pub(crate) struct Events {
    pub(crate) options: EventOptions,
    told: Vec<Told>,
    /// Of controls that were called since the last step.
    told_lost: Lost,
    told_size: Size,
    /// Those of the step of time, one list a job.
    lists: Vec<EventList>,
    all: Vec<Event>,
    all_size: Size,
    /// How many are kept of a step of time.
    cap: usize,
    /// Whether the first list is all there is.
    is_first: bool,
}

impl Events {
    /// The last frame's, in order.
    pub(crate) fn all(&self) -> &[Event] {
        if self.is_first { &self.lists[0].events } else { &self.all }
    }

    /// Tells what a control did, for the next frame, if its kind is among those that are recorded. Of a crowd of so many slots.
    pub(crate) fn tell(&mut self, slots: usize, recorded: EventKinds, playback: PlaybackId, kind: EventKind) {
        if !recorded.contains(EventKinds::of(&kind)) {
            return;
        }
        if self.told.len() >= self.options.cap_of(slots) {
            return self.told_lost.add(playback, 1);
        }
        let turn = self.told.len() as u32;
        self.told.push(Told { event: Event { playback, kind }, turn });
    }

    /// What a list of its own kept and lost, told as that of controls.
    pub(crate) fn tell_list(&mut self, slots: usize, list: &EventList) {
        for event in &list.events {
            self.tell(slots, EventKinds::ALL, event.playback, event.kind);
        }
        self.told_lost.join(list.lost);
    }

    /// Ahead of a frame of so many slots: lists for so many jobs.
    pub(crate) fn begin(&mut self, slots: usize, jobs: usize) -> &mut [EventList] {
        let cap = self.options.cap_of(slots);
        self.cap = cap;
        if self.lists.len() < jobs {
            self.lists.resize_with(jobs, EventList::default);
        }
        self.lists.iter_mut().for_each(|list| list.begin(cap));
        &mut self.lists[..jobs]
    }

    /// After a frame: everything in its order.
    pub(crate) fn settle(&mut self) {
        let Self { told, told_lost, told_size, lists, all, all_size, cap, is_first, .. } = self;
        all_size.note(all);
        all.clear();
        let mut lost = std::mem::take(told_lost);
        lists.iter().for_each(|list| lost.join(list.lost));
        let rest_is_empty = lists.iter().skip(1).all(|list| list.events.is_empty());
        *is_first = told.is_empty() && rest_is_empty && !lists.is_empty();
        if *is_first {
            told_size.note(told);
            return lists[0].events.extend(lost.event());
        }
        let count = told.len() + lists.iter().map(|list| list.events.len()).sum::<usize>();
        // In one go, so that a frame in which all begin leaves no memory that is not needed.
        all.reserve(count.min(*cap) + 1);
        told.sort_unstable_by_key(|told| (told.event.playback, told.turn));
        let mut keep = |event: Event| {
            if all.len() < *cap { all.push(event) } else { lost.add(event.playback, 1) }
        };
        let mut told_left = told.as_slice();
        for event in lists.iter().flat_map(|list| &list.events) {
            while let [next, rest @ ..] = told_left {
                if next.event.playback > event.playback {
                    break;
                }
                keep(next.event);
                told_left = rest;
            }
            keep(*event);
        }
        told_left.iter().for_each(|told| keep(told.event));
        all.extend(lost.event());
        told_size.note(told);
        told.clear();
    }
}
