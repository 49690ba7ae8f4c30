//! As many lanes and layers as the street poses in a frame, only evaluated.

use throng::{Crowd, Playback};

use super::cast::Cast;
use super::walkers::Street;
use crate::bench::measure::{STEP_S, Series};
use crate::bench::random::Random;
use crate::error::CliError;

pub(super) struct Plain {
    crowd: Crowd,
}

impl Plain {
    /// As many as the street's last frame posed, with as many playbacks each, whose weights stay.
    pub(super) fn new(cast: &Cast, street: &Street) -> Result<Self, CliError> {
        let (mut crowd, mut random) = (cast.crowd()?, Random(2));
        for (layers, &lanes) in street.layers()?.iter().enumerate() {
            for _ in 0..lanes {
                let mut layer = |clip| Playback {
                    clip,
                    time_s: random.unit(),
                    weight: 1.0 / layers.max(1) as f32,
                    ..Playback::default()
                };
                let id = crowd.spawn(layer(Cast::WALK))?;
                for clip in [Cast::RUN, Cast::OTHER, Cast::WALK].into_iter().take(layers.saturating_sub(1)) {
                    crowd.play(id, layer(clip))?;
                }
            }
        }
        Ok(Self { crowd })
    }

    pub(super) fn lanes(&self) -> usize {
        self.crowd.len()
    }

    /// Moves clocks on, and times the rest.
    pub(super) fn frame(&mut self, series: &mut Series) -> Result<(), CliError> {
        self.crowd.advance(STEP_S)?;
        series.time(|| {
            self.crowd.evaluate();
        });
        Ok(())
    }
}
