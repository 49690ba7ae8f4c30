//! Short loops written out.
//!
//! A closure is compiled without the processor features of the kernel that it ends up in. Unless the optimiser inlines
//! it, and whatever called it, each of its lane operations stays a call through memory: twenty times slower, silently.
//! So kernels use no closures and no iterator adaptors around lane operations, but these macros, whose index is a
//! constant.

/// `[e, e, e]` with `i` 0 to 2.
macro_rules! each3 {
    ($i:ident => $e:expr) => {
        [
            { const $i: usize = 0; $e },
            { const $i: usize = 1; $e },
            { const $i: usize = 2; $e },
        ]
    };
}

/// `[e, e, e, e]` with `i` 0 to 3.
macro_rules! each4 {
    ($i:ident => $e:expr) => {
        [
            { const $i: usize = 0; $e },
            { const $i: usize = 1; $e },
            { const $i: usize = 2; $e },
            { const $i: usize = 3; $e },
        ]
    };
}

pub(crate) use {each3, each4};
