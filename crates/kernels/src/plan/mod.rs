//! What the fused pass does for a bank and a skin, worked out once.
//!
//! [`frame`] has the similarities that palette space is made of; [`compile`] turns joints into [`Action`]s and says for
//! each column how its numbers change; [`still`] does so once more with fewer joints that move; [`program`] has what is done for
//! single pairs of rows and for layers; [`schedule`] puts actions in order; [`slots`] places the matrices that must be kept; [`rows`] rewrites the bank's
//! rows. The README beside this file tells why palettes come out with one matrix product a joint.

mod compile;
mod external;
mod extras;
mod frame;
mod options;
mod pack;
mod program;
mod ranges;
mod rows;
mod schedule;
mod similar;
mod skins;
mod slots;
mod still;
mod stored;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::DAffine3;
use thiserror::Error;
use throng_tracks::{Bank, JointIndex, Skin};

use crate::isa::RowTable;
use crate::layout::PaletteFormat;
use compile::Rewrite;
pub use external::{ExternalError, ExternalRows};
pub(crate) use extras::Extra;
pub use options::{Bounds, JointSphere, PlanOptions};
pub(crate) use pack::Decoding;
pub(crate) use program::Program;
use program::{Both, Programs};
use rows::Rows;
pub(crate) use schedule::Schedule;
pub(crate) use similar::{NO_CHANGE, Similar, Similarity};
pub use similar::{NotSimilar, Obstacle};
pub use stored::RowError;

/// How the numbers of rows are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum RowFormat {
    /// As they are in the bank.
    #[default]
    F32,
    /// In sixteen bits, each beside that of the row behind it: what lies between two rows is read with one load, half
    /// the bytes, and made with one multiply-add of pairs. A number is off by at most 1/130,000 of the range
    /// that it moves through in all clips, and fractions are rounded to 1/32767. Columns of whose range such a step moves
    /// a joint by more than 2e-5 of the skeleton's size, because some clip travels far or scales a lot, are stored as floats.
    /// [`Plan::row_error`] measures the result.
    I16,
}

/// Floats of one palette entry: the three rows of an affine matrix.
pub const PALETTE_FLOATS: usize = 12;

/// Why a bank and a skin don't go together, or what besides is wanted of them can't be had.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The skin was made for a larger skeleton.
    #[error("skin {skin:?} names joint {joint} at place {place}, but the bank's skeleton has {count} joints")]
    NoSuchJoint {
        /// The skin's name.
        skin: String,
        /// Where in the skin.
        place: usize,
        /// The joint it names.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// A palette needs an entry.
    #[error("skin {skin:?} has no joints, so there is no palette to write")]
    NoJoints {
        /// The skin's name.
        skin: String,
    },
    /// A plan writes a palette.
    #[error("there is no skin, so there is no palette to write")]
    NoSkins,
    /// A socket is no joint.
    #[error("socket {place} is joint {joint}, but the bank's skeleton has {count} joints")]
    NoSuchSocket {
        /// Which of the sockets.
        place: usize,
        /// The joint it names.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// What is to stand still is no joint.
    #[error("joint {joint}, at place {place}, is to stand still, but the bank's skeleton has {count} joints")]
    NoSuchStill {
        /// Which of them.
        place: usize,
        /// The joint it names.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// The centre of a sphere is no joint.
    #[error("sphere {place} is around joint {joint}, but the bank's skeleton has {count} joints")]
    NoSuchCentre {
        /// Which of the spheres.
        place: usize,
        /// The joint it names.
        joint: JointIndex,
        /// How many joints there are.
        count: usize,
    },
    /// A sphere has no size.
    #[error(
        "sphere {place}, around joint {joint}, has the radius {radius}; a radius is finite, and 0 or more"
    )]
    Radius {
        /// Which of the spheres.
        place: usize,
        /// Its joint.
        joint: JointIndex,
        /// What was given.
        radius: f32,
    },
}

/// What the fused pass does for one matrix: it is made, kept for later actions, and written to the palette.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Action {
    /// Slot of the matrix that this one comes after; nowhere: the identity.
    pub(crate) from: Option<u32>,
    /// Slot to keep it in, if any later action reads it.
    pub(crate) to: Option<u32>,
    pub(crate) source: Source,
    /// What it still has to be multiplied with for the palette.
    pub(crate) correction: Option<[f32; 12]>,
    /// The palette entries that it is: those of the joints that stand still below it too, so that it is brought into the
    /// order of the output once.
    pub(crate) entries: Vec<u32>,
}

/// Where a matrix comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    /// A joint that moves, between its rows.
    Moving(Moving),
    /// The same in all rows.
    Still([f32; 12]),
    /// The matrix that it comes after, as it is.
    Kept,
}

/// Where the parts of a moving joint are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moving {
    pub(crate) joint: u32,
    pub(crate) rotation: Columns,
    pub(crate) placing: Placing,
}

/// Where translation and scale of a moving joint come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Placing {
    /// Both the same in all rows; `twice` is `2 s`. `p` is the point that the rotation turns about.
    Constant { t: [f32; 3], s: f32, twice: f32, p: [f32; 3] },
    /// Columns `xyzs`.
    Columns { at: Columns, p: [f32; 3] },
    /// Both the same in all rows, and each axis with a scale of its own.
    ConstantAxes { t: [f32; 3], s: [f32; 3] },
    /// Columns `xyz`, and scales that are the same in all rows.
    ColumnsConstantAxes { at: Columns, s: [f32; 3] },
    /// Columns `xyz`, and columns of three scales.
    ColumnsAxes { at: Columns, scale_at: Columns },
}

/// Four columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Columns {
    /// The first of them.
    pub(crate) at: u32,
    /// Whether [`RowFormat::I16`] rows have them as pairs of sixteen bits, rather than as floats.
    pub(crate) packed: bool,
    /// What numbers between such pairs become: `number * scale + offset`.
    pub(crate) decoding: Decoding,
}

/// What blends need besides: by joint, of the rotation's four columns, the placing's, and those of the scales of axes.
pub(crate) type Blending = [BlendColumns; 3];

/// What blends need of four columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BlendColumns {
    /// As [`Columns::decoding`], of rows of additive clips.
    pub(crate) difference: Decoding,
    /// What the numbers are at rest.
    pub(crate) rest: [f32; 4],
}

/// A bank and a skin, compiled for the kernels: made once, used every frame, shared by all threads.
///
/// Whatever never moves is multiplied out here, and the inverse bind matrices are folded into a copy of the rows, so
/// that the plan holds about as many bytes as the bank.
#[derive(Clone, Debug)]
pub struct Plan {
    bank: Arc<Bank>,
    /// Skin joints and inverse bind matrices, for the stages.
    pub(crate) skin: Vec<(u16, [f32; 12])>,
    /// Where the entries of each skin end.
    skin_ends: Arc<[usize]>,
    /// For one pair of rows an instance, and for layers; often the same.
    pub(crate) single: Arc<Program>,
    pub(crate) layered: Arc<Program>,
    /// Whether there is a pass without matrices.
    similar: Result<(), NotSimilar>,
    sockets: Vec<JointIndex>,
    spheres: Vec<JointSphere>,
    rows: Arc<Rows>,
    /// How each four columns of the rows are stored; empty if all are as they are.
    groups: Arc<[pack::Group]>,
    /// How a joint's numbers become those of a row.
    rewrites: Arc<[Rewrite]>,
    /// Which rows are of additive clips; empty if none is.
    additive: Vec<bool>,
    /// By joint, for the rows in palette space.
    pub(crate) blending: Vec<Blending>,
    /// By joint, for those of the bank.
    pub(crate) local_blending: Vec<Blending>,
}

impl Plan {
    /// Compiles the palette of `skin` over the rows of `bank`.
    ///
    /// For model matrices instead of palettes use [`Skin::model_space`].
    ///
    /// A skin does not know its skeleton. One made for another skeleton is taken as long as the bank's has as many joints as
    /// it names: its entries then are the bank's joints of the same indices.
    ///
    /// # Errors
    /// If the skin names a joint that the bank's skeleton has not, or is empty.
    pub fn new(bank: Arc<Bank>, skin: &Skin) -> Result<Self, PlanError> {
        Self::with_rows(bank, skin, RowFormat::F32)
    }

    /// As [`new`](Self::new), with rows of another format.
    ///
    /// # Errors
    /// As of [`new`](Self::new).
    pub fn with_rows(bank: Arc<Bank>, skin: &Skin, format: RowFormat) -> Result<Self, PlanError> {
        Self::with_options(bank, skin, &PlanOptions { rows: format, ..PlanOptions::default() })
    }

    /// As [`new`](Self::new), with what else the pass is to write. A job that does not ask for it pays for no more than joints
    /// that no palette entry needs, and the memory of matrices.
    ///
    /// # Errors
    /// As of [`new`](Self::new), and if a socket or the centre of a sphere is no joint, or a radius is negative or not finite.
    pub fn with_options(bank: Arc<Bank>, skin: &Skin, options: &PlanOptions<'_>) -> Result<Self, PlanError> {
        Self::with_skins(bank, &[skin], options)
    }

    /// Of a skin whose joints exist.
    fn compiled(bank: Arc<Bank>, skin: &Skin, options: &PlanOptions<'_>) -> Result<Self, PlanError> {
        options::check(options, bank.skeleton().joint_count())?;
        let mut both = Both::new(&bank, skin, options, &[]);
        let additive = rows::additive(&bank);
        let rows = rows::rewrite(&bank, &both.all, &additive);
        let (rows, groups) = match options.rows {
            RowFormat::F32 => (rows, Vec::new()),
            RowFormat::I16 => pack::pack(&rows, &additive, &bank, &both.all.rewrites),
        };
        pack::decode_differences(&mut both.all, &groups);
        let blending = std::mem::take(&mut both.all.blending);
        let rewrites = std::mem::take(&mut both.all.rewrites);
        let Programs { single, layered, similar } = both.into_programs(&bank, skin, options, &groups);
        let entries = skin.joints().iter().zip(skin.inverse_bind());
        let skin: Vec<_> = entries.map(|(j, m)| (j.0, rows_of(&frame::double(m)))).collect();
        let (sockets, spheres) = (options.sockets.to_vec(), options.spheres.to_vec());
        let local_blending = rows::local_blending(&bank);
        Ok(Self {
            bank,
            skin_ends: [skin.len()].into(),
            skin,
            single,
            layered,
            similar,
            sockets,
            spheres,
            rows: Arc::new(rows),
            groups: groups.into(),
            rewrites: rewrites.into(),
            additive,
            blending,
            local_blending,
        })
    }

    /// The bank.
    #[must_use]
    pub fn bank(&self) -> &Arc<Bank> {
        &self.bank
    }

    /// How many entries a palette has: the joints of the skin.
    #[must_use]
    pub fn palette_entries(&self) -> usize {
        self.skin.len()
    }

    /// Whether palettes can be had in that format: in all but [`PaletteFormat::Similarity`] they always can.
    ///
    /// # Errors
    /// If a joint's palette entry is no rotation, translation and uniform scale. Inverse bind matrices and rests count as
    /// one if their numbers are within 1e-5 of one's, as a part of its scale, for files are no more exact: the nearest is
    /// taken.
    pub fn check_format(&self, format: PaletteFormat) -> Result<(), NotSimilar> {
        if format == PaletteFormat::Similarity { self.similar.clone() } else { Ok(()) }
    }

    /// How many floats a palette has: [`PALETTE_FLOATS`] an entry.
    #[must_use]
    pub fn palette_floats(&self) -> usize {
        self.skin.len() * PALETTE_FLOATS
    }

    /// The joints whose model matrices a job can write, in order.
    #[must_use]
    pub fn sockets(&self) -> &[JointIndex] {
        &self.sockets
    }

    /// How many sockets a job can write.
    #[must_use]
    pub fn socket_count(&self) -> usize {
        self.sockets.len()
    }

    /// How many spheres bounds enclose.
    #[must_use]
    pub fn sphere_count(&self) -> usize {
        self.spheres.len()
    }

    /// How the rows are stored.
    #[must_use]
    pub fn row_format(&self) -> RowFormat {
        if self.rows.packed { RowFormat::I16 } else { RowFormat::F32 }
    }

    /// How many bytes the rows take.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        size_of_val(self.rows.lines.as_slice())
    }

    /// Whether another plan's rows have the same numbers, so that what was made for its rows serves here.
    pub(crate) fn has_rows_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows, &other.rows)
    }

    /// Whether any row is of an additive clip.
    pub(crate) fn has_additive_rows(&self) -> bool {
        !self.additive.is_empty()
    }

    /// Whether a row is of an additive clip.
    pub(crate) fn is_additive_row(&self, row: u32) -> bool {
        self.additive.get(row as usize).copied().unwrap_or_default()
    }

    /// The rows in palette space.
    #[inline(always)]
    pub(crate) fn rows(&self) -> RowTable<'_> {
        let floats = bytemuck::cast_slice(&self.rows.lines);
        let stride = self.rows.stride;
        if self.rows.packed { RowTable::packed(floats, stride) } else { RowTable::new(floats, stride) }
    }
}

/// The rows of a matrix that changes nothing.
pub(crate) const IDENTITY: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// Three rows of four.
fn rows_of(m: &DAffine3) -> [f32; 12] {
    let (c, t) = (m.matrix3, m.translation);
    let mut rows = [0.0; 12];
    for (i, row) in rows.chunks_exact_mut(4).enumerate() {
        row.copy_from_slice(&[c.x_axis[i], c.y_axis[i], c.z_axis[i], t[i]].map(|v| v as f32));
    }
    rows
}
