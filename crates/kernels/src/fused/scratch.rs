//! Memory of a pass.

use crate::isa::{Line, Progress, STAGE_LINES};
use crate::plan::{Plan, Program};

/// Memory for the model matrices that a pass still needs; one a thread, reused, never shared.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) slots: Vec<[Line; 12]>,
    /// A few entries of a group of lanes, on their way past the caches.
    pub(super) stage: Vec<Line>,
    pub(super) progress: Progress,
}

/// The slot for instances' own matrices: behind those of the plan.
pub(super) fn world_slot(plan: &Plan) -> usize {
    let of = |program: &Program| program.at_once.slots.max(program.in_windows.slots);
    of(&plan.single).max(of(&plan.layered))
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
        let slots = world_slot(plan) + 1;
        if self.slots.len() < slots {
            self.slots.resize(slots, [Line::ZERO; 12]);
        }
        self.stage.resize(STAGE_LINES, Line::ZERO);
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.slots.as_slice()) + size_of_val(self.stage.as_slice())
    }
}
