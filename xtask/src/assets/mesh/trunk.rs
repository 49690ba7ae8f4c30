//! Trousers' seat, belt, jacket and neck.

use super::colour::{JACKET, SKIN, TRIM, TROUSERS};
use super::loft::{Part, Ring};

pub(super) fn parts() -> Vec<Part> {
    vec![
        Part {
            colour: TROUSERS,
            sides: 14,
            roundness: 0.85,
            rings: vec![
                Ring::level([0.0, 0.845, -0.005], 0.10, 0.075, &[("hips", 1.0)]).with_outer("thigh", 0.4),
                Ring::level([0.0, 0.885, -0.008], 0.158, 0.104, &[("hips", 1.0)]).with_outer("thigh", 0.35),
                Ring::level([0.0, 0.95, -0.008], 0.166, 0.112, &[("hips", 1.0)]).with_outer("thigh", 0.1),
                Ring::level([0.0, 1.03, -0.004], 0.146, 0.100, &[("hips", 0.6), ("spine_1", 0.4)]),
            ],
            caps: [0.012, 0.0],
        },
        Part {
            colour: TRIM,
            sides: 14,
            roundness: 0.85,
            rings: vec![
                Ring::level([0.0, 1.005, -0.005], 0.160, 0.112, &[("hips", 0.75), ("spine_1", 0.25)]),
                Ring::level([0.0, 1.04, -0.004], 0.154, 0.108, &[("hips", 0.5), ("spine_1", 0.5)]),
            ],
            caps: [0.0, 0.0],
        },
        Part {
            colour: JACKET,
            sides: 14,
            roundness: 0.85,
            rings: vec![
                Ring::level([0.0, 1.025, -0.004], 0.148, 0.102, &[("hips", 0.6), ("spine_1", 0.4)]),
                Ring::level([0.0, 1.09, -0.004], 0.146, 0.102, &[("spine_1", 0.8), ("spine_2", 0.2)]),
                Ring::level([0.0, 1.16, -0.004], 0.150, 0.104, &[("spine_1", 0.5), ("spine_2", 0.5)]),
                Ring::level(
                    [0.0, 1.23, -0.006],
                    0.162,
                    0.112,
                    &[("spine_2", 0.65), ("ribs", 0.2), ("spine_3", 0.15)],
                ),
                Ring::level(
                    [0.0, 1.31, -0.006],
                    0.174,
                    0.122,
                    &[("ribs", 0.55), ("spine_3", 0.25), ("spine_2", 0.2)],
                ),
                Ring::level([0.0, 1.385, -0.008], 0.182, 0.116, &[("ribs", 0.5), ("spine_3", 0.5)])
                    .with_outer("clavicle", 0.25),
                Ring::level([0.0, 1.435, -0.012], 0.176, 0.098, &[("spine_3", 0.8), ("ribs", 0.2)])
                    .with_outer("clavicle", 0.55),
                Ring::level([0.0, 1.468, -0.016], 0.146, 0.080, &[("spine_3", 1.0)])
                    .with_outer("clavicle", 0.5),
                Ring::level([0.0, 1.494, -0.018], 0.076, 0.064, &[("spine_3", 0.75), ("neck", 0.25)]),
            ],
            caps: [0.0, 0.0],
        },
        Part {
            colour: TRIM,
            sides: 10,
            roundness: 1.0,
            rings: vec![
                Ring::level([0.0, 1.478, -0.018], 0.067, 0.066, &[("spine_3", 0.6), ("neck", 0.4)]),
                Ring::level([0.0, 1.518, -0.012], 0.062, 0.063, &[("neck", 0.8), ("spine_3", 0.2)]),
            ],
            caps: [0.0, 0.0],
        },
        Part {
            colour: SKIN,
            sides: 10,
            roundness: 1.0,
            rings: vec![
                Ring::level([0.0, 1.47, -0.02], 0.055, 0.056, &[("spine_3", 0.5), ("neck", 0.5)]),
                Ring::level([0.0, 1.53, -0.012], 0.054, 0.056, &[("neck", 1.0)]),
                Ring::level([0.0, 1.575, -0.004], 0.053, 0.057, &[("neck", 0.5), ("head", 0.5)]),
                Ring::level([0.0, 1.62, 0.0], 0.053, 0.058, &[("head", 0.9), ("neck", 0.1)]),
            ],
            caps: [0.0, 0.0],
        },
    ]
}
