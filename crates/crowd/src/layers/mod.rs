//! Which playbacks each slot has. `change` starts, fades and ends them, `bulk` reads and writes columns of all slots, `queue` keeps those that wait for another, and
//! `advance` moves all with time: `told` has what that tells, and `motion` where it leads. `settled` finds what follows for a slot, and
//! `touched` keeps the slots whose output may be another since the last frame.
//!
//! An instance has up to [`LAYERS`] places, columns of their own, of which a bit says whether something plays there. A
//! playback has its place until a crossfade leaves it; its serial number tells it from others, and in what order they began.

mod advance;
mod bulk;
mod change;
mod motion;
mod order;
mod queue;
mod settled;
mod told;
mod touched;

pub(crate) use advance::Step;
use motion::{Cut, Motion};
pub(crate) use order::Order;
pub use queue::After;
pub(crate) use queue::Begin;
use queue::{Last, Queued};
use settled::{Playing, Settled};

use throng_kernels::{BLOCK, LAYERS, MotionBlock};

use throng_tracks::{Bank, Placement, PlaybackClock};

use crate::bits::SlotSet;
use crate::columns::Playbacks;
use crate::events::{EventKind, EventKinds, EventList, Events, MarkerGrid};
use crate::fade::Fade;
use crate::kind::Kind;
use crate::{InstanceId, Playback, PlaybackId};

/// No place.
const NONE: u8 = u8::MAX;

/// What all slots play.
#[derive(Default)]
pub(crate) struct Layers {
    /// Columns beyond the first are empty until somebody plays there.
    places: [Playbacks; LAYERS],
    /// A bit for each place where something plays.
    used: Vec<u8>,
    /// A bit for each place of something that waits to begin.
    queued: Vec<u8>,
    /// Those that wait, as they came.
    queue: Vec<Queued>,
    /// The place of the main playback, if there is one.
    main: Vec<u8>,
    /// The place of the only playback, if it is all that is shown, so that one pair of rows is enough.
    whole: Vec<u8>,
    /// How what plays is blended.
    orders: Vec<Order>,
    /// The last serial number given.
    serials: Vec<u32>,
    /// Whether a slot's weights change or its playbacks may end.
    is_busy: Vec<bool>,
    /// Slots that a step of time may change. The others are frozen until a control changes them.
    active: SlotSet,
    /// Slots that were active in the last step of time.
    were_active: SlotSet,
    /// Slots that a control or a step of time may have given another pose since
    /// [`take_touched`](Self::take_touched).
    touched: SlotSet,
    /// Of each clip.
    grids: Box<[MarkerGrid]>,
    /// The kinds of events that are recorded of each clip.
    recorded: Box<[EventKinds]>,
    motion: Option<Motion>,
    /// Where the last step of time took each slot's instance; of no slot if clips lead nowhere.
    motions: Vec<MotionBlock>,
    /// Ways of those that were cut off in this step.
    cuts: Vec<Cut>,
    /// Memory of who of the queue begins in a step, and when.
    ready: Vec<(f64, usize)>,
    /// Those who were cut in this step, for others that wait for them.
    lasts: Vec<(PlaybackId, Last)>,
    /// Memory of cuts in the middle of a step.
    cut: EventList,
    /// Whether any playback ever was one of a given pose.
    external: bool,
}

impl Layers {
    /// Of a crowd that plays the clips of a bank.
    pub(crate) fn new(bank: &Bank) -> Self {
        Self {
            grids: bank.clips().iter().map(MarkerGrid::new).collect(),
            recorded: vec![EventKinds::ALL; bank.clips().len()].into(),
            motion: Motion::new(bank),
            ..Self::default()
        }
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        let slots = self.used.len() + more;
        self.used.reserve(more);
        self.queued.reserve(more);
        self.main.reserve(more);
        self.whole.reserve(more);
        self.orders.reserve(more);
        self.serials.reserve(more);
        self.is_busy.reserve(more);
        let sets = [&mut self.active, &mut self.were_active, &mut self.touched];
        sets.into_iter().for_each(|set| set.reserve(slots));
        self.places[0].reserve(slots);
        if self.motion.is_some() {
            self.motions.reserve(slots.div_ceil(BLOCK) - self.motions.len());
        }
    }

    /// A slot, there or the next, that plays this and nothing else.
    pub(crate) fn spawn(&mut self, slot: usize, playback: &Playback, clock: &PlaybackClock) {
        if slot == self.used.len() {
            self.used.push(0);
            self.queued.push(0);
            self.main.push(NONE);
            self.whole.push(NONE);
            self.orders.push(Order::default());
            self.serials.push(0);
            self.is_busy.push(false);
            self.fit_sets();
            if self.motion.is_some() {
                self.motions.resize(self.used.len().div_ceil(BLOCK), MotionBlock::STILL);
            }
        }
        self.used[slot] = 0;
        self.queued[slot] = 0;
        self.serials[slot] = 0;
        self.main[slot] = 0;
        self.put(slot, 0, playback, clock, (Fade::hold(playback.weight), true));
        self.settle(slot);
    }

    /// A slot that plays nothing any more.
    pub(crate) fn clear(&mut self, slot: usize) {
        self.used[slot] = 0;
        self.queued[slot] = 0;
        self.main[slot] = NONE;
        // The way of one who is gone is nobody's.
        if let Some(block) = self.motions.get_mut(slot / BLOCK) {
            block.stay(slot % BLOCK);
        }
        self.settle(slot);
    }

    fn put(
        &mut self,
        slot: usize,
        place: usize,
        playback: &Playback,
        clock: &PlaybackClock,
        (fade, crossfaded): (Fade, bool),
    ) -> u32 {
        self.serials[slot] = self.serials[slot].wrapping_add(1);
        let serial = self.serials[slot];
        self.external |= playback.external;
        let kind = Kind::new(serial, playback, crossfaded, self.is_marked(playback.clip));
        self.places[place].put(slot, playback, clock, fade, kind);
        self.used[slot] |= 1 << place;
        serial
    }

    /// Whether markers of a clip are recorded, and there are any.
    fn is_marked(&self, clip: usize) -> bool {
        self.grids[clip].is_marked() && self.recorded[clip].contains(EventKinds::MARKER)
    }

    /// From now on these kinds of events are recorded of each clip.
    pub(crate) fn record(&mut self, kinds: Box<[EventKinds]>) {
        self.recorded = kinds;
        for slot in 0..self.used.len() {
            let taken = self.taken(slot);
            for place in (0..LAYERS).filter(|place| taken >> place & 1 == 1) {
                let marked = self.is_marked(self.places[place].clip(slot));
                self.places[place].kinds[slot].set_marked(marked);
            }
        }
    }

    fn is_used(&self, slot: usize, place: usize) -> bool {
        self.used[slot] >> place & 1 == 1
    }

    /// The places of a slot where something plays.
    pub(crate) fn used(&self, slot: usize) -> impl Iterator<Item = usize> + use<> {
        let used = self.used[slot];
        (0..LAYERS).filter(move |place| used >> place & 1 == 1)
    }

    /// Whether clips lead anywhere.
    pub(crate) fn leads(&self) -> bool {
        self.motion.is_some()
    }

    /// Where the last step of time took a slot's instance; none if it stayed where it is.
    #[inline]
    pub(crate) fn motion(&self, slot: usize) -> Option<Placement> {
        let axis = self.motion.as_ref()?.table.axis();
        self.motions.get(slot / BLOCK)?.step(slot % BLOCK, axis)
    }

    /// Places that are not free.
    pub(crate) fn taken(&self, slot: usize) -> u8 {
        self.used[slot] | self.queued[slot]
    }

    /// Whether what is there waits for another.
    pub(crate) fn is_queued(&self, slot: usize, place: usize) -> bool {
        self.queued[slot] >> place & 1 == 1
    }

    /// The numbers of all playbacks of a slot, those that wait too.
    pub(crate) fn serials(&self, slot: usize) -> impl Iterator<Item = u32> + '_ {
        let taken = self.taken(slot);
        (0..LAYERS).filter(move |place| taken >> place & 1 == 1).map(move |place| self.serial(slot, place))
    }

    /// The place of the main playback.
    pub(crate) fn main(&self, slot: usize) -> Option<usize> {
        (self.main[slot] != NONE).then_some(self.main[slot].into())
    }

    /// The place of the playback with that number.
    pub(crate) fn find(&self, slot: usize, serial: u32) -> Option<usize> {
        let taken = self.taken(slot);
        (0..LAYERS).find(|place| taken >> place & 1 == 1 && self.serial(slot, *place) == serial)
    }

    /// Tells what a control does to a playback; that it began, ahead of it.
    pub(crate) fn tell(&mut self, instance: InstanceId, place: usize, kind: EventKind, events: &mut Events) {
        let slot = instance.slot();
        let playback = PlaybackId { instance, serial: self.serial(slot, place) };
        let (slots, recorded) = (self.used.len(), self.recorded[self.places[place].clip(slot)]);
        if self.has_begun_untold(slot, place) {
            events.tell(slots, recorded, playback, EventKind::Started);
            self.places[place].kinds[slot].set_told();
        }
        events.tell(slots, recorded, playback, kind);
    }

    /// Whether it began, and nobody was told.
    fn has_begun_untold(&self, slot: usize, place: usize) -> bool {
        let columns = &self.places[place];
        columns.kinds[slot].is_fresh() && !columns.is_delayed(slot) && !self.is_queued(slot, place)
    }

    pub(crate) fn at(&self, place: usize) -> &Playbacks {
        &self.places[place]
    }

    pub(crate) fn serial(&self, slot: usize, place: usize) -> u32 {
        self.places[place].kinds[slot].serial
    }

    /// Where the only playback of a slot is that needs no blending.
    #[inline]
    pub(crate) fn whole(&self, slot: usize) -> Option<&Playbacks> {
        self.places.get(usize::from(self.whole[slot]))
    }

    /// Whether anybody ever showed a given pose.
    pub(crate) fn shows_external(&self) -> bool {
        self.external
    }

    /// What follows from a change of a slot.
    fn settle(&mut self, slot: usize) {
        self.arrange(slot);
        self.settle_arranged(slot);
    }

    /// The same, of a change that leaves the order of its playbacks as it is.
    fn settle_arranged(&mut self, slot: usize) {
        let playing = self.used(slot).map(|place| {
            let columns = &self.places[place];
            Playing {
                place,
                kind: columns.kinds[slot],
                fade: &columns.fades[slot],
                mask: columns.masks[slot],
                wait_s: columns.waits_s[slot],
                speed: columns.speeds[slot],
            }
        });
        let Settled { whole, busy, active } = Settled::of(playing);
        (self.whole[slot], self.is_busy[slot]) = (whole, busy);
        self.active.set(slot, active);
        self.touch(slot);
    }
}
