//! The tracks that are left: functions that ask the old ones and the curve.

use std::sync::Arc;

use glam::DVec3;

use super::chain::Chain;
use super::taken::{quaternion, way};
use crate::bake::rate::Grid;
use crate::{Axis, Channel, Custom, Interpolation, MotionCurve, Track, TrackError};

/// A key of what is left.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub(super) time_s: f32,
    /// Whether an old track jumps there.
    jumps: bool,
}

/// What is left of the joint's pose.
pub(super) struct Left {
    pub(super) chain: Chain,
    pub(super) motion: MotionCurve,
    pub(super) axis: Axis,
}

/// All times at which an old track or the curve may bend or jump, from 0 to the end. Keys of the curve that are within rounding of
/// an old one are that one.
pub(super) fn times(chain: &Chain, grid: &Grid, duration_s: f32) -> Vec<Key> {
    let mut keys = vec![Key { time_s: 0.0, jumps: false }, Key { time_s: duration_s, jumps: false }];
    for track in chain.tracks() {
        let times = track.times();
        let jumps = |i: usize| {
            let leaves = track.interpolation() == Interpolation::Step || times[i] == times[i - 1];
            leaves && track.value(i) != track.value(i - 1)
        };
        keys.extend((0..times.len()).map(|i| Key { time_s: times[i], jumps: i > 0 && jumps(i) }));
        keys.extend(track.passed_keys(duration_s).into_iter().map(|time_s| Key { time_s, jumps: false }));
        keys.extend(track.jumps_outside(duration_s).into_iter().map(|time_s| Key { time_s, jumps: true }));
    }
    let mut on_grid = vec![false; grid.intervals + 1];
    for row in keys.iter().filter_map(|key| grid.row_at(key.time_s)) {
        on_grid[row] = true;
    }
    let rows = on_grid.iter().enumerate().filter(|(_, taken)| !**taken);
    let rows: Vec<Key> = rows.map(|(row, _)| Key { time_s: grid.time(row), jumps: false }).collect();
    keys.extend(rows);
    keys.retain(|key| (0.0..=duration_s).contains(&key.time_s));
    keys.sort_by(|a, b| a.time_s.total_cmp(&b.time_s).then(b.jumps.cmp(&a.jumps)));
    keys.dedup_by_key(|key| key.time_s.to_bits());
    keys
}

/// The track of a channel. Where an old one jumps, there are two keys at one time.
pub(super) fn remaining(
    label: &str,
    channel: Channel,
    left: &Arc<Left>,
    keys: &[Key],
) -> Result<Track, TrackError> {
    let (mut times, mut values) = (Vec::with_capacity(keys.len()), Vec::new());
    let mut put = |at_s: f32, asked_s: f32| {
        let mut value = [0.0; 4];
        let value = &mut value[..channel.components()];
        left.sample(channel, f64::from(at_s), asked_s, value);
        times.push(at_s);
        values.extend(value.iter().map(|v| *v as f32));
    };
    for key in keys {
        if key.jumps && key.time_s > 0.0 {
            put(key.time_s, key.time_s.next_down());
        }
        put(key.time_s, key.time_s);
    }
    let left = Arc::clone(left);
    let function = Custom::new(move |u, keys, out| {
        let times = keys.track().times();
        let (start, end) = (times[keys.key()], times[keys.key() + 1]);
        let t = f64::from(start) + u * keys.span_s();
        // At no time ahead of a key is what an old track jumps to there.
        left.sample(channel, t, (t as f32).min(end.next_down()).max(start), out);
    });
    Track::custom(label, channel, times, values, function)
}

impl Left {
    /// Where the joint is in model space at `t`, the old tracks asked at `asked_s`.
    pub(super) fn place(&self, t: f64, asked_s: f32) -> DVec3 {
        let motion = self.motion.motion(t);
        let way = self.chain.at(asked_s).place() - way(self.axis, &motion);
        quaternion(self.axis, motion.half).conjugate() * way
    }

    fn sample(&self, channel: Channel, t: f64, asked_s: f32, out: &mut [f64]) {
        let stand = self.chain.at(asked_s);
        if channel == Channel::Rotation {
            let [v, w] = self.motion.motion(t).half;
            let mut axis = DVec3::ZERO;
            axis[self.axis.index()] = 1.0;
            out.copy_from_slice(&stand.turned(axis, [-v, w]).to_array());
        } else {
            out.copy_from_slice(&stand.translation_at(self.place(t, asked_s)).to_array());
        }
    }
}
