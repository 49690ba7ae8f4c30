//! What the JSON says of a compressed view.

use crate::Problem;
use crate::json::At;

/// The names of the extension.
pub(crate) const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The extension's object on a buffer view.
pub(crate) fn extension(view: At<'_>) -> Option<At<'_>> {
    let extensions = view.get("extensions")?;
    NAMES.into_iter().find_map(|name| extensions.get(name))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
}

/// How a stream is to be read. The mode, the filter, the count and the stride fit each other, and their bytes can be
/// counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(super) mode: Mode,
    pub(super) filter: Filter,
    pub(super) count: usize,
    pub(super) stride: usize,
}

impl Layout {
    pub(crate) fn read(extension: At<'_>) -> Result<Self, Problem> {
        let mode = extension.need("mode", "a compression mode")?;
        let stride_at = extension.need("byteStride", "a number of bytes")?;
        let count_at = extension.need("count", "a number of elements")?;
        let (count, stride) = (count_at.whole()?, stride_at.whole()?);
        let mode = match mode.text()? {
            "ATTRIBUTES" => Mode::Attributes,
            "TRIANGLES" => Mode::Triangles,
            "INDICES" => Mode::Indices,
            _ => return Err(mode.wrong("ATTRIBUTES, TRIANGLES or INDICES")),
        };
        let filter = match (mode, extension.get("filter")) {
            (_, None) => Filter::None,
            (mode, Some(at)) => match (mode, at.text()?) {
                (_, "NONE") => Filter::None,
                (Mode::Attributes, "OCTAHEDRAL") => Filter::Octahedral,
                (Mode::Attributes, "QUATERNION") => Filter::Quaternion,
                (Mode::Attributes, "EXPONENTIAL") => Filter::Exponential,
                (Mode::Attributes, _) => {
                    return Err(at.wrong("NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL"));
                }
                _ => return Err(at.wrong("NONE, as for all indices")),
            },
        };
        let (fits, expected) = match (mode, filter) {
            (Mode::Triangles | Mode::Indices, _) => (stride == 2 || stride == 4, "2 or 4, for indices"),
            (_, Filter::Octahedral) => (stride == 4 || stride == 8, "4 or 8, for the octahedral filter"),
            (_, Filter::Quaternion) => (stride == 8, "8, for the quaternion filter"),
            (_, Filter::None | Filter::Exponential) => {
                ((4..=256).contains(&stride) && stride.is_multiple_of(4), "a multiple of 4 from 4 to 256")
            }
        };
        if !fits {
            return Err(stride_at.wrong(expected));
        }
        if mode == Mode::Triangles && !count.is_multiple_of(3) {
            return Err(count_at.wrong("a multiple of 3, for triangles"));
        }
        // Four bytes are what an index takes on its way.
        if count.checked_mul(stride.max(4)).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
            return Err(count_at.wrong("a number of elements that fits in memory"));
        }
        Ok(Self { mode, filter, count, stride })
    }

    /// How many bytes the stream unpacks to.
    pub(crate) fn bytes(&self) -> usize {
        self.count * self.stride
    }
}
