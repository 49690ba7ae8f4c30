//! An encoder of mode ATTRIBUTES that packs badly, but in every way there is.

/// Numbers that choose a way, over and over.
pub(super) struct Choices<'a>(std::iter::Cycle<std::slice::Iter<'a, u8>>);

impl<'a> Choices<'a> {
    pub(super) fn new(numbers: &'a [u8]) -> Self {
        Self(numbers.iter().cycle())
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |&c| usize::from(c) % n)
    }
}

/// A stream of the elements, its modes as `choices` has it.
pub(super) fn encode(elements: &[u8], stride: usize, newer: bool, choices: &mut Choices<'_>) -> Vec<u8> {
    let zigzag = |d: u32, bits: u32| {
        ((d << 1) ^ if d >> (bits - 1) & 1 == 1 { u32::MAX } else { 0 }) & (u32::MAX >> (32 - bits))
    };
    let mut stream = vec![if newer { 0xa1 } else { 0xa0 }];
    let modes: Vec<u8> =
        (0..stride / 4).map(|_| [0, 1, 2, 0x52, 0xf2][choices.below(if newer { 5 } else { 1 })]).collect();
    let first: Vec<u8> = (0..stride).map(|_| choices.below(256) as u8).collect();
    let block = ((8192 / stride) & !15).min(256);
    let mut previous = first.clone();
    for elements in elements.chunks(block * stride) {
        let mut columns = vec![Vec::new(); stride];
        for element in elements.chunks_exact(stride) {
            for (c, mode) in modes.iter().enumerate() {
                let word = |of: &[u8]| u32::from_le_bytes(of[4 * c..][..4].try_into().unwrap());
                let (from, to) = (word(&previous), word(element));
                let delta = |bits: u32| {
                    (0..32 / bits).fold(0, |all, i| {
                        let part = |w: u32| w >> (i * bits) & (u32::MAX >> (32 - bits));
                        all | zigzag(part(to).wrapping_sub(part(from)) & (u32::MAX >> (32 - bits)), bits)
                            << (i * bits)
                    })
                };
                let delta = match mode & 15 {
                    0 => delta(8),
                    1 => delta(16),
                    _ => (from ^ to).rotate_left(u32::from(mode >> 4)),
                };
                for (column, byte) in columns[4 * c..].iter_mut().zip(delta.to_le_bytes()) {
                    column.push(byte);
                }
            }
            previous = element.to_vec();
        }
        let mut controls = vec![0u8; if newer { stride / 4 } else { 0 }];
        let mut data = Vec::new();
        for (p, column) in columns.iter().enumerate() {
            let zero = column.iter().all(|&b| b == 0);
            let control = if zero && newer { 2 } else { [0, 1, 3][choices.below(3)] };
            if newer {
                controls[p / 4] |= control << (p % 4 * 2);
            }
            match control {
                2 => {}
                3 if newer => data.extend(column),
                _ => {
                    let bits = match (newer, control) {
                        (false, _) => [0, 2, 4, 8],
                        (true, 0) => [0, 1, 2, 4],
                        _ => [1, 2, 4, 8],
                    };
                    encode_groups(column, bits, &mut data, choices);
                }
            }
        }
        stream.extend(controls);
        stream.extend(data);
    }
    let tail = [first, if newer { modes } else { Vec::new() }].concat();
    stream.resize(stream.len() + usize::saturating_sub(if newer { 24 } else { 32 }, tail.len()), 0);
    stream.extend(tail);
    stream
}

fn encode_groups(column: &[u8], bits: [usize; 4], data: &mut Vec<u8>, choices: &mut Choices<'_>) {
    let mut header = vec![0u8; column.len().div_ceil(16).div_ceil(4)];
    let mut body = Vec::new();
    for (g, group) in column.chunks(16).enumerate() {
        let mut way = choices.below(4);
        if bits[way] == 0 && group.iter().any(|&b| b != 0) {
            way = 3;
        }
        header[g / 4] |= (way as u8) << (g % 4 * 2);
        let bits = bits[way];
        let padded: Vec<u8> = (0..16).map(|i| group.get(i).copied().unwrap_or(0)).collect();
        match bits {
            0 => {}
            8 => body.extend(padded),
            _ => {
                let escape = (1u8 << bits) - 1;
                let mut codes = vec![0u8; bits * 2];
                for (i, &byte) in padded.iter().enumerate() {
                    let at = i * bits % 8;
                    codes[i * bits / 8] |= byte.min(escape) << if bits == 1 { at } else { 8 - bits - at };
                }
                body.extend(codes);
                body.extend(padded.into_iter().filter(|&byte| byte >= escape));
            }
        }
    }
    data.extend(header);
    data.extend(body);
}
