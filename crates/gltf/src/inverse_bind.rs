//! Inverse bind matrices: what is wrong with them is told apart, and mended where its meaning is plain.

use glam::{Affine3A, Mat4};

use crate::accessor::{Accessors, Component};
use crate::json::At;
use crate::nodes::affine;
use crate::{Problem, Report};

/// How far a bottom row may be from 0 0 0 1 by rounding.
const ROUNDING: f32 = 1e-6;

/// The translation column counts as empty if it is this small a part of the bottom row.
const EMPTY: f32 = 1e-3;

/// A bottom row counts as a translation if it is at least this large a part of the rotation and scale.
const TRANSLATES: f32 = 1e-4;

/// Columns of unit length that span less than this volume can't be inverted.
const FLAT: f64 = 1e-6;

/// What a matrix is, as it stands in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Zero,
    /// The translation is in the bottom row.
    Transposed,
    /// The bottom row is 0 0 0 w.
    Divided,
    /// The bottom row is something else.
    Odd,
}

/// The matrices of a skin's joints, which are these nodes.
pub(crate) fn read<'a>(
    index: At<'a>,
    nodes: &[usize],
    accessors: &mut Accessors<'a>,
    report: &mut Report,
) -> Result<Vec<Affine3A>, Problem> {
    let joints = nodes.len();
    let (_, accessor) = accessors.open(index)?;
    if accessor.kind != "MAT4" {
        return Err(accessor.wrong_kind("MAT4, for inverse bind matrices"));
    }
    if accessor.count < joints {
        return Err(Problem::Count {
            place: index.place.to_string(),
            what: "matrices".into(),
            found: accessor.count,
            expected: format!("one for each of {joints} joints"),
        });
    }
    if accessor.count > joints {
        report.repair(
            index.place,
            format!("{} matrices for {joints} joints; the first were taken", accessor.count),
        );
    }
    if accessor.component != Component::F32 {
        report.remark(index.place, "integers for matrices");
    }
    let numbers = accessors.read(&accessor, report)?;
    let matrices = &numbers.as_chunks::<16>().0[..joints];
    check_finite(index, matrices, nodes)?;
    let forms = forms(matrices);
    let read: Vec<Affine3A> = matrices.iter().zip(&forms).map(|(m, &form)| mended(m, form)).collect();
    tell(index, matrices, nodes, &forms, report);
    let flat = |i: &usize| forms[*i] != Form::Zero && is_flat(&read[*i]);
    if let Some((count, first)) = counted((0..joints).filter(flat)) {
        let what = format!(
            "{count} of {joints} matrices can't be inverted (the first is that of nodes[{}]); taken as they are, what they \
             bind is flat",
            nodes[first]
        );
        report.remark(index.place, what);
    }
    Ok(read)
}

fn check_finite(index: At<'_>, matrices: &[[f32; 16]], nodes: &[usize]) -> Result<(), Problem> {
    for (matrix, node) in matrices.iter().zip(nodes) {
        if let Some(at) = matrix.iter().position(|v| !v.is_finite()) {
            let (column, row) = (at / 4, at % 4);
            return Err(Problem::Field {
                place: index.place.to_string(),
                found: format!("{} in row {row}, column {column} of the matrix of nodes[{node}]", matrix[at]),
                expected: "finite numbers".into(),
            });
        }
    }
    Ok(())
}

/// The largest of some of a matrix's numbers.
fn largest<const N: usize>(m: &[f32; 16], at: [usize; N]) -> f32 {
    at.into_iter().map(|i| m[i].abs()).fold(0.0, f32::max)
}

fn bottom(m: &[f32; 16]) -> f32 {
    largest(m, [3, 7, 11])
}

/// How far a matrix moves if it is transposed. What shrinks space to a plane says nothing.
fn moves_transposed(m: &[f32; 16]) -> f32 {
    if is_flat(&affine(m)) { 0.0 } else { bottom(m) }
}

fn translation(m: &[f32; 16]) -> f32 {
    largest(m, [12, 13, 14])
}

fn linear(m: &[f32; 16]) -> f32 {
    largest(m, [0, 1, 2, 4, 5, 6, 8, 9, 10])
}

/// What each matrix is. A transposed one without a translation looks plain, so that all matrices of a skin are looked at:
/// where none has a translation in its place, and some has one in the bottom row, all are transposed.
fn forms(matrices: &[[f32; 16]]) -> Vec<Form> {
    let over_all = |part: fn(&[f32; 16]) -> f32| matrices.iter().map(part).fold(0.0, f32::max);
    let (bottoms, translations, size) = (over_all(moves_transposed), over_all(translation), over_all(linear));
    let all_transposed = bottoms > TRANSLATES * size && translations <= EMPTY * bottoms;
    let form = |m: &[f32; 16]| {
        let w = m[15];
        let moves = moves_transposed(m);
        let alone =
            moves > TRANSLATES * linear(m) && moves > EMPTY * translations && translation(m) <= EMPTY * moves;
        if m.iter().all(|&v| v == 0.0) {
            Form::Zero
        } else if (all_transposed || alone) && dividable(m) {
            Form::Transposed
        } else if bottom(m) > ROUNDING * w.abs().max(1.0) {
            Form::Odd
        } else if (w - 1.0).abs() <= ROUNDING {
            Form::Plain
        } else if dividable(m) {
            Form::Divided
        } else {
            Form::Odd
        }
    };
    matrices.iter().map(form).collect()
}

/// Whether the matrix can be divided by its w.
fn dividable(m: &[f32; 16]) -> bool {
    m.iter().all(|v| (v / m[15]).is_finite())
}

fn mended(m: &[f32; 16], form: Form) -> Affine3A {
    let divided = |m: &[f32; 16]| if m[15] == 1.0 { *m } else { m.map(|v| v / m[15]) };
    match form {
        Form::Plain | Form::Zero | Form::Odd => affine(m),
        Form::Divided => affine(&divided(m)),
        Form::Transposed => affine(&divided(&Mat4::from_cols_array(m).transpose().to_cols_array())),
    }
}

/// How many there are, and the first.
fn counted(mut found: impl Iterator<Item = usize>) -> Option<(usize, usize)> {
    let first = found.next()?;
    Some((1 + found.count(), first))
}

/// Reports what was found and done, one line for each kind.
fn tell(index: At<'_>, matrices: &[[f32; 16]], nodes: &[usize], forms: &[Form], report: &mut Report) {
    let of = |wanted: Form| counted((0..forms.len()).filter(|&i| forms[i] == wanted));
    let joints = nodes.len();
    let row = |i: usize| {
        let [a, b, c, w] = [3, 7, 11, 15].map(|at| matrices[i][at]);
        format!("the first, of nodes[{}], has the bottom row {a} {b} {c} {w}", nodes[i])
    };
    if let Some((count, first)) = of(Form::Zero) {
        let what = format!(
            "{count} of {joints} matrices are all 0 (the first is that of nodes[{}]), expected ones that can be inverted; \
             taken as they are, what they bind shrinks to a point",
            nodes[first]
        );
        report.remark(index.place, what);
    }
    if let Some((count, _)) = of(Form::Transposed) {
        let moved = |i: &usize| forms[*i] == Form::Transposed && bottom(&matrices[*i]) > 0.0;
        let first = (0..joints).find(moved).unwrap_or(0);
        let what = format!(
            "{count} of {joints} matrices are transposed ({}, expected 0 0 0 1 and the translation in the last column); turned \
             round",
            row(first)
        );
        report.repair(index.place, what);
    }
    if let Some((count, first)) = of(Form::Divided) {
        let what = format!(
            "{count} of {joints} matrices have a w that is not 1 ({}, expected 0 0 0 1); divided by it",
            row(first)
        );
        report.repair(index.place, what);
    }
    if let Some((count, first)) = of(Form::Odd) {
        let what = format!(
            "{count} of {joints} matrices whose bottom row is not 0 0 0 1 ({}); taken as such",
            row(first)
        );
        report.repair(index.place, what);
    }
}

/// Whether a matrix shrinks space to a plane, a line or a point.
pub(crate) fn is_flat(matrix: &Affine3A) -> bool {
    let m = matrix.matrix3;
    let axes = [m.x_axis, m.y_axis, m.z_axis].map(|axis| axis.as_dvec3().try_normalize());
    let [Some(x), Some(y), Some(z)] = axes else { return true };
    x.dot(y.cross(z)).abs() < FLAT
}
