//! Poses that callers give, in the place of clips.

use glam::{Affine3A, Quat, Vec3};
use throng_crowd::{AtEnd, Crowd, CrowdError, Detail, InstanceId, Playback, Threads};
use throng_kernels::{ExternalError, Level, RowFormat};
use throng_tracks::{JointIndex, Transform, WrapMode, model_matrices};

use crate::make::{bits, plan, plan_of, playback, posable_bank};

fn crowd(level: Level) -> Crowd {
    Crowd::with_plan(plan(posable_bank(&[1.0, 2.0])), level)
}

/// Something different for every `i`.
fn pose(i: usize) -> [Transform; 2] {
    let of = |joint: usize| Transform {
        translation: Vec3::new(3.0 + i as f32, joint as f32, -1.0),
        rotation: Quat::from_rotation_x(0.1 * i as f32 + joint as f32),
        scale: Vec3::splat(1.0 + 0.1 * joint as f32),
    };
    [of(0), of(1)]
}

/// Where a crowd has an instance's joints is where a pose has them.
fn hold(crowd: &Crowd, id: InstanceId, locals: &[Transform]) {
    let mut models = [Affine3A::IDENTITY; 2];
    model_matrices(crowd.bank().skeleton(), locals, &mut models);
    for (model, found) in models.iter().zip(crowd.palette(id).unwrap().chunks_exact(12)) {
        for (at, v) in found.iter().enumerate() {
            let expected =
                if at % 4 == 3 { model.translation[at / 4] } else { model.matrix3.col(at % 4)[at / 4] };
            assert!((v - expected).abs() < 1e-4, "{id}: {found:?}, not {model}");
        }
    }
}

#[test]
fn given_poses_are_shown_alone_and_among_clips_on_any_threads() {
    let pools = [1, 2, 3].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    for level in Level::available() {
        println!("level {level}");
        let mut first = None;
        for (at, pool) in pools.iter().enumerate() {
            let mut crowd = crowd(level);
            crowd.set_threads(if at == 0 { Threads::One } else { Threads::Pool });
            crowd.set_shard_slots((at == 1).then_some(16));
            let ids: Vec<InstanceId> = (0..100).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
            let posed: Vec<InstanceId> = ids.iter().copied().step_by(3).collect();
            let locals: Vec<Transform> = posed.iter().flat_map(|id| pose(id.slot())).collect();
            crowd.set_poses(&posed, &locals).unwrap();
            for id in &posed {
                crowd.crossfade(*id, Playback::external(), 0.0).unwrap();
            }
            pool.install(|| crowd.evaluate().len());
            posed.iter().for_each(|id| hold(&crowd, *id, &pose(id.slot())));
            let all = bits(crowd.palettes());
            assert!(*first.get_or_insert(all.clone()) == all);
        }
    }
}

#[test]
fn poses_fade_in_and_out_and_are_masked() {
    for level in Level::available() {
        let mut crowd = crowd(level);
        let id = crowd.spawn(Playback { speed: 0.0, ..Playback::default() }).unwrap();
        let at = |x: f32| Transform { translation: Vec3::new(x, 0.0, 0.0), ..Transform::IDENTITY };
        let arm = crowd.bank().skeleton().rest()[1];
        crowd.set_pose(id, &[at(8.0), arm]).unwrap();
        crowd.crossfade(id, Playback::external(), 1.0).unwrap();
        for (dt, expected) in [(0.25, 2.0), (0.25, 4.0), (0.5, 8.0), (1.0, 8.0)] {
            crowd.advance(dt).unwrap();
            assert!((crowd.evaluate()[3] - expected).abs() < 1e-5, "after {dt} at {level}");
        }
        assert!(crowd.playback(id).unwrap().external);
        // A new pose shows in the next frame, without a word of the playback.
        crowd.set_pose(id, &[at(4.0), arm]).unwrap();
        assert!((crowd.evaluate()[3] - 4.0).abs() < 1e-5, "{level}");
        crowd.crossfade(id, Playback { time_s: 0.5, speed: 0.0, ..Playback::default() }, 0.5).unwrap();
        crowd.advance(0.25).unwrap();
        assert!((crowd.evaluate()[3] - 2.25).abs() < 1e-5, "{level}");
        crowd.advance(0.5).unwrap();
        assert_eq!(crowd.evaluate()[3], 0.5, "{level}");

        let only_arm = crowd.add_mask(&[0.0, 1.0]).unwrap();
        crowd.set_weight(id, 0.0).unwrap();
        crowd.play(id, Playback { mask: Some(only_arm), ..Playback::external() }).unwrap();
        crowd.set_pose(id, &[at(4.0), at(1.5)]).unwrap();
        // The root rests.
        let out = crowd.evaluate();
        assert!((out[3].abs() < 1e-6) && (out[12 + 3] - 1.5).abs() < 1e-5, "{out:?} at {level}");
    }
}

#[test]
fn the_way_between_two_poses_is_the_callers() {
    let mut crowd = crowd(Level::detect());
    let id = crowd.spawn(Playback::external()).unwrap();
    crowd.evaluate();
    // Nobody gave one yet.
    hold(&crowd, id, crowd.bank().skeleton().rest());
    crowd.set_pose(id, &pose(1)).unwrap();
    crowd.next_pose(id, &pose(3)).unwrap();
    for (way, shown) in [(0.0, 1), (1.0, 3), (7.0, 3), (-1.0, 1)] {
        crowd.set_pose_way(id, way).unwrap();
        crowd.evaluate();
        hold(&crowd, id, &pose(shown));
    }
    crowd.set_pose_way(id, 0.5).unwrap();
    assert!((crowd.evaluate()[3] - 5.0).abs() < 1e-5);
    assert!(crowd.set_pose_way(id, f32::NAN).is_err());
    // A slot that is used again has no pose, and its memory serves the next who is given one.
    crowd.despawn(id).unwrap();
    let again = crowd.spawn(Playback::external()).unwrap();
    assert_eq!(again.slot(), id.slot());
    crowd.evaluate();
    hold(&crowd, again, crowd.bank().skeleton().rest());
    crowd.set_pose_way(again, 0.5).unwrap();
    crowd.evaluate();
    hold(&crowd, again, crowd.bank().skeleton().rest());
    let other = crowd.spawn(Playback::external()).unwrap();
    crowd.set_pose(other, &pose(2)).unwrap();
    crowd.evaluate();
    hold(&crowd, again, crowd.bank().skeleton().rest());
    hold(&crowd, other, &pose(2));
}

#[test]
fn levels_of_joints_show_given_poses_too() {
    let mut crowd = crowd(Level::detect());
    crowd.set_joint_levels(&[JointIndex(0), JointIndex(1)], &[1]).unwrap();
    let id = crowd.spawn(Playback::external()).unwrap();
    crowd.set_detail(id, Detail { level: 1, ..Detail::default() }).unwrap();
    crowd.set_pose(id, &pose(2)).unwrap();
    crowd.evaluate();
    // The arm rests.
    hold(&crowd, id, &[pose(2)[0], crowd.bank().skeleton().rest()[1]]);
}

#[test]
fn the_clock_of_a_pose_can_end_it() {
    let mut crowd = crowd(Level::detect());
    let id = crowd.spawn(Playback::default()).unwrap();
    let for_a_second =
        Playback { speed: 1.0, wrap: WrapMode::Clamp, at_end: AtEnd::Remove, ..Playback::external() };
    let hit = crowd.play(id, for_a_second).unwrap();
    crowd.advance(0.75).unwrap();
    assert!(crowd.playback(hit).unwrap().external);
    crowd.advance(0.5).unwrap();
    assert!(crowd.playback(hit).is_err());
}

#[test]
fn poses_that_cannot_be() {
    let mut crowd = crowd(Level::detect());
    let id = crowd.spawn(Playback::external()).unwrap();
    crowd.set_pose(id, &pose(1)).unwrap();
    let mut wrong = pose(2);
    wrong[1].rotation = Quat::from_array([0.0; 4]);
    let joint = JointIndex(1);
    let error = ExternalError::NotFinite { joint, what: "rotation" };
    assert_eq!(crowd.set_pose(id, &wrong), Err(CrowdError::External(error.clone())));
    assert_eq!(crowd.next_pose(id, &wrong), Err(CrowdError::External(error)));
    let two = crowd.spawn(Playback::external()).unwrap();
    assert!(crowd.set_poses(&[id, two], &[pose(3), wrong].concat()).is_err());
    let error = crowd.set_poses(&[id, two], &pose(3)).unwrap_err();
    assert_eq!(error.to_string(), "2 transforms for instances that need 4");
    crowd.evaluate();
    hold(&crowd, id, &pose(1));
    let additive = Playback { additive: true, ..Playback::external() };
    assert_eq!(crowd.play(id, additive), Err(CrowdError::AdditivePose));
    crowd.despawn(id).unwrap();
    assert_eq!(crowd.set_pose(id, &pose(1)), Err(CrowdError::Despawned { id }));

    let plan = plan_of(posable_bank(&[1.0]), RowFormat::I16);
    let mut packed = Crowd::with_plan(plan, Level::detect());
    let refused = Err(CrowdError::External(ExternalError::RowFormat));
    assert_eq!(packed.spawn(Playback::external()), refused);
    let id = packed.spawn(Playback::default()).unwrap();
    assert_eq!(packed.set_pose(id, &pose(1)).map(|()| id), refused);
    assert_eq!(packed.update_all(|_, _| Playback::external()).map(|()| id), refused);
}
