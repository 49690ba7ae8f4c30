//! Any bytes as a glTF file: an error or an import, and what imports can be sampled and baked. Never a panic.
//!
//! Bytes that begin with `mopt` are wrapped: two choose how the stream behind them is compressed, two count its elements.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_gltf::{ImportOptions, import_slice_with};
use throng_tracks::{BakeOptions, Transform, bake, model_matrices};

/// A `.glb` whose only track has this stream for its values.
fn wrapped(how: u8, stride: u8, count: u16, stream: &[u8]) -> Vec<u8> {
    let mode = ["ATTRIBUTES", "ATTRIBUTES", "TRIANGLES", "INDICES"][usize::from(how % 4)];
    let filter = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"][usize::from(how / 4 % 4)];
    let stride = usize::from(stride) + 1;
    let (length, unpacked) = (stream.len(), usize::from(count) * stride);
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{}}],"buffers":[{{"byteLength":{length}}}],
        "extensionsRequired":["EXT_meshopt_compression"],
        "bufferViews":[{{"buffer":0,"byteLength":{unpacked},"extensions":{{"EXT_meshopt_compression":{{"buffer":0,
        "byteLength":{length},"byteStride":{stride},"count":{count},"mode":"{mode}","filter":"{filter}"}}}}}}],
        "accessors":[{{"componentType":5126,"type":"SCALAR","count":1}},
        {{"bufferView":0,"componentType":5126,"type":"SCALAR","count":{}}}],
        "animations":[{{"channels":[{{"sampler":0,"target":{{"node":0,"path":"weights"}}}}],
        "samplers":[{{"input":0,"output":1}}]}}]}}"#,
        unpacked / 4
    );
    json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    let all = 12 + 8 + json.len() + 8 + length;
    glb.extend((all as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", stream)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    glb
}

fuzz_target!(|bytes: &[u8]| {
    let wrapped = match bytes {
        [b'm', b'o', b'p', b't', how, stride, low, high, stream @ ..] => {
            Some(wrapped(*how, *stride, u16::from_le_bytes([*low, *high]), stream))
        }
        _ => None,
    };
    let bytes = wrapped.as_deref().unwrap_or(bytes);
    let options = ImportOptions { shift_negative_times: true, max_numbers: 1 << 18, meshes: true, ..ImportOptions::default() };
    let import = match import_slice_with(bytes, None, &options) {
        Ok(import) => import,
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "an error is one line: {error}");
            return;
        }
    };
    let joints = import.skeleton.joint_count();
    let mut pose = vec![Transform::IDENTITY; joints];
    let mut model = vec![Default::default(); joints];
    for clip in &import.clips {
        for t in [0.0, clip.duration_s() * 0.4, clip.duration_s(), f32::NAN, f32::INFINITY, -1.0] {
            clip.sample(&import.skeleton, t, &mut pose);
            model_matrices(&import.skeleton, &pose, &mut model);
        }
    }
    let options = BakeOptions { max_rows: 256, ..BakeOptions::default() };
    let Ok((bank, report)) = bake(&import.skeleton, &import.clips, &options) else { return };
    assert_eq!(report.clips.len(), import.clips.len());
    for (index, clip) in import.clips.iter().enumerate() {
        for t in [0.0, clip.duration_s() * 0.4, clip.duration_s(), f32::NAN, f32::INFINITY, -1.0] {
            bank.sample(bank.locate(index, t), &mut pose);
        }
    }
});
