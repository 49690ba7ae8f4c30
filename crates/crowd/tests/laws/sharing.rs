//! Instances that share poses: each at a time that is off by no more than it tolerates, and made once.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use throng_crowd::{Crowd, Detail, InstanceId, Threads};
use throng_kernels::{Layout, Level, PaletteFormat, PaletteJob, Scratch, palettes};
use throng_tracks::JointIndex;

use crate::make::{bank, bits, plan, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

fn tolerance_s(slot: usize) -> f32 {
    [0.0, 0.02, 0.02, 0.02, 0.5][slot % 5]
}

/// Some share, some of them cannot, for they go over to another clip.
fn filled(slots: usize) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = Crowd::with_plan(plan(bank(&DURATIONS_S)), Level::detect());
    crowd.set_joint_levels(&[JointIndex(0)], &[1]).unwrap();
    let ids: Vec<_> = (0..slots).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    for id in ids.iter().filter(|id| id.slot() % 7 == 3) {
        crowd.crossfade(*id, playback(id.slot() + 1, 2), 0.5).unwrap();
    }
    crowd.advance(0.123).unwrap();
    (crowd, ids)
}

fn share(crowd: &mut Crowd) {
    let detail =
        |slot: usize| Detail { share_s: tolerance_s(slot), level: (slot / 6 % 2) as u8, ..Detail::default() };
    crowd.set_detail_all(|id, _| detail(id.slot())).unwrap();
}

proptest! {
    #[test]
    fn each_shows_the_middle_of_its_step(slots in 1..300usize, dt in 0.0..3.0f64) {
        let (mut crowd, ids) = filled(slots);
        crowd.advance(dt).unwrap();
        let (mut plain, _) = filled(slots);
        plain.advance(dt).unwrap();
        plain.set_detail_all(|id, _| Detail { level: (id.slot() / 6 % 2) as u8, ..Detail::default() }).unwrap();
        plain.evaluate();
        share(&mut crowd);
        crowd.evaluate();
        let plan = Arc::clone(crowd.plan());
        let far = plan.with_still(&[JointIndex(1)]).unwrap();
        let (mut made, mut shares) = (BTreeSet::new(), 0);
        for id in &ids {
            let slot = id.slot();
            let found = bits(crowd.palette(*id).unwrap());
            let alone = crowd.playbacks(*id).unwrap().count() == 1;
            if tolerance_s(slot) == 0.0 || !alone {
                prop_assert_eq!(found, bits(plain.palette(*id).unwrap()));
                continue;
            }
            shares += 1;
            let (clip, time_s) = (crowd.playback(*id).unwrap().clip, crowd.shown_s(*id).unwrap());
            let off = crowd.palette(*id).unwrap()[3] - time_s;
            prop_assert!(off.abs() <= tolerance_s(slot) + 1e-5, "{id}: {off}");
            let step_s = 2.0 * f64::from(tolerance_s(slot));
            let step = (f64::from(time_s) / step_s).floor() as i64;
            let middle_s = ((step as f64 + 0.5) * step_s) as f32;
            let end_s = DURATIONS_S[clip];
            let shown_s = middle_s.min(if time_s < end_s { end_s.next_down() } else { end_s });
            made.insert((clip, slot / 6 % 2, shown_s.to_bits()));
            let pair = [plan.bank().locate(clip, shown_s)];
            let plan = if slot / 6 % 2 == 0 { &plan } else { &far };
            let mut expected = vec![0.0; plan.palette_floats()];
            let job = PaletteJob::new(plan, &pair, &[0], &mut expected).unwrap();
            palettes(crowd.level(), job, &mut Scratch::new(plan));
            prop_assert_eq!(found, bits(&expected), "{}", id);
        }
        let report = crowd.report();
        // Of two times that are so near each other that they read the same rows, one pose is made.
        prop_assert!(report.shared >= shares - made.len());
        prop_assert_eq!(report.evaluated + report.shared, slots);
    }
}

#[test]
fn threads_shards_and_layouts_change_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for format in PaletteFormat::ALL {
        let (mut crowd, ids) = filled(1000);
        share(&mut crowd);
        crowd.set_layout(Layout::new(format)).unwrap();
        crowd.set_threads(Threads::One);
        let expected = bits(crowd.evaluate());
        let floats = crowd.palette_floats();
        crowd.set_layout(Layout::new(format).with_offset(5).with_stride(floats + 3)).unwrap();
        crowd.set_threads(Threads::Pool);
        for shard in [None, Some(16), Some(100), Some(usize::MAX)] {
            crowd.set_shard_slots(shard);
            let mut out = vec![-123.5; crowd.output_floats()];
            pool.install(|| crowd.evaluate_into(&mut out)).unwrap();
            for id in &ids {
                let at = 5 + id.slot() * (floats + 3);
                assert_eq!(
                    bits(&out[at..][..floats]),
                    expected[id.slot() * floats..][..floats],
                    "{format:?}, {id}"
                );
                let between = out[at + floats..].iter().take(3);
                assert!(between.clone().all(|v| *v == -123.5), "{format:?}, {id}");
            }
        }
    }
}

#[test]
fn a_thousand_in_step_are_few_poses() {
    let mut crowd = Crowd::with_plan(plan(bank(&DURATIONS_S)), Level::detect());
    let ids: Vec<_> = (0..1000)
        .map(|i| {
            let time_s = f64::from(i) * 0.0009;
            crowd.spawn(throng_crowd::Playback { time_s, ..Default::default() }).unwrap()
        })
        .collect();
    crowd.set_detail_many(&ids, Detail { share_s: 0.0225, ..Detail::default() }).unwrap();
    for _ in 0..10 {
        crowd.advance(0.01).unwrap();
        crowd.evaluate();
        assert_eq!((crowd.report().evaluated, crowd.report().shared), (20, 980));
    }
}
