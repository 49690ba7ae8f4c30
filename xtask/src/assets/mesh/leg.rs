//! The left trouser leg and boot.

use super::colour::{BOOT, TRIM, TROUSERS};
use super::loft::{Part, Ring, Weight};

/// A level ring around the leg, stacked downward: half its width in x, half its depth in z.
fn around(height: f64, x: f64, z: f64, width: f64, depth: f64, weights: &[Weight]) -> Ring {
    Ring::new([x, height, z], [width, 0.0, 0.0], [0.0, 0.0, depth], weights)
}

/// An upright ring across the foot, stacked forward, standing on the ground: half its width, and its height.
fn upright(z: f64, x: f64, width: f64, height: f64, weights: &[Weight]) -> Ring {
    Ring::new([x, height * 0.5, z], [width, 0.0, 0.0], [0.0, height * 0.5, 0.0], weights)
}

pub(super) fn parts() -> Vec<Part> {
    let shin = &[("shin_l", 1.0)];
    let thigh = &[("thigh_l", 1.0)];
    vec![
        Part {
            colour: TROUSERS,
            sides: 10,
            roundness: 0.95,
            rings: vec![
                around(0.945, 0.085, -0.004, 0.064, 0.088, &[("hips", 0.75), ("thigh_l", 0.25)]),
                around(0.880, 0.088, -0.002, 0.080, 0.098, &[("thigh_l", 0.7), ("hips", 0.3)]),
                around(0.800, 0.091, 0.002, 0.080, 0.090, &[("thigh_l", 0.95), ("hips", 0.05)]),
                around(0.690, 0.094, 0.008, 0.071, 0.079, thigh),
                around(0.590, 0.095, 0.011, 0.060, 0.066, thigh),
                around(0.545, 0.095, 0.013, 0.057, 0.063, &[("thigh_l", 0.8), ("shin_l", 0.2)]),
                around(0.510, 0.095, 0.014, 0.056, 0.062, &[("thigh_l", 0.5), ("shin_l", 0.5)]),
                around(0.475, 0.095, 0.010, 0.055, 0.060, &[("shin_l", 0.8), ("thigh_l", 0.2)]),
                around(0.400, 0.095, -0.003, 0.056, 0.064, shin),
                around(0.300, 0.095, -0.008, 0.050, 0.058, shin),
            ],
            caps: [0.0, 0.0],
        },
        Part {
            colour: TRIM,
            sides: 10,
            roundness: 0.95,
            rings: vec![
                around(0.345, 0.095, -0.006, 0.060, 0.068, shin),
                around(0.325, 0.095, -0.007, 0.059, 0.067, shin),
            ],
            caps: [0.0, 0.0],
        },
        Part {
            colour: BOOT,
            sides: 10,
            roundness: 0.95,
            rings: vec![
                around(0.335, 0.095, -0.007, 0.057, 0.065, shin),
                around(0.220, 0.095, -0.014, 0.049, 0.056, shin),
                around(0.135, 0.095, -0.016, 0.043, 0.050, &[("shin_l", 0.8), ("foot_l", 0.2)]),
                around(0.090, 0.095, -0.014, 0.042, 0.054, &[("shin_l", 0.4), ("foot_l", 0.6)]),
                around(0.045, 0.096, -0.010, 0.040, 0.058, &[("foot_l", 1.0)]),
            ],
            caps: [0.0, 0.0],
        },
        Part {
            colour: BOOT,
            sides: 10,
            roundness: 0.65,
            rings: vec![
                upright(-0.078, 0.095, 0.028, 0.050, &[("foot_l", 1.0)]),
                upright(-0.060, 0.095, 0.037, 0.072, &[("foot_l", 1.0)]),
                upright(0.000, 0.097, 0.040, 0.088, &[("foot_l", 1.0)]),
                upright(0.050, 0.101, 0.044, 0.072, &[("foot_l", 1.0)]),
                upright(0.090, 0.105, 0.048, 0.056, &[("foot_l", 0.75), ("toes_l", 0.25)]),
                upright(0.115, 0.107, 0.049, 0.050, &[("toes_l", 0.6), ("foot_l", 0.4)]),
                upright(0.150, 0.109, 0.046, 0.044, &[("toes_l", 1.0)]),
                upright(0.182, 0.110, 0.034, 0.036, &[("toes_l", 1.0)]),
            ],
            caps: [0.003, 0.006],
        },
    ]
}
