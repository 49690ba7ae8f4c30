//! The processors that there are tests for besides this machine's.

use std::fmt;

use clap::ValueEnum;

/// A processor, by the word of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// Phones, consoles, Apple's and many servers: NEON.
    Aarch64,
    /// Browsers: simd128.
    Wasm32,
}

impl Target {
    pub(crate) const ALL: [Self; 2] = [Self::Aarch64, Self::Wasm32];

    /// Rust's name. Of wasm's, the one whose programs have arguments, variables and an output, as tests need; the
    /// instructions are those that a browser gets.
    pub(super) fn triple(self) -> &'static str {
        match self {
            Self::Aarch64 => "aarch64-unknown-linux-gnu",
            Self::Wasm32 => "wasm32-wasip1",
        }
    }

    /// The crates that pose characters, without those that read files.
    pub(super) fn packages(self) -> &'static [&'static str] {
        &["throng-tracks", "throng-kernels", "throng-crowd"]
    }

    /// The packages whose tests run, the kernels first, and what the tests are told. Left out is what counts hours or bakes at length.
    pub(super) fn tested(self) -> &'static [(&'static str, &'static [&'static str])] {
        const KERNELS: (&str, &[&str]) = ("throng-kernels", &[]);
        const TRACKS: (&str, &[&str]) = ("throng-tracks", &["--skip", "hours", "--skip", "bake_error"]);
        match self {
            Self::Aarch64 => &[KERNELS, TRACKS, ("throng-crowd", &["frames"])],
            // No threads.
            Self::Wasm32 => &[KERNELS, TRACKS],
        }
    }

    pub(super) fn rust_flags(self) -> &'static str {
        match self {
            // Then the emulator needs no libraries of that processor.
            Self::Aarch64 => "-Ctarget-feature=+crt-static",
            Self::Wasm32 => "-Ctarget-feature=+simd128",
        }
    }

    /// A variable that cargo reads for this target, such as `CARGO_TARGET_..._LINKER`.
    pub(super) fn variable(self, what: &str) -> String {
        format!("CARGO_TARGET_{}_{what}", self.triple().to_uppercase().replace('-', "_"))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.triple())
    }
}
