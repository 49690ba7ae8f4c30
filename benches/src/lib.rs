//! The workload that the benches share: our own character, its clips mixed, every instance at its own time.
#![forbid(unsafe_code)]

use std::path::Path;
use std::sync::Arc;

use throng::Asset;
use throng::kernels::Plan;
use throng::tracks::RowPair;

/// Instance counts that the benches go through.
pub const SIZES: [usize; 3] = [100, 1_000, 10_000];

/// Our own character, baked, and the plan of its skin.
///
/// # Panics
/// If the repository's own file can't be loaded.
#[must_use]
pub fn marcher() -> (Asset, Arc<Plan>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/marcher.glb");
    let asset = Asset::load(path).expect("the repository's own character loads");
    let plan = asset.plan(0).expect("it has a skin");
    (asset, plan)
}

/// Numbers in `[0, 1)`, the same in every run.
pub fn random() -> impl FnMut() -> f32 {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 24) as f32
    }
}

/// Row pairs of `count` instances: clip after clip, at random times.
#[must_use]
pub fn random_pairs(plan: &Plan, count: usize) -> Vec<RowPair> {
    let (bank, mut random) = (plan.bank(), random());
    let clips = bank.clips();
    let pair = |i: usize| bank.locate(i % clips.len(), random() * clips[i % clips.len()].duration_s());
    (0..count).map(pair).collect()
}
