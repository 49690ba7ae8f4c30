//! The largest weights: poses are finite up to there, and nothing takes a larger one.

use throng_crowd::{After, Control, Crowd, CrowdError, InstanceId, MAX_MASK, MAX_WEIGHT, Playback};
use throng_kernels::Level;

use crate::make::{bank_with_additive, plan};

/// One that plays four clips in a mask, the first ones averages and the others additive.
fn stacked(
    level: Level,
    averages: usize,
    weights: [f32; 4],
    mask: f32,
) -> Result<(Crowd, InstanceId), CrowdError> {
    let mut crowd = Crowd::with_plan(plan(bank_with_additive(&[2.0])), level);
    let mask = Some(crowd.add_mask(&[mask, mask])?);
    let of = |layer: usize| {
        let additive = layer >= averages;
        let (clip, weight) = (usize::from(additive), weights[layer]);
        Playback { clip, additive, mask, weight, time_s: 1.0 + layer as f64 / 4.0, ..Playback::default() }
    };
    let id = crowd.spawn(of(0))?;
    for layer in 1..4 {
        crowd.play(id, of(layer))?;
    }
    Ok((crowd, id))
}

#[test]
fn poses_of_the_largest_weights_are_finite() {
    let most = MAX_WEIGHT;
    for (level, mask) in Level::available()
        .into_iter()
        .flat_map(|level| [MAX_MASK, 1.0, f32::MIN_POSITIVE].map(|mask| (level, mask)))
    {
        for choice in 0..4usize.pow(4) {
            let weight = |layer: u32| [most, 0.0, 1.0, -most][choice / 4usize.pow(layer) % 4];
            let weights = [0, 1, 2, 3].map(weight);
            // Additive from the first negative one on, or from the second.
            let averages = weights.iter().position(|weight| *weight < 0.0).unwrap_or(1);
            if averages == 0 {
                continue;
            }
            let (mut crowd, id) = stacked(level, averages, weights, mask).unwrap();
            let finite = |crowd: &mut Crowd| {
                assert!(
                    crowd.evaluate().iter().all(|f| f.is_finite()),
                    "{level}: {weights:?} in a mask of {mask}"
                );
            };
            finite(&mut crowd);
            // What is told can be given again, whatever crossfades made of it.
            for _ in 0..3 {
                drop(crowd.crossfade(id, Playback { weight: most, ..Playback::default() }, 0.5));
                crowd.advance(0.01).unwrap();
                crowd.update_all(|_, playback| playback).unwrap();
                finite(&mut crowd);
            }
        }
    }
}

#[test]
fn larger_weights_are_refused_by_all_that_take_one() {
    let over = MAX_WEIGHT.next_up();
    let stacked = |weights, mask| stacked(Level::detect(), 2, weights, mask);
    let refused = |weights, mask| stacked(weights, mask).err().unwrap().to_string();
    for layer in 0..4 {
        for (weight, shown) in [(over, "1000000.06"), (f32::MAX, "340282350000000000000000000000000000000")] {
            let signs: &[f32] = if layer > 1 { &[1.0, -1.0] } else { &[1.0] };
            for sign in signs {
                let mut weights = [1.0; 4];
                weights[layer] = weight * sign;
                let minus = if *sign < 0.0 { "-" } else { "" };
                let words = format!("weight is {minus}{shown}, but must not be farther from 0 than 1000000");
                assert_eq!(refused(weights, 1.0), words);
            }
        }
    }
    let words = "the mask has 8.000001 for joint 0, but a weight is a number from 0 to 8";
    assert_eq!(refused([1.0; 4], MAX_MASK.next_up()), words);
    let (mut crowd, id) = stacked([1.0; 4], 1.0).unwrap();
    let heavy = CrowdError::TooHeavy { what: "weight", value: over };
    let playback = Playback { weight: over, ..Playback::default() };
    let ways: [Result<(), CrowdError>; 7] = [
        crowd.fade(id, over, 0.5),
        crowd.set_weight(id, over),
        crowd.crossfade(id, playback, 0.5).map(drop),
        crowd.update(&[id], |_, old| Playback { weight: over, ..old }),
        crowd.update_all(|_, old| Playback { weight: over, ..old }),
        crowd.control_many(&[id], Control::Fade { weight: over, seconds: 0.0 }),
        crowd.play_after(id, playback, 0.0, id, After::Ended).map(drop),
    ];
    assert!(ways.iter().all(|way| *way == Err(heavy.clone())), "{ways:?}");
    assert_eq!(crowd.playback(id).unwrap().weight, 1.0);
}
