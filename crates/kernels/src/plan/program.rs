//! What kernels do for a group of lanes: of one pair of rows an instance, or of layers.
//!
//! One pair of rows never shows a held column at anything but its one value, so that the program of single pairs has it
//! multiplied out. Layers mix the rest in, poses from elsewhere and differences: their program reads all columns.

use std::sync::Arc;

use throng_tracks::{Bank, Skin};

use super::compile::{Compiled, Reads, compile};
use super::{Action, NotSimilar, PlanOptions, Schedule, extras, pack, schedule, similar};

/// Actions in the orders in which they are done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    /// For stores at once.
    pub(crate) at_once: Schedule,
    /// For windows of entries.
    pub(crate) in_windows: Schedule,
    /// Lowest and highest coordinates of spheres that nothing moves.
    pub(crate) still_bounds: [[f32; 3]; 2],
}

/// Both programs of a plan.
pub(super) struct Programs {
    /// Of one pair of rows an instance.
    pub(super) single: Arc<Program>,
    /// Of layers.
    pub(super) layered: Arc<Program>,
    /// Whether there is a pass without matrices.
    pub(super) similar: Result<(), NotSimilar>,
}

/// The actions that read all columns, and those of one pair of rows where they differ.
pub(super) struct Both {
    pub(super) all: Compiled,
    pub(super) varying: Option<Compiled>,
}

impl Both {
    /// Compiles the palette of `skin`, with joints that are `still`, or none if that is empty.
    pub(super) fn new(bank: &Bank, skin: &Skin, options: &PlanOptions<'_>, still: &[bool]) -> Self {
        let compiled = |reads| {
            let centres = options.spheres.iter().map(|sphere| sphere.joint);
            compile(bank, skin, options.sockets.iter().copied().chain(centres), still, reads)
        };
        let differ = bank.columns() != bank.varying_columns();
        Self { all: compiled(Reads::All), varying: differ.then(|| compiled(Reads::Varying)) }
    }

    /// Schedules the actions, which read columns as `groups` says.
    pub(super) fn into_programs(
        self,
        bank: &Bank,
        skin: &Skin,
        options: &PlanOptions<'_>,
        groups: &[pack::Group],
    ) -> Programs {
        let mut similar = Ok(());
        let mut program = |mut compiled: Compiled| {
            pack::decode(&mut compiled.actions, groups);
            let own = similar::check(bank, skin, &compiled.actions);
            similar = std::mem::replace(&mut similar, Ok(())).and(own);
            let (joints, entries) = (bank.skeleton().joint_count(), skin.joints().len());
            let (extras, still_bounds) = extras::collect(options, &compiled.standings);
            let actions: Vec<Action> = compiled.actions;
            let in_windows = schedule::in_windows(&actions, &extras, joints, entries);
            let at_once = schedule::at_once(actions, extras, joints, entries);
            Arc::new(Program { at_once, in_windows, still_bounds })
        };
        let layered = program(self.all);
        let single = self.varying.map_or_else(|| Arc::clone(&layered), &mut program);
        Programs { single, layered, similar }
    }
}
