//! The part of rayon that a crowd uses. Without the feature `rayon` the same names run on the
//! caller's thread.

#[cfg(feature = "rayon")]
pub(crate) use rayon::{current_num_threads, join, prelude::*};

#[cfg(not(feature = "rayon"))]
pub(crate) use serial::{Serial, SerialSlice, current_num_threads, join};

#[cfg(not(feature = "rayon"))]
mod serial {
    use std::slice::{ChunksMut, IterMut};

    pub(crate) fn current_num_threads() -> usize {
        1
    }

    pub(crate) fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
        let first = first();
        (first, second())
    }

    /// What rayon adds to slices.
    pub(crate) trait SerialSlice<T> {
        fn par_iter_mut(&mut self) -> IterMut<'_, T>;
        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T>;
    }

    impl<T> SerialSlice<T> for [T] {
        fn par_iter_mut(&mut self) -> IterMut<'_, T> {
            self.iter_mut()
        }

        fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
            self.chunks_mut(size)
        }
    }

    /// What rayon adds to iterators.
    pub(crate) trait Serial: Iterator + Sized {
        fn with_min_len(self, _: usize) -> Self {
            self
        }

        fn with_max_len(self, _: usize) -> Self {
            self
        }

        fn find_map_first<T>(mut self, find: impl FnMut(Self::Item) -> Option<T>) -> Option<T> {
            self.find_map(find)
        }
    }

    impl<I: Iterator> Serial for I {}
}
