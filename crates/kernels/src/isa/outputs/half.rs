//! Half precision by integer arithmetic, for levels whose processor does not convert by itself.

/// The bits of the half that is nearest to `v`, of two as near the even one: what F16C and AVX-512 return, a NaN's
/// payload included.
#[inline(always)]
pub(crate) fn half_bits(v: f32) -> u16 {
    const INFINITE: u32 = 0x7f80_0000;
    const TOO_LARGE: u32 = 65_536f32.to_bits();
    const SMALLEST_NORMAL: u32 = (1.0 / 16_384.0f32).to_bits();
    let size = v.to_bits() & 0x7fff_ffff;
    let magnitude = if size > INFINITE {
        0x7e00 | ((size >> 13) & 0x03ff)
    } else if size >= TOO_LARGE {
        0x7c00
    } else if size >= SMALLEST_NORMAL {
        // Thirteen bits fewer of the fraction, and an exponent that counts from -14 instead of -126. A carry out of the
        // fraction is the next exponent, or infinity.
        let size = size - (112 << 23);
        (size + 0x0fff + ((size >> 13) & 1)) >> 13
    } else {
        // Beside a half, the last place of a float is that of a small half: so the sum rounds as it should.
        (f32::from_bits(size) + 0.5).to_bits() - 0.5f32.to_bits()
    };
    (((v.to_bits() >> 16) & 0x8000) | magnitude) as u16
}
