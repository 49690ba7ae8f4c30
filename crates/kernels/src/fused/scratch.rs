//! Memory of a pass.

use crate::isa::Line;
use crate::plan::Plan;

/// Memory for the model matrices that a pass still needs; one a thread, reused, never shared.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) slots: Vec<[Line; 12]>,
    /// The palettes of two groups of lanes, on their way past the caches.
    pub(super) stages: Vec<Line>,
}

impl Scratch {
    /// Scratch that fits `plan` (and any plan that needs less).
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut scratch = Self::default();
        scratch.fit(plan);
        scratch
    }

    /// Makes room for `plan`, if there is not enough yet.
    pub fn fit(&mut self, plan: &Plan) {
        if self.slots.len() < plan.slots {
            self.slots.resize(plan.slots, [Line::ZERO; 12]);
        }
        // A line holds one float for each of sixteen lanes.
        if self.stages.len() < 2 * plan.palette_floats() {
            self.stages.resize(2 * plan.palette_floats(), Line::ZERO);
        }
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice()) + size_of_val(self.stages.as_slice())
    }
}
