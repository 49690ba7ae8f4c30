//! Where matrices are kept between actions.

use super::Action;

/// Turns joint numbers into slots, reused after their last reader, and drops writes that nobody reads. Returns how many
/// slots there are.
pub(super) fn assign(actions: &mut [Action], joints: usize) -> usize {
    let mut last_reader = vec![None; joints];
    for (at, action) in actions.iter().enumerate() {
        let read = match action {
            Action::Move(m) => m.from,
            Action::Keep { from, .. } | Action::Emit { from, .. } => *from,
        };
        if let Some(joint) = read {
            last_reader[joint as usize] = Some(at);
        }
    }
    let mut slot_of = vec![0; joints];
    let mut free = Vec::new();
    let mut slots = 0;
    for (at, action) in actions.iter_mut().enumerate() {
        let (read, written) = match action {
            Action::Move(m) => (&mut m.from, m.to),
            Action::Keep { from, to, .. } => (from, Some(*to)),
            Action::Emit { from, .. } => (from, None),
        };
        // An action reads its matrix before it writes one, so its own may take the place of what it reads last.
        if let Some(joint) = *read {
            *read = Some(slot_of[joint as usize]);
            if last_reader[joint as usize] == Some(at) {
                free.push(slot_of[joint as usize]);
            }
        }
        let Some(joint) = written else { continue };
        let slot = last_reader[joint as usize].map(|_| {
            free.pop().unwrap_or_else(|| {
                slots += 1;
                slots - 1
            })
        });
        slot_of[joint as usize] = slot.unwrap_or_default();
        match action {
            Action::Move(m) => m.to = slot,
            Action::Keep { to, .. } => *to = slot.unwrap_or_default(),
            Action::Emit { .. } => {}
        }
    }
    slots as usize
}
