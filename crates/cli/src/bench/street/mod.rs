//! `throng bench --scenario street`: a crowd that is directed, not only played.
//!
//! [`cast`] prepares the clips and bakes them; [`walkers`] is the street, frame by frame, as a game would write it;
//! [`plain`] is as many lanes and layers that are only evaluated, to compare with; [`report`] tells what both took.

mod cast;
mod plain;
mod report;
mod walkers;

use indicatif::ProgressBar;

use super::Args;
use super::measure::Series;
use crate::error::CliError;
use crate::load::Scene;
use crate::output;
use cast::Cast;
use plain::Plain;
use walkers::Street;

/// Frames before those that count: after them as many crossfades run as at any time, and everyone has found a speed.
const WARM_UP: u32 = 150;

/// What each stage of a frame took.
#[derive(Default)]
struct Stages {
    control: Series,
    advance: Series,
    root_motion: Series,
    evaluate: Series,
    events: Series,
    total: Series,
    plain: Series,
}

/// What frames had to do, summed over those that count.
#[derive(Default)]
struct Counts {
    evaluated: usize,
    held: usize,
    hidden: usize,
    layers: usize,
    events: usize,
    crossfades: usize,
}

pub(super) fn run(scene: &Scene, args: &Args, json: bool, bar: &ProgressBar) -> Result<(), CliError> {
    let cast = Cast::new(scene, args)?;
    let mut street = Street::new(&cast, args.instances)?;
    for _ in 0..WARM_UP {
        street.frame(&mut Stages::default())?;
    }
    let mut plain = Plain::new(&cast, &street)?;
    let (mut stages, mut counts) = (Stages::default(), Counts::default());
    for frame in 0..args.frames {
        // In turns, so that neither always comes behind the other.
        if frame % 2 == 0 {
            street.frame(&mut stages)?;
            plain.frame(&mut stages.plain)?;
        } else {
            plain.frame(&mut stages.plain)?;
            street.frame(&mut stages)?;
        }
        street.count(&mut counts)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let answer = report::Answer::new(scene, args, &cast, &plain, &stages, &counts);
    if json { output::json(&answer) } else { output::text(&answer.text()) }
}
