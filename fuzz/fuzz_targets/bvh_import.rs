//! Any bytes as a BVH file: an error or an import, and what imports can be sampled and baked. Never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_bvh::import_slice;
use throng_tracks::import::{Content, Format};
use throng_tracks::{BakeOptions, Transform, bake, model_matrices};

fuzz_target!(|bytes: &[u8]| {
    let import = match import_slice(bytes, "clip") {
        Ok(import) => import,
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "an error is one line: {error}");
            return;
        }
    };
    assert!(matches!(Content::of(bytes), Content::Known(Format::Bvh)), "what imports is known by its content");
    let joints = import.skeleton.joint_count();
    assert_eq!(import.skins[0].joints().len(), joints);
    assert!(import.end_sites.iter().all(|end| end.joint.get() < joints));
    let Some(clip) = import.clips.into_iter().next() else { return };
    let mut pose = vec![Transform::IDENTITY; joints];
    let mut model = vec![Default::default(); joints];
    let times = [0.0, clip.duration_s() * 0.4, clip.duration_s(), f32::NAN, f32::INFINITY, -1.0];
    for t in times {
        clip.sample(&import.skeleton, t, &mut pose);
        assert!(pose.iter().all(Transform::is_finite), "a pose at {t} s");
        model_matrices(&import.skeleton, &pose, &mut model);
    }
    let options = BakeOptions { max_rows: 256, ..BakeOptions::default() };
    let Ok((bank, _)) = bake(&import.skeleton, &[clip], &options) else { return };
    times.iter().for_each(|&t| bank.sample(bank.locate(0, t), &mut pose));
});
