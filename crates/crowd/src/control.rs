//! Controls as data, to be handed to many instances.

use crate::{Crossfade, Playback};

/// A control of one playback or instance, as data: each is the method of [`Crowd`](crate::Crowd) of that name, which says
/// what it does and refuses. For [`Crowd::control_many`](crate::Crowd::control_many) and
/// [`control_all`](crate::Crowd::control_all).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Control {
    /// [`Crowd::pause`](crate::Crowd::pause).
    Pause,
    /// [`Crowd::resume`](crate::Crowd::resume).
    Resume,
    /// [`Crowd::stop`](crate::Crowd::stop).
    Stop,
    /// [`Crowd::rewind`](crate::Crowd::rewind).
    Rewind,
    /// [`Crowd::seek`](crate::Crowd::seek), to seconds of the clip.
    Seek(f32),
    /// [`Crowd::seek_played`](crate::Crowd::seek_played), to seconds from the start of the first pass.
    SeekPlayed(f64),
    /// [`Crowd::step_to_next_key`](crate::Crowd::step_to_next_key).
    NextKey,
    /// [`Crowd::step_to_previous_key`](crate::Crowd::step_to_previous_key).
    PreviousKey,
    /// [`Crowd::set_speed`](crate::Crowd::set_speed).
    Speed(f32),
    /// [`Crowd::fade`](crate::Crowd::fade).
    Fade {
        /// Where the weight goes.
        weight: f32,
        /// Within how many seconds.
        seconds: f32,
    },
    /// [`Crowd::fade_out`](crate::Crowd::fade_out), within seconds.
    FadeOut(f32),
    /// [`Crowd::crossfade`](crate::Crowd::crossfade), of the instance.
    Crossfade(Playback, Crossfade),
    /// [`Crowd::fade_in`](crate::Crowd::fade_in), of the instance, within seconds; at once where they are 0.
    Play(Playback, f32),
}
