//! Writes skeleton, mesh and clips as one binary glTF file.

mod document;
mod pool;

use gltf_json as json;

use super::clips::Clip;
use super::mesh::Mesh;
use super::skeleton::Skeleton;

const MAGIC: u32 = 0x4654_6C67;
const VERSION: u32 = 2;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// The bytes of the file. glTF 2.0, section 4.4: a header of 12 bytes, then a chunk of JSON padded with
/// spaces and a chunk of data padded with zeros, each a multiple of four bytes long.
pub(super) fn write(skeleton: &Skeleton, mesh: &Mesh, clips: &[Clip]) -> Result<Vec<u8>, json::Error> {
    let (root, mut data) = document::describe(skeleton, mesh, clips);
    let mut text = root.to_vec()?;
    text.resize(text.len().next_multiple_of(4), b' ');
    data.resize(data.len().next_multiple_of(4), 0);

    let total = 12 + 8 + text.len() + 8 + data.len();
    let mut out = Vec::with_capacity(total);
    let mut put = |value: u32| out.extend(value.to_le_bytes());
    put(MAGIC);
    put(VERSION);
    put(length(total));
    for (kind, chunk) in [(JSON_CHUNK, text), (BIN_CHUNK, data)] {
        out.extend(length(chunk.len()).to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend(chunk);
    }
    Ok(out)
}

fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("the file is far smaller than 4 GB")
}
