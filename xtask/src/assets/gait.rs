//! How a foot travels through one cycle of walking or running, on the spot.
//!
//! Phase 0 is the moment the heel strikes. While the foot stands (the first `duty` of the cycle) it moves
//! backward at the speed of the ground; then it swings forward on a cubic that starts and ends at that
//! same speed, so that neither strike nor toe-off jerks.

use glam::DVec3;

use super::pose::Foot;

/// The shape of a gait. Lengths in metres, angles in degrees, times as parts of the cycle.
pub(super) struct Gait {
    /// The part of the cycle during which the foot stands.
    pub(super) duty: f64,
    /// Where the foot strikes, ahead of its bind position.
    pub(super) front: f64,
    /// Where it leaves the ground; negative is behind.
    pub(super) back: f64,
    /// How high the swinging foot is carried.
    pub(super) lift: f64,
    /// Below 1 the highest point comes early in the swing.
    pub(super) lift_skew: f64,
    /// Pitch of the foot at the strike, toes up.
    pub(super) strike: f64,
    /// Pitch at toe-off, heel up, as a positive number.
    pub(super) off: f64,
    /// When in the stance the foot has come down flat.
    pub(super) flat_from: f64,
    /// When in the stance the heel starts to rise.
    pub(super) flat_to: f64,
}

impl Gait {
    /// The foot at `phase`; whole numbers added to the phase change nothing.
    pub(super) fn foot(&self, phase: f64) -> Foot {
        let phase = phase.rem_euclid(1.0);
        if phase < self.duty {
            self.stance(phase / self.duty)
        } else {
            self.swing((phase - self.duty) / (1.0 - self.duty))
        }
    }

    fn stance(&self, s: f64) -> Foot {
        let z = self.front + (self.back - self.front) * s;
        let strike = self.strike * (1.0 - smooth(s / self.flat_from));
        let rise = ((s - self.flat_to) / (1.0 - self.flat_to)).max(0.0);
        let pitch = strike - self.off * rise * rise;
        Foot { offset: DVec3::new(0.0, 0.0, z), pitch, toe_pitch: pitch.max(0.0) }
    }

    fn swing(&self, s: f64) -> Foot {
        let swing_per_stance = (1.0 - self.duty) / self.duty;
        let ground_speed = (self.back - self.front) * swing_per_stance;
        let z = hermite(s, self.back, ground_speed, self.front, ground_speed);
        let pitch_speed = -2.0 * self.off / (1.0 - self.flat_to) * swing_per_stance;
        let pitch = hermite(s, -self.off, pitch_speed, self.strike, 0.0);
        let rise = (std::f64::consts::PI * s.powf(self.lift_skew)).sin();
        let toe_pitch = if pitch > 0.0 { pitch } else { pitch * smooth(s / 0.4) };
        Foot { offset: DVec3::new(0.0, self.lift * rise * rise, z), pitch, toe_pitch }
    }
}

/// The Hermite cubic through `a` and `b` with slopes `da` and `db`, `s` in 0..1.
fn hermite(s: f64, a: f64, da: f64, b: f64, db: f64) -> f64 {
    let (s2, s3) = (s * s, s * s * s);
    a * (2.0 * s3 - 3.0 * s2 + 1.0) + da * (s3 - 2.0 * s2 + s) + b * (3.0 * s2 - 2.0 * s3) + db * (s3 - s2)
}

/// From 0 to 1 with no slope at either end; clamped outside.
pub(super) fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// One turn of a cosine a cycle, highest at `peak`.
pub(super) fn sway(phase: f64, peak: f64) -> f64 {
    (std::f64::consts::TAU * (phase - peak)).cos()
}
