//! The key at or before each of many times, without a branch.

use thiserror::Error;

use crate::isa::{BLOCK, Buckets, Isa, KeyTable, Level, Line, dispatch};
use crate::unroll::each4;

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
/// be left out is left out by a select, not a jump. Where there are many more times than keys, the search begins at a table
/// that cuts the span of the keys into equal buckets, which is made on the stack for the call.
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
    let buckets = buckets_for(table, times.len());
    let buckets = buckets.as_ref();
    dispatch!(exact level, isa => isa.vectorize(#[inline(always)] || {
        find_lanes(isa, table, buckets, times, found, fractions);
    }));
    Ok(())
}

/// Buckets, if there are enough times for them to pay, and if they leave less to search.
fn buckets_for(keys: KeyTable<'_>, times: usize) -> Option<Buckets> {
    if keys.len() < 32 || times < 4 * keys.len().max(256) {
        return None;
    }
    Buckets::new(keys).filter(|buckets| buckets.most() < keys.len() / 4)
}

/// Searches go on side by side, four lines of times at once: a step waits for the gather of the step before it, several
/// times as long as the gather itself keeps the processor busy.
const ABREAST: usize = 4 * BLOCK;

#[inline(always)]
fn find_lanes<I: Isa>(
    isa: I,
    keys: KeyTable<'_>,
    buckets: Option<&Buckets>,
    times: &[f32],
    found: &mut [i32],
    fractions: &mut [f32],
) {
    let groups = times.chunks(ABREAST).zip(found.chunks_mut(ABREAST)).zip(fractions.chunks_mut(ABREAST));
    for ((times, found), fractions) in groups {
        let mut lines = [Line::ZERO; 4];
        for (line, times) in lines.iter_mut().zip(times.chunks(BLOCK)) {
            for (to, &t) in line.0.iter_mut().zip(times) {
                *to = if t.is_nan() { 0.0 } else { t };
            }
        }
        let mut indices = [[0; BLOCK]; 4];
        for part in 0..BLOCK / I::LANES {
            let t = each4!(L => isa.load(&lines[L], part));
            if times.len() > BLOCK {
                let at = search_four(isa, keys, buckets, t);
                each4!(L => {
                    let (key, way) = isa.key_finish(&keys, at[L], t[L]);
                    isa.key_store(key, &mut indices[L], part);
                    isa.store(way, &mut lines[L], part);
                });
            } else {
                let (key, way) = isa.key_finish(&keys, search(isa, keys, t[0]), t[0]);
                isa.key_store(key, &mut indices[0], part);
                isa.store(way, &mut lines[0], part);
            }
        }
        for (found, indices) in found.chunks_mut(BLOCK).zip(&indices) {
            for (to, index) in found.iter_mut().zip(indices) {
                *to = *index;
            }
        }
        for (fractions, line) in fractions.chunks_mut(BLOCK).zip(&lines) {
            for (to, way) in fractions.iter_mut().zip(line.0) {
                *to = way;
            }
        }
    }
}

/// [`search`], four at once, and from where `buckets` says if there are any.
#[inline(always)]
fn search_four<I: Isa>(isa: I, keys: KeyTable<'_>, buckets: Option<&Buckets>, t: [I::F; 4]) -> [I::I; 4] {
    let (mut at, mut length) = match buckets {
        Some(buckets) => (each4!(L => isa.key_start(buckets, t[L])), buckets.most()),
        None => ([isa.key_zero(); 4], keys.len()),
    };
    while length > 1 {
        let half = length / 2;
        at = each4!(L => isa.key_step(&keys, at[L], half, t[L]));
        length -= half;
    }
    each4!(L => isa.key_step(&keys, at[L], 1, t[L]))
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
