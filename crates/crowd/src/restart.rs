//! Which controls begin a playback anew.
//!
//! One rule for all controls: a playback begins anew when its clip is changed, or when a control
//! moves its clock to a start. A new start emits [`Started`](crate::EventKind::Started) and a
//! marker exactly there, as a new playback does.

use throng_tracks::{ClockState, ClockTerms, WrapMode};

/// Whether a clock is at a start: where a playback of these terms begins a pass.
///
/// Forwards it is the start of the range, or its end if the playback is reversed. Backwards, at a
/// negative speed, it is either end: a pass is entered at its end, and
/// [`rewind`](crate::Crowd::rewind) goes to the start of the first one.
pub(crate) fn is_at_start(terms: &ClockTerms, state: &ClockState) -> bool {
    let (at_low, at_high) = (state.phase_s <= 0.0, state.phase_s >= terms.length_s());
    let returns = terms.wrap == WrapMode::PingPong && state.passes as i64 & 1 == 1;
    match (terms.speed < 0.0, returns) {
        (true, _) => at_low || at_high,
        (false, true) => at_high,
        (false, false) => at_low,
    }
}
