//! Assembly listings: functions and what is in them.

use std::collections::BTreeMap;

/// The registers of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Ymm,
    Zmm,
}

/// What a function's body holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) instructions: usize,
    pub(super) ymm: usize,
    pub(super) zmm: usize,
    /// Fused multiply-adds of any kind.
    pub(super) fused: usize,
    /// Calls, and jumps out of the function.
    pub(super) calls: Vec<String>,
    /// Packed arithmetic on 128-bit registers.
    pub(super) half_width: Vec<String>,
    /// Arithmetic on single floats.
    pub(super) scalar: Vec<String>,
    /// Wide registers loaded from or stored to the stack, spills included.
    pub(super) on_stack: Vec<String>,
    /// Bytes of the widest register that [`on_stack`](Self::on_stack) names.
    pub(super) widest_on_stack: usize,
    /// The alignment in bytes that the prologue gives the stack pointer, or 0 if it leaves it as the call did.
    pub(super) frame_alignment: usize,
}

/// All functions of a listing in AT&T syntax, by demangled name.
pub(super) fn functions(listing: &str) -> BTreeMap<String, Counts> {
    let mut functions = BTreeMap::new();
    let mut current: Option<(String, Vec<&str>)> = None;
    for line in listing.lines() {
        match line.strip_suffix(':') {
            Some(label) if !label.starts_with(['.', '\t', ' ']) => {
                current = Some((format!("{:#}", rustc_demangle::demangle(label)), Vec::new()));
            }
            _ if line.trim_start().starts_with(".cfi_endproc") => {
                if let Some((name, body)) = current.take() {
                    functions.insert(name, count(body.into_iter()));
                }
            }
            _ => {
                if let Some((_, body)) = &mut current {
                    body.push(line);
                }
            }
        }
    }
    functions
}

/// Counts the instructions of one body.
pub(super) fn count<'a>(body: impl Iterator<Item = &'a str>) -> Counts {
    let mut counts = Counts::default();
    for line in body {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['.', '#']) || line.ends_with(':') {
            continue;
        }
        let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (ymm, zmm, xmm) =
            (operands.contains("%ymm"), operands.contains("%zmm"), operands.contains("%xmm"));
        counts.instructions += 1;
        counts.fused += usize::from(name.starts_with("vfm") || name.starts_with("vfnm"));
        counts.ymm += usize::from(ymm);
        counts.zmm += usize::from(zmm);
        let whole = line.split_whitespace().collect::<Vec<_>>().join(" ");
        counts.frame_alignment = counts.frame_alignment.max(frame_alignment(&whole));
        if (ymm || zmm) && is_on_stack(operands) {
            counts.widest_on_stack = counts.widest_on_stack.max(if zmm { 64 } else { 32 });
            counts.on_stack.push(whole.clone());
        }
        let jump_out =
            name.starts_with("jmp") && !operands.trim_start().starts_with(".L") && !is_table_jump(operands);
        // What is vectorised apart is a kernel of its own.
        let apart = operands.contains("vectorize_apart");
        if (name.starts_with("call") || jump_out) && !apart {
            counts.calls.push(whole);
        } else if is_arithmetic(name, "ps") {
            if xmm && !ymm && !zmm {
                counts.half_width.push(whole);
            }
        } else if is_arithmetic(name, "ss") {
            counts.scalar.push(whole);
        }
    }
    counts
}

/// Whether an operand is relative to the stack pointer or the frame pointer.
fn is_on_stack(operands: &str) -> bool {
    ["(%rsp", "(%rbp"].iter().any(|base| operands.contains(base))
}

/// `andq $-64, %rsp` aligns the frame to 64 bytes; any other instruction leaves it alone.
fn frame_alignment(instruction: &str) -> usize {
    let mask = instruction.strip_prefix("andq $-").and_then(|rest| rest.strip_suffix(", %rsp"));
    mask.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}

/// `jmp *%rax`: a `match` through a table of labels inside the function.
fn is_table_jump(operands: &str) -> bool {
    operands.trim_start().starts_with("*%")
}

fn is_arithmetic(name: &str, suffix: &str) -> bool {
    let Some(stem) = name.trim_start_matches('v').strip_suffix(suffix) else { return false };
    ["add", "sub", "mul", "div", "sqrt"].contains(&stem) || stem.starts_with("fm") || stem.starts_with("fnm")
}
