//! `throng bench --corpses PERCENT`: what an instance costs that does not change, beside one that does.
//!
//! Two crowds have the same instances that play on. In the second one, instances that came to the end of their clip lie
//! among them, at random slots: what it takes longer is what these cost.

use indicatif::ProgressBar;
use serde::Serialize;
use throng::{Crowd, FrameReport, Playback, Threads, WrapMode};

use super::Args;
use super::measure::{STEP_S, Series};
use super::random::Random;
use super::report::rounded;
use super::subject::Subject;
use crate::error::CliError;
use crate::load::Scene;
use crate::output::{self, printable, table};

/// Frames before those that count: in the first all are posed, and memory is touched.
const WARM_UP: u32 = 5;

/// What frames of one crowd took.
#[derive(Default)]
struct Took {
    advance: Series,
    evaluate: Series,
}

/// A crowd of which some have died.
struct Field {
    crowd: Crowd,
    took: Took,
}

impl Field {
    fn new(subject: &Subject) -> Result<Self, CliError> {
        let mut crowd = Crowd::with_plan(subject.plan.clone(), subject.level);
        crowd.set_threads(if subject.threads == 1 { Threads::One } else { Threads::Pool });
        crowd.set_stores(subject.stores);
        crowd.set_layout(subject.layout)?;
        Ok(Self { crowd, took: Took::default() })
    }

    fn frame(&mut self, took: &mut Took) -> Result<FrameReport, CliError> {
        took.advance.time(|| self.crowd.advance(STEP_S))?;
        took.evaluate.time(|| {
            self.crowd.evaluate();
        });
        Ok(self.crowd.report())
    }
}

/// Nanoseconds of an instance in a frame.
#[derive(Clone, Copy, Serialize)]
struct Cost {
    advance: f64,
    evaluate: f64,
    total: f64,
}

impl Cost {
    fn new(advance: f64, evaluate: f64) -> Self {
        Self { advance: rounded(advance), evaluate: rounded(evaluate), total: rounded(advance + evaluate) }
    }
}

#[derive(Serialize)]
struct Answer {
    scenario: &'static str,
    file: String,
    instances: u32,
    joints: usize,
    level: &'static str,
    threads: u32,
    frames: u32,
    evaluated: usize,
    frozen: usize,
    active_ns: Cost,
    frozen_ns: Cost,
    frozen_over_active: f64,
}

pub(super) fn run(
    scene: &Scene,
    args: &Args,
    percent: u32,
    json: bool,
    bar: &ProgressBar,
) -> Result<(), CliError> {
    let subject = Subject::new(scene, args)?;
    let (mut alive, mut both) = (Field::new(&subject)?, Field::new(&subject)?);
    let mut random = Random(3);
    let clips = subject.poses;
    let mut to_die = u64::from(args.instances) * u64::from(percent) / 100;
    for instance in 0..args.instances {
        let clip = instance as usize % clips;
        // Exactly as many as asked for, at slots that are all equally likely.
        let left = f64::from(args.instances - instance);
        let dies = random.unit() * left < to_die as f64;
        to_die -= u64::from(dies);
        let time_s = random.unit() * f64::from(subject.bank.clips()[clip].duration_s());
        let playback = Playback { clip, time_s, ..Playback::default() };
        if dies {
            both.crowd.spawn(Playback { wrap: WrapMode::Clamp, time_s: 1e6, ..playback })?;
        } else {
            both.crowd.spawn(playback)?;
            alive.crowd.spawn(playback)?;
        }
    }
    let mut report = FrameReport::default();
    for frame in 0..args.frames + WARM_UP {
        let (mut took, mut took_both) = (std::mem::take(&mut alive.took), std::mem::take(&mut both.took));
        if frame == WARM_UP {
            (took, took_both) = Default::default();
        }
        // In turns, so that neither always comes behind the other.
        if frame % 2 == 0 {
            alive.frame(&mut took)?;
            report = both.frame(&mut took_both)?;
        } else {
            report = both.frame(&mut took_both)?;
            alive.frame(&mut took)?;
        }
        (alive.took, both.took) = (took, took_both);
        bar.inc(u64::from(frame >= WARM_UP));
    }
    bar.finish_and_clear();
    let answer = Answer::new(scene, args, &subject, report, [&alive.took, &both.took]);
    if json { output::json(&answer) } else { output::text(&answer.text()) }
}

impl Answer {
    fn new(
        scene: &Scene,
        args: &Args,
        subject: &Subject,
        report: FrameReport,
        [alive, both]: [&Took; 2],
    ) -> Self {
        let (active, frozen) = (report.evaluated.max(1) as f64, report.frozen.max(1) as f64);
        // The least is what the machine can do; a difference of medians would be one of two disturbances.
        let each = |series: fn(&Took) -> &Series| {
            let (alive, both) = (series(alive).min(), series(both).min());
            [alive / active, (both - alive).max(0.0) / frozen]
        };
        let [advance, evaluate] = [each(|took| &took.advance), each(|took| &took.evaluate)];
        let (active_ns, frozen_ns) = (Cost::new(advance[0], evaluate[0]), Cost::new(advance[1], evaluate[1]));
        Self {
            scenario: "corpses",
            file: scene.file.display().to_string(),
            instances: args.instances,
            joints: subject.plan.palette_entries(),
            level: subject.level.name(),
            threads: args.threads,
            frames: args.frames,
            evaluated: report.evaluated,
            frozen: report.frozen,
            active_ns,
            frozen_ns,
            frozen_over_active: rounded(frozen_ns.total / active_ns.total),
        }
    }

    fn text(&self) -> String {
        let mut costs = table(["ns an instance", "advance", "evaluate", "total"], 1);
        for (name, cost) in [("that plays on", self.active_ns), ("that does not change", self.frozen_ns)] {
            let number = |ns: f64| format!("{ns:.2}");
            costs.add_row([name.into(), number(cost.advance), number(cost.evaluate), number(cost.total)]);
        }
        format!(
            "{}: {} instances of {} joints, {} of them frozen, {} frames, threads {}, level {}\n\n{costs}\n\n\
             One that does not change costs {:.1} % of one that plays on (least times).\n",
            printable(&self.file),
            self.instances,
            self.joints,
            self.frozen,
            self.frames,
            self.threads,
            self.level,
            self.frozen_over_active * 100.0,
        )
    }
}
