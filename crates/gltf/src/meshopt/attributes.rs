//! Mode ATTRIBUTES: elements of any size, as differences from element to element.
//!
//! Elements come in blocks. Within a block the bytes at one position of the element stand together, in groups of 16
//! elements, and each group takes as many bits a byte as it needs. The first element's predecessor stands at the end.

use super::{Cursor, Fault, fault, open, too_short, unzigzag};

/// Elements of a group.
const GROUP: usize = 16;

/// How many bits a byte may take in a group, of which two header bits choose.
type Bits = [usize; 4];

const BITS_0: Bits = [0, 2, 4, 8];
const BITS_1: [Bits; 2] = [[0, 1, 2, 4], [1, 2, 4, 8]];

/// What the differences of four neighbouring bytes are.
#[derive(Clone, Copy)]
enum Channel {
    Bytes,
    Words,
    /// Of 32 bits, rotated by so many.
    Xor(u32),
}

impl Channel {
    fn read(byte: u8) -> Result<Self, Fault> {
        match (byte & 15, byte >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Words),
            (2, turn) => Ok(Self::Xor(turn.into())),
            _ => Err(fault(format!("channel mode {byte:#04x}"), "0, 1, or 2 with a rotation")),
        }
    }

    /// The value whose difference from `previous` is `delta`.
    fn next(self, previous: [u8; 4], delta: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => std::array::from_fn(|i| previous[i].wrapping_add(unzigzag(delta[i].into()) as u8)),
            Self::Words => {
                let word = |of: [u8; 4], i: usize| u16::from_le_bytes([of[i], of[i + 1]]);
                let sum = |i| word(previous, i).wrapping_add(unzigzag(word(delta, i).into()) as u16);
                let ([a, b], [c, d]) = (sum(0).to_le_bytes(), sum(2).to_le_bytes());
                [a, b, c, d]
            }
            Self::Xor(turn) => {
                let delta = u32::from_le_bytes(delta).rotate_right(turn);
                (u32::from_le_bytes(previous) ^ delta).to_le_bytes()
            }
        }
    }
}

/// `count` elements of `stride` bytes, which is a multiple of 4 from 4 to 256.
pub(super) fn decode(packed: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Fault> {
    let newer = match packed.first() {
        Some(0xa0) => false,
        Some(0xa1) => true,
        Some(found) => return Err(fault(format!("header byte {found:#04x}"), "0xa0 or 0xa1")),
        None => return Err(too_short(0)),
    };
    let modes = if newer { stride / 4 } else { 0 };
    let least_tail = if newer { 24 } else { 32 };
    let (mut body, tail) = open(packed, packed[0], least_tail.max(stride + modes))?;
    let (first, modes) = tail[tail.len() - stride - modes..].split_at(stride);
    let mut channels = vec![Channel::Bytes; stride / 4];
    for (channel, &byte) in channels.iter_mut().zip(modes) {
        *channel = Channel::read(byte)?;
    }

    let block = ((8192 / stride) & !(GROUP - 1)).min(256);
    if body.bytes.len() < least(count, stride, block, newer) {
        return Err(too_short(packed.len()));
    }
    let mut bytes = vec![0; count * stride];
    let mut columns = vec![0; block * stride];
    let mut previous = first.to_vec();
    for out in bytes.chunks_mut(block * stride) {
        let elements = out.len() / stride;
        let controls = if newer { body.take(stride / 4)? } else { &[] };
        for (position, column) in columns.chunks_exact_mut(block).enumerate() {
            let control = controls.get(position / 4).map(|byte| (byte >> (position % 4 * 2)) & 3);
            match control {
                None => groups(&mut body, column, elements, BITS_0)?,
                Some(2) => column.fill(0),
                Some(3) => column[..elements].copy_from_slice(body.take(elements)?),
                Some(control) => groups(&mut body, column, elements, BITS_1[usize::from(control & 1)])?,
            }
        }
        for (element, out) in out.chunks_exact_mut(stride).enumerate() {
            let (previous, _) = previous.as_chunks_mut::<4>();
            let (out, _) = out.as_chunks_mut::<4>();
            for (i, (previous, out)) in previous.iter_mut().zip(out).enumerate() {
                let delta = std::array::from_fn(|byte| columns[(4 * i + byte) * block + element]);
                *out = channels[i].next(*previous, delta);
                *previous = *out;
            }
        }
    }
    body.end()?;
    Ok(bytes)
}

/// The least bytes that so many elements take: only control bytes, or only header bits.
fn least(count: usize, stride: usize, block: usize, newer: bool) -> usize {
    let of_block = |elements: usize| {
        if newer { stride / 4 } else { stride * elements.div_ceil(GROUP).div_ceil(4) }
    };
    let last = if count.is_multiple_of(block) { 0 } else { of_block(count % block) };
    (count / block).saturating_mul(of_block(block)).saturating_add(last)
}

/// The differences at one position of all elements of a block.
fn groups(body: &mut Cursor<'_>, column: &mut [u8], elements: usize, bits: Bits) -> Result<(), Fault> {
    let count = elements.div_ceil(GROUP);
    let header = body.take(count.div_ceil(4))?;
    let (groups, _) = column.as_chunks_mut::<GROUP>();
    for (i, out) in groups.iter_mut().take(count).enumerate() {
        group(body, out, bits[usize::from((header[i / 4] >> (i % 4 * 2)) & 3)])?;
    }
    Ok(())
}

/// Sixteen differences of so many bits each. One with all bits set stands for a whole byte behind them.
fn group(body: &mut Cursor<'_>, out: &mut [u8; GROUP], bits: usize) -> Result<(), Fault> {
    match bits {
        0 => out.fill(0),
        8 => out.copy_from_slice(body.take(GROUP)?),
        _ => {
            let codes = body.take(GROUP / 8 * bits)?;
            let escape = (1 << bits) - 1;
            for (i, out) in out.iter_mut().enumerate() {
                // Single bits begin at the lowest, pairs and fours at the highest.
                let at = i * bits % 8;
                let shift = if bits == 1 { at } else { 8 - bits - at };
                let code = (codes[i * bits / 8] >> shift) & escape;
                *out = if code == escape { body.byte()? } else { code };
            }
        }
    }
    Ok(())
}
