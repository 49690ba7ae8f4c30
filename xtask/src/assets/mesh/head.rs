//! Skull, jaw, nose and cap; eyes, lids and ears a side.

use super::colour::{EYE, JACKET, SKIN, TRIM};
use super::loft::{Part, Ring};

pub(super) fn parts() -> Vec<Part> {
    let head = &[("head", 1.0)];
    let jaw = &[("jaw", 0.75), ("head", 0.25)];
    vec![
        Part {
            colour: SKIN,
            sides: 12,
            roundness: 0.92,
            rings: vec![
                Ring::level([0.0, 1.592, 0.002], 0.052, 0.062, head),
                Ring::level([0.0, 1.625, 0.006], 0.066, 0.083, head),
                Ring::level([0.0, 1.665, 0.008], 0.072, 0.092, head),
                Ring::level([0.0, 1.71, 0.004], 0.075, 0.097, head),
                Ring::level([0.0, 1.75, -0.002], 0.069, 0.090, head),
                Ring::level([0.0, 1.778, -0.006], 0.046, 0.062, head),
            ],
            caps: [0.004, 0.008],
        },
        Part {
            colour: SKIN,
            sides: 8,
            roundness: 0.85,
            rings: vec![
                Ring::level([0.0, 1.563, 0.060], 0.024, 0.018, &[("jaw", 1.0)]),
                Ring::level([0.0, 1.580, 0.047], 0.039, 0.037, &[("jaw", 1.0)]),
                Ring::level([0.0, 1.606, 0.040], 0.047, 0.046, jaw),
                Ring::level([0.0, 1.616, 0.036], 0.046, 0.043, head),
            ],
            caps: [0.003, 0.0],
        },
        Part {
            colour: SKIN,
            sides: 6,
            roundness: 1.0,
            rings: vec![
                Ring::level([0.0, 1.632, 0.100], 0.013, 0.020, head),
                Ring::level([0.0, 1.642, 0.100], 0.012, 0.020, head),
                Ring::level([0.0, 1.680, 0.094], 0.006, 0.009, head),
            ],
            caps: [0.002, 0.003],
        },
        // The cap: band, crown and peak.
        Part {
            colour: TRIM,
            sides: 12,
            roundness: 0.95,
            rings: vec![
                Ring::new([0.0, 1.712, 0.002], [0.0, 0.008, 0.100], [0.080, 0.0, 0.0], head),
                Ring::new([0.0, 1.738, 0.001], [0.0, 0.008, 0.101], [0.081, 0.0, 0.0], head),
            ],
            caps: [0.0, 0.0],
        },
        Part {
            colour: JACKET,
            sides: 12,
            roundness: 0.95,
            rings: vec![
                Ring::new([0.0, 1.734, 0.001], [0.0, 0.008, 0.097], [0.077, 0.0, 0.0], head),
                Ring::new([0.0, 1.775, 0.002], [0.0, 0.016, 0.114], [0.096, 0.0, 0.0], head),
                Ring::new([0.0, 1.790, 0.001], [0.0, 0.016, 0.104], [0.088, 0.0, 0.0], head),
            ],
            caps: [0.0, 0.008],
        },
        Part {
            colour: EYE,
            sides: 8,
            roundness: 0.7,
            rings: vec![
                Ring::new([0.0, 1.722, 0.070], [0.068, 0.0, 0.0], [0.0, 0.006, 0.0], head),
                Ring::new([0.0, 1.716, 0.118], [0.058, 0.0, 0.0], [0.0, 0.004, 0.0], head),
                Ring::new([0.0, 1.709, 0.140], [0.034, 0.0, 0.0], [0.0, 0.003, 0.0], head),
            ],
            caps: [0.0, 0.002],
        },
    ]
}

pub(super) fn sided_parts() -> Vec<Part> {
    let head = &[("head", 1.0)];
    let lids = &[("eyelids", 1.0)];
    vec![
        Part {
            colour: EYE,
            sides: 8,
            roundness: 1.0,
            rings: vec![
                Ring::new([0.031, 1.672, 0.080], [0.012, 0.0, 0.0], [0.0, 0.012, 0.0], head),
                Ring::new([0.030, 1.672, 0.098], [0.011, 0.0, 0.0], [0.0, 0.011, 0.0], head),
            ],
            caps: [0.0, 0.004],
        },
        // Wound up above the eye; about 35 degrees down about the eyelids' joint covers it.
        Part {
            colour: SKIN,
            sides: 6,
            roundness: 0.7,
            rings: vec![
                Ring::new([0.031, 1.694, 0.078], [0.018, 0.0, 0.0], [0.0, 0.010, -0.006], lids),
                Ring::new([0.031, 1.701, 0.098], [0.016, 0.0, 0.0], [0.0, 0.010, -0.006], lids),
            ],
            caps: [0.0, 0.002],
        },
        Part {
            colour: SKIN,
            sides: 6,
            roundness: 1.0,
            rings: vec![
                Ring::new([0.066, 1.664, -0.002], [0.0, 0.026, -0.004], [0.0, 0.0, 0.015], head),
                Ring::new([0.082, 1.667, -0.010], [0.0, 0.022, -0.004], [0.0, 0.0, 0.013], head),
            ],
            caps: [0.0, 0.001],
        },
    ]
}
