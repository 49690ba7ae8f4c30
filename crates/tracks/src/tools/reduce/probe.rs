//! A reduced clip played against the clip as it was.

use glam::{DAffine3, DVec3};

use crate::{BoundTrack, Clip, DTransform, Extrapolation, Skeleton, Track, model_matrices_f64};

/// Into how many parts the time between two keys is cut at first, and at most.
const PARTS: (usize, usize) = (4, 64);

/// More times than this are not looked at.
const MOST_BREAKS: usize = 1 << 20;

/// Plays reduced clips against the clip as it was.
pub(super) struct Probe<'a> {
    clip: &'a Clip,
    skeleton: &'a Skeleton,
    shell: f64,
    tolerance: f64,
    /// All times at which a curve may jump or bend sharply, in order.
    breaks: Vec<f32>,
    /// Whether those are all: a track may repeat too often to tell.
    complete: bool,
}

/// What two poses of one joint differ by: the matrix' columns, those of its axes as long as the shell is far.
type Difference = [DVec3; 4];

impl<'a> Probe<'a> {
    pub(super) fn new(clip: &'a Clip, skeleton: &'a Skeleton, shell: f64, tolerance: f64) -> Self {
        let tracks = || clip.tracks().iter().map(BoundTrack::track).filter(|t| t.channel().is_in_pose());
        let duration = clip.duration_s();
        let mut breaks = vec![0.0, duration];
        tracks().for_each(|track| breaks.extend_from_slice(track.times()));
        let complete = tracks().all(|track| repeated(track, duration, &mut breaks));
        breaks.retain(|t| (0.0..=duration).contains(t));
        breaks.sort_by(f32::total_cmp);
        breaks.dedup();
        Self { clip, skeleton, shell, tolerance, breaks, complete }
    }

    /// Whether no point is ever further from its place than the tolerance.
    pub(super) fn accepts(&self, reduced: &Clip) -> bool {
        self.complete
            && self.breaks.windows(2).all(|w| self.stretch(reduced, w[0], w[1].next_down()))
            && self.stretch(reduced, self.clip.duration_s(), self.clip.duration_s())
    }

    /// Whether all points are within the tolerance from `start` to `end`, measured in ever finer parts until no peak between two
    /// measured times can matter.
    fn stretch(&self, reduced: &Clip, start: f32, end: f32) -> bool {
        let mut parts = PARTS.0;
        loop {
            let all: Vec<Vec<Difference>> = (0..=parts)
                .map(|part| {
                    let way = part as f64 / parts as f64;
                    let t = f64::from(start) + (f64::from(end) - f64::from(start)) * way;
                    self.differences(reduced, t as f32)
                })
                .collect();
            // Not above, so that a NaN counts as too far.
            if !all.iter().flatten().all(|d| self.moved(d) <= self.tolerance) {
                return false;
            }
            // Between three times, a curve leaves them by no more than an eighth of their bend; counted twice.
            let settled = all.windows(3).all(|w| {
                (0..w[0].len()).all(|joint| {
                    let [a, b, c] = [0, 1, 2].map(|i| &w[i][joint]);
                    let bend: Difference = std::array::from_fn(|i| (a[i] - 2.0 * b[i] + c[i]) / 4.0);
                    let most = self.moved(a).max(self.moved(b)).max(self.moved(c));
                    most + self.moved(&bend) <= self.tolerance
                })
            });
            if settled || start == end {
                return true;
            }
            parts *= 2;
            if parts > PARTS.1 {
                return false;
            }
        }
    }

    fn differences(&self, reduced: &Clip, t: f32) -> Vec<Difference> {
        let [a, b] = [self.clip, reduced].map(|clip| {
            let mut pose = vec![DTransform::IDENTITY; self.skeleton.joint_count()];
            clip.sample_on_rest(self.skeleton, t, &mut pose);
            let mut model = vec![DAffine3::IDENTITY; pose.len()];
            model_matrices_f64(self.skeleton, &pose, &mut model);
            model
        });
        a.iter().zip(&b).map(|(a, b)| difference(a, b)).collect()
    }

    /// How far the furthest point of the shell is moved: six of them, two along each axis.
    fn moved(&self, [x, y, z, at]: &Difference) -> f64 {
        let ends = |axis: &DVec3| {
            let out = *axis * self.shell;
            (*at + out).length().max((*at - out).length())
        };
        ends(x).max(ends(y)).max(ends(z))
    }
}

fn difference(a: &DAffine3, b: &DAffine3) -> Difference {
    [
        a.matrix3.x_axis - b.matrix3.x_axis,
        a.matrix3.y_axis - b.matrix3.y_axis,
        a.matrix3.z_axis - b.matrix3.z_axis,
        a.translation - b.translation,
    ]
}

/// The times within a clip at which a track has its keys again, and those beside them, since they were rounded. False if
/// they are too many.
fn repeated(track: &Track, duration: f32, breaks: &mut Vec<f32>) -> bool {
    let times = track.times();
    let [first, last, end] = [times[0], times[times.len() - 1], duration].map(f64::from);
    let (before, after) = track.extrapolation();
    let repeats = |mode| matches!(mode, Extrapolation::Loop | Extrapolation::PingPong);
    let rounds = |mode, beyond: f64| {
        if repeats(mode) && last > first { (beyond.max(0.0) / (last - first)).ceil() } else { 0.0 }
    };
    let (back, on) = (rounds(before, first), rounds(after, end - last));
    if (back + on) * 6.0 * times.len() as f64 + breaks.len() as f64 > MOST_BREAKS as f64 {
        return false;
    }
    for round in -(back as i64)..=on as i64 {
        let shift = round as f64 * (last - first);
        for t in times.iter().copied().map(f64::from).filter(|_| round != 0) {
            // There or back, a round has its keys at one of these.
            for at in [t + shift, first + last - t + shift].map(|t| t as f32) {
                breaks.extend([at.next_down(), at, at.next_up()]);
            }
        }
    }
    true
}
