//! Whether all variants wrote the same: else a wrong one could look fast.

use std::path::Path;

use throng::kernels::RowFormat;
use throng::{Level, Stores};

use super::setup::{Setup, Who};
use crate::error::CliError;
use crate::select::Format;

/// About how many instances are compared.
const COMPARED: usize = 256;

/// Differences come from rounding along chains of joints, which grows with the size of the figure.
const TOLERANCE: f32 = 2e-5;

/// With rows of sixteen bits, whose steps are 1/65534 of what a number moves through, those add up along the chain too.
const TOLERANCE_I16: f32 = 4.0 / 32767.0;

/// Half precision rounds each number by half of its last place, 1/2048 of it at most, in both that are compared.
const TOLERANCE_HALF: f32 = 2.0 / 2048.0;

/// Up to this many joints from a root to a tip the bounds above hold as they are. What rounds at each joint moves all joints
/// behind it, so beyond that they grow with the number of joints.
const CHAIN: usize = 16;

/// What a variant leaves out stays this, and equal to nothing: NaN in single precision, and twice in half precision.
const UNWRITTEN: f32 = f32::from_bits(0x7fff_7fff);

pub(super) struct Compared {
    pub(super) max_difference: f32,
    pub(super) tolerance: f32,
}

/// Runs every variant once more, and compares the palettes of instances spread over the crowd and of the last ones.
pub(super) fn compare(setup: &mut Setup, file: &Path) -> Result<Compared, CliError> {
    let instances = setup.instances;
    let step = instances.div_ceil(COMPARED);
    let last = instances.saturating_sub(COMPARED / 8)..instances;
    let sample: Vec<usize> = (0..instances).step_by(step).chain(last).collect();

    let level = setup.subject.level;
    let palettes = |setup: &Setup| sample.iter().flat_map(|&i| setup.palette(i)).collect();
    let mut run = |variant: &mut dyn FnMut(&mut Setup) -> Result<(), CliError>| {
        setup.fill(level, Stores::Cached, UNWRITTEN);
        variant(setup)?;
        Ok::<Vec<f32>, CliError>(palettes(setup))
    };
    let naive = run(&mut |setup| {
        setup.run_naive();
        Ok(())
    })?;
    let ours = run(&mut |setup| setup.run_ours(Who::Players, level))?;
    let scalar = run(&mut |setup| setup.run_ours(Who::Players, Level::scalar()))?;

    let size = naive.iter().fold(setup.subject.size, |size, v| size.max(v.abs()));
    let of_rows = match setup.subject.plan.row_format() {
        RowFormat::I16 => TOLERANCE_I16,
        _ => TOLERANCE,
    };
    let of_format = if setup.subject.format == Format::Half { TOLERANCE_HALF } else { 0.0 };
    let tolerance = size * (of_rows * along_chain(setup.subject.depth) + of_format);
    let mut max_difference: f32 = 0.0;
    for (what, palettes) in [("crowd", &ours), ("scalar kernel", &scalar)] {
        let largest = largest_difference(&naive, palettes, tolerance).map_err(|(at, difference)| {
            let instance = sample[at * sample.len() / naive.len()];
            let file = file.to_owned();
            CliError::Differ { file, what, instance, difference, tolerance }
        })?;
        max_difference = max_difference.max(largest);
    }
    Ok(Compared { max_difference, tolerance })
}

/// How many times as much as along a short chain rounding may come to.
fn along_chain(joints: usize) -> f32 {
    (joints as f32 / CHAIN as f32).max(1.0)
}

/// The largest difference of two lists; or where the first above the tolerance is, and how large.
fn largest_difference(a: &[f32], b: &[f32], tolerance: f32) -> Result<f32, (usize, f32)> {
    let mut largest: f32 = 0.0;
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        let difference = (a - b).abs();
        // A NaN is above any tolerance.
        if !(difference <= tolerance) {
            return Err((at, difference));
        }
        largest = largest.max(difference);
    }
    Ok(largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_chains_are_allowed_more() {
        assert_eq!([0, 1, 12, 16].map(along_chain), [1.0; 4]);
        assert_eq!(along_chain(1600), 100.0);
    }

    #[test]
    fn what_differs_is_found_and_so_is_what_was_not_written() {
        assert_eq!(largest_difference(&[1.0, 2.0, 3.0], &[1.0, 2.5, 3.25], 0.5), Ok(0.5));
        assert_eq!(largest_difference(&[1.0, 2.0, 3.0], &[1.0, 2.5, 3.25], 0.4), Err((1, 0.5)));
        let unwritten = largest_difference(&[1.0, 2.0], &[1.0, f32::NAN], 0.5);
        assert!(unwritten.is_err_and(|(at, difference)| at == 1 && difference.is_nan()));
    }
}
