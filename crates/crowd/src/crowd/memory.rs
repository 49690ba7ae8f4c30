//! All instances at once, and the memory that they leave.

use crate::Crowd;

impl Crowd {
    /// Ends all instances, as [`despawn`](Self::despawn) does one: their ids are errors from now on. Masks, levels of joints and
    /// all other settings stay, and so does the memory, for instances that are spawned next, from slot 0 on.
    pub fn clear(&mut self) {
        // The slot that is freed last is used again first.
        for slot in (0..self.slots.count()).rev() {
            if self.slots.is_live(slot) {
                let ended = self.despawn(self.slots.id(slot));
                debug_assert_eq!(ended, Ok(()));
            }
        }
    }

    /// Gives back memory that the present slots do not need: what frames and controls grew beyond them, and what
    /// [`reserve`](Self::reserve) made room for. No instance moves, and no slot goes. The next frames allocate again what they need.
    pub fn shrink_to_fit(&mut self) {
        self.slots.shrink_to_fit();
        self.layers.shrink_to_fit();
        self.awaits.shrink_to_fit();
        self.shards.forget_workspaces();
        self.due.slots.shrink_to_fit();
        self.due.how = Vec::new();
        self.sharing = Default::default();
        self.chosen = Vec::new();
        self.changes = Vec::new();
        self.asked = Default::default();
        self.buffer.shrink_to_fit();
        self.extras.sockets.shrink_to_fit();
        self.extras.bounds.shrink_to_fit();
        self.extras.worlds.shrink_to_fit();
    }
}
