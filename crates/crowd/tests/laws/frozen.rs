//! Instances that do not change: left out, with the bits that they would have if every frame posed them.

use std::sync::Arc;

use glam::{Affine3A, Vec3};
use proptest::prelude::*;
use throng_crowd::{After, AtEnd, Control, Crowd, Detail, InstanceId, MaskId, Playback, SkipFrozen, Threads};
use throng_kernels::{JointSphere, Layout, Level, PaletteFormat, Plan, PlanOptions, WorldFold};
use throng_tracks::{JointIndex, Repeat, Skin, Transform, WrapMode};

use crate::make::{Dice, MODES, bits, posable_bank};

const DURATIONS_S: [f32; 3] = [0.4, 1.1, 0.0];

/// What is asked of a crowd besides palettes.
#[derive(Clone, Copy, Debug)]
struct Asked {
    extras: bool,
    fold: Option<WorldFold>,
    previous: bool,
    format: PaletteFormat,
    skip: SkipFrozen,
    threads: Threads,
}

fn crowd(asked: Asked) -> Crowd {
    let bank = posable_bank(&DURATIONS_S);
    let spheres = [JointSphere { joint: JointIndex(1), radius: 0.25 }];
    let options = PlanOptions { sockets: &[JointIndex(1)], spheres: &spheres, ..PlanOptions::default() };
    let skin = Skin::model_space(bank.skeleton());
    let plan = Plan::with_options(bank, &skin, &options).unwrap();
    let mut crowd = Crowd::with_plan(Arc::new(plan), Level::detect());
    crowd.add_mask(&[1.0, 0.5]).unwrap();
    crowd.set_joint_levels(&[JointIndex(0)], &[1, 0]).unwrap();
    crowd.keep_sockets(asked.extras).unwrap();
    crowd.keep_bounds(asked.extras).unwrap();
    crowd.set_layout(Layout::new(asked.format)).unwrap();
    crowd.fold_worlds(asked.fold).unwrap();
    crowd.keep_previous(asked.previous);
    crowd.set_threads(asked.threads);
    crowd.set_skip_frozen(asked.skip);
    crowd
}

/// Most of them stand still, or soon will.
fn playback(dice: &mut Dice, mask: Option<MaskId>) -> Playback {
    Playback {
        clip: dice.roll(3),
        time_s: dice.roll(8) as f64 * 0.1,
        speed: dice.of(&[0.0, 0.0, 1.0, -1.0, 2.0]),
        wrap: dice.of(&MODES),
        repeat: dice.of(&[Repeat::Endless, Repeat::Passes(1.0), Repeat::Passes(0.5)]),
        delay_s: dice.of(&[0.0, 0.0, 0.2]),
        paused: dice.roll(3) == 0,
        weight: dice.of(&[1.0, 1.0, 0.5]),
        mask: mask.filter(|_| dice.roll(4) == 0),
        at_end: dice.of(&[AtEnd::Hold, AtEnd::Rest, AtEnd::Remove]),
        external: dice.roll(6) == 0,
        ..Playback::default()
    }
}

fn control(dice: &mut Dice) -> Control {
    match dice.roll(10) {
        0 => Control::Pause,
        1 => Control::Resume,
        2 => Control::Stop,
        3 => Control::Rewind,
        4 => Control::Seek(dice.roll(8) as f32 * 0.1),
        5 => Control::NextKey,
        6 => Control::Speed(dice.of(&[0.0, 1.0])),
        7 => Control::Fade { weight: dice.of(&[0.0, 0.5, 1.0]), seconds: dice.of(&[0.0, 0.2]) },
        8 => Control::FadeOut(dice.of(&[0.0, 0.2])),
        _ => Control::Crossfade(playback(dice, None), dice.of(&[0.0f32, 0.2]).into()),
    }
}

/// Changes one instance of a crowd, or a setting.
fn change(crowd: &mut Crowd, ids: &mut [InstanceId], dice: &mut Dice, mask: MaskId) {
    let at = dice.roll(ids.len());
    let id = ids[at];
    let pose = [Transform { translation: Vec3::splat(dice.roll(4) as f32), ..Transform::IDENTITY }; 2];
    let world = Affine3A::from_translation(Vec3::splat(dice.roll(2) as f32));
    // What the instance can't do, both crowds refuse.
    match dice.roll(16) {
        0..5 => drop(crowd.control(id, control(dice))),
        5 => drop(crowd.play(id, playback(dice, Some(mask)))),
        6 => drop(crowd.play_after(id, playback(dice, None), 0.1, id, After::Ran(0.1))),
        7 => crowd.set_visible(id, dice.roll(3) > 0).unwrap(),
        8 => {
            crowd.despawn(id).unwrap();
            ids[at] = crowd.spawn(playback(dice, None)).unwrap();
        }
        9 => crowd.set_pose(id, &pose).unwrap(),
        10 => crowd.next_pose(id, &pose).unwrap(),
        11 => crowd.set_pose_way(id, dice.of(&[0.0, 0.5])).unwrap(),
        12 => crowd.set_world(id, world).unwrap(),
        13 => {
            let detail = Detail {
                interval: dice.of(&[1, 1, 2, 3]),
                level: dice.of(&[0, 0, 2]),
                smooth: dice.roll(2) == 0,
                share_s: dice.of(&[0.0, 0.0, 0.05]),
                importance: dice.of(&[1.0, 2.0]),
            };
            crowd.set_detail(id, detail).unwrap();
        }
        14 => {
            let speed = dice.of(&[0.0, 1.0]);
            crowd.update_all(|_, p| Playback { speed: if p.paused { p.speed } else { speed }, ..p }).unwrap();
        }
        _ => match dice.roll(12) {
            0 => crowd.refresh(),
            1 => crowd.set_joint_levels(&[JointIndex(0)], &[dice.roll(2), 0]).unwrap(),
            2 => crowd.set_level(dice.of(&Level::available())),
            3 => drop(crowd.set_mask(id, Some(mask))),
            _ => crowd.update_all(|_, playback| playback).unwrap(),
        },
    }
}

/// All that frames write.
fn outputs(crowd: &Crowd) -> [Vec<u32>; 4] {
    let bounds: Vec<f32> = crowd.bounds().iter().flat_map(|b| b.min.into_iter().chain(b.max)).collect();
    [crowd.palettes(), crowd.previous_palettes(), crowd.sockets(), &bounds].map(bits)
}

fn run(seed: u64, count: usize, frames: usize, asked: Asked) -> Result<usize, TestCaseError> {
    let mut crowds = [asked.skip, SkipFrozen::Never].map(|skip| crowd(Asked { skip, ..asked }));
    let mut ids: [Vec<InstanceId>; 2] = Default::default();
    let mut outs = [const { Vec::new() }; 2];
    let mut frozen = 0;
    // What a graphics card has that gets no more than what changed.
    let (mut uploaded, mut uploaded_previous) = (Vec::new(), Vec::new());
    let mask = crowds[0].add_mask(&[0.5, 1.0]).unwrap();
    crowds[1].add_mask(&[0.5, 1.0]).unwrap();
    for frame in 0..frames {
        for (crowd, ids) in crowds.iter_mut().zip(&mut ids) {
            let mut dice = Dice::new(seed.wrapping_mul(977).wrapping_add(frame as u64) | 1);
            while ids.len() < count {
                ids.push(crowd.spawn(playback(&mut dice, None)).unwrap());
            }
            for _ in 0..dice.roll(4) {
                change(crowd, ids, &mut dice, mask);
            }
            if dice.roll(6) > 0 {
                crowd.advance(dice.of(&[0.0, 0.05, 0.05, 0.3])).unwrap();
            }
        }
        let into = Dice::new(seed.wrapping_add(31 * frame as u64) | 1).roll(4) == 0;
        for (crowd, out) in crowds.iter_mut().zip(&mut outs) {
            if into {
                out.resize(crowd.output_floats(), 0.0);
                crowd.evaluate_into(out).unwrap();
            } else {
                crowd.evaluate();
            }
        }
        let [skipping, posing] = &crowds;
        prop_assert_eq!(bits(&outs[0]), bits(&outs[1]), "frame {}: the caller's buffer", frame);
        prop_assert_eq!(outputs(skipping), outputs(posing), "frame {}", frame);
        let motions = |crowd: &Crowd, ids: &[InstanceId]| -> Vec<_> {
            ids.iter().map(|id| crowd.root_motion(*id).unwrap()).collect()
        };
        prop_assert_eq!(motions(skipping, &ids[0]), motions(posing, &ids[1]));
        prop_assert_eq!(skipping.events(), posing.events());
        prop_assert_eq!((skipping.report().instances(), posing.report().frozen), (count, 0));
        frozen += skipping.report().frozen;
        if !into {
            let floats = skipping.palette_floats();
            uploaded.resize(skipping.palettes().len(), 0.0);
            uploaded_previous.resize(skipping.previous_palettes().len(), 0.0);
            for slot in skipping.changed() {
                let at = *slot as usize * floats..(*slot as usize + 1) * floats;
                uploaded[at.clone()].copy_from_slice(&skipping.palettes()[at.clone()]);
                if asked.previous {
                    uploaded_previous[at.clone()].copy_from_slice(&skipping.previous_palettes()[at]);
                }
            }
            for id in ids[0].iter().filter(|id| skipping.is_visible(**id).unwrap()) {
                let at = id.slot() * floats..(id.slot() + 1) * floats;
                prop_assert_eq!(bits(&uploaded[at.clone()]), bits(&skipping.palettes()[at.clone()]));
                if asked.previous {
                    let found = bits(&uploaded_previous[at.clone()]);
                    prop_assert_eq!(
                        found,
                        bits(&skipping.previous_palettes()[at]),
                        "frame {}: {}",
                        frame,
                        id
                    );
                }
            }
        }
    }
    Ok(frozen)
}

fn asked() -> impl Strategy<Value = Asked> {
    let fold =
        prop_oneof![2 => Just(None), 1 => Just(Some(WorldFold::All)), 1 => Just(Some(WorldFold::Extras))];
    let format = prop_oneof![
        2 => Just(PaletteFormat::Affine),
        1 => Just(PaletteFormat::Matrix),
        1 => Just(PaletteFormat::Half),
    ];
    let skip = prop_oneof![Just(SkipFrozen::OwnBuffer), Just(SkipFrozen::Always)];
    let threads = prop_oneof![Just(Threads::One), Just(Threads::Pool)];
    (any::<bool>(), fold, any::<bool>(), format, skip, threads).prop_map(
        |(extras, fold, previous, format, skip, threads)| Asked {
            extras,
            fold,
            previous,
            format,
            skip,
            threads,
        },
    )
}

proptest! {
    #[test]
    fn who_is_left_out_has_the_bits_of_who_is_posed(
        seed in 1..u64::MAX,
        count in 1..150usize,
        asked in asked(),
    ) {
        let frozen = run(seed, count, 60, asked)?;
        prop_assert!(frozen > 0, "nobody was left out");
    }
}

const PLAIN: Asked = Asked {
    extras: false,
    fold: None,
    previous: false,
    format: PaletteFormat::Affine,
    skip: SkipFrozen::OwnBuffer,
    threads: Threads::One,
};

#[test]
fn all_that_cannot_move_is_frozen() {
    let still = [
        Playback { paused: true, ..Playback::default() },
        Playback { speed: 0.0, ..Playback::default() },
        Playback { wrap: WrapMode::Clamp, time_s: 9.0, ..Playback::default() },
        Playback { wrap: WrapMode::Clamp, at_end: AtEnd::Rest, ..Playback::default() },
        Playback { wrap: WrapMode::Clamp, at_end: AtEnd::Remove, ..Playback::default() },
        Playback { speed: -1.0, wrap: WrapMode::Clamp, time_s: 0.3, ..Playback::default() },
        Playback { repeat: Repeat::Passes(1.5), ..Playback::default() },
        Playback::external(),
    ];
    for (number, playback) in still.into_iter().enumerate() {
        let mut crowd = crowd(PLAIN);
        let ids = [(); 70].map(|()| crowd.spawn(playback).unwrap());
        let moving = crowd.spawn(Playback::default()).unwrap();
        for _ in 0..20 {
            crowd.advance(0.1).unwrap();
            crowd.evaluate();
        }
        let report = crowd.report();
        assert_eq!((report.evaluated, report.frozen), (1, 70), "playback {number}");
        assert_eq!(crowd.changed(), [moving.slot() as u32]);
        // Two layers, one of which goes on, are no reason to freeze; both still are.
        let layer = crowd.play(ids[3], Playback { weight: 0.5, ..Playback::default() }).unwrap();
        crowd.advance(0.1).unwrap();
        crowd.evaluate();
        crowd.advance(0.1).unwrap();
        crowd.evaluate();
        assert_eq!(crowd.changed(), [3, moving.slot() as u32]);
        crowd.pause(layer).unwrap();
        for expected in [2, 1] {
            crowd.advance(0.1).unwrap();
            crowd.evaluate();
            assert_eq!(crowd.report().evaluated, expected);
        }
    }
}

#[test]
fn the_callers_buffer_is_written_in_full_unless_it_keeps_what_it_has() {
    let mut crowd = crowd(PLAIN);
    for _ in 0..100 {
        crowd.spawn(Playback { paused: true, ..Playback::default() }).unwrap();
    }
    let mut buffers = [(); 2].map(|()| vec![0.0; crowd.output_floats()]);
    for frame in 0..4 {
        crowd.advance(0.1).unwrap();
        crowd.evaluate_into(&mut buffers[frame % 2]).unwrap();
        assert_eq!(crowd.report().evaluated, 100);
    }
    assert_eq!(bits(&buffers[0]), bits(&buffers[1]));
    crowd.set_skip_frozen(SkipFrozen::Always);
    let mut other = vec![0.0; crowd.output_floats()];
    crowd.evaluate_into(&mut other).unwrap();
    assert!(crowd.report().frozen == 100 && other.iter().all(|v| *v == 0.0));
    crowd.refresh();
    crowd.evaluate_into(&mut other).unwrap();
    assert_eq!(bits(&other), bits(&buffers[0]));
}

#[test]
fn where_nothing_is_another_nobody_is_posed() {
    let mut crowd = crowd(Asked { fold: Some(WorldFold::All), ..PLAIN });
    let ids: Vec<_> =
        (0..100).map(|_| crowd.spawn(Playback { speed: 0.0, ..Playback::default() }).unwrap()).collect();
    let worlds: Vec<_> = (0..100).map(|i| Affine3A::from_translation(Vec3::splat(i as f32))).collect();
    let mut posed = |act: &mut dyn FnMut(&mut Crowd)| {
        act(&mut crowd);
        crowd.advance(0.1).unwrap();
        crowd.evaluate();
        crowd.report().evaluated
    };
    assert_eq!(posed(&mut |_| ()), 100);
    assert_eq!(posed(&mut |_| ()), 0);
    assert_eq!(posed(&mut |crowd| crowd.set_worlds(&ids, &worlds).unwrap()), 99);
    assert_eq!(posed(&mut |crowd| crowd.set_worlds(&ids, &worlds).unwrap()), 0);
    assert_eq!(posed(&mut |crowd| crowd.update_all(|_, playback| playback).unwrap()), 0);
    let seek = |id: InstanceId, p: Playback| Playback { time_s: f64::from(id.slot() == 7) * 0.1, ..p };
    assert_eq!(posed(&mut |crowd| crowd.update_all(seek).unwrap()), 1);
    let level = |id: InstanceId, d: Detail| Detail { level: u8::from(id.slot() < 3), ..d };
    assert_eq!(posed(&mut |crowd| crowd.set_detail_all(level).unwrap()), 3);
    assert_eq!(posed(&mut |crowd| crowd.set_detail_all(level).unwrap()), 0);
}
