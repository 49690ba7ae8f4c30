//! Instances that move on between their turns: mixes of the last two poses, one interval late.

use throng_crowd::{Crowd, Detail, InstanceId, SkipFrozen};
use throng_kernels::{Layout, PaletteFormat};

use crate::make::{bits, crowd, playback};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];
const FRAMES: usize = 23;

fn filled(count: usize) -> (Crowd, Vec<InstanceId>) {
    let mut crowd = crowd(&DURATIONS_S);
    crowd.set_skip_frozen(SkipFrozen::Never);
    let ids = (0..count).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    (crowd, ids)
}

/// What the model knows of one instance.
#[derive(Clone, Default)]
struct One {
    /// Its poses at turns.
    poses: Vec<Vec<f32>>,
    /// Frames since the last turn.
    since: u8,
}

impl One {
    /// The palette that is shown, number by number.
    fn shown(&self, interval: u8) -> Vec<f32> {
        let Some([from, to]) = self.poses.last_chunk() else { return self.poses[0].clone() };
        let way = f32::from(self.since) / f32::from(interval);
        from.iter().zip(to).map(|(from, to)| from + (to - from) * way).collect()
    }
}

#[test]
fn each_frame_is_on_the_way_between_two_turns() {
    for interval in [2, 3, 5, 8] {
        let (mut crowd, ids) = filled(60);
        let (mut turns, _) = filled(60);
        let (mut all, _) = filled(60);
        let every = Detail { interval, ..Detail::default() };
        turns.set_detail_many(&ids, every).unwrap();
        crowd.set_detail_many(&ids, Detail { smooth: true, ..every }).unwrap();
        let mut model = vec![One::default(); ids.len()];
        let mut out = vec![0.0; crowd.output_floats()];
        for frame in 0..FRAMES {
            for crowd in [&mut crowd, &mut turns, &mut all] {
                crowd.advance(0.03).unwrap();
                crowd.evaluate();
            }
            let (now, report) = (crowd.palettes().to_vec(), crowd.report());
            assert_eq!((report.evaluated, report.held), (turns.report().evaluated, turns.report().held));
            let mut changed = Vec::new();
            for (id, one) in ids.iter().zip(&mut model) {
                one.since += 1;
                if turns.changed().contains(&(id.slot() as u32)) {
                    one.poses.push(all.palette(*id).unwrap().to_vec());
                    one.since = 0;
                }
                let found = bits(crowd.palette(*id).unwrap());
                assert_eq!(found, bits(&one.shown(interval)), "interval {interval}, frame {frame}, {id}");
                if one.poses.len() > 1 || one.since == 0 {
                    changed.push(id.slot() as u32);
                }
            }
            assert_eq!(crowd.changed(), changed);
            // The caller's buffer has turns of its own, of which there were as many.
            crowd.evaluate_into(&mut out).unwrap();
            assert_eq!(bits(&out), bits(&now), "interval {interval}, frame {frame}");
        }
    }
}

#[test]
fn whoever_is_shown_replaced_or_changed_begins_with_its_pose() {
    let (mut crowd, ids) = filled(40);
    let (mut all, _) = filled(40);
    let smooth = Detail { interval: 4, smooth: true, ..Detail::default() };
    crowd.set_detail_many(&ids, smooth).unwrap();
    let frames = |crowd: &mut Crowd, all: &mut Crowd, count: usize| {
        for _ in 0..count {
            crowd.advance(0.03).unwrap();
            crowd.evaluate();
            all.advance(0.03).unwrap();
            all.evaluate();
        }
    };
    let same = |crowd: &Crowd, all: &Crowd, slot: usize| {
        let id = |crowd: &Crowd| crowd.ids().nth(slot).unwrap();
        bits(crowd.palette(id(crowd)).unwrap()) == bits(all.palette(id(all)).unwrap())
    };
    frames(&mut crowd, &mut all, 11);
    assert!(!same(&crowd, &all, 8) && !same(&crowd, &all, 3) && !same(&crowd, &all, 4));
    crowd.set_visible(ids[8], false).unwrap();
    frames(&mut crowd, &mut all, 3);
    crowd.set_visible(ids[8], true).unwrap();
    for crowd in [&mut crowd, &mut all] {
        crowd.despawn(ids[3]).unwrap();
        crowd.spawn(playback(9, 2)).unwrap();
    }
    crowd.set_detail(ids[4], Detail { smooth: false, ..smooth }).unwrap();
    crowd.set_detail(ids[5], Detail { interval: 1, ..smooth }).unwrap();
    frames(&mut crowd, &mut all, 1);
    for slot in [8, 3, 4] {
        assert!(same(&crowd, &all, slot), "slot {slot}");
    }
    frames(&mut crowd, &mut all, 4);
    assert!(same(&crowd, &all, 5));
    // Back to an interval, it keeps its pose until its turn, and goes on from there.
    crowd.set_detail(ids[5], smooth).unwrap();
    frames(&mut crowd, &mut all, 4);
    assert!(crowd.palettes().iter().all(|v| v.is_finite()));
}

#[test]
fn every_format_is_mixed() {
    let run = |format: PaletteFormat| {
        let (mut crowd, ids) = filled(30);
        crowd.set_layout(Layout::new(format)).unwrap();
        crowd.set_detail_many(&ids, Detail { interval: 4, smooth: true, ..Detail::default() }).unwrap();
        for _ in 0..10 {
            crowd.advance(0.01).unwrap();
            crowd.evaluate();
        }
        crowd.palettes().to_vec()
    };
    let affine = run(PaletteFormat::Affine);
    let (matrix, half) = (run(PaletteFormat::Matrix), run(PaletteFormat::Half));
    let similar = run(PaletteFormat::Similarity);
    for (entry, rows) in affine.chunks_exact(12).enumerate() {
        for (at, &number) in rows.iter().enumerate() {
            assert_eq!(matrix[entry * 16 + at % 4 * 4 + at / 4].to_bits(), number.to_bits());
            let halves: &[u16] = bytemuck::cast_slice(&half);
            let mut plain = [0.0; 6];
            throng_kernels::mix_palettes(PaletteFormat::Half, [rows; 2], 0.0, &mut plain);
            assert_eq!(halves[entry * 12 + at], bytemuck::cast_slice::<f32, u16>(&plain)[at]);
        }
        // Near, for turns between turns are small here.
        let at = [3, 7, 11].map(|at| rows[at]);
        assert!(at.iter().zip(&similar[entry * 8 + 4..]).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
