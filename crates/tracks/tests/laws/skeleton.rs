//! Skeletons: order, look-up, matrices, and what is none. Skins beside them.

use glam::{Affine3A, DMat4, Mat3A, Quat, Vec3, Vec3A};
use proptest::collection::vec;
use proptest::prelude::*;
use throng_tracks::{
    Clip, Joint, JointIndex, Rest, Skeleton, SkeletonError, Skin, SkinError, Transform, extent,
    largest_coordinate,
};

use crate::make::{Figure, chain, exact_model, figure, joint, model_of};
use crate::oracle;

/// Parents in any order without a cycle: a tree in order, then shuffled.
fn shuffled_parents() -> impl Strategy<Value = Vec<Option<usize>>> {
    vec((any::<prop::sample::Index>(), 0u8..4), 1..40).prop_flat_map(|tree| {
        let parents: Vec<Option<usize>> =
            tree.iter().enumerate().map(|(j, (p, root))| (j > 0 && *root > 0).then(|| p.index(j))).collect();
        Just((0..parents.len()).collect::<Vec<usize>>()).prop_shuffle().prop_map(move |place| {
            let mut moved = vec![None; parents.len()];
            for (j, parent) in parents.iter().enumerate() {
                moved[place[j]] = parent.map(|p| place[p]);
            }
            moved
        })
    })
}

proptest! {
    #[test]
    fn sorting_keeps_every_joint_its_parent_and_the_order_of_siblings(parents in shuffled_parents()) {
        let joints: Vec<Joint<usize>> =
            parents.iter().enumerate().map(|(j, &parent)| joint(&j.to_string(), parent)).collect();
        let (skeleton, mapping) = Skeleton::from_any_order(joints).unwrap();
        prop_assert_eq!(skeleton.joint_count(), parents.len());
        for (place, &sorted) in mapping.iter().enumerate() {
            prop_assert_eq!(skeleton.name(sorted), place.to_string());
            let parent = skeleton.parents()[sorted.get()];
            prop_assert_eq!(parent, parents[place].map(|p| mapping[p]));
            prop_assert!(parent.is_none_or(|p| p < sorted));
        }
        for (a, b) in (1..parents.len()).map(|b| (b - 1, b)) {
            prop_assert!(parents[a] != parents[b] || mapping[a] < mapping[b]);
        }
        // What is in order already stays as it is.
        let again = skeleton.joints().map(|j| Joint {
            name: skeleton.name(j).into(),
            parent: skeleton.parents()[j.get()].map(JointIndex::get),
            rest: Rest::Trs(skeleton.rest()[j.get()]),
        });
        let (again, same) = Skeleton::from_any_order(again.collect()).unwrap();
        prop_assert_eq!(again, skeleton.clone());
        prop_assert!(same.into_iter().eq(skeleton.joints()));
    }

    #[test]
    fn rest_matrices_are_those_of_the_oracle(figure in figure()) {
        let figure = Figure { tracks: Vec::new(), ..figure };
        let skeleton = figure.skeleton();
        for (found, expected) in model_of(&skeleton, skeleton.rest()).iter().zip(oracle::model(&figure, 0.0)) {
            for (a, b) in glam::Mat4::from(*found).to_cols_array().iter().zip(expected.to_cols_array()) {
                prop_assert!((f64::from(*a) - b).abs() < 2e-5, "{found} oracle {expected}");
            }
        }
    }
}

#[test]
fn a_cycle_is_named_by_a_joint_on_it() {
    // 3 hangs below the cycle 1 -> 2 -> 1 and is not on it.
    let parents = [None, Some(2), Some(1), Some(2)];
    for order in [[0, 1, 2, 3], [3, 0, 2, 1]] {
        let place = |j: usize| order.iter().position(|&o| o == j).unwrap();
        let joints = order.map(|j: usize| joint(&format!("n{j}"), parents[j].map(place)));
        let Err(SkeletonError::Cycle { joint, name }) = Skeleton::from_any_order(joints.to_vec()) else {
            panic!("a cycle passed");
        };
        assert!([1, 2].contains(&order[joint]), "{joint} {name}");
        assert_eq!(name, format!("n{}", order[joint]));
    }
    let own = Skeleton::from_any_order(vec![joint("loop", Some(0))]).unwrap_err();
    assert_eq!(own.to_string(), "joint 0 (\"loop\") is its own ancestor");
}

#[test]
fn errors_name_the_joint_in_the_callers_list() {
    let rest = |joint: Joint<usize>, rest| Joint { rest, ..joint };
    let nan = Transform { translation: Vec3::new(0.0, f32::NAN, 0.0), ..Transform::IDENTITY };
    let flat = Transform { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Transform::IDENTITY };
    let sheared = Affine3A { matrix3: Mat3A::from_diagonal(Vec3::INFINITY), translation: Vec3A::ZERO };
    for (bad, said) in [
        (rest(joint("arm", Some(1)), Rest::Trs(nan)), "the rest of joint 0 (\"arm\") is not finite"),
        (rest(joint("arm", Some(1)), Rest::Matrix(sheared)), "the rest of joint 0 (\"arm\") is not finite"),
        (
            rest(joint("arm", Some(1)), Rest::Trs(flat)),
            "the rest rotation of joint 0 (\"arm\") has length zero",
        ),
        (joint("arm", Some(7)), "joint 0 (\"arm\") has parent 7, but there are 2 joints"),
    ] {
        // Sorted, the bad joint would be number 1.
        let error = Skeleton::from_any_order(vec![bad, joint("root", None)]).unwrap_err();
        assert!(error.to_string().starts_with(said), "{error}");
    }
    let error = Skeleton::new([joint("a", None), joint("b", Some(JointIndex(1)))]).unwrap_err();
    let said = "joint 1 (\"b\") has parent 1, but a parent must come before its children";
    assert_eq!(error.to_string(), said);
}

#[test]
fn joints_are_counted_up_to_65535() {
    let parent = |j: usize| j.checked_sub(1).map(|p| JointIndex(p as u16));
    let line = |count: usize| (0..count).map(move |j| joint("j", parent(j)));
    let full = Skeleton::new(line(65_535)).unwrap();
    assert_eq!(full.joints().len(), 65_535);
    assert_eq!(full.joints().last(), Some(JointIndex(65_534)));
    let (sorted, _) =
        Skeleton::from_any_order((0..65_535).map(|j| joint("j", (j < 65_534).then_some(j + 1))).collect())
            .unwrap();
    assert_eq!(sorted, full);
    let said = "65540 joints, but a skeleton holds at most 65535";
    assert_eq!(Skeleton::new(line(65_540)).unwrap_err().to_string(), said);
    let flat = vec![joint("j", None); 65_540];
    assert_eq!(Skeleton::from_any_order(flat).unwrap_err().to_string(), said);
}

#[test]
fn an_empty_skeleton_is_a_skeleton() {
    let (skeleton, mapping) = Skeleton::from_any_order(Vec::new()).unwrap();
    assert_eq!((skeleton.joint_count(), mapping.len()), (0, 0));
    assert_eq!(skeleton, Skeleton::new([]).unwrap());
    let model = model_of(&skeleton, &[]);
    assert_eq!((extent(&model), largest_coordinate(&model)), (0.0, 0.0));
}

#[test]
fn names_may_repeat() {
    let skeleton = Skeleton::new([joint("a", None), joint("b", None), joint("a", None)]).unwrap();
    assert_eq!(skeleton.find("a"), Some(JointIndex(0)));
    assert_eq!(skeleton.find_all("a").collect::<Vec<_>>(), [JointIndex(0), JointIndex(2)]);
    assert_eq!(skeleton.find("c"), None);
}

#[test]
fn a_rest_matrix_takes_the_place_of_the_transform() {
    let shear = Affine3A {
        matrix3: Mat3A::from_cols(Vec3A::X, Vec3A::new(0.5, 1.0, 0.0), Vec3A::Z),
        translation: Vec3A::new(1.0, 2.0, 3.0),
    };
    let bent = Joint { rest: Rest::Matrix(shear), ..joint("bent", Some(JointIndex(0))) };
    let up = Transform { translation: Vec3::Y, ..Transform::IDENTITY };
    let child = Joint { rest: Rest::Trs(up), ..joint("child", Some(JointIndex(1))) };
    let skeleton = Skeleton::new([joint("root", None), bent, child]).unwrap();
    assert_eq!(skeleton.fixed_matrix(JointIndex(1)), Some(shear));
    assert_eq!([0, 2].map(|j| skeleton.fixed_matrix(JointIndex(j))), [None, None]);
    let model = model_of(&skeleton, skeleton.rest());
    assert_eq!(model[1], shear);
    assert_eq!(model[2].translation, Vec3A::new(1.5, 3.0, 3.0));
    let exact = exact_model(&skeleton, &Clip::new("still", &skeleton, []).unwrap(), 0.0);
    let wide: Vec<DMat4> = model.iter().map(|m| m.as_daffine3().into()).collect();
    assert_eq!(exact, wide);
}

#[test]
fn zero_and_negative_scale_survive() {
    let scaled = |scale| Transform { scale, translation: Vec3::X, ..Transform::IDENTITY };
    let joints = vec![(None, scaled(Vec3::ZERO)), (Some(0), scaled(Vec3::ONE)), (None, scaled(-Vec3::ONE))];
    let skeleton = Figure { joints, tracks: Vec::new() }.skeleton();
    let model = model_of(&skeleton, skeleton.rest());
    assert!(model.iter().all(|m| m.is_finite()));
    assert_eq!(model[1].translation, Vec3A::X);
    assert_eq!(model[2].transform_point3(Vec3::X), Vec3::ZERO);
}

#[test]
fn size_is_measured_over_origins() {
    let model = model_of(&chain(4), chain(4).rest());
    assert_eq!((extent(&model), largest_coordinate(&model)), (3.0, 4.0));
}

#[test]
fn skins_check_their_joints_and_matrices() {
    let skeleton = chain(2);
    let both = || vec![JointIndex(0), JointIndex(1)];
    let plain = Skin::new("s", &skeleton, both(), None).unwrap();
    assert_eq!(plain.inverse_bind(), [Affine3A::IDENTITY; 2]);
    assert_eq!(Skin::model_space(&skeleton).joints(), both());

    let error = Skin::new("cape", &skeleton, both(), Some(vec![Affine3A::IDENTITY])).unwrap_err();
    assert_eq!(error.to_string(), "skin \"cape\" has 2 joints but 1 inverse bind matrices");
    let error = Skin::new("cape", &skeleton, vec![JointIndex(0), JointIndex(2)], None).unwrap_err();
    assert_eq!(error.to_string(), "skin \"cape\" names joint 2 at place 1, but the skeleton has 2 joints");
    let nan = Affine3A { translation: Vec3A::NAN, ..Affine3A::IDENTITY };
    let error = Skin::new("cape", &skeleton, both(), Some(vec![Affine3A::IDENTITY, nan])).unwrap_err();
    assert!(matches!(error, SkinError::NotFinite { place: 1, .. }));
    assert_eq!(error.to_string(), "inverse bind matrix 1 of skin \"cape\" is not finite");
}
