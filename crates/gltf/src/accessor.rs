//! Accessors to numbers: component types, normalised integers, strides, sparse replacements.
//!
//! Lengths are checked against the bytes there are before anything is allocated, and what all accessors together may
//! take is limited: a small file can name the same bytes many times.

use crate::buffers::{Buffers, View};
use crate::json::{At, List};
use crate::{Problem, Report};

/// How a number of an accessor is stored; glTF 2.0 specification, section 3.6.2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn read(at: At<'_>) -> Result<Self, Problem> {
        Ok(match at.whole() {
            Ok(5120) => Self::I8,
            Ok(5121) => Self::U8,
            Ok(5122) => Self::I16,
            Ok(5123) => Self::U16,
            Ok(5125) => Self::U32,
            Ok(5126) => Self::F32,
            _ => return Err(at.wrong("a component type (5120 to 5123, 5125, 5126)")),
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The value of one number. Normalised integers become `c / max`, signed ones no less than -1; section 3.11.
    fn value(self, b: &[u8], normalized: bool) -> f32 {
        let scaled = |c: f32, max: f32| if normalized { (c / max).max(-1.0) } else { c };
        match (self, b) {
            (Self::I8, &[a, ..]) => scaled(f32::from(a as i8), 127.0),
            (Self::U8, &[a, ..]) => scaled(f32::from(a), 255.0),
            (Self::I16, &[a, b, ..]) => scaled(f32::from(i16::from_le_bytes([a, b])), 32767.0),
            (Self::U16, &[a, b, ..]) => scaled(f32::from(u16::from_le_bytes([a, b])), 65535.0),
            (Self::U32, &[a, b, c, d, ..]) => {
                scaled(u32::from_le_bytes([a, b, c, d]) as f32, u32::MAX as f32)
            }
            (Self::F32, &[a, b, c, d, ..]) => f32::from_le_bytes([a, b, c, d]),
            _ => 0.0,
        }
    }

    fn whole(self, b: &[u8]) -> Option<usize> {
        match (self, b) {
            (Self::U8, &[a, ..]) => Some(a.into()),
            (Self::U16, &[a, b, ..]) => Some(u16::from_le_bytes([a, b]).into()),
            (Self::U32, &[a, b, c, d, ..]) => usize::try_from(u32::from_le_bytes([a, b, c, d])).ok(),
            _ => None,
        }
    }
}

/// What an accessor says of itself.
#[derive(Clone, Copy)]
pub(crate) struct Accessor<'a> {
    pub(crate) at: At<'a>,
    /// `SCALAR`, `VEC3`, ...
    pub(crate) kind: &'a str,
    /// Numbers in an element.
    pub(crate) width: usize,
    /// Elements.
    pub(crate) count: usize,
    pub(crate) component: Component,
    pub(crate) normalized: bool,
}

impl<'a> Accessor<'a> {
    fn open(at: At<'a>) -> Result<Self, Problem> {
        let kind = at.need("type", "an accessor type")?;
        let width = match kind.text()? {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" | "MAT2" => 4,
            "MAT3" => 9,
            "MAT4" => 16,
            _ => return Err(kind.wrong("an accessor type (SCALAR, VEC2 to VEC4, MAT2 to MAT4)")),
        };
        Ok(Self {
            at,
            kind: kind.text()?,
            width,
            count: at.need("count", "a number of elements")?.whole()?,
            component: Component::read(at.need("componentType", "a component type")?)?,
            normalized: at.get("normalized").is_some_and(At::is_true),
        })
    }

    /// The error that the accessor's type is not what its use needs.
    pub(crate) fn wrong_kind(&self, expected: &str) -> Problem {
        self.at.get("type").unwrap_or(self.at).wrong(expected)
    }
}

/// All accessors of a file.
pub(crate) struct Accessors<'a> {
    list: List<'a>,
    buffers: Buffers<'a>,
    taken: usize,
    limit: usize,
}

impl<'a> Accessors<'a> {
    pub(crate) fn new(root: At<'a>, buffers: Buffers<'a>, limit: usize) -> Result<Self, Problem> {
        Ok(Self { list: root.list("accessors")?, buffers, taken: 0, limit })
    }

    /// The accessor that the number at `index` names, and its own index.
    pub(crate) fn open(&self, index: At<'a>) -> Result<(usize, Accessor<'a>), Problem> {
        let (index, at) = index.index_into(self.list)?;
        Ok((index, Accessor::open(at)?))
    }

    /// All numbers of all elements.
    pub(crate) fn read(&mut self, accessor: &Accessor<'a>, report: &mut Report) -> Result<Vec<f32>, Problem> {
        let &Accessor { at, width, count, component, normalized, .. } = accessor;
        let numbers = count.saturating_mul(width);
        let offset = at.whole_or_zero("byteOffset")?;
        let mut values = match at.get("bufferView") {
            Some(index) => {
                let view = self.buffers.view(index, report)?;
                let source = Elements::new(at, index, &view, offset, width * component.bytes(), count)?;
                take(&mut self.taken, self.limit, at, numbers)?;
                let mut values = Vec::with_capacity(numbers);
                for element in source.iter() {
                    values.extend(
                        element.chunks_exact(component.bytes()).map(|b| component.value(b, normalized)),
                    );
                }
                values
            }
            None => {
                take(&mut self.taken, self.limit, at, numbers)?;
                vec![0.0; numbers]
            }
        };
        if let Some(sparse) = at.get("sparse") {
            self.replace(accessor, sparse, &mut values, report)?;
        }
        Ok(values)
    }

    /// Puts the elements of a sparse accessor in their places.
    fn replace(
        &mut self,
        accessor: &Accessor<'a>,
        sparse: At<'a>,
        values: &mut [f32],
        report: &mut Report,
    ) -> Result<(), Problem> {
        let &Accessor { width, count, component, normalized, .. } = accessor;
        let replaced = sparse.need("count", "a number of elements")?;
        let n = replaced.whole()?;
        if n > count {
            return Err(replaced.wrong(format!("at most the accessor's count, {count}")));
        }
        let indices = sparse.need("indices", "the indices of the elements")?;
        let index_type = indices.need("componentType", "a component type")?;
        let index_component = Component::read(index_type)?;
        if index_component.whole(&[0; 4]).is_none() {
            return Err(index_type.wrong("an unsigned type (5121, 5123, 5125)"));
        }
        let view_index = indices.need("bufferView", "the index of a buffer view")?;
        let offset = indices.whole_or_zero("byteOffset")?;
        let view = self.buffers.view(view_index, report)?;
        let source = Elements::new(indices, view_index, &view, offset, index_component.bytes(), n)?;
        let mut places = Vec::with_capacity(n);
        for (i, element) in source.iter().enumerate() {
            match index_component.whole(element).filter(|&place| place < count) {
                Some(place) => places.push(place),
                None => {
                    return Err(Problem::Field {
                        place: indices.place.to_string(),
                        found: format!("{} at {i}", index_component.value(element, false)),
                        expected: format!("an index below the accessor's count, {count}"),
                    });
                }
            }
        }
        let from = sparse.need("values", "the replacing elements")?;
        let view_index = from.need("bufferView", "the index of a buffer view")?;
        let offset = from.whole_or_zero("byteOffset")?;
        let view = self.buffers.view(view_index, report)?;
        let source = Elements::new(from, view_index, &view, offset, width * component.bytes(), n)?;
        for (place, element) in places.into_iter().zip(source.iter()) {
            let numbers = element.chunks_exact(component.bytes());
            for (value, b) in values[place * width..][..width].iter_mut().zip(numbers) {
                *value = component.value(b, normalized);
            }
        }
        Ok(())
    }
}

/// Counts numbers against the limit for the whole file.
fn take(taken: &mut usize, limit: usize, at: At<'_>, numbers: usize) -> Result<(), Problem> {
    let needed = taken.saturating_add(numbers);
    if needed > limit {
        return Err(Problem::TooMuch { place: at.place.to_string(), needed, limit });
    }
    *taken = needed;
    Ok(())
}

/// Elements of equal size in a view, known to be all there.
struct Elements<'v> {
    bytes: &'v [u8],
    stride: usize,
    size: usize,
    count: usize,
}

impl<'v> Elements<'v> {
    fn new(
        at: At<'_>,
        view_index: At<'_>,
        view: &View<'v>,
        offset: usize,
        size: usize,
        count: usize,
    ) -> Result<Self, Problem> {
        let stride = view.stride.unwrap_or(size);
        let within = || format!("bufferViews[{}]", view_index.whole().unwrap_or_default());
        if stride < size {
            return Err(Problem::Field {
                place: format!("{}.byteStride", within()),
                found: stride.to_string(),
                expected: format!("at least the {size} bytes of an element of {}", at.place),
            });
        }
        // The last element needs no room behind it.
        let needed = match count.checked_sub(1) {
            None => Some(0),
            Some(last) => last.checked_mul(stride).and_then(|b| b.checked_add(size)?.checked_add(offset)),
        };
        match needed {
            Some(0) => Ok(Self { bytes: &[], stride, size, count }),
            Some(needed) if needed <= view.bytes.len() => {
                Ok(Self { bytes: &view.bytes[offset..needed], stride, size, count })
            }
            _ => Err(Problem::Bounds {
                place: at.place.to_string(),
                within: within(),
                available: view.bytes.len(),
                needed: needed.unwrap_or(usize::MAX),
            }),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &'v [u8]> {
        let (bytes, stride, size) = (self.bytes, self.stride, self.size);
        (0..self.count).map(move |i| &bytes[i * stride..][..size])
    }
}
