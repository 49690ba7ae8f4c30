//! The order of actions, for stores at once and for windows of entries.
//!
//! As compiled, an action writes all entries that its matrix is, wherever they stand. Past the caches entries have to be
//! written in order, or nearly: window after window. So there the actions of a window are those of its entries, and
//! of their ancestors unless done before; an entry whose action is done already is a copy of the matrix kept. What no
//! entry needs comes last.

use super::{Action, Extra, Similar, Source, similar, slots};
use crate::isa::{WINDOW, Window};

/// Actions in the order in which they are done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schedule {
    pub(crate) actions: Vec<Action>,
    /// The constants of each action, for the pass without matrices; fewer if there is none.
    pub(crate) similar: Vec<Similar>,
    /// How many actions write each window, one window after the other.
    pub(crate) windows: Vec<(usize, Window)>,
    pub(crate) slots: usize,
    /// What is written besides, once all actions are done.
    pub(crate) extras: Vec<Extra>,
}

/// All actions as they come, as one window.
pub(super) fn at_once(
    mut actions: Vec<Action>,
    mut extras: Vec<Extra>,
    joints: usize,
    entries: usize,
) -> Schedule {
    let slots = slots::assign(&mut actions, &mut extras, joints);
    let window = Window { first: 0, count: entries, last: true };
    Schedule {
        windows: vec![(actions.len(), window)],
        similar: similar::all(&actions),
        actions,
        slots,
        extras,
    }
}

/// The same in windows of entries.
pub(super) fn in_windows(compiled: &[Action], extras: &[Extra], joints: usize, entries: usize) -> Schedule {
    let mut of_entry = vec![0; entries];
    let mut of_joint = vec![None; joints];
    for (at, action) in compiled.iter().enumerate() {
        action.entries.iter().for_each(|&entry| of_entry[entry as usize] = at);
        if let Some(joint) = action.to {
            of_joint[joint as usize] = Some(at);
        }
    }
    let maker = |action: &Action| action.from.and_then(|joint| of_joint[joint as usize]);

    let mut done = vec![false; compiled.len()];
    let mut schedule = Schedule {
        actions: Vec::new(),
        similar: Vec::new(),
        windows: Vec::new(),
        slots: 0,
        extras: extras.to_vec(),
    };
    for first in (0..entries).step_by(WINDOW) {
        let window = Window { first, count: WINDOW.min(entries - first), last: first + WINDOW >= entries };
        let range = first..first + window.count;
        let mut wanted: Vec<usize> = of_entry[range.clone()].to_vec();
        let mut look = 0;
        while let Some(&at) = wanted.get(look) {
            wanted.extend(maker(&compiled[at]).filter(|&above| !done[above]));
            look += 1;
        }
        wanted.sort_unstable();
        wanted.dedup();
        let before = schedule.actions.len();
        for at in wanted {
            let action = &compiled[at];
            let here = action.entries.iter().copied().filter(|&e| range.contains(&(e as usize))).collect();
            schedule.actions.push(if done[at] {
                let (source, correction) = (Source::Kept, action.correction);
                Action { from: action.to, to: None, source, correction, entries: here }
            } else {
                Action { entries: here, ..action.clone() }
            });
            done[at] = true;
        }
        if window.last {
            let left = (0..compiled.len()).filter(|&at| !done[at]);
            schedule.actions.extend(left.map(|at| compiled[at].clone()));
        }
        schedule.windows.push((schedule.actions.len() - before, window));
    }
    schedule.slots = slots::assign(&mut schedule.actions, &mut schedule.extras, joints);
    schedule.similar = similar::all(&schedule.actions);
    schedule
}
