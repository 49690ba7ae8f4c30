//! Proof from the machine code that the kernels are what their source says.
//!
//! A helper that is not inlined into a kernel, or a lane operation that falls back to half the width, costs up to
//! twenty times and changes no result: no test can see it. So the kernels are compiled to assembly ([`compile`]), each
//! kernel's function is looked up for each level and its instructions are counted ([`listing`]), and whatever breaks
//! [`EXPECTED`] is an error.

mod compile;
mod listing;

use std::collections::BTreeMap;

use comfy_table::{Table, presets};
use thiserror::Error;

use listing::{Counts, Width};

/// Why the check did not pass.
#[derive(Debug, Error)]
pub(crate) enum AsmError {
    #[error("cannot run cargo: {0}")]
    Run(#[from] std::io::Error),
    #[error("cargo could not compile throng-kernels to assembly ({status})")]
    Compile { status: std::process::ExitStatus },
    #[error("cargo left no assembly of throng-kernels in {folder}")]
    NoListing { folder: String },
    #[error("the assembly check found {} fault(s):\n  {}", .0.len(), .0.join("\n  "))]
    Faults(Vec<String>),
}

/// A kernel, by the path of the function whose closure is vectorised.
struct Kernel {
    path: &'static str,
    /// Whether its arithmetic must be fused multiply-adds.
    fused: bool,
}

const EXPECTED: [Kernel; 17] = [
    Kernel { path: "fused::palettes", fused: true },
    Kernel { path: "stages::sample", fused: true },
    Kernel { path: "stages::pose_to_model", fused: true },
    Kernel { path: "stages::model_to_palette", fused: true },
    Kernel { path: "rotate::nlerp", fused: true },
    Kernel { path: "rotate::slerp", fused: true },
    Kernel { path: "lookup::find_keys", fused: false },
    Kernel { path: "property::run<throng_kernels::property::curves::Hold>", fused: true },
    Kernel { path: "property::run<throng_kernels::property::curves::Straight>", fused: true },
    Kernel { path: "property::run<throng_kernels::property::curves::Cubic>", fused: true },
    Kernel { path: "property::run<throng_kernels::property::curves::HoldRotation>", fused: true },
    Kernel { path: "property::run<throng_kernels::property::curves::Nlerp>", fused: true },
    Kernel { path: "property::run<throng_kernels::property::curves::Slerp>", fused: true },
    Kernel { path: "property::run<throng_kernels::property::curves::QuasiSlerp>", fused: true },
    Kernel { path: "property::run<throng_kernels::property::curves::CubicRotation>", fused: true },
    Kernel { path: "advance::step::advance_blocks", fused: false },
    Kernel { path: "floor::fill", fused: false },
];

const LEVELS: [(&str, Width); 2] = [("Avx2", Width::Ymm), ("Avx512", Width::Zmm)];

/// Compiles, looks, prints a table, and fails if any kernel is not what it should be.
pub(crate) fn check() -> Result<(), AsmError> {
    if !cfg!(target_arch = "x86_64") {
        eprintln!("the assembly check knows x86-64 only: nothing was checked");
        return Ok(());
    }
    let functions = listing::functions(&compile::kernels()?);
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "kernel",
        "level",
        "instructions",
        "ymm",
        "zmm",
        "fused",
        "calls",
        "half-width",
        "scalar",
    ]);
    let mut faults = Vec::new();
    for (level, width) in LEVELS {
        for kernel in &EXPECTED {
            let found = find(&functions, kernel.path, level);
            if found.is_empty() {
                faults.push(format!("{} at {level}: no such function; was it renamed?", kernel.path));
            }
            for counts in found {
                table.add_row(row(kernel.path, level, counts));
                faults
                    .extend(judge(kernel, width, counts).map(|f| format!("{} at {level}: {f}", kernel.path)));
            }
        }
    }
    println!("{table}");
    if faults.is_empty() { Ok(()) } else { Err(AsmError::Faults(faults)) }
}

/// The vectorised functions of a kernel at a level: `<.. Avx2 as ..>::vectorize::inner::<.., path::{closure}>`.
fn find<'a>(functions: &'a BTreeMap<String, Counts>, path: &str, level: &str) -> Vec<&'a Counts> {
    let (implementor, closure) = (format!("::{level} as "), format!("{path}::{{closure"));
    let matches = |name: &String| {
        name.contains(&implementor) && name.contains("vectorize::inner") && name.contains(&closure)
    };
    functions.iter().filter(|(name, _)| matches(name)).map(|(_, counts)| counts).collect()
}

fn row(path: &str, level: &str, c: &Counts) -> Vec<String> {
    let numbers = [c.instructions, c.ymm, c.zmm, c.fused, c.calls.len(), c.half_width.len(), c.scalar.len()];
    [path.to_owned(), level.to_owned()].into_iter().chain(numbers.map(|n| n.to_string())).collect()
}

fn judge<'a>(kernel: &'a Kernel, width: Width, c: &'a Counts) -> impl Iterator<Item = String> + 'a {
    let wide = if width == Width::Ymm { c.ymm } else { c.zmm };
    let missing = [
        (wide == 0).then(|| format!("no instruction on {width:?} registers")),
        (kernel.fused && c.fused == 0).then(|| "no fused multiply-add".to_owned()),
    ];
    let present =
        [("calls", &c.calls), ("half-width arithmetic", &c.half_width), ("scalar arithmetic", &c.scalar)];
    let present = present.into_iter().filter(|(_, lines)| !lines.is_empty());
    missing.into_iter().flatten().chain(present.map(|(what, lines)| format!("{what}, first: {}", lines[0])))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "<throng_kernels::isa::avx2::Avx2 as throng_kernels::isa::Isa>::vectorize::inner::\
        <(), throng_kernels::fused::palettes::{closure#3}>";

    fn faults(body: &str) -> Vec<String> {
        let functions = BTreeMap::from([(NAME.to_owned(), listing::count(body.lines()))]);
        let found = find(&functions, EXPECTED[0].path, "Avx2");
        assert_eq!(found.len(), 1, "the function must be found by its path");
        judge(&EXPECTED[0], Width::Ymm, found[0]).collect()
    }

    const GOOD: &str =
        "\tvmovups\t(%rdi), %ymm0\n\tvfmadd213ps\t%ymm1, %ymm2, %ymm0\n\tjne\t.LBB1_2\n\tretq\n";

    #[test]
    fn passes_wide_fused_code_without_calls() {
        assert_eq!(faults(GOOD), [""; 0]);
    }

    #[test]
    fn finds_each_fault() {
        let calls =
            faults(&format!("{GOOD}\tcallq\t*core::core_arch::x86::avx::_mm256_sub_ps@GOTPCREL(%rip)\n"));
        assert!(calls[0].starts_with("calls"), "{calls:?}");
        let tail = faults(&format!("{GOOD}\tjmp\t_RNvNtCs_6kernel6helper\n"));
        assert!(tail[0].starts_with("calls"), "{tail:?}");
        let half = faults(&format!("{GOOD}\tvmulps\t%xmm1, %xmm2, %xmm0\n"));
        assert!(half[0].starts_with("half-width"), "{half:?}");
        let scalar = faults(&format!("{GOOD}\tvfmadd213ss\t%xmm1, %xmm2, %xmm0\n"));
        assert!(scalar[0].starts_with("scalar"), "{scalar:?}");
        let plain = faults("\tvmulps\t%ymm1, %ymm2, %ymm0\n\tretq\n");
        assert_eq!(plain, ["no fused multiply-add"]);
        let narrow = faults("\tmovl\t%eax, %ebx\n");
        assert_eq!(narrow.len(), 2, "{narrow:?}");
    }
}
