//! The key at or before each of many times, without a branch.

use thiserror::Error;

use crate::isa::{BLOCK, Isa, KeyTable, Level, Line, dispatch};

/// Why keys can't be looked up.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LookupError {
    /// No keys, or more than a lane can count.
    #[error("{keys} key times, but a look-up needs at least one and fewer than 2147483647")]
    KeyCount {
        /// Keys given.
        keys: usize,
    },
    /// One key and one fraction come out for each time that goes in.
    #[error("{times} times go in, but there is room for {keys} keys and {fractions} fractions")]
    Room {
        /// Times given.
        times: usize,
        /// Room for keys.
        keys: usize,
        /// Room for fractions.
        fractions: usize,
    },
}

/// For each `t`, the largest `i` with `keys[i] <= t` (-1 before the first key), and the fraction of the way to the next.
///
/// The same as [`throng_tracks::find_key`] and [`throng_tracks::locate`], bit for bit, at every level and for every
/// input: a NaN time counts as 0; before the first key and from the last one on the fraction is 0. Key times must not
/// decrease; if they do, or are NaN, the result is some key, and nothing else is harmed.
///
/// A binary search in which all lanes take the same steps: of a range that surely holds the answer, the half that can
/// be left out is left out by a select, not a jump.
///
/// # Errors
/// If there are no keys, or the slices differ in length.
///
/// ```
/// use throng_kernels::{Level, find_keys};
/// let (mut found, mut fractions) = ([0; 3], [0.0; 3]);
/// find_keys(Level::detect(), &[0.5, 1.0, 3.0], &[0.0, 2.0, 9.0], &mut found, &mut fractions)?;
/// assert_eq!((found, fractions), ([-1, 1, 2], [0.0, 0.5, 0.0]));
/// # Ok::<(), throng_kernels::LookupError>(())
/// ```
pub fn find_keys(
    level: Level,
    keys: &[f32],
    times: &[f32],
    found: &mut [i32],
    fractions: &mut [f32],
) -> Result<(), LookupError> {
    let table = KeyTable::new(keys).ok_or(LookupError::KeyCount { keys: keys.len() })?;
    if found.len() != times.len() || fractions.len() != times.len() {
        return Err(LookupError::Room { times: times.len(), keys: found.len(), fractions: fractions.len() });
    }
    dispatch!(level, isa => isa.vectorize(#[inline(always)] || find_lanes(isa, table, times, found, fractions)));
    Ok(())
}

#[inline(always)]
fn find_lanes<I: Isa>(isa: I, keys: KeyTable<'_>, times: &[f32], found: &mut [i32], fractions: &mut [f32]) {
    let groups = times.chunks(BLOCK).zip(found.chunks_mut(BLOCK)).zip(fractions.chunks_mut(BLOCK));
    for ((times, found), fractions) in groups {
        let mut line = Line::ZERO;
        for (to, &t) in line.0.iter_mut().zip(times) {
            *to = if t.is_nan() { 0.0 } else { t };
        }
        let (mut indices, mut ways) = ([0; BLOCK], Line::ZERO);
        for part in 0..BLOCK / I::LANES {
            let t = isa.load(&line, part);
            let (key, way) = isa.key_finish(&keys, search(isa, keys, t), t);
            let mut lanes = [0; BLOCK];
            isa.key_store(key, &mut lanes);
            for (to, lane) in indices.iter_mut().skip(part * I::LANES).zip(lanes).take(I::LANES) {
                *to = lane;
            }
            isa.store(way, &mut ways, part);
        }
        for (to, index) in found.iter_mut().zip(indices) {
            *to = index;
        }
        for (to, way) in fractions.iter_mut().zip(ways.0) {
            *to = way;
        }
    }
}

/// How many keys are at or before `t`, in each lane.
#[inline(always)]
pub(crate) fn search<I: Isa>(isa: I, keys: KeyTable<'_>, t: I::F) -> I::I {
    let mut at = isa.key_zero();
    let mut length = keys.len();
    while length > 1 {
        let half = length / 2;
        at = isa.key_step(&keys, at, half, t);
        length -= half;
    }
    isa.key_step(&keys, at, 1, t)
}
