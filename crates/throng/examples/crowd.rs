//! Ten thousand characters, sixty frames: `cargo run --release --example crowd -p throng [FILE]`.
use std::time::Instant;

use throng::prelude::*;

/// Stands for a graphics API, which would copy the bytes into a buffer of the graphics card.
struct PretendQueue(usize);

impl PretendQueue {
    fn write_buffer(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb");
    let asset = Asset::load(std::env::args().nth(1).unwrap_or_else(|| ours.into()))?;
    let mut crowd = asset.crowd(0)?;
    for i in 0..10_000 {
        let clip = i % asset.bank.clips().len().max(1);
        crowd.spawn(Playback { clip, time_s: i as f64 * 0.01, ..Playback::default() })?;
    }
    let mut queue = PretendQueue(0);
    let start = Instant::now();
    for _ in 0..60 {
        crowd.advance(1.0 / 60.0)?;
        crowd.evaluate();
        queue.write_buffer(crowd.palette_bytes());
    }
    let ms = start.elapsed().as_secs_f64() * 1e3 / 60.0;
    let (joints, mb) = (crowd.plan().palette_entries(), queue.0 as f64 / 60.0 / 1e6);
    println!("{} instances of {joints} joints, level {}", crowd.len(), crowd.level());
    println!("{ms:.2} ms and {mb:.1} MB of palettes a frame");
    Ok(())
}
