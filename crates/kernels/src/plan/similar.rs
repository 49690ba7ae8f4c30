//! Whether all that a plan does keeps shapes, and its constants as rotation, translation and scale.

use std::fmt;

use glam::{DAffine3, DMat3, DVec3};
use thiserror::Error;
use throng_tracks::{Bank, JointIndex, Skin};

use super::frame::Frame;
use super::{Action, Moving, Placing, Source};

/// Why a plan cannot write [`PaletteFormat::Similarity`](crate::PaletteFormat::Similarity).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("joint {joint} {name:?} is no rotation, translation and uniform scale: {obstacle}")]
pub struct NotSimilar {
    /// The first joint that stands in the way.
    pub joint: JointIndex,
    /// Its name.
    pub name: String,
    /// What of it.
    pub obstacle: Obstacle,
}

/// What is no similarity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// The scale of a moving joint.
    Scale,
    /// What a joint that stands still is multiplied out to, with its inverse bind matrix if it has one.
    Still,
    /// The inverse bind matrix of a moving joint.
    Bind,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scale => "a clip or its rest scales its axes differently",
            Self::Still => "its rest or its inverse bind matrix shears or scales axes differently",
            Self::Bind => "its inverse bind matrix shears or scales axes differently",
        })
    }
}

/// A quaternion `xyzw`, a translation and a scale.
pub(crate) type Similarity = [f32; 8];

pub(crate) const NO_CHANGE: Similarity = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// The constants of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Similar {
    /// Of one that stands still.
    pub(crate) source: Similarity,
    pub(crate) correction: Option<Similarity>,
}

/// The first obstacle, of actions as they were compiled.
pub(super) fn check(bank: &Bank, skin: &Skin, actions: &[Action]) -> Result<(), NotSimilar> {
    for action in actions {
        let Err(obstacle) = constants(action) else { continue };
        // A correction is that of the first entry; others are the action's own matrix.
        let entry = action.entries.first().map(|&entry| skin.joints()[entry as usize]);
        let joint = entry.or(action.to.map(|joint| JointIndex(joint as u16))).unwrap_or(JointIndex(0));
        let name = bank.skeleton().name(joint).to_owned();
        return Err(NotSimilar { joint, name, obstacle });
    }
    Ok(())
}

/// The constants of each action, if all are similarities.
pub(super) fn all(actions: &[Action]) -> Vec<Similar> {
    actions.iter().map_while(|action| constants(action).ok()).collect()
}

fn constants(action: &Action) -> Result<Similar, Obstacle> {
    let source = match action.source {
        Source::Moving(Moving { placing, .. }) => match placing {
            Placing::Constant { .. } | Placing::Columns { .. } => NO_CHANGE,
            Placing::ConstantAxes { s, .. } | Placing::ColumnsConstantAxes { s, .. } if alike(s) => NO_CHANGE,
            _ => return Err(Obstacle::Scale),
        },
        Source::Still(rows) => similarity(&rows).ok_or(Obstacle::Still)?,
        Source::Kept => NO_CHANGE,
    };
    let correction = match action.correction {
        Some(rows) => Some(similarity(&rows).ok_or(Obstacle::Bind)?),
        None => None,
    };
    Ok(Similar { source, correction })
}

/// Three rows of four as a similarity, if they are one but for what files lose.
fn similarity(rows: &[f32; 12]) -> Option<Similarity> {
    let row = |r: usize| DVec3::from_slice(&rows.map(f64::from)[4 * r..]);
    let matrix3 = DMat3::from_cols(row(0), row(1), row(2)).transpose();
    let translation = DVec3::new(rows[3].into(), rows[7].into(), rows[11].into());
    if matrix3 == DMat3::ZERO {
        return Some([0.0, 0.0, 0.0, 1.0, rows[3], rows[7], rows[11], 0.0]);
    }
    let (frame, off) = Frame::nearest(&DAffine3 { matrix3, translation })?;
    let [x, y, z, w] = frame.rotation.as_quat().to_array();
    let scale = frame.scale as f32;
    (off <= LOST_BY_FILES).then_some([x, y, z, w, rows[3], rows[7], rows[11], scale])
}

/// Whether three scales are one but for what files lose.
fn alike(s: [f32; 3]) -> bool {
    s.iter().all(|&v| f64::from((v - s[0]).abs()) <= LOST_BY_FILES * f64::from(s[0].abs()))
}

/// How far apart, as a part of the scale, a number of a matrix and that of a similarity may be.
const LOST_BY_FILES: f64 = 1e-5;
