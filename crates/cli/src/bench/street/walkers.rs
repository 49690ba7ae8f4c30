//! The street: walkers who change their speed, go over to another clip, are out of sight or far away.

use std::time::Instant;

use throng::glam::Vec3;
use throng::tracks::Placement;
use throng::{Crossfade, Crowd, Detail, EventKind, InstanceId, Playback, PlaybackId};

use super::cast::Cast;
use super::{Counts, Stages};
use crate::bench::measure::STEP_S;
use crate::bench::random::Random;
use crate::error::CliError;

/// Metres that the street is long and wide: who leaves at one end comes back at the other.
const STREET_M: f32 = 100.0;

/// Of a hundred walkers so many begin a crossfade in a frame.
const CROSSFADES: usize = 1;

/// The part of the walkers that is out of sight.
const HIDDEN: f32 = 0.3;

/// How much of the circle around the camera comes into sight a second.
const TURN: f32 = 0.05;

/// A walker changes speed every so many frames, and takes so long.
const CHANGE_FRAMES: usize = 120;
const CHANGE_S: f32 = 0.5;

struct Walker {
    id: InstanceId,
    /// The running layer beside the main one.
    run: PlaybackId,
    /// How much of it there is to be.
    running: f32,
    /// Where around the camera, from 0 to 1.
    around: f32,
    visible: bool,
    /// Whether it plays the other clip instead of its walk.
    other: bool,
}

pub(super) struct Street {
    crowd: Crowd,
    walkers: Vec<Walker>,
    places: Vec<Placement>,
    random: Random,
    frame: usize,
    events: usize,
    crossfades: usize,
    shown: Vec<InstanceId>,
    gone: Vec<InstanceId>,
}

impl Street {
    pub(super) fn new(cast: &Cast, walkers: u32) -> Result<Self, CliError> {
        let (mut crowd, mut random) = (cast.crowd()?, Random(1));
        let count = walkers as usize;
        crowd.reserve(count);
        let (mut walkers, mut places) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for _ in 0..count {
            let mut part = || random.unit() as f32;
            let (running, phase, around) = (part(), part(), part());
            let place = Vec3::new(part(), 0.0, part()) * STREET_M;
            let id = crowd.spawn(playback(Cast::WALK, 1.0 - running))?;
            let run = crowd.play(id, playback(Cast::RUN, running))?;
            for (target, clip) in [(id.into(), Cast::WALK), (throng::Target::from(run), Cast::RUN)] {
                crowd.seek(target, phase * crowd.bank().clips()[clip].duration_s())?;
            }
            walkers.push(Walker { id, run, running, around, visible: true, other: false });
            places.push(Placement::at(place.to_array()));
        }
        let (shown, gone) = (Vec::with_capacity(count), Vec::with_capacity(count));
        Ok(Self { crowd, walkers, places, random, frame: 0, events: 0, crossfades: 0, shown, gone })
    }

    /// One frame, as a game has it.
    pub(super) fn frame(&mut self, stages: &mut Stages) -> Result<(), CliError> {
        let start = Instant::now();
        stages.control.time(|| self.control())?;
        stages.advance.time(|| self.crowd.advance(STEP_S))?;
        stages.root_motion.time(|| self.walk())?;
        stages.evaluate.time(|| {
            self.crowd.evaluate();
        });
        stages.events.time(|| self.hear());
        stages.total.push(start.elapsed());
        self.frame += 1;
        Ok(())
    }

    /// Who does what from now on.
    fn control(&mut self) -> Result<(), CliError> {
        let Self { crowd, walkers, random, frame, .. } = self;
        let count = walkers.len();
        // A part of all in turn walks faster or slower.
        for walker in walkers.iter_mut().skip(*frame % CHANGE_FRAMES).step_by(CHANGE_FRAMES) {
            walker.running = random.unit() as f32;
            crowd.fade(walker.id, 1.0 - walker.running, CHANGE_S)?;
            crowd.fade(walker.run, walker.running, CHANGE_S)?;
        }
        self.crossfades = count * CROSSFADES / 100;
        for _ in 0..self.crossfades {
            let walker = &mut walkers[(random.unit() * count as f64) as usize];
            walker.other = !walker.other;
            let clip = if walker.other { Cast::OTHER } else { Cast::WALK };
            let how = Crossfade { synced: true, ..Crossfade::default() };
            crowd.crossfade(walker.id, playback(clip, 1.0 - walker.running), how)?;
        }
        self.look()?;
        Ok(())
    }

    /// The camera turns, and looks less often at who is far away.
    fn look(&mut self) -> Result<(), CliError> {
        let Self { crowd, walkers, places, frame, shown, gone, .. } = self;
        let turned = TURN * *frame as f32 * STEP_S as f32;
        shown.clear();
        gone.clear();
        for walker in walkers {
            let visible = (walker.around + turned).fract() >= HIDDEN;
            if visible != walker.visible {
                walker.visible = visible;
                if visible { shown.push(walker.id) } else { gone.push(walker.id) }
            }
        }
        crowd.set_visible_many(shown, true)?;
        crowd.set_visible_many(gone, false)?;
        let camera = Vec3::new(STREET_M / 2.0, 0.0, 0.0);
        crowd.set_detail_all(|id, detail| {
            let far = places[id.slot()].translation.distance_squared(camera);
            Detail {
                interval: if far < 1600.0 {
                    1
                } else if far < 6400.0 {
                    2
                } else {
                    3
                },
                ..detail
            }
        })?;
        Ok(())
    }

    /// Everyone goes where their clips take them.
    fn walk(&mut self) -> Result<(), CliError> {
        self.crowd.move_places(&mut self.places)?;
        for place in &mut self.places {
            place.translation.z = place.translation.z.rem_euclid(STREET_M);
        }
        Ok(())
    }

    /// Steps and whatever else happened.
    fn hear(&mut self) {
        self.events =
            self.crowd.events().iter().filter(|e| matches!(e.kind, EventKind::Marker { .. })).count();
    }

    pub(super) fn count(&self, counts: &mut Counts) -> Result<(), CliError> {
        let report = self.crowd.report();
        counts.evaluated += report.evaluated;
        counts.held += report.held;
        counts.hidden += report.hidden;
        counts.layers += self.layers()?.iter().zip(0..).map(|(lanes, layers)| lanes * layers).sum::<usize>();
        counts.events += self.events;
        counts.crossfades += self.crossfades;
        Ok(())
    }

    /// How many of those that the last frame posed play nothing, one clip, two, and so on.
    pub(super) fn layers(&self) -> Result<[usize; 5], CliError> {
        let mut lanes = [0; 5];
        for &slot in self.crowd.changed() {
            let playbacks = self.crowd.playbacks(self.walkers[slot as usize].id)?.count();
            lanes[playbacks.min(4)] += 1;
        }
        Ok(lanes)
    }
}

/// In a loop, with a weight.
fn playback(clip: usize, weight: f32) -> Playback {
    Playback { clip, weight, ..Playback::default() }
}
