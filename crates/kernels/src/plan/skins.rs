//! Several skins on one pose.

use std::ops::Range;
use std::sync::Arc;

use throng_tracks::{Bank, JointIndex, Skin};

use super::{Plan, PlanError, PlanOptions};

impl Plan {
    /// A plan whose palettes are those of several skins, one behind the other: a pose is sampled and its matrices are made once,
    /// however many meshes hang on it. What skins share (joints with the same inverse bind matrix) costs no more
    /// than a store each.
    ///
    /// # Errors
    /// As of [`with_options`](Self::with_options), of the first skin that has something wrong; or if there is none.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_kernels::{Plan, PlanOptions};
    /// use throng_tracks::*;
    /// # let joint = |parent| Joint { name: String::new(), parent, rest: Rest::Trs(Transform::IDENTITY) };
    /// # let skeleton = Skeleton::new([joint(None), joint(Some(JointIndex(0)))])?;
    /// let (bank, _) = bake(&skeleton, &[], &BakeOptions::default())?;
    /// let body = Skin::model_space(&skeleton);
    /// let hat = Skin::new("hat", &skeleton, vec![JointIndex(1)], None)?;
    /// let plan = Plan::with_skins(Arc::new(bank), &[&body, &hat], &PlanOptions::default())?;
    /// assert_eq!((plan.palette_entries(), plan.skin_entries(1)), (3, Some(2..3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_skins(
        bank: Arc<Bank>,
        skins: &[&Skin],
        options: &PlanOptions<'_>,
    ) -> Result<Self, PlanError> {
        let count = bank.skeleton().joint_count();
        let (mut ends, mut joints, mut binds) = (Vec::new(), Vec::new(), Vec::new());
        for skin in skins {
            let (name, of_skin): (_, &[JointIndex]) = (|| skin.name().to_owned(), skin.joints());
            if of_skin.is_empty() {
                return Err(PlanError::NoJoints { skin: name() });
            }
            if let Some(place) = of_skin.iter().position(|j| j.get() >= count) {
                return Err(PlanError::NoSuchJoint { skin: name(), place, joint: of_skin[place], count });
            }
            joints.extend_from_slice(of_skin);
            binds.extend_from_slice(skin.inverse_bind());
            ends.push(joints.len());
        }
        if skins.is_empty() {
            return Err(PlanError::NoSkins);
        }
        let all = Skin::new("", bank.skeleton(), joints, Some(binds))
            .expect("joints were looked at, and a skin's matrices are finite");
        Ok(Self { skin_ends: ends.into(), ..Self::compiled(bank, &all, options)? })
    }

    /// How many skins there are.
    #[must_use]
    pub fn skin_count(&self) -> usize {
        self.skin_ends.len()
    }

    /// Which entries of a palette are those of a skin: the how-manieth was given, from 0.
    #[must_use]
    pub fn skin_entries(&self, skin: usize) -> Option<Range<usize>> {
        let end = *self.skin_ends.get(skin)?;
        let start = skin.checked_sub(1).map_or(0, |before| self.skin_ends[before]);
        Some(start..end)
    }
}
