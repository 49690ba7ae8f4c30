//! Small glTF documents, made part by part.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use throng_gltf::{Import, ImportError, ImportOptions};

/// A document with one buffer, and one without bytes that compressed views name.
pub(crate) struct Tiny {
    pub(crate) json: Value,
    pub(crate) bytes: Vec<u8>,
}

impl Tiny {
    pub(crate) fn new(nodes: Value) -> Self {
        let json = json!({
            "asset": { "version": "2.0" }, "nodes": nodes, "accessors": [], "bufferViews": []
        });
        Self { json, bytes: Vec::new() }
    }

    fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// A view of these bytes; its index.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }))
    }

    /// A view of these bytes, elements of `stride`, compressed by meshopt without plain data beside it; its index.
    pub(crate) fn packed_view(&mut self, name: &str, bytes: &[u8], stride: usize, filter: &str) -> usize {
        let stream = packed(bytes, stride);
        let view = self.view(&stream);
        let extension = json!({
            "buffer": 0, "byteOffset": self.bytes.len() - stream.len(), "byteLength": stream.len(),
            "byteStride": stride, "count": bytes.len() / stride, "mode": "ATTRIBUTES", "filter": filter
        });
        self.json["bufferViews"][view] =
            json!({ "buffer": 1, "byteLength": bytes.len(), "extensions": { name: extension } });
        view
    }

    /// An accessor; its index.
    pub(crate) fn accessor(&mut self, accessor: Value) -> usize {
        self.push("accessors", accessor)
    }

    /// An accessor of floats; its index.
    pub(crate) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let mut accessor =
            json!({ "bufferView": view, "componentType": 5126, "type": kind, "count": values.len() / width });
        if width == 1 {
            (accessor["min"], accessor["max"]) = (json!([values[0]]), json!([values[values.len() - 1]]));
        }
        self.accessor(accessor)
    }

    /// A channel of the first animation.
    pub(crate) fn channel(&mut self, node: usize, path: &str, input: usize, output: usize) {
        self.raw_channel(json!({ "node": node, "path": path }), json!({ "input": input, "output": output }));
    }

    /// A channel of the first animation, with a sampler of its own.
    pub(crate) fn raw_channel(&mut self, target: Value, sampler: Value) {
        if self.json.get("animations").is_none() {
            self.json["animations"] = json!([{ "channels": [], "samplers": [] }]);
        }
        let animation = &mut self.json["animations"][0];
        let samplers = animation["samplers"].as_array_mut().unwrap();
        samplers.push(sampler);
        let channel = json!({ "sampler": samplers.len() - 1, "target": target });
        animation["channels"].as_array_mut().unwrap().push(channel);
    }

    /// A `.gltf` with its buffer in a data URI.
    pub(crate) fn gltf(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bytes));
        if json.get("buffers").is_none() {
            json["buffers"] = json!([{ "byteLength": self.bytes.len(), "uri": uri }, { "byteLength": 0 }]);
        }
        json.to_string().into_bytes()
    }

    /// A `.glb` with its buffer in the binary chunk.
    pub(crate) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.bytes.len() }, { "byteLength": 0 }]);
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bin = self.bytes.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let mut glb = b"glTF\x02\0\0\0".to_vec();
        glb.extend(((12 + 8 + text.len() + 8 + bin.len()) as u32).to_le_bytes());
        for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &bin)] {
            glb.extend((chunk.len() as u32).to_le_bytes());
            glb.extend(kind);
            glb.extend(chunk);
        }
        glb
    }

    pub(crate) fn try_import(&self) -> Result<Import, ImportError> {
        throng_gltf::import_slice(&self.gltf(), None)
    }

    /// What comes of it, which is no error.
    pub(crate) fn import(&self) -> Import {
        self.try_import().unwrap_or_else(|e| panic!("{e}"))
    }

    pub(crate) fn import_with(&self, options: &ImportOptions) -> Result<Import, ImportError> {
        throng_gltf::import_slice_with(&self.gltf(), None, options)
    }

    /// The line of its error.
    pub(crate) fn error(&self) -> String {
        match self.try_import() {
            Ok(_) => panic!("imports: {}", self.json),
            Err(error) => error.to_string(),
        }
    }
}

/// A meshopt stream of mode ATTRIBUTES, version 0, of up to 16 elements, which it stores as plain bytes.
fn packed(bytes: &[u8], stride: usize) -> Vec<u8> {
    assert!(bytes.len() <= 16 * stride, "one group");
    let mut stream = vec![0xa0];
    for position in 0..stride {
        stream.push(3);
        let mut previous = bytes[position];
        let mut group = bytes[position..].iter().step_by(stride).map(|&byte| {
            let delta = byte.wrapping_sub(previous) as i8;
            previous = byte;
            ((delta << 1) ^ (delta >> 7)) as u8
        });
        stream.extend((0..16).map(|_| group.next().unwrap_or(0)));
    }
    stream.resize(stream.len() + 32usize.saturating_sub(stride), 0);
    stream.extend(&bytes[..stride]);
    stream
}

/// The report's lines.
pub(crate) fn lines(import: &Import) -> Vec<String> {
    import.report.lines().iter().map(ToString::to_string).collect()
}
