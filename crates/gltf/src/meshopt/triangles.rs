//! Mode TRIANGLES: each triangle by an edge or corners that were met not long ago.

use super::{Cursor, Fault, fault, open, too_short, unzigzag};

/// The last sixteen of something.
struct Recent<T> {
    ring: [Option<T>; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new() -> Self {
        Self { ring: [None; 16], next: 0 }
    }

    fn push(&mut self, item: T) {
        self.ring[self.next] = Some(item);
        self.next = (self.next + 1) % 16;
    }

    /// The one pushed `back` pushes before the last, `back` below 16.
    fn get(&self, back: u8) -> Result<T, Fault> {
        let item = self.ring[(self.next + 15 - usize::from(back & 15)) % 16];
        item.ok_or_else(|| fault("a triangle that goes by one before the first", "one that was there"))
    }
}

struct Decoder<'a> {
    data: Cursor<'a>,
    /// The lowest index that was not met yet.
    next: u32,
    /// The last index that was written out.
    last: u32,
    edges: Recent<[u32; 2]>,
    corners: Recent<u32>,
}

pub(super) fn decode(packed: &[u8], count: usize) -> Result<Vec<u32>, Fault> {
    let (mut data, table) = open(packed, 0xe1, 16)?;
    let table = <&[u8; 16]>::try_from(table).map_err(|_| too_short(packed.len()))?;
    if table[14..] != [0, 0] || table.iter().any(|byte| byte & 15 == 15 || byte >> 4 == 15) {
        return Err(fault("a table of corners out of range", "codes below 15, the last two 0"));
    }
    let codes = data.take(count / 3).map_err(|_| too_short(packed.len()))?;
    let (edges, corners) = (Recent::new(), Recent::new());
    let mut decoder = Decoder { data, next: 0, last: 0, edges, corners };
    let mut indices = Vec::with_capacity(count);
    for &code in codes {
        indices.extend(decoder.triangle(code, table)?);
    }
    decoder.data.end()?;
    Ok(indices)
}

impl Decoder<'_> {
    fn triangle(&mut self, code: u8, table: &[u8; 16]) -> Result<[u32; 3], Fault> {
        match (code >> 4, code & 15) {
            (15, low) => self.by_corners(low, table),
            (edge, low) => {
                let [a, b] = self.edges.get(edge)?;
                let c = match low {
                    0 => self.fresh(),
                    1..=12 => self.corners.get(low)?,
                    13 => self.near(u32::MAX),
                    14 => self.near(1),
                    _ => self.written()?,
                };
                self.edges.push([c, b]);
                self.edges.push([a, c]);
                if !(1..=12).contains(&low) {
                    self.corners.push(c);
                }
                Ok([a, b, c])
            }
        }
    }

    /// A triangle by its corners, coded in the table or in a byte of its own.
    fn by_corners(&mut self, low: u8, table: &[u8; 16]) -> Result<[u32; 3], Fault> {
        let two = match table.get(usize::from(low)) {
            Some(&two) if low < 14 => two,
            _ => {
                let two = self.data.byte()?;
                if two == 0 {
                    self.next = 0;
                }
                two
            }
        };
        let codes = [if low == 15 { 15 } else { 0 }, two >> 4, two & 15];
        let mut triangle = [0; 3];
        for (corner, code) in triangle.iter_mut().zip(codes) {
            *corner = match code {
                0 => self.fresh(),
                15 => self.written()?,
                back => self.corners.get(back - 1)?,
            };
        }
        let [a, b, c] = triangle;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        for (corner, code) in triangle.into_iter().zip(codes) {
            if matches!(code, 0 | 15) {
                self.corners.push(corner);
            }
        }
        Ok(triangle)
    }

    fn fresh(&mut self) -> u32 {
        let index = self.next;
        self.next = self.next.wrapping_add(1);
        index
    }

    fn near(&mut self, step: u32) -> u32 {
        self.last = self.last.wrapping_add(step);
        self.last
    }

    fn written(&mut self) -> Result<u32, Fault> {
        let code = self.data.varint()?;
        Ok(self.near(unzigzag(code)))
    }
}
