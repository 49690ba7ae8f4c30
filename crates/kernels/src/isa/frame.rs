//! The functions that kernels are compiled into, and their stack frames.

#[cfg(target_arch = "x86_64")]
use std::{hint::black_box, mem::MaybeUninit};

#[cfg(target_arch = "x86_64")]
use super::Line;

/// Runs `f` in a function of its own, for the levels that need no target feature.
///
/// Inlined into the function that chooses among the levels, the kernels of three levels would be one function.
/// The compiler's time grows faster than a function's length, and it compiles functions in parallel.
#[inline(never)]
pub(super) fn own_function<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// Aligns the stack frame of the calling function to a cache line.
///
/// A call leaves the stack aligned to 16 bytes. The compiler decides whether to realign a frame before it assigns
/// registers, by the locals that it sees then. Without a local that needs it, wide registers are later spilled to
/// slots that may straddle two cache lines or two pages. The length of the process's environment moves the stack, so
/// that some processes run up to twice as long as others. One local that occupies a line prevents this.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn align_stack_frame() {
    black_box(&mut MaybeUninit::<Line>::uninit());
}
