//! From joints to actions.

use glam::{DAffine3, DQuat, DVec3};
use throng_tracks::{Bank, JointIndex, ScaleColumns, Skin};

use super::frame::{Frame, double, double_transform, is_identity};
use super::{Action, Blending, Columns, Decoding, IDENTITY, Moving, Placing, Source, rows_of};

/// Actions in joint order, with joint numbers for slots, and how the rows change.
pub(super) struct Compiled {
    pub(super) actions: Vec<Action>,
    pub(super) rewrites: Vec<Rewrite>,
    /// By joint, of those that are wanted and their ancestors.
    pub(super) standings: Vec<Standing>,
    /// By joint.
    pub(super) blending: Vec<Blending>,
    /// Floats of a rewritten row that are used.
    pub(super) width: usize,
}

/// How the columns of one moving joint come to palette space.
#[derive(Clone, Debug)]
pub(super) struct Rewrite {
    pub(super) joint: usize,
    /// The rotation becomes `left * q * right`.
    pub(super) left: DQuat,
    pub(super) right: DQuat,
    /// The translation becomes this frame's image of it.
    pub(super) parent: Frame,
    /// A uniform scale is multiplied by this; scales of axes by the parent frame's scale.
    pub(super) scale: f64,
    pub(super) rotation_to: usize,
    pub(super) translation_to: Option<usize>,
    pub(super) axes_to: Option<usize>,
}

/// What is known of a joint's model matrix: it is `P[anchor] * rest`, or `rest` alone.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    /// The joint whose matrix is kept.
    pub(super) anchor: Option<usize>,
    pub(super) rest: DAffine3,
    /// Which action makes the anchor's matrix, if it goes to the palette as it is.
    action: Option<usize>,
}

/// Which columns of the rows actions read. The columns and the numbers in them are the same for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// Those that [vary](Bank::varying_columns): enough for one pair of rows that are no differences. Columns that are held
    /// are multiplied out.
    Varying,
    /// All: whatever is blended with the rest, with poses from elsewhere or with differences.
    All,
}

/// The palette of `skin`. Of the joints of `besides` it is made known where they stand. Those that are `still` rest, whatever
/// clips say, and so do all below them; of none if it is empty. Rows have the same columns with and without them.
pub(super) fn compile(
    bank: &Bank,
    skin: &Skin,
    besides: impl Iterator<Item = JointIndex>,
    still: &[bool],
    reads: Reads,
) -> Compiled {
    let parents = bank.skeleton().parents();
    let rests = |j: usize| still.get(j).copied().unwrap_or_default();
    let read = match reads {
        Reads::Varying => bank.varying_columns(),
        Reads::All => bank.columns(),
    };
    let moves = |j: usize| read[j].rotation.is_some() && !rests(j);
    let mut needed = vec![false; parents.len()];
    let mut entries = vec![Vec::new(); parents.len()];
    for (entry, (joint, bind)) in skin.joints().iter().zip(skin.inverse_bind()).enumerate() {
        needed[joint.get()] = true;
        entries[joint.get()].push((entry as u32, double(bind)));
    }
    for joint in besides {
        needed[joint.get()] = true;
    }
    let mut below = vec![Below::default(); parents.len()];
    for j in (0..parents.len()).rev() {
        if let (true, Some(parent)) = (needed[j], parents[j]) {
            needed[parent.get()] = true;
            // A joint in `still` counts, and one whose columns are held: other joints keep the same frames without them.
            let moves = bank.columns()[j].rotation.is_some() && !rests(parent.get());
            let (any, above) = (below[j].any, &mut below[parent.get()]);
            above.child |= moves;
            above.any |= moves || any;
        }
    }

    let mut compiler = Compiler {
        bank,
        read,
        out: Compiled {
            actions: Vec::new(),
            rewrites: Vec::new(),
            blending: vec![Blending::default(); parents.len()],
            standings: Vec::new(),
            width: 0,
        },
    };
    let mut standings: Vec<Standing> = Vec::with_capacity(parents.len());
    for j in 0..parents.len() {
        let above = match parents[j] {
            Some(parent) => standings[parent.get()],
            None => Standing { anchor: None, rest: DAffine3::IDENTITY, action: None },
        };
        let standing = match (needed[j], moves(j)) {
            (false, _) => above,
            (true, true) => compiler.moving(j, above, &entries[j]),
            (true, false) => compiler.still(j, above, &entries[j], (below[j], rests(j))),
        };
        standings.push(standing);
    }
    compiler.out.standings = standings;
    compiler.out
}

/// Whether a child of a joint moves, or any joint below it.
#[derive(Clone, Copy, Default)]
struct Below {
    child: bool,
    any: bool,
}

struct Compiler<'a> {
    bank: &'a Bank,
    /// By joint, the columns that actions read.
    read: &'a [throng_tracks::Columns],
    out: Compiled,
}

impl Compiler<'_> {
    fn still(
        &mut self,
        j: usize,
        above: Standing,
        entries: &[(u32, DAffine3)],
        (below, rests): (Below, bool),
    ) -> Standing {
        let columns = self.bank.columns()[j];
        if columns.rotation.is_some() {
            // Rows have them all the same.
            let translation = columns.translation.is_some();
            let axes = matches!(columns.scale, ScaleColumns::Axes(_));
            self.out.width += 4 * (1 + usize::from(translation) + usize::from(axes));
        }
        let local = match self.bank.skeleton().fixed_matrix(JointIndex(j as u16)) {
            Some(matrix) => double(&matrix),
            None if rests => double_transform(&self.bank.skeleton().rest()[j]),
            None => double_transform(&self.bank.constants()[j]),
        };
        let mut own = Standing { rest: above.rest * local, ..above };
        self.emit(own, entries);
        // Joints that move below take `rest` for their parent's frame, if it is one.
        let keeps = if columns.rotation.is_some() && !rests {
            // Where the joint is read, it is kept for all below it.
            below.any && self.held_frame(j, &above).is_none()
        } else {
            below.child && Frame::near(&own.rest).is_none_or(|(_, exact)| !exact)
        };
        if keeps {
            self.out.actions.push(Action {
                from: own.anchor.map(|a| a as u32),
                to: Some(j as u32),
                source: Source::Still(rows_of(&own.rest)),
                correction: None,
                entries: Vec::new(),
            });
            let action = Some(self.out.actions.len() - 1);
            own = Standing { anchor: Some(j), rest: DAffine3::IDENTITY, action };
        }
        own
    }

    /// The frame of a joint whose columns are all held, if it takes the place of the joint's own action where that is not
    /// read: then the matrix of what the joint comes after stands for the joint's, and joints below have the same numbers in
    /// both cases.
    fn held_frame(&self, j: usize, above: &Standing) -> Option<Frame> {
        if self.varies(j) {
            return None;
        }
        self.uniform(j)?;
        let held = above.rest * double_transform(&self.bank.constants()[j]);
        let (frame, exact) = Frame::near(&held)?;
        (exact && frame.is_moderate()).then_some(frame)
    }

    /// What a joint's columns of scale leave for its frame, if its axes are always scaled alike.
    fn uniform(&self, j: usize) -> Option<Frame> {
        match self.bank.columns()[j].scale {
            ScaleColumns::Uniform => Some(Frame::IDENTITY),
            // A constant scale that mirrors axes but scales them alike is a rotation and a uniform scale.
            ScaleColumns::Constant => {
                let scale = self.bank.constants()[j].scale.as_dvec3();
                Frame::near(&DAffine3::from_scale(scale)).filter(|(_, exact)| *exact).map(|(frame, _)| frame)
            }
            ScaleColumns::Axes(_) => None,
        }
    }

    fn moving(&mut self, j: usize, above: Standing, entries: &[(u32, DAffine3)]) -> Standing {
        let (columns, read, held) = (self.bank.columns()[j], self.read[j], self.bank.constants()[j]);
        let parent = Frame::near(&above.rest).map_or(Frame::IDENTITY, |(frame, _)| frame);
        let (t, s) = (held.translation.as_dvec3(), held.scale.as_dvec3());
        let uniform = self.uniform(j);
        let held_frame = self.held_frame(j, &above);
        let frame = match (uniform, held_frame, entries.first()) {
            (Some(_), Some(held), _) => held,
            // Where it can't be folded it is kept, as it is.
            (Some(_), None, Some((_, bind))) if self.varies(j) => Frame::near(&bind.inverse())
                .map(|(frame, _)| frame)
                .filter(Frame::is_moderate)
                .unwrap_or(Frame::IDENTITY),
            _ => Frame::IDENTITY,
        };

        let rotation_to = self.columns();
        let translation_to = columns.translation.map(|_| self.columns());
        let axes_to = matches!(columns.scale, ScaleColumns::Axes(_)).then(|| self.columns());
        let translation_at = translation_to.filter(|_| read.translation.is_some());
        let scale_at = axes_to.filter(|_| read.scale != ScaleColumns::Constant);
        let factor = parent.scale / frame.scale;
        let scale_of = |turn: Frame| factor * turn.scale;
        let rest = self.bank.skeleton().rest()[j];
        let mut blending = Blending::default();
        let mut four = |what: usize, at: usize, rest: [f64; 4]| {
            blending[what].rest = rest.map(|v| v as f32);
            Columns { at: at as u32, packed: false, decoding: Decoding::default() }
        };
        let place = |scale: f64| parent.point(rest.translation.as_dvec3()).extend(scale).to_array();
        let axes = (rest.scale.as_dvec3() * parent.scale).extend(0.0).to_array();
        let own_scale = |scale: glam::Vec3| match columns.scale {
            ScaleColumns::Uniform => scale.x.into(),
            _ => 1.0,
        };
        let placing = match (uniform, translation_at, scale_at) {
            (Some(turn), at, _) => {
                let p = single(frame.translation);
                let scale = scale_of(turn);
                match at {
                    None => {
                        let s = (own_scale(held.scale) * scale) as f32;
                        Placing::Constant { t: single(parent.point(t)), s, twice: 2.0 * s, p }
                    }
                    Some(at) => Placing::Columns { at: four(1, at, place(own_scale(rest.scale) * scale)), p },
                }
            }
            (None, Some(at), Some(scale_at)) => {
                Placing::ColumnsAxes { at: four(1, at, place(0.0)), scale_at: four(2, scale_at, axes) }
            }
            (None, Some(at), None) => {
                Placing::ColumnsConstantAxes { at: four(1, at, place(0.0)), s: single(s * parent.scale) }
            }
            (None, None, _) => {
                Placing::ConstantAxes { t: single(parent.point(t)), s: single(s * parent.scale) }
            }
        };
        let turn = uniform.unwrap_or(Frame::IDENTITY);
        let (left, right) = (parent.rotation, turn.rotation * frame.rotation.inverse());
        let rotation = four(0, rotation_to, (left * rest.rotation.as_dquat() * right).normalize().to_array());
        self.out.blending[j] = blending;
        self.out.rewrites.push(Rewrite {
            joint: j,
            left,
            right,
            parent,
            scale: scale_of(turn),
            rotation_to,
            translation_to,
            axes_to,
        });
        let mut own = Standing { anchor: Some(j), rest: frame.affine(), action: None };
        if held_frame.is_some() {
            // To the last bit what it is where the joint is not read.
            own.rest = above.rest * double_transform(&held);
        }
        let first = entries.first().map(|(entry, bind)| (*entry, self.correction(&own, bind)));
        let correction = first.and_then(|(_, correction)| correction);
        own.action = correction.is_none().then_some(self.out.actions.len());
        self.out.actions.push(Action {
            from: above.anchor.map(|a| a as u32),
            to: Some(j as u32),
            source: Source::Moving(Moving { joint: j as u32, rotation, placing }),
            correction,
            entries: first.iter().map(|(entry, _)| *entry).collect(),
        });
        self.emit(own, entries.get(1..).unwrap_or_default());
        own
    }

    /// Whether any of a joint's columns vary.
    fn varies(&self, j: usize) -> bool {
        self.bank.varying_columns()[j].rotation.is_some()
    }

    /// Four more columns.
    fn columns(&mut self) -> usize {
        self.out.width += 4;
        self.out.width - 4
    }

    fn emit(&mut self, own: Standing, entries: &[(u32, DAffine3)]) {
        for (entry, bind) in entries {
            let (from, constant) = (own.anchor.map(|a| a as u32), self.correction(&own, bind));
            match (own.action, constant) {
                // The anchor's own matrix.
                (Some(at), None) => self.out.actions[at].entries.push(*entry),
                (_, constant) => self.out.actions.push(Action {
                    from,
                    to: None,
                    source: Source::Still(constant.unwrap_or(IDENTITY)),
                    correction: None,
                    entries: vec![*entry],
                }),
            }
        }
    }

    /// What the anchor's matrix must be multiplied with for a palette entry; none if it is the entry.
    fn correction(&self, own: &Standing, bind: &DAffine3) -> Option<[f32; 12]> {
        let constant = own.rest * *bind;
        // If both translations cancel, what is left of them is rounding.
        let size = own.rest.translation.abs().max_element();
        (own.anchor.is_none() || !is_identity(&constant, size)).then(|| rows_of(&constant))
    }
}

fn single(v: DVec3) -> [f32; 3] {
    v.as_vec3().to_array()
}
