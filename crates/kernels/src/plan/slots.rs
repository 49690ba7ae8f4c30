//! Where matrices are kept between actions.

use super::{Action, Extra};

/// Turns joint numbers into slots, reused after their last reader, and drops writes that nobody reads. What `extras` read
/// is kept to the end. Returns how many slots there are.
pub(super) fn assign(actions: &mut [Action], extras: &mut [Extra], joints: usize) -> usize {
    let mut last_reader = vec![None; joints];
    for (at, action) in actions.iter().enumerate() {
        if let Some(joint) = action.from {
            last_reader[joint as usize] = Some(at);
        }
    }
    for joint in extras.iter().filter_map(|extra| extra.from) {
        last_reader[joint as usize] = Some(usize::MAX);
    }
    let mut slot_of = vec![0; joints];
    let mut free = Vec::new();
    let mut slots = 0;
    for (at, action) in actions.iter_mut().enumerate() {
        // An action reads its matrix before it writes one, so its own may take the place of what it reads last.
        if let Some(joint) = action.from {
            action.from = Some(slot_of[joint as usize]);
            if last_reader[joint as usize] == Some(at) {
                free.push(slot_of[joint as usize]);
            }
        }
        let Some(joint) = action.to else { continue };
        action.to = last_reader[joint as usize].map(|_| {
            free.pop().unwrap_or_else(|| {
                slots += 1;
                slots - 1
            })
        });
        slot_of[joint as usize] = action.to.unwrap_or_default();
    }
    for extra in extras {
        extra.from = extra.from.map(|joint| slot_of[joint as usize]);
    }
    slots as usize
}
