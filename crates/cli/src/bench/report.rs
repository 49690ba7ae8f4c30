//! The answer, for programs and for people.

use serde::Serialize;
use throng::Stores;

use super::Args;
use super::measure::{Measured, Series};
use super::setup::Setup;
use super::verify::Compared;
use crate::load::Scene;
use crate::output::{printable, table};

#[derive(Serialize)]
pub(super) struct Answer<'a> {
    file: String,
    clips: Vec<&'a str>,
    skin: Option<usize>,
    instances: usize,
    joints: usize,
    level: &'static str,
    threads: u32,
    frames: u32,
    seek: bool,
    ns_per_joint: Times,
    naive_ns_per_joint: Times,
    scalar_ns_per_joint: Times,
    fill_ns_per_joint: Times,
    fill_stores: &'static str,
    advance_ns_per_instance: Times,
    naive_over_ours: f64,
    ours_over_fill: f64,
    max_difference: f32,
    tolerance: f32,
}

#[derive(Clone, Copy, Serialize)]
struct Times {
    min: f64,
    median: f64,
}

impl Times {
    fn each(series: &Series, count: usize) -> Self {
        let each = |ns: f64| rounded(ns / count as f64);
        Self { min: each(series.min()), median: each(series.median()) }
    }
}

/// To a thousandth: clocks tell no more.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

impl<'a> Answer<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        args: &Args,
        setup: &Setup,
        measured: &Measured,
        compared: &Compared,
    ) -> Self {
        let (instances, joints) = (setup.ids.len(), setup.crowd.plan().palette_entries());
        let times = |series: &Series| Times::each(series, instances * joints);
        let (fill, fill_stores) = measured.fill();
        Self {
            file: scene.file.display().to_string(),
            clips: scene.clips.iter().map(|clip| clip.name()).collect(),
            skin: (!scene.skins.is_empty()).then_some(args.skin.unwrap_or(0)),
            instances,
            joints,
            level: setup.level.name(),
            threads: args.threads,
            frames: args.frames,
            seek: args.seek,
            ns_per_joint: times(&measured.ours),
            naive_ns_per_joint: times(&measured.naive),
            scalar_ns_per_joint: times(&measured.scalar),
            fill_ns_per_joint: times(fill),
            fill_stores: if fill_stores == Stores::Streaming { "streaming" } else { "cached" },
            advance_ns_per_instance: Times::each(&measured.advance, instances),
            naive_over_ours: rounded(measured.naive.median() / measured.ours.median()),
            ours_over_fill: rounded(measured.ours.median() / fill.median()),
            max_difference: compared.max_difference,
            tolerance: compared.tolerance,
        }
    }

    /// A few lines and a table.
    pub(super) fn text(&self) -> String {
        let Self { instances, joints, level, threads, frames, .. } = self;
        let clips = match self.clips.as_slice() {
            few if few.len() <= 8 => few.join(", "),
            many => format!("{} clips", many.len()),
        };
        let seek = if self.seek { ", each at a random time" } else { "" };
        let mut times = table(["ns a joint", "median", "min", "of ours"], 1);
        for (name, row) in [
            (format!("ours, {level}"), self.ns_per_joint),
            ("naive, one by one with glam".into(), self.naive_ns_per_joint),
            ("ours, scalar".into(), self.scalar_ns_per_joint),
            (format!("only filling the output, {} stores", self.fill_stores), self.fill_ns_per_joint),
        ] {
            let of_ours = format!("{:.2}", row.median / self.ns_per_joint.median);
            times.add_row([name, format!("{:.2}", row.median), format!("{:.2}", row.min), of_ours]);
        }
        format!(
            "{}: {}\n{instances} characters of {joints} joints, {frames} frames{seek}, threads {threads}\n\n{times}\n\n\
             {:.1} times as fast as naive; {:.1} times what filling the output takes.\n\
             Clocks move on in {:.1} ns a character besides. Palettes differ by {:.1e} at most, of {:.1e} allowed.\n",
            printable(&self.file),
            printable(&clips),
            self.naive_over_ours,
            self.ours_over_fill,
            self.advance_ns_per_instance.median,
            self.max_difference,
            self.tolerance,
        )
    }
}
