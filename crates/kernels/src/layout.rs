//! Where palettes stand in the caller's buffer, and in what form.

/// In what form an entry of a palette is written.
///
/// Buffers are slices of `f32` whatever the form, so that all counts are in floats of four bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum PaletteFormat {
    /// The three rows of an affine matrix, four floats each: 48 bytes.
    #[default]
    Affine,
    /// A 4x4 matrix, column after column, whose last row is `0 0 0 1`: 64 bytes.
    Matrix,
    /// The three rows of an affine matrix in half precision: 24 bytes. Each number is rounded to the nearest, to the even one
    /// of two as near; beyond 65,504 that is infinity. Two stand in a float's four bytes, in the byte order of the machine,
    /// so read them from the buffer's bytes.
    Half,
    /// Rotation, translation and uniform scale: a unit quaternion `xyzw`, a translation `xyz`, and the scale, 32 bytes. A
    /// negative scale mirrors. Not every plan can: see [`Plan::check_format`](crate::Plan::check_format).
    Similarity,
}

impl PaletteFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Affine, Self::Matrix, Self::Half, Self::Similarity];

    /// How many floats of the buffer an entry takes.
    #[must_use]
    pub const fn floats(self) -> usize {
        match self {
            Self::Affine => 12,
            Self::Matrix => 16,
            Self::Half => 6,
            Self::Similarity => 8,
        }
    }

    /// How many bytes an entry takes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.floats() * size_of::<f32>()
    }
}

/// Where palettes stand in a buffer: in what form, from where on, and how far apart.
///
/// The palette at place `p` begins `offset + p * stride` floats into the buffer. What stands between palettes is neither
/// read nor written.
///
/// ```
/// use throng_kernels::{Layout, PaletteFormat};
///
/// // Halves, behind a header of 16 floats, one palette every 256 floats: room for 40 entries of 6 floats, and some to spare.
/// let layout = Layout::new(PaletteFormat::Half).with_offset(16).with_stride(256);
/// assert_eq!(layout.room(40, 16 + 3 * 256), 3);
/// assert_eq!(layout.floats(40, 3), 16 + 2 * 256 + 40 * 6);
/// // One after the other.
/// assert_eq!(Layout::default().stride(67), 67 * 12);
/// // More than any buffer has.
/// assert_eq!(layout.with_offset(usize::MAX).floats(40, 1), usize::MAX);
/// assert_eq!(layout.with_stride(usize::MAX / 2).floats(40, 4), usize::MAX);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    format: PaletteFormat,
    offset: usize,
    stride: Option<usize>,
}

impl Layout {
    /// Palettes of that form, one after the other from the buffer's first float on.
    #[must_use]
    pub const fn new(format: PaletteFormat) -> Self {
        Self { format, offset: 0, stride: None }
    }

    /// The first palette begins so many floats into the buffer.
    #[must_use]
    pub const fn with_offset(self, floats: usize) -> Self {
        Self { offset: floats, ..self }
    }

    /// Palettes begin so many floats apart: no fewer than one takes, which is what it is unless told.
    #[must_use]
    pub const fn with_stride(self, floats: usize) -> Self {
        Self { stride: Some(floats), ..self }
    }

    /// In what form entries are written.
    #[must_use]
    pub const fn format(self) -> PaletteFormat {
        self.format
    }

    /// How many floats into the buffer the first palette begins.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// How many floats a palette of so many entries takes; [`usize::MAX`] if that is more.
    #[must_use]
    pub const fn size(self, entries: usize) -> usize {
        entries.saturating_mul(self.format.floats())
    }

    /// How many floats apart palettes of so many entries begin.
    #[must_use]
    pub const fn stride(self, entries: usize) -> usize {
        match self.stride {
            Some(stride) => stride,
            None => self.size(entries),
        }
    }

    /// How many floats a buffer needs for so many palettes of so many entries; [`usize::MAX`], which no buffer has, if that
    /// is more.
    #[must_use]
    pub const fn floats(self, entries: usize, palettes: usize) -> usize {
        match palettes.checked_sub(1) {
            Some(last) => {
                let before = last.saturating_mul(self.stride(entries)).saturating_add(self.offset);
                before.saturating_add(self.size(entries))
            }
            None => 0,
        }
    }

    /// How many palettes of so many entries fit into a buffer of so many floats.
    #[must_use]
    pub fn room(self, entries: usize, floats: usize) -> usize {
        let last = floats.checked_sub(self.offset).and_then(|rest| rest.checked_sub(self.size(entries)));
        last.and_then(|last| last.checked_div(self.stride(entries))).map_or(0, |last| last + 1)
    }
}
