//! Inverse bind matrices: what is wrong with them, and the pose that they say.

use crate::common::tiny::{Tiny, lines};
use glam::{Affine3A, Mat4, Quat, Vec3};
use serde_json::json;
use throng_gltf::{Import, ImportOptions};
use throng_tracks::{Transform, model_matrices};

const AT: &str = "skins[0].inverseBindMatrices: ";

/// A file whose skin of three joints, one below the other, has these matrices.
fn skin(matrices: &[Mat4]) -> Tiny {
    let mut tiny = Tiny::new(json!([{ "children": [1] }, { "children": [2] }, {}]));
    let numbers: Vec<f32> = matrices.iter().flat_map(Mat4::to_cols_array).collect();
    let accessor = tiny.floats("MAT4", &numbers);
    tiny.json["skins"] = json!([{ "joints": [0, 1, 2], "inverseBindMatrices": accessor }]);
    tiny
}

fn matrices(import: &Import) -> Vec<Mat4> {
    import.skins[0].inverse_bind().iter().map(|&m| Mat4::from(m)).collect()
}

/// Three matrices that turn, of which the first has no translation.
fn plain() -> [Mat4; 3] {
    let turn = |x: f32, at: Vec3| {
        Mat4::from_scale_rotation_translation(Vec3::splat(1.5), Quat::from_rotation_x(x), at)
    };
    [turn(0.5, Vec3::ZERO), turn(1.0, Vec3::new(0.0, -0.01, 0.002)), turn(1.5, Vec3::new(3.0, 0.5, 0.25))]
}

#[test]
fn plain_matrices_are_taken_as_they_are() {
    let import = skin(&plain()).import();
    assert_eq!(matrices(&import), plain());
    assert!(import.report.is_empty(), "{}", import.report);
    // Rounding in the bottom row is no translation.
    let mut rounded = plain();
    rounded[0].x_axis.w = 3e-6;
    let import = skin(&rounded).import();
    assert_eq!(matrices(&import), plain());
    assert!(
        lines(&import)[0].contains("1 of 3 matrices whose bottom row is not 0 0 0 1"),
        "{}",
        import.report
    );
}

#[test]
fn transposed_matrices_are_turned_round() {
    let import = skin(&plain().map(|m| m.transpose())).import();
    // The first too, though nothing of itself says so.
    assert_eq!(matrices(&import), plain());
    let begins = format!(
        "repair: {AT}3 of 3 matrices are transposed (the first, of nodes[1], has the bottom row 0 -0.01 0.002 1, expected \
         0 0 0 1"
    );
    assert!(lines(&import)[0].starts_with(&begins), "{}", import.report);
    assert_eq!(lines(&import).len(), 1);
    // One of several.
    let [a, b, c] = plain();
    let import = skin(&[a, b, c.transpose()]).import();
    assert_eq!(matrices(&import), plain());
    assert!(
        lines(&import)[0]
            .starts_with(&format!("repair: {AT}1 of 3 matrices are transposed (the first, of nodes[2]"))
    );
    // What is flat says nothing of where its translation is.
    let flat = Mat4::from_cols_array(&[
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0,
    ]);
    let import = skin(&[flat, Mat4::IDENTITY, Mat4::IDENTITY]).import();
    assert!(
        lines(&import)[0].contains("1 of 3 matrices whose bottom row is not 0 0 0 1"),
        "{}",
        import.report
    );
    // And divided by w.
    let import = skin(&plain().map(|m| (m * 2.0).transpose())).import();
    assert_eq!(matrices(&import), plain());
    assert!(lines(&import)[0].contains("3 of 3 matrices are transposed"));
}

#[test]
fn w_is_divided_out() {
    for w in [2.0, 0.5, -4.0] {
        let [a, b, c] = plain();
        let import = skin(&[a, b * w, c]).import();
        assert_eq!(matrices(&import), plain());
        let line = format!(
            "repair: {AT}1 of 3 matrices have a w that is not 1 (the first, of nodes[1], has the bottom row"
        );
        assert!(lines(&import)[0].starts_with(&line), "{}", import.report);
        assert!(
            lines(&import)[0].contains(&format!(" {w}, expected 0 0 0 1); divided by it")),
            "{}",
            import.report
        );
    }
    for w in [0.0, 1e-40] {
        let [a, mut b, c] = plain();
        b.w_axis.w = w;
        let import = skin(&[a, b, c]).import();
        assert_eq!(matrices(&import), plain());
        assert!(
            lines(&import)[0].contains("1 of 3 matrices whose bottom row is not 0 0 0 1"),
            "{}",
            import.report
        );
    }
}

#[test]
fn zero_and_flat_matrices_are_told_apart() {
    let [a, b, c] = plain();
    let import = skin(&[a, Mat4::ZERO, c]).import();
    assert_eq!(import.skins[0].inverse_bind()[1].matrix3, Affine3A::ZERO.matrix3);
    assert!(
        lines(&import)[0]
            .starts_with(&format!("remark: {AT}1 of 3 matrices are all 0 (the first is that of nodes[1])"))
    );
    assert_eq!(lines(&import).len(), 1);
    let import = skin(&[Mat4::ZERO; 3]).import();
    assert!(lines(&import)[0].starts_with(&format!("remark: {AT}3 of 3 matrices are all 0")));
    for flat in [Vec3::new(1.0, 0.0, 1.0), Vec3::ZERO] {
        let import = skin(&[a, b * Mat4::from_scale(flat), c]).import();
        let line = format!("remark: {AT}1 of 3 matrices can't be inverted (the first is that of nodes[1])");
        assert!(lines(&import)[0].starts_with(&line), "{}", import.report);
        assert_eq!(lines(&import).len(), 1);
    }
}

#[test]
fn numbers_that_are_none_are_an_error() {
    for (at, value, place) in [(0, f32::NAN, "row 0, column 0"), (7, f32::INFINITY, "row 3, column 1")] {
        let [a, b, c] = plain();
        let mut numbers = b.to_cols_array();
        numbers[at] = value;
        let error = skin(&[a, Mat4::from_cols_array(&numbers), c]).error();
        assert_eq!(
            error,
            format!("{AT}found {value} in {place} of the matrix of nodes[1], expected finite numbers")
        );
    }
}

#[test]
fn the_rest_can_be_the_pose_that_the_skin_was_bound_in() {
    let mut tiny = skin(&plain());
    // A helper above the skin's joints keeps its rest, and so does one between them.
    tiny.json["nodes"] = json!([
        { "children": [3] }, { "children": [2], "translation": [9, 9, 9] }, { "rotation": [1, 0, 0, 0] },
        { "children": [1], "scale": [2, 2, 2], "translation": [0, 1, 0] }, { "children": [0], "translation": [5, 0, 0] },
    ]);
    let options = ImportOptions { rest_from_bind: true, ..ImportOptions::default() };
    let palette = |import: &Import| -> Vec<Affine3A> {
        let mut model = vec![Affine3A::IDENTITY; import.skeleton.joint_count()];
        model_matrices(&import.skeleton, import.skeleton.rest(), &mut model);
        let skin = &import.skins[0];
        skin.joints().iter().zip(skin.inverse_bind()).map(|(j, bind)| model[j.get()] * *bind).collect()
    };
    let import = tiny.import_with(&options).unwrap();
    for entry in palette(&import) {
        assert!(entry.abs_diff_eq(Affine3A::IDENTITY, 1e-5), "{entry:?}");
    }
    assert!(
        !palette(&tiny.import())[0].abs_diff_eq(Affine3A::IDENTITY, 1e-2),
        "without the option it is another"
    );
    let helper = import.joint_of_node(3).unwrap();
    let rest = Transform { translation: Vec3::Y, scale: Vec3::splat(2.0), ..Transform::IDENTITY };
    assert_eq!(import.skeleton.rest()[helper.get()], rest);
    assert_eq!(lines(&import), ["remark: skins: the rest of 3 joints was taken from inverse bind matrices"]);

    // What can't be inverted keeps its rest, and of two skins the first counts.
    let [a, _, c] = plain();
    let mut tiny = skin(&[a, Mat4::ZERO, c]);
    let second: Vec<f32> = [c, a].iter().flat_map(Mat4::to_cols_array).collect();
    let second = tiny.floats("MAT4", &second);
    tiny.json["skins"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "joints": [0, 2], "inverseBindMatrices": second }));
    let import = tiny.import_with(&options).unwrap();
    let palette = palette(&import);
    assert!([0, 2].iter().all(|&i: &usize| palette[i].abs_diff_eq(Affine3A::IDENTITY, 1e-5)));
    assert_eq!(import.skeleton.rest()[1], Transform::IDENTITY);
    let said = lines(&import).join("\n");
    assert!(said.contains("skip: skins[0]: 1 joints keep the rest of their node"), "{said}");
    assert!(
        said.contains("remark: skins[1]: 2 joints are bound elsewhere by a skin before this one"),
        "{said}"
    );
}
