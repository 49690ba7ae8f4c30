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
    let (lines, rest) = times.as_chunks();
    let (found, found_rest) = found.as_chunks_mut();
    let (fractions, fractions_rest) = fractions.as_chunks_mut();
    // What is no whole block is looked up in one of its own.
    let (mut last, mut last_found) = ([[0.0; BLOCK]], [[0; BLOCK]]);
    last[0][..rest.len()].copy_from_slice(rest);
    let mut last_fractions = last;
    dispatch!(exact level, isa => isa.vectorize(#[inline(always)] || {
        find_lines(isa, table, buckets, lines, found, fractions);
        if !rest.is_empty() {
            find_lines(isa, table, buckets, &last, &mut last_found, &mut last_fractions);
        }
    }));
    found_rest.copy_from_slice(&last_found[0][..rest.len()]);
    fractions_rest.copy_from_slice(&last_fractions[0][..rest.len()]);
    Ok(())
}

/// Buckets, if there are enough times for them to pay, and if they leave less to search.
fn buckets_for(keys: KeyTable<'_>, times: usize) -> Option<Buckets> {
    if keys.len() < 32 || times < 4 * keys.len().max(256) {
        return None;
    }
    Buckets::new(keys).filter(|buckets| buckets.most() < keys.len() / 4)
}

/// A block of times, of keys, and of fractions.
type Times = [f32; BLOCK];
type Found = [i32; BLOCK];
type Fractions = [f32; BLOCK];

/// Searches go on side by side, four blocks at once: a step waits for the loads of the step before it, several times as
/// long as the loads themselves keep the processor busy.
#[inline(always)]
fn find_lines<I: Isa>(
    isa: I,
    keys: KeyTable<'_>,
    buckets: Option<&Buckets>,
    times: &[Times],
    found: &mut [Found],
    fractions: &mut [Fractions],
) {
    let (fours, times) = times.as_chunks::<4>();
    let (found_fours, found) = found.as_chunks_mut::<4>();
    let (fractions_fours, fractions) = fractions.as_chunks_mut::<4>();
    for ((times, found), fractions) in fours.iter().zip(found_fours).zip(fractions_fours) {
        let mut lines = each4!(L => line(&times[L]));
        for part in 0..BLOCK / I::LANES {
            let t = each4!(L => isa.load(&lines[L], part));
            let at = search_four(isa, keys, buckets, t);
            each4!(L => {
                let (key, way) = isa.key_finish(&keys, at[L], t[L]);
                isa.key_store(key, &mut found[L], part);
                isa.store(way, &mut lines[L], part);
            });
        }
        each4!(L => fractions[L] = lines[L].0);
    }
    for ((times, found), fractions) in times.iter().zip(found).zip(fractions) {
        let mut line = line(times);
        for part in 0..BLOCK / I::LANES {
            let t = isa.load(&line, part);
            let (key, way) = isa.key_finish(&keys, search(isa, keys, t), t);
            isa.key_store(key, found, part);
            isa.store(way, &mut line, part);
        }
        *fractions = line.0;
    }
}

/// The times, zero for what is no number.
#[inline(always)]
fn line(times: &Times) -> Line {
    let mut line = Line(*times);
    for t in &mut line.0 {
        *t = if t.is_nan() { 0.0 } else { *t };
    }
    line
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
