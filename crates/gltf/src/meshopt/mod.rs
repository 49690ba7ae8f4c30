//! Buffer views compressed by meshopt; see the README beside this file.

mod attributes;
mod filter;
mod layout;
mod sequence;
#[cfg(test)]
mod tests;
mod triangles;

pub(crate) use layout::{Layout, NAMES, extension};

use layout::{Filter, Mode};

/// What is wrong with a stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) found: String,
    pub(crate) expected: &'static str,
}

fn fault(found: impl Into<String>, expected: &'static str) -> Fault {
    Fault { found: found.into(), expected }
}

/// The bytes of the view that the stream `packed` holds, [`Layout::bytes`] of them.
pub(crate) fn decode(packed: &[u8], layout: &Layout) -> Result<Vec<u8>, Fault> {
    let &Layout { mode, filter, count, stride } = layout;
    match mode {
        Mode::Attributes => {
            let mut bytes = attributes::decode(packed, count, stride)?;
            match filter {
                Filter::None => {}
                Filter::Octahedral if stride == 4 => filter::octahedral_8(&mut bytes),
                Filter::Octahedral => filter::octahedral_16(&mut bytes),
                Filter::Quaternion => filter::quaternion(&mut bytes),
                Filter::Exponential => filter::exponential(&mut bytes),
            }
            Ok(bytes)
        }
        Mode::Triangles => triangles::decode(packed, count).map(|indices| narrow(&indices, stride)),
        Mode::Indices => sequence::decode(packed, count).map(|indices| narrow(&indices, stride)),
    }
}

/// Indices as the 2 or 4 bytes that the view has room for each.
fn narrow(indices: &[u32], stride: usize) -> Vec<u8> {
    indices.iter().flat_map(|index| index.to_le_bytes().into_iter().take(stride)).collect()
}

/// Parts a stream of this kind into what lies between its header byte and its tail, and the tail.
fn open<'a>(packed: &'a [u8], header: u8, tail: usize) -> Result<(Cursor<'a>, &'a [u8]), Fault> {
    match packed.split_first() {
        Some((&found, rest)) if found == header => {
            let body = rest.len().checked_sub(tail).ok_or_else(|| too_short(packed.len()))?;
            let (body, tail) = rest.split_at(body);
            Ok((Cursor { bytes: body }, tail))
        }
        Some((found, _)) => Err(fault(format!("header byte {found:#04x}"), "that of the mode")),
        None => Err(too_short(0)),
    }
}

fn too_short(bytes: usize) -> Fault {
    fault(format!("a stream of {bytes} bytes, too few for its count"), "all of it")
}

/// Bytes still to be read.
struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let ends = || fault("a stream that ends too early", "all of it");
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or_else(ends)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.take(1)?[0])
    }

    /// A whole number of one to five bytes, seven bits each, the lowest first; what goes beyond 32 bits is dropped.
    fn varint(&mut self) -> Result<u32, Fault> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(fault("a number of more than 5 bytes", "at most 5"))
    }

    fn end(&self) -> Result<(), Fault> {
        match self.bytes.len() {
            0 => Ok(()),
            left => Err(fault(format!("{left} bytes left over in the stream"), "none")),
        }
    }
}

/// The signed difference that a zigzag code stands for: 0, -1, 1, -2, 2, ...
fn unzigzag(code: u32) -> u32 {
    (code >> 1) ^ (code & 1).wrapping_neg()
}
