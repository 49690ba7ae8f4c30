//! Any bytes as a glTF file: an error or an import, and what imports can be sampled and baked. Never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_gltf::{ImportOptions, import_slice_with};
use throng_tracks::{BakeOptions, Transform, bake, model_matrices};

fuzz_target!(|bytes: &[u8]| {
    let options = ImportOptions { shift_negative_times: true, max_numbers: 1 << 18 };
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
