//! The laws that skeletons, tracks, clips and banks keep, by theme. `make` makes data, good and random; `oracle` is a
//! second opinion in f64 that shares no code with the crate.

mod bake_error;
mod bake_rows;
mod bank;
mod clip;
mod clip_errors;
mod custom;
mod extrapolation;
mod interpolation;
mod kinds;
mod make;
mod mesh;
mod oracle;
mod property;
mod skeleton;
mod spline;
mod time;
mod track;
mod track_errors;
