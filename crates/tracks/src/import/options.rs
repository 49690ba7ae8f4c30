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
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct ImportOptions {
    /// Makes a clip that can't be built an error. Without it such a clip is left out, and the report says why.
    pub strict: bool,
    /// Shifts clips with keys before 0 so that they start at 0, all channels by the same time. Without it a
    /// clip with a key before 0 can't be built.
    pub shift_negative_times: bool,
    /// Shifts every clip so that its first key is at 0, all channels by the same time.
    pub trim_start: bool,
    /// Takes the rest pose of a skin's joints from its inverse bind matrices: the pose in which the mesh was
    /// bound. Where several skins name a joint, the first counts. Other joints keep the rest of their node.
    /// Only glTF has such matrices.
    pub rest_from_bind: bool,
    /// Keeps the signs of quaternions in cubic tracks. Without it neighbours are brought into one hemisphere,
    /// so that a spline which jumps between hemispheres takes the short path where other players take the long
    /// one; the report lists such tracks.
    pub raw_cubic_keys: bool,
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
    /// All switches off; up to 2^28 numbers (1 GiB); lengths in metres.
    fn default() -> Self {
        Self {
            strict: false,
            shift_negative_times: false,
            trim_start: false,
            rest_from_bind: false,
            raw_cubic_keys: false,
            max_numbers: 1 << 28,
            meshes: false,
            unit: LengthUnit::METRE,
        }
    }
}
