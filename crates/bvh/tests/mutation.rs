//! Whatever becomes of a small valid file, the import answers.

mod common;

use common::EVERYTHING;
use proptest::prelude::*;
use throng_bvh::import_slice;
use throng_tracks::{BakeOptions, Transform, bake};

/// Imports, and where that works, samples and bakes.
fn run(bytes: &[u8]) -> Result<(), TestCaseError> {
    let import = match import_slice(bytes, "clip") {
        Ok(import) => import,
        Err(error) => {
            prop_assert!(!error.to_string().contains('\n'), "one line: {error}");
            return Ok(());
        }
    };
    let joints = import.skeleton.joint_count();
    prop_assert_eq!(import.skins[0].joints().len(), joints);
    prop_assert!(import.end_sites.iter().all(|end| end.joint.get() < joints));
    let Some(clip) = import.clips.first() else { return Ok(()) };
    let mut pose = vec![Transform::IDENTITY; joints];
    clip.sample(&import.skeleton, clip.duration_s() / 3.0, &mut pose);
    prop_assert!(pose.iter().all(Transform::is_finite));
    let options = BakeOptions { max_rows: 1 << 10, ..BakeOptions::default() };
    if let Ok((bank, _)) = bake(&import.skeleton, std::slice::from_ref(clip), &options)
        && !bank.clips().is_empty()
    {
        bank.sample(bank.locate(0, 0.05), &mut pose);
    }
    Ok(())
}

/// What may stand where a word stood.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "",
        "{",
        "}",
        "{ }",
        "\n",
        "\r",
        "#",
        "//",
        "ROOT",
        "JOINT x\n{ OFFSET 0 0 0 }",
        "End Site { OFFSET 1 1 1 }",
        "OFFSET 1 2 3",
        "CHANNELS 1 Xposition",
        "Zrotation",
        "MOTION",
        "Frames:",
        "Frame Time:",
        "0",
        "-0",
        "-1",
        "1e38",
        "-3e38",
        "1e-45",
        "1e-400",
        "1e400",
        "nan",
        "inf",
        "18446744073709551615",
        "\u{feff}",
        "\u{a0}",
        "é",
        ":",
    ];
    prop::sample::select(words.map(str::to_owned).to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in any::<prop::sample::Index>(), cuts in any::<bool>()) {
        let mut bytes = EVERYTHING.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cuts {
            bytes.truncate(cut.index(bytes.len()));
        }
        run(&bytes)?;
    }

    #[test]
    fn any_words(changes in prop::collection::vec((any::<prop::sample::Index>(), word()), 1..5)) {
        let mut words: Vec<String> = EVERYTHING.split_inclusive(char::is_whitespace).map(str::to_owned).collect();
        for (at, word) in changes {
            let at = at.index(words.len());
            let end = if words[at].ends_with('\n') { "\n" } else { " " };
            words[at] = word + end;
        }
        run(words.concat().as_bytes())?;
    }
}
