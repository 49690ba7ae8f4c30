//! Proof from the machine code that the kernels are what their source says.
//!
//! A helper that is not inlined into a kernel, or a lane operation that falls back to half the width, costs up to
//! twenty times and changes no result: no test can see it. So the kernels are compiled to assembly ([`compile`]), each
//! kernel's function is looked up for each level and its instructions are counted ([`listing`]), and whatever breaks
//! [`EXPECTED`] is an error. So is a fused multiply-add at an unfused level: that would change its bits.
//!
//! A wide register on the stack needs a frame that the prologue aligned to the register's width. Otherwise a slot may
//! straddle two pages, depending on the length of the process's environment, and such a process runs up to twice as
//! long. That is checked in every vectorised function, whether [`EXPECTED`] names its kernel or not.

mod compile;
mod listing;

use std::collections::BTreeMap;
use std::fmt;

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
    /// Whether it multiplies and adds. One that does not is compiled for unfused levels alone.
    multiplies: bool,
}

const EXPECTED: [Kernel; 25] = [
    Kernel { path: "fused::one", multiplies: true },
    Kernel { path: "fused::one_similar", multiplies: true },
    Kernel { path: "fused::layered", multiplies: true },
    Kernel { path: "fused::layered_similar", multiplies: true },
    Kernel { path: "fused::one_in_world", multiplies: true },
    Kernel { path: "fused::layered_in_world", multiplies: true },
    Kernel { path: "fused::extras::write", multiplies: true },
    Kernel { path: "stages::sample::sample", multiplies: true },
    Kernel { path: "stages::sample::sample_layers", multiplies: true },
    Kernel { path: "stages::pose_to_model", multiplies: true },
    Kernel { path: "stages::model_to_palette", multiplies: true },
    Kernel { path: "rotate::nlerp", multiplies: true },
    Kernel { path: "rotate::slerp", multiplies: true },
    Kernel { path: "lookup::find_keys", multiplies: false },
    Kernel { path: "property::run<throng_kernels::property::curves::Hold>", multiplies: true },
    Kernel { path: "property::run<throng_kernels::property::curves::Straight>", multiplies: true },
    Kernel { path: "property::run<throng_kernels::property::curves::Cubic>", multiplies: true },
    Kernel { path: "property::run<throng_kernels::property::curves::HoldRotation>", multiplies: true },
    Kernel { path: "property::run<throng_kernels::property::curves::Nlerp>", multiplies: true },
    Kernel { path: "property::run<throng_kernels::property::curves::Slerp>", multiplies: true },
    Kernel { path: "property::run<throng_kernels::property::curves::QuasiSlerp>", multiplies: true },
    Kernel { path: "property::run<throng_kernels::property::curves::CubicRotation>", multiplies: true },
    Kernel { path: "advance::step::advance_blocks", multiplies: false },
    Kernel { path: "skinning::run", multiplies: true },
    Kernel { path: "floor::fill", multiplies: false },
];

/// How a call leaves the stack, in bytes.
const CALL_ALIGNMENT: usize = 16;

struct Level {
    token: &'static str,
    fused: bool,
    width: Width,
}

const LEVELS: [Level; 4] = [
    Level { token: "Avx2", fused: false, width: Width::Ymm },
    Level { token: "Avx2", fused: true, width: Width::Ymm },
    Level { token: "Avx512", fused: false, width: Width::Zmm },
    Level { token: "Avx512", fused: true, width: Width::Zmm },
];

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.token, if self.fused { "" } else { ", unfused" })
    }
}

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
        "on stack",
        "frame",
    ]);
    let mut faults = Vec::new();
    for level in &LEVELS {
        for kernel in EXPECTED.iter().filter(|kernel| kernel.multiplies || !level.fused) {
            let found = find(&functions, kernel.path, level);
            if found.is_empty() {
                faults.push(format!("{} at {level}: no such function; was it renamed?", kernel.path));
            }
            for counts in found {
                table.add_row(row(kernel.path, level, counts));
                faults
                    .extend(judge(kernel, level, counts).map(|f| format!("{} at {level}: {f}", kernel.path)));
            }
        }
    }
    faults.extend(misaligned(&functions));
    println!("{table}");
    if faults.is_empty() { Ok(()) } else { Err(AsmError::Faults(faults)) }
}

/// The vectorised functions of a kernel at a level: `<.. Avx2<_> as ..>::vectorize::inner::<fused, .., path::{closure}>`, or
/// `vectorize_apart`; and `path<..>` if it is generic over the level.
fn find<'a>(functions: &'a BTreeMap<String, Counts>, path: &str, level: &Level) -> Vec<&'a Counts> {
    let implementor = format!("::{}<_> as ", level.token);
    let rounding = ["", "_apart"].map(|apart| format!("vectorize{apart}::inner::<{}, ", level.fused));
    let closure = [format!("{path}::{{closure"), format!("{path}<throng_kernels::isa::")];
    let any = |name: &str, of: &[String]| of.iter().any(|part| name.contains(part));
    let matches = |name: &String| name.contains(&implementor) && any(name, &rounding) && any(name, &closure);
    functions.iter().filter(|(name, _)| matches(name)).map(|(_, counts)| counts).collect()
}

fn row(path: &str, level: &Level, c: &Counts) -> Vec<String> {
    let lists = [&c.calls, &c.half_width, &c.scalar, &c.on_stack].map(Vec::len);
    let numbers = [c.instructions, c.ymm, c.zmm, c.fused].into_iter().chain(lists).chain([c.frame_alignment]);
    [path.to_owned(), level.to_string()].into_iter().chain(numbers.map(|n| n.to_string())).collect()
}

/// Faults of vectorised functions that keep wide registers in frames that are not aligned to them.
fn misaligned(functions: &BTreeMap<String, Counts>) -> Vec<String> {
    let vectorised = functions.iter().filter(|(name, _)| name.contains("::vectorize"));
    let misaligned = vectorised.filter(|(_, c)| c.frame_alignment < c.widest_on_stack);
    let fault = |(name, c): (&String, &Counts)| {
        let (count, first) = (c.on_stack.len(), &c.on_stack[0]);
        let (wanted, found) = (c.widest_on_stack, c.frame_alignment.max(CALL_ALIGNMENT));
        format!(
            "{name}: {count} wide stack accesses, first: {first}; the frame is aligned to {found} bytes, not {wanted}"
        )
    };
    misaligned.map(fault).collect()
}

fn judge<'a>(kernel: &'a Kernel, level: &'a Level, c: &'a Counts) -> impl Iterator<Item = String> + 'a {
    let wide = if level.width == Width::Ymm { c.ymm } else { c.zmm };
    let missing = [
        (wide == 0).then(|| format!("no instruction on {:?} registers", level.width)),
        (kernel.multiplies && level.fused && c.fused == 0).then(|| "no fused multiply-add".to_owned()),
        (!level.fused && c.fused > 0).then(|| format!("{} fused multiply-adds", c.fused)),
    ];
    let present =
        [("calls", &c.calls), ("half-width arithmetic", &c.half_width), ("scalar arithmetic", &c.scalar)];
    let present = present.into_iter().filter(|(_, lines)| !lines.is_empty());
    missing.into_iter().flatten().chain(present.map(|(what, lines)| format!("{what}, first: {}", lines[0])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_at(level: &Level, body: &str) -> Vec<String> {
        let name = format!(
            "<throng_kernels::isa::avx2::Avx2<_> as throng_kernels::isa::Isa>::vectorize::inner::\
                <{}, (), throng_kernels::fused::one::{{closure#3}}>",
            level.fused
        );
        let functions = BTreeMap::from([(name, listing::count(body.lines()))]);
        let found = find(&functions, EXPECTED[0].path, level);
        assert_eq!(found.len(), 1, "the function must be found by its path");
        assert!(LEVELS.iter().filter(|l| !find(&functions, EXPECTED[0].path, l).is_empty()).count() == 1);
        judge(&EXPECTED[0], level, found[0]).collect()
    }

    fn faults(body: &str) -> Vec<String> {
        faults_at(&LEVELS[1], body)
    }

    const GOOD: &str =
        "\tvmovups\t(%rdi), %ymm0\n\tvfmadd213ps\t%ymm1, %ymm2, %ymm0\n\tjne\t.LBB1_2\n\tretq\n";

    #[test]
    fn passes_wide_code_without_calls() {
        assert_eq!(faults(GOOD), [""; 0]);
        assert_eq!(faults_at(&LEVELS[0], "\tvmulps\t%ymm1, %ymm2, %ymm0\n\tretq\n"), [""; 0]);
    }

    fn frame_faults(name: &str, body: &str) -> Vec<String> {
        misaligned(&BTreeMap::from([(name.to_owned(), listing::count(body.lines()))]))
    }

    #[test]
    fn finds_wide_registers_in_frames_that_are_not_aligned_to_them() {
        // No kernel of `EXPECTED`: each vectorised function is examined.
        let name = "<Avx2<_> as Isa>::vectorize_apart::inner::<true, (), motion::lanes::apply::{closure#0}>";
        let align = |bytes: usize| format!("\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tandq\t$-{bytes}, %rsp\n");
        for stack in ["(%rsp)", "96(%rsp)", "-64(%rbp)", "32(%rsp,%rax)"] {
            let spills = [
                (32, format!("\tvmovups\t%ymm3, {stack}\n")),
                (32, format!("\tvaddps\t{stack}, %ymm1, %ymm0\n")),
                (64, format!("\tvmovaps\t{stack}, %zmm31\n")),
                (64, format!("\tvmovups\t%ymm3, {stack}\n\tvmovdqu64\t%zmm3, {stack}\n")),
            ];
            for (width, spill) in spills {
                let faults = frame_faults(name, &spill);
                assert!(faults.len() == 1 && faults[0].contains("aligned to 16 bytes"), "{spill} {faults:?}");
                assert_eq!(frame_faults(name, &(align(width / 2) + &spill)).len(), 1, "{spill}");
                assert_eq!(frame_faults(name, &(align(width) + &spill)), [""; 0], "{spill}");
                assert_eq!(frame_faults("plan::compile", &spill), [""; 0], "no kernel");
            }
        }
        let elsewhere = "\tandq\t$-64, %rax\n\tvmovups\t%xmm1, (%rsp)\n\tvmovups\t%ymm1, (%rdi)\n";
        assert_eq!(frame_faults(name, elsewhere), [""; 0]);
        assert_eq!(frame_faults(name, &format!("{elsewhere}\tvmovups\t%ymm1, (%rsp)\n")).len(), 1);
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
        for fused in ["vfmadd213ps\t%ymm1", "vfnmadd231pd\t%ymm1", "vfmsub132ss\t%xmm1"] {
            let contracted = faults_at(&LEVELS[0], &format!("\tvmulps\t%ymm1, %ymm2, %ymm0\n\t{fused}\n"));
            assert_eq!(contracted[0], "1 fused multiply-adds");
        }
        let narrow = faults("\tmovl\t%eax, %ebx\n");
        assert_eq!(narrow.len(), 2, "{narrow:?}");
    }
}
