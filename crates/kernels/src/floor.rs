//! What no kernel can beat: only writing the output.

use crate::isa::{BLOCK, Isa, Level, Line, dispatch};
use crate::stores::Stores;

/// Writes `value` to all of `out`: the cost of the result alone, to hold a kernel's against.
pub fn fill(level: Level, stores: Stores, out: &mut [Line], value: f32) {
    if stores == Stores::Cached {
        return out.fill(Line([value; BLOCK]));
    }
    dispatch!(exact level, isa => isa.vectorize(#[inline(always)] || stream(isa, out, value)));
}

#[inline(always)]
fn stream<I: Isa>(isa: I, out: &mut [Line], value: f32) {
    isa.stream_fill(out, value);
    isa.stream_end();
}
