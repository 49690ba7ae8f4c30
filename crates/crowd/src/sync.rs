//! Clocks that go in step.

use throng_tracks::{Play, PlaybackClock, WrapMode};

/// Brings a clock, which is at the start of its play, to the same part of its way as another.
pub(crate) fn sync(clock: &mut PlaybackClock, other: &PlaybackClock) {
    let way = |clock: &PlaybackClock| (clock.play(), clock.terms(), clock.terms().length_s());
    let ((play, terms, length_s), (other_play, other_terms, other_length_s)) = (way(clock), way(other));
    if other_length_s <= 0.0 {
        return;
    }
    // Where both turn round, so that they go the same way.
    let alike = |play: &Play| (play.wrap == WrapMode::PingPong).then_some(play.reversed);
    let synced = if alike(&play).is_some() && alike(&play) == alike(&other_play) {
        let leg = other.pass().rem_euclid(2) as f64;
        clock.seek_played((leg + other.state().phase_s / other_length_s) * length_s)
    } else {
        let part = (other.inside_s() - f64::from(other_terms.min_s)) / other_length_s;
        clock.seek((f64::from(terms.min_s) + part * length_s) as f32)
    };
    synced.expect("times inside of clips are finite");
}
