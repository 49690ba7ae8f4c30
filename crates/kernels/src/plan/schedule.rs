//! The order of actions, for stores at once and for windows of entries.
//!
//! As compiled, an action writes all entries that its matrix is, wherever they stand. Past the caches entries have to be
//! written in order, or nearly: window after window. So there the actions of a window are those of its entries, and
//! of their ancestors unless done before; an entry whose action is done already is a copy of the matrix kept. Sockets and
//! spheres go with the window that their matrices come in.

use super::{Action, Similar, Source, similar, slots};
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
}

/// All actions as they come, as one window.
pub(super) fn at_once(mut actions: Vec<Action>, joints: usize, entries: usize) -> Schedule {
    let slots = slots::assign(&mut actions, joints);
    let window = Window { first: 0, count: entries, last: true };
    Schedule { windows: vec![(actions.len(), window)], similar: similar::all(&actions), actions, slots }
}

/// The same in windows of entries.
pub(super) fn in_windows(compiled: &[Action], joints: usize, entries: usize) -> Schedule {
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
    let mut schedule = Schedule { actions: Vec::new(), similar: Vec::new(), windows: Vec::new(), slots: 0 };
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
                let (sockets, spheres) = (Vec::new(), Vec::new());
                Action { from: action.to, to: None, source, correction, entries: here, sockets, spheres }
            } else {
                Action { entries: here, ..action.clone() }
            });
            done[at] = true;
        }
        // What is no entry follows the matrix that it comes after; the last window has all that is left.
        for (at, action) in compiled.iter().enumerate() {
            let extra = !action.sockets.is_empty() || !action.spheres.is_empty();
            let ready = maker(action).is_none_or(|above| done[above]) && (extra || window.last);
            if !done[at] && action.entries.is_empty() && ready {
                schedule.actions.push(action.clone());
                done[at] = true;
            }
        }
        schedule.windows.push((schedule.actions.len() - before, window));
    }
    schedule.slots = slots::assign(&mut schedule.actions, joints);
    schedule.similar = similar::all(&schedule.actions);
    schedule
}
