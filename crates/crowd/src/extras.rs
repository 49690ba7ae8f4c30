//! What is written beside palettes, and where instances stand.

use throng_kernels::{Bounds, WorldFold};

/// The matrix that moves nothing.
pub(crate) const IDENTITY: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// Sockets, bounds and world matrices, all by slot; each empty until asked for.
#[derive(Default)]
pub(crate) struct Extras {
    pub(crate) sockets: Vec<f32>,
    pub(crate) has_sockets: bool,
    pub(crate) bounds: Vec<Bounds>,
    pub(crate) has_bounds: bool,
    /// Whether a slot's instance was posed since either was asked for.
    pub(crate) written: Vec<bool>,
    pub(crate) worlds: Vec<[f32; 12]>,
    pub(crate) fold: Option<WorldFold>,
}

impl Extras {
    /// Ahead of a frame: room for all slots.
    pub(crate) fn fit(&mut self, slots: usize, socket_floats: usize) {
        if self.has_sockets {
            self.sockets.resize(slots * socket_floats, 0.0);
        }
        if self.has_bounds {
            self.bounds.resize(slots, Bounds::default());
        }
        if self.is_wanted() {
            self.written.resize(slots, false);
        }
        if self.fold.is_some() && self.worlds.len() < slots {
            self.worlds.resize(slots, IDENTITY);
        }
    }

    /// Whether an instance's outputs are its own, so that no other's serve.
    pub(crate) fn are_own(&self) -> bool {
        self.is_wanted() || self.fold.is_some()
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.has_sockets || self.has_bounds
    }

    /// After a frame that posed these.
    pub(crate) fn settle(&mut self, posed: &[u32]) {
        if self.is_wanted() {
            posed.iter().for_each(|slot| self.written[*slot as usize] = true);
        }
    }

    /// A slot has another instance.
    pub(crate) fn spawn(&mut self, slot: usize) {
        if let Some(written) = self.written.get_mut(slot) {
            *written = false;
        }
        if let Some(world) = self.worlds.get_mut(slot) {
            *world = IDENTITY;
        }
    }

    /// Returns whether it is another matrix than before, and frames read it.
    pub(crate) fn set_world(&mut self, slot: usize, world: [f32; 12]) -> bool {
        if slot >= self.worlds.len() {
            self.worlds.resize(slot + 1, IDENTITY);
        }
        let before = std::mem::replace(&mut self.worlds[slot], world);
        self.fold.is_some() && before.map(f32::to_bits) != world.map(f32::to_bits)
    }

    pub(crate) fn is_written(&self, slot: usize) -> bool {
        self.written.get(slot).copied().unwrap_or_default()
    }
}

/// Floats of a socket.
pub(crate) const SOCKET_FLOATS: usize = 12;

/// Where the instances of a job go.
pub(crate) struct Outs<'a> {
    pub(crate) palettes: &'a mut [f32],
    pub(crate) extras: ExtrasOuts<'a>,
}

/// Where what is asked for besides goes.
#[derive(Default)]
pub(crate) struct ExtrasOuts<'a> {
    pub(crate) sockets: Option<&'a mut [f32]>,
    pub(crate) bounds: Option<&'a mut [Bounds]>,
}

impl<'a> ExtrasOuts<'a> {
    /// Those of the first places, which are taken away.
    pub(crate) fn take(&mut self, places: usize, socket_floats: usize) -> Self {
        fn first<'a, T>(of: &mut Option<&'a mut [T]>, count: usize) -> Option<&'a mut [T]> {
            of.as_mut().and_then(|of| of.split_off_mut(..count))
        }
        Self {
            sockets: first(&mut self.sockets, places * socket_floats),
            bounds: first(&mut self.bounds, places),
        }
    }
}
