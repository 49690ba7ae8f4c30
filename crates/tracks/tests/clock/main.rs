//! The laws that playback clocks keep. `model` is a second opinion in whole numbers that shares no code with the crate;
//! `random` holds the clock against it, `sentences` says each rule once, by example.

mod errors;
mod hours;
mod model;
mod numbers;
mod random;
mod sentences;
