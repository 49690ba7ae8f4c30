//! The answer, for programs and for people.

use serde::Serialize;

use super::cast::Cast;
use super::plain::Plain;
use super::{Counts, Stages};
use crate::bench::Args;
use crate::bench::report::{Times, rounded};
use crate::load::Scene;
use crate::output::{printable, table};
use crate::select;

#[derive(Serialize)]
pub(super) struct Answer {
    scenario: &'static str,
    file: String,
    clips: [String; 3],
    root_motion: Option<String>,
    instances: u32,
    joints: usize,
    bytes_per_joint: usize,
    level: &'static str,
    threads: u32,
    frames: u32,
    rows: String,
    format: String,
    evaluated: f64,
    held: f64,
    hidden: f64,
    layers_per_lane: f64,
    markers: f64,
    crossfades: f64,
    control_ms: Times,
    advance_ms: Times,
    root_motion_ms: Times,
    evaluate_ms: Times,
    events_ms: Times,
    total_ms: Times,
    plain_lanes: usize,
    plain_ms: Times,
    advance_ns_per_instance: f64,
    evaluate_ns_per_joint: f64,
    plain_ns_per_joint: f64,
    total_over_plain: f64,
}

impl Answer {
    pub(super) fn new(
        scene: &Scene,
        args: &Args,
        cast: &Cast,
        plain: &Plain,
        stages: &Stages,
        counts: &Counts,
    ) -> Self {
        let frames = f64::from(args.frames);
        let a_frame = |count: usize| rounded(count as f64 / frames);
        let ms = |series| Times::each(series, 1_000_000);
        let evaluated = counts.evaluated as f64 / frames;
        let joints = cast.joints();
        // The street of this frame and that has a few more or fewer lanes than those that are compared with.
        let plain_ns = stages.plain.median() / (plain.lanes() * joints).max(1) as f64;
        let advance = stages.advance.median() + stages.root_motion.median();
        Self {
            scenario: "street",
            file: scene.file.display().to_string(),
            clips: cast.clips.clone(),
            root_motion: cast.root.clone(),
            instances: args.instances,
            joints,
            bytes_per_joint: cast.layout.format().bytes(),
            level: cast.level().name(),
            threads: args.threads,
            frames: args.frames,
            rows: select::word(args.rows),
            format: select::word(args.format),
            evaluated: a_frame(counts.evaluated),
            held: a_frame(counts.held),
            hidden: a_frame(counts.hidden),
            layers_per_lane: rounded(counts.layers as f64 / counts.evaluated.max(1) as f64),
            markers: a_frame(counts.events),
            crossfades: a_frame(counts.crossfades),
            control_ms: ms(&stages.control),
            advance_ms: ms(&stages.advance),
            root_motion_ms: ms(&stages.root_motion),
            evaluate_ms: ms(&stages.evaluate),
            events_ms: ms(&stages.events),
            total_ms: ms(&stages.total),
            plain_lanes: plain.lanes(),
            plain_ms: ms(&stages.plain),
            advance_ns_per_instance: rounded(advance / f64::from(args.instances)),
            evaluate_ns_per_joint: rounded(stages.evaluate.median() / (evaluated * joints as f64).max(1.0)),
            plain_ns_per_joint: rounded(plain_ns),
            total_over_plain: rounded(
                stages.total.median() / (plain_ns * (evaluated * joints as f64).max(1.0)),
            ),
        }
    }

    /// A few lines and a table.
    pub(super) fn text(&self) -> String {
        let mut times = table(["a frame", "ms", "least", "part"], 1);
        for (name, row) in [
            ("controls", self.control_ms),
            ("clocks, fades, events", self.advance_ms),
            ("root motion", self.root_motion_ms),
            ("palettes", self.evaluate_ms),
            ("hearing events", self.events_ms),
            ("all of it", self.total_ms),
            ("palettes of as many lanes and layers alone", self.plain_ms),
        ] {
            let part = format!("{:.0} %", 100.0 * row.median / self.total_ms.median);
            times.add_row([name.to_owned(), format!("{:.3}", row.median), format!("{:.3}", row.min), part]);
        }
        let clips = self.clips.join(", ");
        format!(
            "{}: {}\nA street of {} walkers of {} joints, {} frames, threads {}, level {}\n\
             rows {}, format {}, {} bytes a joint; root motion {}\n\n\
             In a frame {:.0} are posed with {:.2} layers each, {:.0} hold their palette, {:.0} are hidden;\n\
             {:.0} begin a crossfade, and {:.0} markers are passed.\n\n{times}\n\n\
             {:.2} times what as many lanes and layers take alone ({:.2} ns a joint).\n\
             Clocks, fades, events and root motion take {:.1} ns an instance.\n",
            printable(&self.file),
            printable(&clips),
            self.instances,
            self.joints,
            self.frames,
            self.threads,
            self.level,
            self.rows,
            self.format,
            self.bytes_per_joint,
            self.root_motion.as_deref().map_or("none".into(), |joint| format!("of {}", printable(joint))),
            self.evaluated,
            self.layers_per_lane,
            self.held,
            self.hidden,
            self.crossfades,
            self.markers,
            self.total_over_plain,
            self.plain_ns_per_joint,
            self.advance_ns_per_instance,
        )
    }
}
