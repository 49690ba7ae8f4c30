use crate::LengthUnit;

/// What a caller can choose about an import, of any format. Written with `..Default::default()`, a value
/// stays valid when options are added.
///
/// ```
/// use throng_tracks::import::ImportOptions;
/// let options = ImportOptions { meshes: true, ..ImportOptions::default() };
/// assert!(!options.shift_negative_times);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// Shifts clips with keys before 0 so that they start at 0, all channels by the same time. Without it a
    /// key before 0 is an error.
    pub shift_negative_times: bool,
    /// The largest count of numbers, 4 bytes each, that the keys and matrices of a file may hold, and that its
    /// compressed buffer views may unpack to. It guards against a small file that names the same bytes many
    /// times, or holds many bytes in few.
    pub max_numbers: usize,
    /// Reads the vertices of skinned meshes too ([`Import::meshes`](super::Import::meshes)), for skinning on
    /// the CPU.
    pub meshes: bool,
    /// The unit of lengths in the file, which are converted to metres
    /// ([`Import::converted_from`](super::Import::converted_from)).
    pub unit: LengthUnit,
}

impl Default for ImportOptions {
    /// Negative times are an error; up to 2^28 numbers (1 GiB); no meshes; lengths in metres.
    fn default() -> Self {
        Self { shift_negative_times: false, max_numbers: 1 << 28, meshes: false, unit: LengthUnit::METRE }
    }
}
