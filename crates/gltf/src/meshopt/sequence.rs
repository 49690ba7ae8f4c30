//! Mode INDICES: each index as its difference from one of two that went before.

use super::{Fault, open, too_short, unzigzag};

pub(super) fn decode(packed: &[u8], count: usize) -> Result<Vec<u32>, Fault> {
    let (mut body, _) = open(packed, 0xd1, 4)?;
    // Each takes a byte or more.
    if body.bytes.len() < count {
        return Err(too_short(packed.len()));
    }
    let mut last = [0u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let code = body.varint()?;
        let last = &mut last[(code & 1) as usize];
        *last = last.wrapping_add(unzigzag(code >> 1));
        indices.push(*last);
    }
    body.end()?;
    Ok(indices)
}
