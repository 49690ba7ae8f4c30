//! Numbers that look random and are the same in each run.

/// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Any order, all alike likely (but for the modulus): Fisher and Yates.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, (self.next() % (end as u64 + 1)) as usize);
        }
    }

    /// In `[0, 1)`.
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_times_spread_over_the_unit() {
        let mut random = Random(1);
        let mut tenths = [0; 10];
        for _ in 0..10_000 {
            tenths[(random.unit() * 10.0) as usize] += 1;
        }
        assert!(tenths.iter().all(|count| (850..1150).contains(count)), "{tenths:?}");
    }
}
