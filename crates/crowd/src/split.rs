//! How slots are split into jobs, and those of a job who are due into shards.

use crate::due::Due;

/// Shards begin at multiples of this many slots: whole groups of lanes at every level, and whole cache lines, since an entry
/// takes a multiple of 8 bytes in every format.
const SLOTS_STEP: usize = 16;

/// Row pairs and places of a shard take 12 bytes an instance, which keeps this many in the first-level cache.
const LARGEST_SHARD: usize = 1024;

/// So many jobs a thread: what is left to wait for at a frame's end is at most an eighth of a thread's share, also where
/// a thread woke up late. On two cores 8 were faster than 4 and 16, by 15 and 7 %.
const JOBS_PER_THREAD: usize = 8;

/// How many instances a shard has at most, and how many slots a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) shard: usize,
    pub(crate) job: usize,
}

impl Split {
    /// For one slot or more. A `shard` that is chosen is rounded up to whole groups of lanes.
    pub(crate) fn new(slots: usize, threads: usize, shard: Option<usize>) -> Self {
        let jobs = if threads == 1 { 1 } else { threads * JOBS_PER_THREAD };
        let shard = shard.unwrap_or_else(|| {
            let job = slots.div_ceil(jobs);
            job.div_ceil(job.div_ceil(LARGEST_SHARD))
        });
        let shard = shard.clamp(1, slots).next_multiple_of(SLOTS_STEP);
        let shards = slots.div_ceil(shard);
        Self { shard, job: shards.div_ceil(jobs) * shard }
    }
}

/// How many of those due in the slots before `end` make up their first shard, `most` at most and all shards about as many;
/// and at which slot the next one begins.
pub(crate) fn first_shard(due: &[u32], most: usize, end: usize) -> (usize, usize) {
    let even = due.len().div_ceil(due.len().div_ceil(most).max(1));
    let Some(behind) = due.get(even.next_multiple_of(SLOTS_STEP).min(most)) else { return (due.len(), end) };
    // That many slots are behind the first one, so this is too.
    let next = *behind as usize / SLOTS_STEP * SLOTS_STEP;
    (Due::from(due, next), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_in_one_job_and_shards_are_whole_groups() {
        for slots in (1..200).chain([1023, 1024, 1025, 10_000, 99_999]) {
            for threads in [1, 2, 3, 16, 500] {
                for shard in [None, Some(0), Some(1), Some(16), Some(17), Some(1000), Some(usize::MAX)] {
                    let split = Split::new(slots, threads, shard);
                    let jobs = slots.div_ceil(split.job);
                    assert!(split.shard > 0 && jobs <= threads * JOBS_PER_THREAD, "{split:?}");
                    assert!(threads > 1 || jobs == 1, "{split:?}");
                    assert!(
                        split.shard.is_multiple_of(16) && split.job.is_multiple_of(split.shard),
                        "{split:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn shards_are_even_whoever_is_due_and_begin_with_whole_lines() {
        for slots in [1usize, 15, 16, 17, 1000, 10_000] {
            for step in [1, 2, 3, 7, 16, 100] {
                for most in [16, 32, 1008] {
                    let due: Vec<u32> = (0..slots as u32).filter(|slot| slot * 31 % step == 0).collect();
                    let (mut first, mut left, mut shards) = (0, due.as_slice(), 0);
                    while !left.is_empty() {
                        let (count, next) = first_shard(left, most, slots);
                        assert!((1..=most).contains(&count) && next > first, "{slots} {step} {most}");
                        assert!(next.is_multiple_of(SLOTS_STEP) || next == slots, "{next}");
                        let (now, behind) = left.split_at(count);
                        assert!(now.iter().all(|slot| (first..next).contains(&(*slot as usize))), "{next}");
                        (first, left, shards) = (next, behind, shards + 1);
                    }
                    assert!(
                        first == slots && shards <= due.len().div_ceil(most) * 2,
                        "{slots} {step} {most}: {shards}"
                    );
                    assert!(step > 1 || shards == slots.div_ceil(most), "{slots} {most}: {shards}");
                }
            }
        }
    }

    #[test]
    fn shards_serve_all_threads_and_stay_in_the_first_level_cache() {
        assert_eq!(Split::new(10_000, 1, None), Split { shard: 1008, job: 10_080 });
        assert_eq!(Split::new(10_000, 2, None), Split { shard: 640, job: 640 });
        assert_eq!(Split::new(10_000, 16, None), Split { shard: 80, job: 80 });
        assert_eq!(Split::new(17, 2, None), Split { shard: 16, job: 16 });
    }
}
