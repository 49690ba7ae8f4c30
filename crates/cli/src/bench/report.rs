//! The answer, for programs and for people.

use serde::Serialize;
use throng::Stores;

use super::Args;
use super::measure::{Measured, Series};
use super::setup::Setup;
use super::verify::Compared;
use crate::load::Scene;
use crate::output::{printable, table};
use crate::select;

#[derive(Serialize)]
pub(super) struct Answer<'a> {
    file: String,
    clips: Vec<&'a str>,
    skin: Option<usize>,
    instances: usize,
    joints: usize,
    skin_joints: usize,
    used_joints: Option<usize>,
    prune: bool,
    bytes_per_joint: usize,
    level: &'static str,
    threads: u32,
    frames: u32,
    seek: bool,
    rows: String,
    format: String,
    layers: u32,
    additive: bool,
    mask: bool,
    stores: &'static str,
    ns_per_joint: Times,
    naive_ns_per_joint: Times,
    scalar_ns_per_joint: Times,
    fill_ns_per_joint: Times,
    fill_stores: &'static str,
    one_layer_ns_per_joint: Option<Times>,
    forward_ns_per_joint: Option<Times>,
    advance_ns_per_instance: Times,
    naive_over_ours: f64,
    ours_over_fill: f64,
    over_one_layer: Option<f64>,
    seek_over_forward: Option<f64>,
    max_difference: f32,
    tolerance: f32,
    rows_error: f32,
    float_columns: usize,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Times {
    pub(super) min: f64,
    pub(super) median: f64,
}

impl Times {
    /// By so many.
    pub(super) fn each(series: &Series, count: usize) -> Self {
        let each = |ns: f64| rounded(ns / count as f64);
        Self { min: each(series.min()), median: each(series.median()) }
    }
}

/// To a thousandth: clocks tell no more.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn word(stores: Stores) -> &'static str {
    match stores {
        Stores::Cached => "cached",
        Stores::Streaming => "streaming",
    }
}

impl<'a> Answer<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        args: &Args,
        setup: &Setup,
        measured: &Measured,
        compared: &Compared,
    ) -> Self {
        let subject = setup.subject;
        let (instances, joints) = (setup.instances, subject.plan.palette_entries());
        let times = |series: &Series| Times::each(series, instances * joints);
        let used = scene.used_joints.get(args.skin.unwrap_or(0)).and_then(Option::as_ref);
        let ours = measured.ours.median();
        let (fill, fill_stores) = measured.fill();
        Self {
            file: scene.file.display().to_string(),
            clips: scene.clips.iter().map(|clip| clip.name()).collect(),
            skin: (!scene.skins.is_empty()).then_some(args.skin.unwrap_or(0)),
            instances,
            joints,
            skin_joints: used.map_or(joints, Vec::len),
            used_joints: used.map(|used| used.iter().filter(|used| **used).count()),
            prune: args.prune,
            bytes_per_joint: subject.layout.format().bytes(),
            level: subject.level.name(),
            threads: args.threads,
            frames: args.frames,
            seek: args.seek,
            rows: select::word(args.rows),
            format: select::word(args.format),
            layers: args.layers,
            additive: args.additive,
            mask: args.mask,
            stores: word(setup.stores()),
            ns_per_joint: times(&measured.ours),
            naive_ns_per_joint: times(&measured.naive),
            scalar_ns_per_joint: times(&measured.scalar),
            fill_ns_per_joint: times(fill),
            fill_stores: word(fill_stores),
            one_layer_ns_per_joint: measured.one_layer().map(times),
            forward_ns_per_joint: measured.forward().map(times),
            advance_ns_per_instance: Times::each(&measured.advance, instances),
            naive_over_ours: rounded(measured.naive.median() / ours),
            ours_over_fill: rounded(ours / fill.median()),
            over_one_layer: measured.one_layer().map(|one| rounded(ours / one.median())),
            seek_over_forward: measured.forward().map(|forward| rounded(ours / forward.median())),
            max_difference: compared.max_difference,
            tolerance: compared.tolerance,
            rows_error: subject.stored.largest.error,
            float_columns: subject.stored.float_columns,
        }
    }

    /// A few lines and a table.
    pub(super) fn text(&self) -> String {
        let mut times = table(["ns a joint", "median", "min", "of ours"], 1);
        let rows = [
            (format!("ours, {}", self.level), Some(self.ns_per_joint)),
            ("ours, one layer".into(), self.one_layer_ns_per_joint),
            ("ours, playing on".into(), self.forward_ns_per_joint),
            ("naive, one by one with glam".into(), Some(self.naive_ns_per_joint)),
            ("ours, scalar".into(), Some(self.scalar_ns_per_joint)),
            (format!("only filling the output, {} stores", self.fill_stores), Some(self.fill_ns_per_joint)),
        ];
        for (name, row) in rows.into_iter().filter_map(|(name, row)| Some((name, row?))) {
            let of_ours = format!("{:.2}", row.median / self.ns_per_joint.median);
            times.add_row([name, format!("{:.2}", row.median), format!("{:.2}", row.min), of_ours]);
        }
        let layers = self
            .over_one_layer
            .map_or(String::new(), |over| format!("The layers take {over:.2} times what one does.\n"));
        let seek = self
            .seek_over_forward
            .map_or(String::new(), |over| format!("Seeking takes {over:.2} times what playing on does.\n"));
        format!(
            "{}\n{} characters of {}\n\n{times}\n\n\
             {:.1} times as fast as naive; {:.1} times what filling the output takes.\n{layers}{seek}\
             Clocks move on in {:.1} ns a character besides. Palettes differ by {:.1e} at most, of {:.1e} allowed.\n\
             Rows as stored are off from the bank's by {:.1e} at most.\n",
            self.played(),
            self.instances,
            self.how(),
            self.naive_over_ours,
            self.ours_over_fill,
            self.advance_ns_per_instance.median,
            self.max_difference,
            self.tolerance,
            self.rows_error,
        )
    }

    fn played(&self) -> String {
        let clips = match self.clips.as_slice() {
            few if few.len() <= 8 => few.join(", "),
            many => format!("{} clips", many.len()),
        };
        format!("{}: {}", printable(&self.file), printable(&clips))
    }

    fn how(&self) -> String {
        let Self { joints, frames, layers, threads, rows, format, bytes_per_joint, .. } = self;
        let seek = if self.seek { ", each at a random time" } else { "" };
        let layers = match (self.one_layer_ns_per_joint, self.additive, self.mask) {
            (None, ..) => String::new(),
            (_, additive, mask) => format!(
                "layers {layers}{}{}\n",
                if additive { ", and one that is additive" } else { "" },
                if mask { ", each of half of the body" } else { "" }
            ),
        };
        format!(
            "{joints} joints, {frames} frames{seek}, threads {threads}\n{}{layers}\
             rows {rows}, format {format}, {bytes_per_joint} bytes a joint",
            self.entries()
        )
    }

    /// Which palette entries are written, where a mesh says which are needed.
    fn entries(&self) -> String {
        match (self.prune, self.used_joints) {
            (true, Some(used)) => {
                format!(
                    "palette entries of {used} of {} joints, those that vertices follow\n",
                    self.skin_joints
                )
            }
            (true, None) => {
                "palette entries of all joints, as no mesh says which vertices follow\n".to_owned()
            }
            (false, Some(used)) if used < self.skin_joints => format!(
                "palette entries of all {} joints; vertices follow {used}, and --prune leaves out the others\n",
                self.skin_joints
            ),
            (false, _) => String::new(),
        }
    }
}

/// One table of several numbers of characters.
pub(super) fn sizes(answers: &[Answer<'_>]) -> String {
    let Some(first) = answers.first() else { return String::new() };
    let mut headings = vec!["characters", "stores", "ours", "naive", "fill", "naive / ours", "ours / fill"];
    if first.seek {
        headings.extend(["playing on", "ours / playing on"]);
    }
    if first.over_one_layer.is_some() {
        headings.extend(["one layer", "ours / one layer"]);
    }
    let mut times = table(headings, 0);
    for answer in answers {
        let median = |times: &Times| format!("{:.2}", times.median);
        let mut row = vec![
            answer.instances.to_string(),
            answer.stores.to_owned(),
            median(&answer.ns_per_joint),
            median(&answer.naive_ns_per_joint),
            median(&answer.fill_ns_per_joint),
            format!("{:.2}", answer.naive_over_ours),
            format!("{:.2}", answer.ours_over_fill),
        ];
        row.extend(answer.forward_ns_per_joint.iter().map(median));
        row.extend(answer.seek_over_forward.map(|over| format!("{over:.2}")));
        row.extend(answer.one_layer_ns_per_joint.iter().map(median));
        row.extend(answer.over_one_layer.map(|over| format!("{over:.2}")));
        times.add_row(row);
    }
    let allowed = answers.iter().map(|answer| answer.max_difference / answer.tolerance).fold(0.0, f32::max);
    format!(
        "{}\nCharacters of {}, level {}\nns a joint, medians\n\n{times}\n\n\
         Palettes differ by {:.0} % at most of what is allowed.\n",
        first.played(),
        first.how(),
        first.level,
        allowed * 100.0,
    )
}
