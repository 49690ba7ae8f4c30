//! Random numbers that are the same in every run, and the levels to try them on.

use glam::{Quat, Vec3};
use throng_kernels::Level;

/// `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `0..count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// `[low, high)`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 40) as f32 / (1u64 << 24) as f32)
    }

    /// True in so many of a hundred.
    pub(crate) fn percent(&mut self, of_hundred: usize) -> bool {
        self.below(100) < of_hundred
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(crate) fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.between(-size, size)))
    }

    /// A unit quaternion.
    pub(crate) fn rotation(&mut self) -> Quat {
        loop {
            let q = Quat::from_array(std::array::from_fn(|_| self.between(-1.0, 1.0)));
            if (0.1..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }
}

/// How many random cases of `count` there are to be: fewer if the variable `THRONG_FEWER_CASES` says so, as where an
/// emulated processor takes long over each.
pub(crate) fn cases(count: usize) -> usize {
    let one_in = std::env::var("THRONG_FEWER_CASES").ok().and_then(|n| n.parse().ok());
    count.div_ceil(one_in.unwrap_or(1))
}

/// All levels of this processor; says which.
pub(crate) fn levels() -> Vec<Level> {
    let levels = Level::available();
    let names: Vec<_> = levels.iter().map(|l| l.name()).collect();
    println!("levels: {}", names.join(", "));
    levels
}

/// The same in two classes: levels that return the same bits.
pub(crate) fn classes() -> [Vec<Level>; 2] {
    let (fused, unfused) = levels().into_iter().partition(|l| l.is_fused());
    [fused, unfused]
}

pub(crate) fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|f| f.to_bits()).collect()
}
