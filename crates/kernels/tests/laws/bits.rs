//! The same bits on every machine: hashes of what the kernels return for fixed inputs, at all levels of either class.
//!
//! Levels are compared with each other elsewhere; here each is compared with what other processors returned.

mod inputs;

use throng_kernels::{
    AdvancedColumns, ClockColumns, Level, Line, ModelBlocks, PaletteJob, Plan, PoseBlocks, Scratch, Stores,
    advance_clocks, find_keys, model_to_palette, nlerp, palettes, pose_to_model, sample, sample_track, slerp,
};

use crate::random::levels;
use crate::rotate::Kernel;
use crate::skinned::{Skinned, skin};
use inputs::Inputs;

/// What is hashed, and its hash at unfused levels and at fused ones.
///
/// A formula that changes on purpose changes them: the test prints what it found.
const TABLE: [(&str, [u64; 2]); 20] = [
    ("rows", [0x5a39_d175_457c_6171, 0x5a39_d175_457c_6171]),
    ("palettes", [0x54a9_0c66_284a_7d81, 0xa8dc_e227_1b37_e403]),
    ("palettes from sixteen bits", [0x9452_88f8_afa6_868c, 0xc854_1237_e655_225d]),
    ("sample", [0xa64c_d58a_644e_7c3e, 0xef8a_f640_de1e_21dc]),
    ("pose_to_model", [0x0545_2e6b_dcb8_58d1, 0x1200_6989_f2c9_8377]),
    ("model_to_palette", [0xb022_6939_6d80_31f5, 0x2207_3dec_b507_ac28]),
    ("nlerp", [0x04e2_26b9_da67_cb38, 0xbddc_383a_93c6_0c63]),
    ("slerp", [0xe683_09ac_f5d8_6ad6, 0xd724_3808_4fc4_65b3]),
    ("find_keys", [0xbffe_6367_0f98_c62e, 0xbffe_6367_0f98_c62e]),
    ("find_keys by buckets", [0xfb3b_4f42_6b82_6f08, 0xfb3b_4f42_6b82_6f08]),
    ("skin_vertices", [0xf0bf_316d_cf68_55bb, 0x23f0_f074_a90a_15f2]),
    ("advance_clocks", [0xf884_8ac6_b272_2c32, 0xf884_8ac6_b272_2c32]),
    ("step", [0xa4e3_be13_72ef_69d3, 0xa4e3_be13_72ef_69d3]),
    ("linear", [0x4464_64b1_1d08_132b, 0xd65a_fb9c_b38d_d905]),
    ("cubic", [0x7b9b_d417_2ee3_579d, 0x4f21_0fb3_077d_1611]),
    ("step rotation", [0x125e_2197_5c26_718e, 0x125e_2197_5c26_718e]),
    ("linear rotation", [0x0946_84d4_a7cf_d04e, 0x5c40_3a1c_2e58_e599]),
    ("nlerp rotation", [0x1fc0_79df_4934_62bd, 0x20ea_5ab6_90ad_1329]),
    ("quasi-spherical rotation", [0xcd68_0ea4_062f_e6bf, 0xf95c_defe_aaea_955d]),
    ("cubic rotation", [0x4ef6_d10e_ccd4_d9e4, 0x9b19_04c9_3a2c_b01d]),
];

#[test]
fn every_level_returns_the_bits_of_every_machine() {
    let inputs = Inputs::new();
    let mut faults = String::new();
    for level in levels() {
        for ((what, expected), found) in TABLE.iter().zip(inputs.hashes(level)) {
            if found != expected[usize::from(level.is_fused())] {
                faults += &format!("\n{level}: {what} {found:#018x}");
            }
        }
    }
    assert!(faults.is_empty(), "other bits than in the table:{faults}");
}

/// FNV-1a (Fowler, Noll and Vo), by words.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const NEW: Self = Self(0xcbf2_9ce4_8422_2325);

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
    }

    /// Which of its bits a NaN has is up to the processor, so none may be there.
    fn floats<'a>(floats: impl IntoIterator<Item = &'a f32>) -> u64 {
        let mut hash = Self::NEW;
        for float in floats {
            assert!(float.is_finite(), "{float}");
            hash.word(float.to_bits().into());
        }
        hash.0
    }

    fn lines<'a>(lines: impl IntoIterator<Item = &'a Line>) -> u64 {
        Self::floats(lines.into_iter().flat_map(|line| &line.0))
    }
}

impl Inputs {
    fn hashes(&self, level: Level) -> Vec<u64> {
        let Self { plan, pairs, .. } = self;
        let joints = plan.bank().skeleton().joint_count();
        let mut poses = PoseBlocks::new(joints, pairs.len());
        let mut models = ModelBlocks::new(joints, pairs.len());
        let mut staged = vec![0.0; pairs.len() * plan.palette_floats()];
        sample(level, plan, pairs, &mut poses).unwrap();
        pose_to_model(level, plan, &poses, &mut models);
        model_to_palette(level, plan, &models, &mut staged).unwrap();
        let mut found = vec![
            Hash::floats(plan.bank().rows()),
            self.palettes(level, plan),
            self.palettes(level, &self.packed_plan),
            Hash::lines(poses.groups().flatten().flatten()),
            Hash::lines(models.groups().flatten().flatten()),
            Hash::floats(&staged),
            self.rotations(level, nlerp),
            self.rotations(level, slerp),
            Self::found(level, &self.keys, &self.times),
            Self::found(level, &self.many_keys, &self.many_times),
            self.vertices(level),
            self.clocks(level),
        ];
        found.extend(self.tracks.iter().map(|track| {
            let mut out = vec![Line::ZERO; track.lines(self.times.len())];
            sample_track(level, track, &self.times, &mut out).unwrap();
            Hash::lines(&out)
        }));
        assert_eq!(found.len(), TABLE.len());
        found
    }

    fn palettes(&self, level: Level, plan: &Plan) -> u64 {
        let Self { pairs, places, .. } = self;
        let hash = |stores| {
            let mut out = vec![0.0; pairs.len() * plan.palette_floats()];
            let job = PaletteJob::new(plan, pairs, places, &mut out).unwrap().with_stores(stores);
            palettes(level, job, &mut Scratch::new(plan));
            Hash::floats(&out)
        };
        let (cached, streamed) = (hash(Stores::Cached), hash(Stores::Streaming));
        assert_eq!(cached, streamed, "{level}");
        cached
    }

    fn rotations(&self, level: Level, kernel: Kernel) -> u64 {
        let mut out = vec![[Line::ZERO; 4]; self.ways.len()];
        kernel(level, &self.from, &self.to, &self.ways, &mut out);
        Hash::lines(out.iter().flatten())
    }

    fn found(level: Level, keys: &[f32], times: &[f32]) -> u64 {
        let (mut found, mut fractions) = (vec![0; times.len()], vec![0.0; times.len()]);
        find_keys(level, keys, times, &mut found, &mut fractions).unwrap();
        let mut hash = Hash(Hash::floats(&fractions));
        found.iter().for_each(|&key| hash.word(key as u64));
        hash.0
    }

    fn vertices(&self, level: Level) -> u64 {
        let Skinned { positions, normals, tangents } = skin(level, &self.mesh, &self.palettes);
        let three = positions.as_flattened().iter().chain(normals.as_flattened());
        Hash::floats(three.chain(tangents.as_flattened()))
    }

    /// A hundred steps of a sixtieth of a second, of clocks that loop, clamp, swing and wait.
    fn clocks(&self, level: Level) -> u64 {
        let count = self.times.len();
        let by = |f: fn(usize) -> f32| (0..count).map(f).collect::<Vec<f32>>();
        let (min_s, max_s) = (by(|i| (i % 3) as f32 / 7.0), by(|i| 1.0 + (i % 5) as f32 / 3.0));
        let (speed, first) = (by(|i| (i % 11) as f32 / 4.0 - 0.75), by(|_| f32::NEG_INFINITY));
        let last = by(|i| if i % 4 == 0 { 2.5 } else { f32::INFINITY });
        let mut phase_s: Vec<f64> = min_s.iter().map(|&min| f64::from(min)).collect();
        let mut wait_s: Vec<f64> = (0..count).map(|i| f64::from(i as u32 % 6) / 16.0).collect();
        let (mut passes, mut ends, mut overshoot_s) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
        let mut hash = Hash::NEW;
        for _ in 0..100 {
            let clocks = ClockColumns {
                phase_s: &mut phase_s,
                passes: &mut passes,
                wait_s: &mut wait_s,
                speed: &speed,
                min_s: &min_s,
                max_s: &max_s,
                first: &first,
                last: &last,
            };
            let done = AdvancedColumns { passes: &mut ends, overshoot_s: &mut overshoot_s };
            advance_clocks(level, clocks, 1.0 / 60.0, done).unwrap();
            for doubles in [&phase_s, &passes, &wait_s, &ends, &overshoot_s] {
                doubles.iter().for_each(|v| hash.word(v.to_bits()));
            }
        }
        hash.0
    }
}
