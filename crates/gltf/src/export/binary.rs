//! The binary chunk, the accessors that say what is in it, and the container around both.

use serde_json::{Value, json};

use super::ExportError;

const FLOAT: u32 = 5126;

/// Floats, and accessors into them.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Pool {
    /// Appends elements of `width` floats; returns the accessor's index. Times and points need their bounds, `bounded`.
    pub(super) fn push(&mut self, kind: &str, width: usize, floats: &[f32], bounded: bool) -> usize {
        let length = size_of_val(floats);
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": length }));
        self.bytes.extend(floats.iter().flat_map(|f| f.to_le_bytes()));
        let view = self.views.len() - 1;
        let count = floats.len() / width;
        let mut accessor =
            json!({ "bufferView": view, "componentType": FLOAT, "count": count, "type": kind });
        if bounded {
            let component = |i: usize| floats.iter().skip(i).step_by(width).copied();
            let low = |i| component(i).fold(f32::INFINITY, f32::min);
            let high = |i| component(i).fold(f32::NEG_INFINITY, f32::max);
            accessor["min"] = (0..width).map(low).collect();
            accessor["max"] = (0..width).map(high).collect();
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

/// Header, JSON chunk padded with spaces, binary chunk padded with zeros.
pub(super) fn container(json: &Value, binary: &[u8]) -> Result<Vec<u8>, ExportError> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let chunks: [(&[u8; 4], &[u8]); 2] = [(b"JSON", &text), (b"BIN\0", &binary)];
    let chunks = chunks.into_iter().filter(|(kind, data)| *kind == b"JSON" || !data.is_empty());
    let mut body = Vec::new();
    for (kind, data) in chunks {
        body.extend(length(data.len())?.to_le_bytes());
        body.extend(kind);
        body.extend(data);
    }
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend(length(12 + body.len())?.to_le_bytes());
    file.extend(body);
    Ok(file)
}

fn length(bytes: usize) -> Result<u32, ExportError> {
    u32::try_from(bytes).map_err(|_| ExportError::TooLarge { bytes })
}
