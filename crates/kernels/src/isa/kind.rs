//! Which token a level holds, and the way from a level to the code for its token.

#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};
use super::{portable::Portable, scalar::Scalar};

/// The token of a level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Scalar(Scalar<false>),
    ScalarFused(Scalar<true>),
    Portable(Portable),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon<true>),
    #[cfg(target_arch = "aarch64")]
    NeonUnfused(Neon<false>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2<true>),
    #[cfg(target_arch = "x86_64")]
    Avx2Unfused(Avx2<false>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512<true>),
    #[cfg(target_arch = "x86_64")]
    Avx512Unfused(Avx512<false>),
}

/// The lanes of a level, for kernels that never multiply and add, so that both roundings are one.
#[derive(Clone, Copy)]
pub(crate) enum Exact {
    Scalar(Scalar<false>),
    Portable(Portable),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon<false>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2<false>),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512<false>),
}

impl Kind {
    #[inline(always)]
    pub(crate) fn exact(self) -> Exact {
        match self {
            Kind::Scalar(_) | Kind::ScalarFused(_) => Exact::Scalar(Scalar::TOKEN),
            Kind::Portable(token) => Exact::Portable(token),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon(_) | Kind::NeonUnfused(_) => Exact::Neon(Neon::TOKEN),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(token) => Exact::Avx2(token.rounded()),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2Unfused(token) => Exact::Avx2(token),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(token) => Exact::Avx512(token.rounded()),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512Unfused(token) => Exact::Avx512(token),
        }
    }
}

/// `dispatch!(level, isa => expression)`: the expression, with `isa` the level's token.
///
/// `dispatch!(exact level, ...)` is for kernels that never multiply and add: the fused token is not among theirs, which
/// halves their code.
macro_rules! dispatch {
    (exact $level:expr, $isa:ident => $body:expr) => {
        match $level.kind().exact() {
            $crate::isa::Exact::Scalar($isa) => $body,
            $crate::isa::Exact::Portable($isa) => $body,
            #[cfg(target_arch = "aarch64")]
            $crate::isa::Exact::Neon($isa) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Exact::Avx2($isa) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Exact::Avx512($isa) => $body,
        }
    };
    ($level:expr, $isa:ident => $body:expr) => {
        match $level.kind() {
            $crate::isa::Kind::Scalar($isa) => $body,
            $crate::isa::Kind::ScalarFused($isa) => $body,
            $crate::isa::Kind::Portable($isa) => $body,
            #[cfg(target_arch = "aarch64")]
            $crate::isa::Kind::Neon($isa) => $body,
            #[cfg(target_arch = "aarch64")]
            $crate::isa::Kind::NeonUnfused($isa) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Kind::Avx2($isa) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Kind::Avx2Unfused($isa) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Kind::Avx512($isa) => $body,
            #[cfg(target_arch = "x86_64")]
            $crate::isa::Kind::Avx512Unfused($isa) => $body,
        }
    };
}
pub(crate) use dispatch;
