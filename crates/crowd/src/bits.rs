//! Sets of slots, one bit a slot in words of 64.

/// Slots of one word.
pub(crate) const WORD: usize = u64::BITS as usize;

/// A set of slots. Slots beyond the last word are not in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotSet {
    words: Vec<u64>,
}

impl SlotSet {
    /// Makes the set large enough for so many slots, and no larger. Slots that are new are not in it.
    pub(crate) fn fit(&mut self, slots: usize) {
        self.words.resize(slots.div_ceil(WORD), 0);
        if let Some(last) = self.words.last_mut().filter(|_| !slots.is_multiple_of(WORD)) {
            *last &= lowest(slots % WORD);
        }
    }

    pub(crate) fn reserve(&mut self, slots: usize) {
        self.words.reserve(slots.div_ceil(WORD).saturating_sub(self.words.len()));
    }

    /// Puts a slot into the set or takes it out.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, is_in: bool) {
        let word = slot / WORD;
        if word >= self.words.len() {
            if !is_in {
                return;
            }
            self.words.resize(word + 1, 0);
        }
        let bit = 1 << (slot % WORD);
        self.words[word] = if is_in { self.words[word] | bit } else { self.words[word] & !bit };
    }

    #[inline]
    pub(crate) fn has(&self, slot: usize) -> bool {
        self.word(slot / WORD) >> (slot % WORD) & 1 == 1
    }

    /// The slots from `64 * word` on, the first in the lowest bit.
    #[inline]
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words.get(word).copied().unwrap_or_default()
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Puts all of so many slots into the set.
    pub(crate) fn fill(&mut self, slots: usize) {
        self.words.clear();
        self.words.resize(slots.div_ceil(WORD), u64::MAX);
        self.fit(slots);
    }

    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }
}

/// A word whose lowest `count` bits, fewer than 64, are set.
#[inline]
pub(crate) fn lowest(count: usize) -> u64 {
    (1 << count) - 1
}

/// The positions of the ones of a word, ascending.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        position
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_into_it_and_nothing_beyond_its_slots() {
        let mut set = SlotSet::default();
        for slot in [0, 63, 64, 130] {
            assert!(!set.has(slot));
            set.set(slot, true);
            assert!(set.has(slot) && !set.has(slot + 1));
        }
        set.set(64, false);
        let all: Vec<usize> = (0..)
            .zip(set.words())
            .flat_map(|(word, bits)| ones(*bits).map(move |bit| word * WORD + bit))
            .collect();
        assert_eq!(all, [0, 63, 130]);
        set.fit(63);
        assert!(set.has(0) && !set.has(63) && !set.has(130));
        set.fill(65);
        assert_eq!(set.words(), [u64::MAX, 1]);
        set.fill(64);
        assert_eq!(set.words(), [u64::MAX]);
    }
}
