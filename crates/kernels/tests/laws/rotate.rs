//! nlerp and slerp over lanes, against exact arithmetic and against each other.

use std::f32::consts::FRAC_1_SQRT_2;

use glam::{DQuat, DVec4, Quat};
use throng_kernels::{BLOCK, Level, Line, QuatBlock, nlerp, slerp};

use crate::random::{Random, cases, classes, levels};

pub(crate) type Kernel = fn(Level, &[QuatBlock], &[QuatBlock], &[Line], &mut [QuatBlock]);
type Exact = fn(DVec4, DVec4, f64) -> DVec4;

/// Runs a kernel on sixteen at a time.
fn run(kernel: Kernel, level: Level, a: &[Quat], b: &[Quat], u: &[f32]) -> Vec<Quat> {
    let pack = |q: &[Quat]| -> Vec<QuatBlock> {
        let lane = |q: &[Quat], lane: usize, c: usize| q.get(lane).map_or(0.5, |q| q.to_array()[c]);
        q.chunks(BLOCK)
            .map(|q| std::array::from_fn(|c| Line(std::array::from_fn(|l| lane(q, l, c)))))
            .collect()
    };
    let ways: Vec<Line> =
        u.chunks(BLOCK).map(|u| Line(std::array::from_fn(|l| u.get(l).copied().unwrap_or(0.0)))).collect();
    let (a, b) = (pack(a), pack(b));
    let mut out = vec![[Line::ZERO; 4]; a.len()];
    kernel(level, &a, &b, &ways, &mut out);
    let lanes = out
        .iter()
        .flat_map(|block| (0..BLOCK).map(|lane| Quat::from_array(std::array::from_fn(|c| block[c].0[lane]))));
    lanes.take(u.len()).collect()
}

/// Pairs of every distance: anywhere, close, around the angle at which slerp turns to nlerp, and half a turn apart.
fn random_pairs(random: &mut Random, count: usize) -> (Vec<Quat>, Vec<Quat>, Vec<f32>) {
    let (mut a, mut b, mut u) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let from = random.rotation();
        let axis = random.rotation().to_array();
        let axis = glam::Vec3::new(axis[0], axis[1], axis[2]).normalize_or(glam::Vec3::X);
        let turn = match random.below(5) {
            0 => random.between(0.0, 0.1),
            // A cosine of 0.9995 is half a turn of 0.0632.
            1 => random.between(0.0630, 0.0634),
            2 => std::f32::consts::PI - random.between(-1e-3, 1e-3),
            _ => random.between(0.0, std::f32::consts::TAU),
        };
        let to = (from * Quat::from_axis_angle(axis, turn)).normalize();
        a.push(from);
        b.push(if random.percent(50) { -to } else { to });
        let way = random.between(0.0, 1.0);
        u.push(random.pick(&[0.0, 1.0, 0.5, way, way, way]));
    }
    (a, b, u)
}

fn exact_nlerp(a: DVec4, b: DVec4, u: f64) -> DVec4 {
    (a + (b - a) * u).normalize()
}

fn exact_slerp(a: DVec4, b: DVec4, u: f64) -> DVec4 {
    let (a, b) = (a.normalize(), b.normalize());
    // An arc cosine would lose half of its digits near 1.
    let angle = 2.0 * (b - a).length().atan2((b + a).length());
    if angle < 1e-12 {
        return a;
    }
    (a * ((1.0 - u) * angle).sin() + b * (u * angle).sin()).normalize()
}

fn double(q: Quat) -> DVec4 {
    DQuat::from_array(q.to_array().map(f64::from)).into()
}

/// The largest difference of a component. Where the two rotations are half a turn apart, the way round is a matter of
/// rounding: there the other one is right too.
fn largest_error(kernel: Kernel, exact: Exact, level: Level, seed: u64, count: usize) -> f64 {
    let (a, b, u) = random_pairs(&mut Random::new(seed), count);
    let mut largest = 0.0f64;
    for (i, found) in run(kernel, level, &a, &b, &u).into_iter().enumerate() {
        let (p, q, way, found) = (double(a[i]), double(b[i]), f64::from(u[i]), double(found));
        let short = if p.dot(q) < 0.0 { -q } else { q };
        let error = |b: DVec4| (found - exact(p, b, way)).abs().max_element();
        let mut least = error(short);
        if p.dot(q).abs() < 5e-7 {
            least = least.min(error(-short));
        }
        assert!(least.is_finite(), "{level}: {:?} to {:?} at {way} is {found}", a[i], b[i]);
        assert!((found.length() - 1.0).abs() < 2e-7, "{level}: length {}", found.length());
        largest = largest.max(least);
    }
    largest
}

#[test]
fn nlerp_and_slerp_are_exact_but_for_rounding() {
    for level in levels() {
        let nlerp = largest_error(nlerp, exact_nlerp, level, 1, cases(60_000));
        let slerp = largest_error(slerp, exact_slerp, level, 2, cases(60_000));
        println!("{level}: nlerp {nlerp:e}, slerp {slerp:e}");
        assert!(nlerp < 2e-7, "{level}: nlerp is wrong by {nlerp:e}");
        assert!(slerp < 6e-7, "{level}: slerp is wrong by {slerp:e}");
    }
}

#[test]
fn both_agree_with_the_scalar_forms() {
    let (a, b, u) = random_pairs(&mut Random::new(3), 4_000);
    for level in levels() {
        let found = [run(nlerp, level, &a, &b, &u), run(slerp, level, &a, &b, &u)];
        for i in (0..a.len()).filter(|&i| a[i].dot(b[i]).abs() > 1e-6) {
            let scalar = [throng_tracks::nlerp(a[i], b[i], u[i]), throng_tracks::slerp(a[i], b[i], u[i])];
            for (found, scalar) in found.iter().zip(scalar) {
                assert!(
                    found[i].abs_diff_eq(scalar, 1e-6),
                    "{level}: {} is not {scalar} at {}",
                    found[i],
                    u[i]
                );
            }
        }
    }
}

#[test]
fn levels_of_a_class_return_the_same_bits() {
    let random = &mut Random::new(4);
    let (mut a, mut b, mut u) = random_pairs(random, 5_000);
    // Zeros of both signs, where a negation could go astray.
    for sign in [1.0, -1.0] {
        for (p, q) in
            [([0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]), ([1.0, 0.0, -0.0, 0.0], [-1.0, 0.0, 0.0, -0.0])]
        {
            for way in [0.0, 0.25, 1.0] {
                a.push(Quat::from_array(p));
                b.push(Quat::from_array(q) * sign);
                u.push(way);
            }
        }
    }
    for kernel in [nlerp as Kernel, slerp] {
        for class in classes() {
            let all: Vec<Vec<[u32; 4]>> = class
                .iter()
                .map(|&level| run(kernel, level, &a, &b, &u))
                .map(|out| out.into_iter().map(|q| q.to_array().map(f32::to_bits)).collect())
                .collect();
            for (level, found) in class.iter().zip(&all) {
                let differs = found.iter().zip(&all[0]).position(|(a, b)| a != b);
                assert_eq!(differs.map(|i| (a[i], b[i], u[i])), None, "{level} differs from {}", class[0]);
            }
        }
    }
}

#[test]
fn ends_are_the_keys_and_the_arc_is_the_short_one() {
    let (a, b, _) = random_pairs(&mut Random::new(5), 2_000);
    for level in levels() {
        for kernel in [nlerp as Kernel, slerp] {
            let [start, middle, end] = [0.0, 0.5, 1.0].map(|u| run(kernel, level, &a, &b, &vec![u; a.len()]));
            for i in 0..a.len() {
                let short = if a[i].dot(b[i]) < 0.0 { -b[i] } else { b[i] };
                assert!(start[i].abs_diff_eq(a[i], 2e-7), "{level}: {} does not start at {}", start[i], a[i]);
                assert!(end[i].abs_diff_eq(short, 3e-7), "{level}: {} does not end at {short}", end[i]);
                // Half of the short arc is at most a quarter turn, and a quaternion turns by half the angle.
                assert!(
                    middle[i].dot(a[i]) > FRAC_1_SQRT_2 - 1e-4,
                    "{level}: {} goes the long way",
                    middle[i]
                );
            }
        }
    }
}
