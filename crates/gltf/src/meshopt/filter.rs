//! Filters: what is done to each element of mode ATTRIBUTES after it is unpacked. Values that no encoder writes give
//! some number.

use std::f32::consts::FRAC_1_SQRT_2;

/// A direction as a point of an octahedron, unfolded: x, y, and what stands for 1.
fn direction([x, y, one]: [f32; 3]) -> [f32; 3] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    // The lower half is folded outwards.
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    [x / length, y / length, z / length]
}

/// Elements of four signed bytes; the fourth stays.
pub(super) fn octahedral_8(bytes: &mut [u8]) {
    let (elements, _) = bytes.as_chunks_mut::<4>();
    for [x, y, z, _] in elements {
        let input = [*x, *y, *z].map(|byte| f32::from(byte as i8));
        [*x, *y, *z] = direction(input).map(|c| (c * 127.0).round() as i8 as u8);
    }
}

/// Elements of four signed 16-bit numbers; the fourth stays.
pub(super) fn octahedral_16(bytes: &mut [u8]) {
    each_of_shorts(bytes, |[x, y, one, rest]| {
        let [x, y, z] = direction([x, y, one].map(f32::from)).map(short);
        [x, y, z, rest]
    });
}

/// Elements of four signed 16-bit numbers: a quaternion without its largest component, the others times the root of 2.
/// The last stands for 1, but for its lowest two bits, which tell the component that is left out.
pub(super) fn quaternion(bytes: &mut [u8]) {
    each_of_shorts(bytes, |[a, b, c, last]| {
        let one = f32::from(last | 3);
        let [a, b, c] = [a, b, c].map(|component| f32::from(component) / one * FRAC_1_SQRT_2);
        let left_out = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
        let mut turned = [left_out, a, b, c].map(short);
        turned.rotate_right((last & 3) as usize);
        turned
    });
}

/// 32-bit numbers: an exponent of 8 bits over a factor of 24, both signed.
pub(super) fn exponential(bytes: &mut [u8]) {
    let (numbers, _) = bytes.as_chunks_mut::<4>();
    for number in numbers {
        let word = i32::from_le_bytes(*number);
        let (exponent, factor) = (word >> 24, (word << 8) >> 8);
        // Exact: the power of two made from its bits, and the product in f64.
        let power = f64::from_bits(u64::from((1023 + exponent) as u32) << 52);
        *number = ((power * f64::from(factor)) as f32).to_le_bytes();
    }
}

fn short(c: f32) -> i16 {
    (c * 32767.0).round() as i16
}

fn each_of_shorts(bytes: &mut [u8], f: impl Fn([i16; 4]) -> [i16; 4]) {
    let (elements, _) = bytes.as_chunks_mut::<8>();
    for element in elements {
        let input = std::array::from_fn(|i| i16::from_le_bytes([element[2 * i], element[2 * i + 1]]));
        for (out, value) in element.as_chunks_mut::<2>().0.iter_mut().zip(f(input)) {
            *out = value.to_le_bytes();
        }
    }
}
