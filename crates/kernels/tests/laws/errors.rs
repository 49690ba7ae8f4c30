//! What arguments are refused, and in which words.

use std::sync::Arc;

use throng_kernels::{
    Layout, Level, LookupError, ModelBlocks, PaletteFormat, PaletteJob, Plan, PoseBlocks, QuatBlock,
    find_keys, model_to_palette, nlerp, pose_to_model, sample,
};
use throng_tracks::{
    BakeOptions, Bank, Channel, Clip, Interpolation, Joint, JointIndex, Rest, RowPair, Skeleton, Skin, Track,
    Transform, bake,
};

fn skeleton(joints: u16) -> Skeleton {
    let joint = |j: u16| Joint {
        name: String::new(),
        parent: j.checked_sub(1).map(JointIndex),
        rest: Rest::Trs(Transform::IDENTITY),
    };
    Skeleton::new((0..joints).map(joint)).unwrap()
}

/// Two joints, of which the first slides for a twelfth of a second: three rows.
fn bank() -> Arc<Bank> {
    let skeleton = skeleton(2);
    let values = vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0];
    let track =
        Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0 / 12.0], values).unwrap();
    let clip = Clip::new("slide", &skeleton, [(JointIndex(0), track)]).unwrap();
    let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default()).unwrap();
    assert_eq!(bank.row_count(), 3);
    Arc::new(bank)
}

fn plan() -> Plan {
    let bank = bank();
    Plan::new(Arc::clone(&bank), &Skin::model_space(bank.skeleton())).unwrap()
}

fn at(row: u32) -> RowPair {
    RowPair { row, fraction: 0.5 }
}

fn job_error(pairs: &[RowPair], places: &[u32], floats: usize) -> Option<String> {
    PaletteJob::new(&plan(), pairs, places, &mut vec![0.0; floats]).err().map(|e| e.to_string())
}

#[test]
fn jobs_that_cannot_be() {
    assert_eq!(job_error(&[at(0), at(1)], &[1, 0], 48), None);
    assert_eq!(job_error(&[], &[], 0), None);
    assert_eq!(job_error(&[at(0)], &[0, 1], 48).unwrap(), "1 row pairs but 2 places");
    assert_eq!(
        job_error(&[at(1), at(2)], &[0, 1], 48).unwrap(),
        "instance 1 reads rows 2 and 2 + 1, but the bank has 3 rows"
    );
    assert!(job_error(&[at(u32::MAX)], &[0], 48).is_some());
    let no_room = "instance 1 writes palette 1, but the buffer has room for 1 of 24 floats";
    assert_eq!(job_error(&[at(0), at(1)], &[0, 1], 47).unwrap(), no_room);
    assert!(job_error(&[at(0)], &[u32::MAX], 48).is_some());
    assert!(job_error(&[at(0)], &[0], 0).is_some());
}

#[test]
fn layouts_that_cannot_be() {
    let plan = plan();
    let error = |layout: Layout, floats: usize| {
        let (pairs, mut out) = ([at(0), at(1)], vec![0.0; floats]);
        PaletteJob::with_layout(&plan, &pairs, &[0, 1], &mut out, layout).err().map(|e| e.to_string())
    };
    for format in PaletteFormat::ALL {
        let (layout, size) = (Layout::new(format), 2 * format.floats());
        assert_eq!(format.bytes(), 4 * format.floats());
        assert_eq!(error(layout, 2 * size), None);
        assert!(error(layout, 2 * size - 1).is_some());
        assert_eq!(error(layout.with_offset(3).with_stride(size + 5), 3 + size + 5 + size), None);
        assert!(error(layout.with_offset(3).with_stride(size + 5), 3 + size + 5 + size - 1).is_some());
        for stride in [0, 1, size - 1] {
            let overlap = format!("palettes begin {stride} floats apart, but one takes {size}");
            assert_eq!(error(layout.with_stride(stride), 1000).unwrap(), overlap);
        }
        assert!(error(layout.with_stride(usize::MAX), 1000).is_some());
        assert!(error(layout.with_offset(usize::MAX), 1000).is_some());
    }
    let no_room = "instance 1 writes palette 1, but the buffer has room for 1 of 32 floats";
    assert_eq!(error(Layout::new(PaletteFormat::Matrix).with_offset(8), 64).unwrap(), no_room);
}

#[test]
fn stages_that_cannot_be() {
    let (plan, level) = (plan(), Level::detect());
    let mut poses = PoseBlocks::new(2, 3);
    let error = sample(level, &plan, &[at(0)], &mut poses).unwrap_err();
    assert_eq!(error.to_string(), "1 row pairs but 3 places");
    let error = sample(level, &plan, &[at(0), at(1), at(2)], &mut poses).unwrap_err();
    assert_eq!(error.to_string(), "instance 2 reads rows 2 and 2 + 1, but the bank has 3 rows");
    let models = ModelBlocks::new(2, 3);
    let error = model_to_palette(level, &plan, &models, &mut [0.0; 71]).unwrap_err();
    let no_room = "instance 2 writes palette 2, but the buffer has room for 2 of 24 floats";
    assert_eq!(error.to_string(), no_room);
    model_to_palette(level, &plan, &models, &mut [0.0; 72]).unwrap();
    model_to_palette(level, &plan, &ModelBlocks::new(2, 0), &mut []).unwrap();
}

#[test]
#[should_panic(expected = "poses are of another skeleton")]
fn poses_of_another_skeleton() {
    let _ = sample(Level::detect(), &plan(), &[at(0)], &mut PoseBlocks::new(3, 1));
}

#[test]
#[should_panic(expected = "poses are of another skeleton")]
fn posed_joints_of_another_skeleton() {
    pose_to_model(Level::detect(), &plan(), &PoseBlocks::new(1, 1), &mut ModelBlocks::new(1, 1));
}

#[test]
#[should_panic(expected = "poses and models are of different skeletons")]
fn models_of_another_skeleton_than_the_poses() {
    pose_to_model(Level::detect(), &plan(), &PoseBlocks::new(2, 1), &mut ModelBlocks::new(1, 1));
}

#[test]
#[should_panic(expected = "poses and models are of different instances")]
fn models_of_other_instances_than_the_poses() {
    pose_to_model(Level::detect(), &plan(), &PoseBlocks::new(2, 1), &mut ModelBlocks::new(2, 2));
}

#[test]
#[should_panic(expected = "models are of another skeleton")]
fn models_of_another_skeleton() {
    let _ = model_to_palette(Level::detect(), &plan(), &ModelBlocks::new(1, 1), &mut [0.0; 24]);
}

#[test]
#[should_panic(expected = "instance 1 of 1")]
fn an_instance_that_is_not_in_the_block() {
    let _ = PoseBlocks::new(2, 1).transform(1, JointIndex(0));
}

#[test]
#[should_panic(expected = "joint 2 of 2")]
fn a_joint_that_is_not_in_the_block() {
    let _ = ModelBlocks::new(2, 1).matrix(0, JointIndex(2));
}

#[test]
#[should_panic(expected = "one block of each a block of results")]
fn rotations_without_room() {
    let blocks: [QuatBlock; 1] = bytemuck::Zeroable::zeroed();
    nlerp(Level::detect(), &blocks, &blocks, &[], &mut []);
}

#[test]
fn skins_that_do_not_fit() {
    let large = Skin::model_space(&skeleton(5));
    let error = Plan::new(bank(), &large).unwrap_err();
    let message = "skin \"model matrices\" names joint 2 at place 2, but the bank's skeleton has 2 joints";
    assert_eq!(error.to_string(), message);
    let empty = Skin::new("none", &skeleton(1), Vec::new(), None).unwrap();
    let error = Plan::new(bank(), &empty).unwrap_err();
    assert_eq!(error.to_string(), "skin \"none\" has no joints, so there is no palette to write");
}

#[test]
fn lookups_that_cannot_be() {
    let run = |keys: &[f32], times: usize, found: usize, fractions: usize| {
        let (times, mut found, mut fractions) = (vec![0.0; times], vec![0; found], vec![0.0; fractions]);
        find_keys(Level::detect(), keys, &times, &mut found, &mut fractions)
    };
    let none = run(&[], 1, 1, 1).unwrap_err();
    assert_eq!(none, LookupError::KeyCount { keys: 0 });
    assert_eq!(none.to_string(), "0 key times, but a look-up needs at least one and fewer than 2147483647");
    let room = run(&[0.0], 3, 2, 3).unwrap_err();
    assert_eq!(room.to_string(), "3 times go in, but there is room for 2 keys and 3 fractions");
    assert_eq!(run(&[0.0], 3, 3, 4), Err(LookupError::Room { times: 3, keys: 3, fractions: 4 }));
    assert_eq!(run(&[0.0], 0, 0, 0), Ok(()));
}

#[cfg(panic = "unwind")]
#[test]
fn blocks_beyond_all_memory_are_refused_whatever_the_product_wraps_to() {
    for (joints, instances) in
        [(usize::MAX, usize::MAX), (usize::MAX / 2 + 1, 32), (usize::MAX >> 13, 1 << 20), (3, usize::MAX)]
    {
        for new in [|j, i| drop(PoseBlocks::new(j, i)), |j, i| drop(ModelBlocks::new(j, i))] {
            let panic = std::panic::catch_unwind(|| new(joints, instances)).unwrap_err();
            let message = panic.downcast_ref::<String>().expect("a message with numbers");
            assert!(message.contains("more bytes than can be addressed"), "{message}");
        }
    }
    assert_eq!(PoseBlocks::new(0, usize::MAX).instances(), usize::MAX);
}
