use glam::{Quat, Vec3};

use super::Placement;

/// The step of a character that plays several clips, from the step and the weight of each.
///
/// It is blended as poses are: rotations summed in one hemisphere and normalised, translations summed. Where weights sum to
/// less than 1, standing still takes the rest; above 1, all are divided by the sum. Additive clips have no part in it.
///
/// ```
/// use throng_tracks::{MotionBlend, Placement};
/// let mut blend = MotionBlend::default();
/// blend.add(&Placement::at([0.0, 0.0, 1.0]), 0.75);
/// blend.add(&Placement::at([0.0, 0.0, 5.0]), 0.25);
/// assert_eq!(blend.step(), Placement::at([0.0, 0.0, 2.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionBlend {
    rotation: Quat,
    translation: Vec3,
    weight: f32,
}

impl Default for MotionBlend {
    fn default() -> Self {
        Self { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), translation: Vec3::ZERO, weight: 0.0 }
    }
}

impl MotionBlend {
    /// One more clip's step. A weight of 0 or below adds nothing.
    #[inline]
    pub fn add(&mut self, step: &Placement, weight: f32) {
        if weight > 0.0 {
            let sign = if self.rotation.dot(step.rotation) < 0.0 { -weight } else { weight };
            self.rotation += step.rotation * sign;
            self.translation += step.translation * weight;
            self.weight += weight;
        }
    }

    /// All of it.
    #[must_use]
    #[inline]
    pub fn step(&self) -> Placement {
        let mut all = *self;
        if all.weight < 1.0 {
            all.add(&Placement::IDENTITY, 1.0 - all.weight);
        }
        let length = all.rotation.length();
        let rotation = if length > 0.0 { all.rotation / length } else { Quat::IDENTITY };
        let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
        Placement { rotation, translation: all.translation / all.weight.max(1.0), scale: 1.0 }
    }
}
