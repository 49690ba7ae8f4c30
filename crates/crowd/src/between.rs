//! Palettes between those of turns, for instances that would be seen to jump.
//!
//! Such an instance is posed at its turn into one of two buffers of its own, by turns, and each frame shows a mix of both:
//! at a turn the pose of the turn before, and then nearer to the new one from frame to frame. So it is one interval late, and
//! nothing has to be known of the future, which a control may change.

use throng_kernels::{Layout, Line, PaletteFormat, mix_palettes};

use crate::previous::grow;

/// Nothing is in the buffers.
const NOTHING: u8 = 0;
/// The later pose alone is.
const ONE: u8 = u8::MAX;

/// The last two poses of those who move between their turns. Empty until somebody does.
#[derive(Default)]
pub(crate) struct Between {
    buffers: [Vec<Line>; 2],
    /// By slot: in which of the buffers the later pose is.
    later: Vec<u8>,
    /// By slot: over how many frames the way goes, or [`NOTHING`] or [`ONE`].
    frames: Vec<u8>,
    /// The slots that are posed into each buffer, ascending.
    due: [Vec<u32>; 2],
}

/// What a frame does with a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is posed as others are.
    Pose,
    /// It is posed for later, and mixed.
    PoseAndMix,
    Mix,
    Keep,
}

impl Between {
    /// Before a frame.
    pub(crate) fn begin(&mut self) {
        self.due.iter_mut().for_each(Vec::clear);
    }

    /// What comes next for a slot of so many, whose turn it is or not, and which then waits for so many frames, at an interval
    /// that may be longer. One that is fresh has no past.
    pub(crate) fn step(
        &mut self,
        slots: usize,
        slot: usize,
        (due, fresh): (bool, bool),
        [wait, interval]: [u8; 2],
    ) -> Step {
        if self.frames.len() < slots {
            self.frames.resize(slots, NOTHING);
            self.later.resize(slots, 0);
            self.due.iter_mut().for_each(|due| due.reserve(slots));
        }
        let frames = &mut self.frames[slot];
        if !due {
            return if matches!(*frames, NOTHING | ONE) { Step::Keep } else { Step::Mix };
        }
        if interval == 1 {
            *frames = NOTHING;
            return Step::Pose;
        }
        if fresh || *frames == NOTHING {
            *frames = ONE;
        } else {
            // Two hundred and fifty-four is as good as one more.
            *frames = (wait + 1).min(ONE - 1);
            self.later[slot] ^= 1;
        }
        self.due[usize::from(self.later[slot])].push(slot as u32);
        Step::PoseAndMix
    }

    /// Whether a slot's palettes are mixed of two poses.
    pub(crate) fn has_two(&self, slot: usize) -> bool {
        !matches!(self.frames[slot], NOTHING | ONE)
    }

    /// What is to be posed, and where: palettes of all slots, so many lines.
    pub(crate) fn take(&mut self, lines: usize) -> [(Vec<u32>, Vec<Line>); 2] {
        [0, 1].map(|which| {
            let (due, mut buffer) =
                (std::mem::take(&mut self.due[which]), std::mem::take(&mut self.buffers[which]));
            if !self.frames.is_empty() {
                grow(&mut buffer, lines);
            }
            (due, buffer)
        })
    }

    /// The same, posed.
    pub(crate) fn put_back(&mut self, posed: [(Vec<u32>, Vec<Line>); 2]) {
        let [(due, buffer), (other_due, other)] = posed;
        self.due = [due, other_due];
        self.buffers = [buffer, other];
    }

    /// The palette of a slot that waits for so many frames more.
    pub(crate) fn write(
        &self,
        slot: usize,
        wait: u8,
        entries: usize,
        format: PaletteFormat,
        out: &mut [f32],
    ) {
        let floats = Layout::new(format.mixed_from()).size(entries);
        let palette = |which: usize| {
            let buffer: &[f32] = bytemuck::cast_slice(&self.buffers[which]);
            &buffer[slot * floats..][..floats]
        };
        let (later, frames) = (usize::from(self.later[slot]), self.frames[slot]);
        if frames == ONE {
            mix_palettes(format, [palette(later); 2], 0.0, out);
            return;
        }
        let gone = (frames - 1).saturating_sub(wait);
        mix_palettes(format, [palette(1 - later), palette(later)], f32::from(gone) / f32::from(frames), out);
    }
}
