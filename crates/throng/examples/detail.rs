//! Less work for those far away, step by step: `cargo run --release --example detail -p throng [FILE]`.
use throng::prelude::*;
use throng::{FrameReport, JointOrder};

/// Sixty frames; the report of the last, and what all of them took on average.
fn frames(crowd: &mut Crowd) -> Result<(FrameReport, f64), Box<dyn std::error::Error>> {
    let mut ms = 0.0;
    for _ in 0..60 {
        crowd.advance(1.0 / 60.0)?;
        crowd.evaluate();
        ms += crowd.report().ms.map_or(0.0, |ms| ms.sum()) / 60.0;
    }
    Ok((crowd.report(), ms))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb");
    let asset = Asset::load(std::env::args().nth(1).unwrap_or_else(|| ours.into()))?;
    let mut crowd = asset.crowd(0)?;
    let mut ids = Vec::new();
    for i in 0..10_000 {
        let clip = i % asset.bank.clips().len().max(1);
        ids.push(crowd.spawn(Playback { clip, time_s: i as f64 * 0.01, ..Playback::default() })?);
    }
    // From 2 to 200 metres away, as on a square: most are far.
    let metres = |slot: usize| 200.0 * ((slot as f32 + 1.0) / 10_000.0).sqrt().max(0.01);
    crowd.measure(true);
    let show = |crowd: &mut Crowd, what: &str| -> Result<(), Box<dyn std::error::Error>> {
        let (report, ms) = frames(crowd)?;
        println!("{what}: {ms:.2} ms a frame\n{report}\n");
        Ok(())
    };
    show(&mut crowd, "all of everything")?;

    let behind: Vec<_> = ids.iter().copied().filter(|id| id.slot() % 10 < 3).collect();
    crowd.set_visible_many(&behind, false)?;
    show(&mut crowd, "three of ten are behind the camera")?;

    let interval = |slot: usize| (metres(slot) / 40.0).clamp(1.0, 5.0) as u8;
    crowd.set_detail_all(|id, detail| Detail { interval: interval(id.slot()), ..detail })?;
    show(&mut crowd, "from 80 metres on every second frame, from 200 every fifth")?;

    let order = JointOrder::by_extent(crowd.bank().skeleton());
    let kept = [order.reaching(0.05), order.reaching(0.1)];
    crowd.set_joint_levels(order.joints(), &kept)?;
    let level = |slot: usize| (metres(slot) / 60.0).min(2.0) as u8;
    crowd.set_detail_all(|id, detail| Detail { level: level(id.slot()), ..detail })?;
    let joints = crowd.bank().skeleton().joint_count();
    let what = format!("of {joints} joints {} from 60 metres on, {} from 120", kept[0], kept[1]);
    show(&mut crowd, &what)?;

    let share_s = |slot: usize| if metres(slot) > 120.0 { 1.0 / 60.0 } else { 0.0 };
    crowd.set_detail_all(|id, detail| Detail { share_s: share_s(id.slot()), ..detail })?;
    show(&mut crowd, "from 120 metres on poses are shared, a sixtieth of a second off at most")?;

    let (report, ms) = frames(&mut crowd)?;
    let advance_ms = report.ms.map_or(0.0, |ms| ms.advance);
    crowd.set_budget_ms(Some((ms - advance_ms) * 0.5))?;
    crowd.set_detail_all(|id, detail| Detail { importance: 10.0 / metres(id.slot()), ..detail })?;
    frames(&mut crowd)?;
    show(&mut crowd, "with half the time")?;
    Ok(())
}
