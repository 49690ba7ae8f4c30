//! In what order the playbacks of a slot are blended, and what they have in common with those of others.
//!
//! Frames ask for it, and it changes with the playbacks alone: so it is found where they change.

use throng_kernels::LAYERS;

use super::Layers;
use crate::kind::Kind;

/// How many of which kind a slot blends: those of one shape can share a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape(u8);

impl Shape {
    /// From none of a kind to all places of it.
    const COUNTS: u8 = LAYERS as u8 + 1;
    const MASKED: u8 = 1 << 7;

    /// Of a number that [`bits`](Self::bits) gave.
    pub(crate) fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Tells it from every other one.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// Averages of clips.
    pub(crate) fn averages(self) -> usize {
        usize::from(self.counts() % Self::COUNTS)
    }

    /// Averages of the instance's given pose, which follow them.
    pub(crate) fn external(self) -> usize {
        usize::from(self.counts() / Self::COUNTS % Self::COUNTS)
    }

    /// What is laid on top of those.
    pub(crate) fn additive(self) -> usize {
        usize::from(self.counts() / Self::COUNTS / Self::COUNTS)
    }

    pub(crate) fn is_masked(self) -> bool {
        self.0 & Self::MASKED != 0
    }

    fn counts(self) -> u8 {
        self.0 & !Self::MASKED
    }

    fn add(&mut self, additive: bool, external: bool, masked: bool) {
        self.0 += match (additive, external) {
            (true, _) => Self::COUNTS * Self::COUNTS,
            (_, true) => Self::COUNTS,
            _ => 1,
        };
        self.0 |= if masked { Self::MASKED } else { 0 };
    }
}

/// The places of a slot in the order of blending: averages of clips, those of its given pose, then additive ones, all as they
/// began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// Two bits each, from the lowest on.
    places: u8,
    pub(crate) shape: Shape,
}

impl Order {
    /// Of playbacks at these places, with their masks.
    pub(crate) fn of(playbacks: impl Iterator<Item = (u8, Kind, u16)>) -> Self {
        let mut order = [(true, true, u32::MAX, 0); LAYERS];
        let (mut count, mut shape) = (0, Shape::default());
        for (entry, (place, kind, mask)) in order.iter_mut().zip(playbacks) {
            *entry = (kind.is_additive(), kind.is_external(), kind.serial, place);
            shape.add(kind.is_additive(), kind.is_external(), mask != 0);
            count += 1;
        }
        order[..count].sort_unstable();
        let places = order[..count].iter().rev().fold(0, |places, (.., place)| places << 2 | place);
        Self { places, shape }
    }

    /// Of numbers that [`bits`](Self::bits) gave.
    pub(crate) fn from_bits(bits: u16) -> Self {
        let [shape, places] = bits.to_be_bytes();
        Self { places, shape: Shape::from_bits(shape) }
    }

    /// Its shape in the upper half.
    pub(crate) fn bits(self) -> u16 {
        u16::from_be_bytes([self.shape.bits(), self.places])
    }

    /// The place that is blended as number `layer`.
    #[inline]
    pub(crate) fn place(self, layer: usize) -> usize {
        usize::from(self.places >> (2 * layer) & 3)
    }
}

impl Layers {
    /// How a slot's playbacks are blended.
    #[inline]
    pub(crate) fn order(&self, slot: usize) -> Order {
        debug_assert_eq!(self.orders[slot], self.ordered(slot), "it was found where they changed");
        self.orders[slot]
    }

    /// What follows for a slot's order from a change of its playbacks.
    pub(super) fn arrange(&mut self, slot: usize) {
        self.orders[slot] = self.ordered(slot);
    }

    fn ordered(&self, slot: usize) -> Order {
        let at = |place: usize| (self.places[place].kinds[slot], self.places[place].masks[slot]);
        Order::of(self.used(slot).map(|place| (place as u8, at(place).0, at(place).1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_tell_all_counts_and_masks() {
        let all = LAYERS + 1;
        for number in 0..2 * all.pow(3) {
            let counts = [number % all, number / all % all, number / all / all % all];
            if counts.iter().sum::<usize>() > LAYERS {
                continue;
            }
            let masked = number >= all.pow(3);
            let mut shape = Shape::default();
            for (kind, count) in counts.into_iter().enumerate() {
                for _ in 0..count {
                    shape.add(kind == 2, kind == 1, masked);
                }
            }
            let order = Order::from_bits(Order { places: 0b1101_0010, shape }.bits());
            let found = order.shape;
            assert_eq!([found.averages(), found.external(), found.additive()], counts);
            assert_eq!(found.is_masked(), masked && counts != [0; 3]);
            assert_eq!([0, 1, 2, 3].map(|layer| order.place(layer)), [2, 0, 1, 3]);
        }
    }
}
