//! The laws that the clip tools keep, by tool. `make` makes clips of every kind and compares them.

mod additive;
mod concat;
mod differences;
mod lengths;
mod make;
mod markers;
mod mirror;
mod morph;
mod records;
mod reduce;
mod remap;
mod resample;
mod retime;
mod reverse;
mod root_motion;
mod signs;
mod subclip;
