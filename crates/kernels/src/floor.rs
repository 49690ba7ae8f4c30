//! What no kernel can beat: only writing the output.

use crate::isa::{BLOCK, Isa, Level, Line, dispatch};
use crate::stores::Stores;

/// Writes `value` to all of `out`: the cost of the result alone, to hold a kernel's against.
///
/// A format is no more than its bytes here. For palettes with nothing between them:
///
/// ```
/// use throng_kernels::{BLOCK, Layout, Level, Line, PaletteFormat, Stores, floor};
///
/// for format in PaletteFormat::ALL {
///     // A thousand palettes of 67 entries.
///     let floats = Layout::new(format).floats(67, 1000);
///     let mut out = vec![Line::ZERO; floats.div_ceil(BLOCK)];
///     floor::fill(Level::detect(), Stores::default(), &mut out, 1.0);
/// }
/// ```
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
