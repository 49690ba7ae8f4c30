//! Where in a list of key times to begin to look.

use super::KeyTable;

/// How many buckets; their table takes a third of a first-level cache.
const BUCKETS: usize = 4096;

/// The span of the keys cut into buckets of equal width, and for each bucket how many keys lie before it.
///
/// [`bucket`](Self::bucket) is a chain of exact operations, each of which keeps order. So a key in an earlier bucket than
/// `t` is before `t`, one in a later bucket is after it, and only the keys in the bucket of `t` have to be compared.
pub(crate) struct Buckets {
    before: [i32; BUCKETS],
    lowest: f32,
    scale: f32,
    most: usize,
}

impl Buckets {
    /// None if the keys span nothing that can be divided.
    pub(crate) fn new(keys: KeyTable<'_>) -> Option<Self> {
        let (lowest, highest) = (keys.time(0), keys.time(keys.last()));
        let scale = BUCKETS as f32 / (highest - lowest);
        if !(scale.is_normal() && scale > 0.0 && lowest.is_finite()) {
            return None;
        }
        let mut buckets = Self { before: [keys.last() + 1; BUCKETS], lowest, scale, most: 0 };
        let (mut filled, mut first) = (0, 0);
        for key in 0..=keys.last() {
            // Keys in disorder give some table, whose entries are still counts of keys.
            let bucket = buckets.bucket(keys.time(key)) as usize;
            if bucket >= filled {
                buckets.most = buckets.most.max((key - first) as usize);
                buckets.before[filled..=bucket].fill(key);
                (filled, first) = (bucket + 1, key);
            }
        }
        buckets.most = buckets.most.max((keys.last() + 1 - first) as usize);
        Some(buckets)
    }

    /// The most keys that a bucket has.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The bucket of a time that is not NaN.
    #[inline(always)]
    fn bucket(&self, t: f32) -> i32 {
        ((t - self.lowest) * self.scale).clamp(0.0, Self::LAST) as i32
    }

    /// How many keys are in the buckets before that of `t`.
    #[inline(always)]
    pub(super) fn start(&self, t: f32) -> i32 {
        self.before[self.bucket(t) as usize % BUCKETS]
    }

    /// The last bucket.
    pub(super) const LAST: f32 = (BUCKETS - 1) as f32;

    /// The lowest key, and buckets a second.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn grid(&self) -> (f32, f32) {
        (self.lowest, self.scale)
    }

    /// As many counts as there are buckets.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *const i32 {
        self.before.as_ptr()
    }
}
