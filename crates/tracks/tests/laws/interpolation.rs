//! nlerp, slerp, what lies between them, and the Hermite weights.

use std::f64::consts::PI;

use glam::{DQuat, Quat};
use proptest::prelude::*;
use throng_tracks::{align, hermite, nlerp, quasi_slerp, slerp};

use crate::make::rotation;

/// How far two unit quaternions are from being the same rotation, in radians of turn.
fn apart(a: Quat, b: Quat) -> f32 {
    let (a, b) = (a.as_dquat(), b.as_dquat());
    let chord = (a - b).length().min((a + b).length());
    (4.0 * (chord / 2.0).min(1.0).asin()) as f32
}

proptest! {
    #[test]
    fn both_stay_unit_and_meet_their_ends(a in rotation(), b in rotation(), u in 0.0f32..=1.0) {
        for blend in [nlerp, slerp, quasi_slerp] {
            prop_assert!((blend(a, b, u).length() - 1.0).abs() < 1e-6);
            prop_assert!(blend(a, b, 0.0).abs_diff_eq(a, 1e-6));
            prop_assert!(blend(a, b, 1.0).abs_diff_eq(align(a, b), 1e-6));
        }
    }

    #[test]
    fn inputs_nearly_of_unit_length_give_unit_length(
        a in rotation(), b in rotation(), u in 0.0f32..=1.0, lengths in prop::array::uniform2(0.99f32..1.01),
    ) {
        for blend in [nlerp, slerp, quasi_slerp] {
            let found = blend(a * lengths[0], b * lengths[1], u);
            prop_assert!((found.length() - 1.0).abs() < 1e-6);
            // As much as the longer of two pulls the middle to its side.
            prop_assert!(found.abs_diff_eq(blend(a, b, u), 1e-2), "{found} {}", blend(a, b, u));
        }
    }

    #[test]
    fn neither_knows_which_end_is_which(a in rotation(), b in rotation(), u in 0.0f32..=1.0) {
        // Half a turn has two short arcs, and from its two ends rounding may pick either.
        prop_assume!(a.dot(b).abs() > 1e-5);
        for blend in [nlerp, slerp, quasi_slerp] {
            prop_assert!(apart(blend(a, b, u), blend(b, a, 1.0 - u)) < 5e-6);
        }
    }

    #[test]
    fn the_sign_of_the_end_does_not_matter(a in rotation(), b in rotation(), u in 0.0f32..=1.0) {
        prop_assume!(a.dot(b) != 0.0);
        for blend in [nlerp, slerp, quasi_slerp] {
            prop_assert_eq!(blend(a, b, u), blend(a, -b, u));
            prop_assert_eq!(blend(-a, b, u), -blend(a, b, u));
        }
    }

    #[test]
    fn slerp_turns_at_constant_speed_on_the_short_arc(a in rotation(), b in rotation(), u in 0.0f32..=1.0) {
        let whole = apart(a, b);
        let found = slerp(a, b, u);
        prop_assert!((apart(a, found) - u * whole).abs() < 5e-6, "{} of {whole}", apart(a, found));
        prop_assert!((apart(found, b) - (1.0 - u) * whole).abs() < 5e-6);
    }

    #[test]
    fn nlerp_follows_the_arc_of_slerp_at_another_speed(a in rotation(), b in rotation(), u in 0.0f32..=1.0) {
        let (whole, found) = (apart(a, b), nlerp(a, b, u));
        prop_assert!((apart(a, found) + apart(found, b) - whole).abs() < 5e-6);
        // At most 0.0714 of half a turn off (at a fifth of the way), nothing in the middle.
        prop_assert!(apart(found, slerp(a, b, u)) < 0.15);
        prop_assert!(apart(nlerp(a, b, 0.5), slerp(a, b, 0.5)) < 5e-6);
    }

    #[test]
    fn hermite_keeps_constants_and_straight_lines(u in 0.0f64..=1.0) {
        let [w0, v0, w1, v1] = hermite(u);
        prop_assert!((w0 + w1 - 1.0).abs() < 1e-15);
        // From 0 to 1 with slope 1 at both ends.
        prop_assert!((v0 + w1 + v1 - u).abs() < 1e-15);
        // Played backwards, ends and tangents change places.
        let [x0, y0, x1, y1] = hermite(1.0 - u);
        for (a, b) in [(w0, x1), (w1, x0), (v0, -y1), (v1, -y0)] {
            prop_assert!((a - b).abs() < 1e-15);
        }
    }
}

/// The largest angle between the rotations of `blend` and of slerp, over all ways and all keys up to this far apart.
fn largest_error(blend: fn(Quat, Quat, f32) -> Quat, apart: f64) -> f64 {
    let mut largest = 0.0f64;
    for half in (0..=360u16).map(|s| f64::from(s) / 360.0 * apart / 2.0) {
        let b = DQuat::from_xyzw(0.0, half.sin(), 0.0, half.cos()).as_quat();
        for way in (0..=200u8).map(|w| f32::from(w) / 200.0) {
            let (found, exact) = (blend(Quat::IDENTITY, b, way), f64::from(way) * half);
            largest = largest.max(2.0 * (f64::from(found.y).atan2(f64::from(found.w)) - exact).abs());
        }
    }
    largest
}

#[test]
fn errors_against_slerp_are_those_of_the_documentation() {
    let errors = [quasi_slerp, nlerp].map(|blend| [PI, PI / 2.0].map(|apart| largest_error(blend, apart)));
    for (found, said) in errors.as_flattened().iter().zip([0.0185, 0.0011, 0.143, 0.0161]) {
        assert!((0.9 * said..said).contains(found), "{errors:?}");
    }
    assert!(largest_error(slerp, PI) < 1e-6);
}

#[test]
fn slerp_is_exact_at_small_angles_too() {
    for half in [0.3f64, 0.032, 0.031, 1e-3, 4e-5, 1e-6, 1e-20] {
        let around_x = |half: f64| Quat::from_xyzw(half.sin() as f32, 0.0, 0.0, half.cos() as f32);
        let found = slerp(Quat::IDENTITY, around_x(half), 0.2);
        let exact = around_x(half * f64::from(0.2f32));
        assert!((found.x - exact.x).abs() <= 1e-7 * exact.x, "{found} instead of {exact}");
    }
}

#[test]
fn half_a_turn_has_a_way() {
    let (a, b) = (Quat::IDENTITY, Quat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    for blend in [nlerp, slerp, quasi_slerp] {
        let half = blend(a, b, 0.5);
        assert!((apart(half, a) - std::f32::consts::FRAC_PI_2).abs() < 1e-5, "{half}");
    }
}

#[test]
fn hermite_is_exact_at_the_ends_with_the_tangents_as_slopes() {
    assert_eq!(hermite(0.0), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(hermite(1.0), [0.0, 0.0, 1.0, 0.0]);
    let step = 1.0 / 4096.0;
    let slope = |a: [f64; 4], b: [f64; 4]| std::array::from_fn::<f64, 4, _>(|i| (b[i] - a[i]) / step);
    for (found, expected) in [
        (slope(hermite(0.0), hermite(step)), [0.0, 1.0, 0.0, 0.0]),
        (slope(hermite(1.0 - step), hermite(1.0)), [0.0, 0.0, 0.0, 1.0]),
    ] {
        assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 2e-3), "{found:?}");
    }
}
