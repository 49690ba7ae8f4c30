//! The laws that crowds keep, by theme. `make` makes banks whose poses tell the time that is shown.

mod budget;
mod clocks;
mod controls;
mod ends;
mod errors;
mod events;
mod external;
mod extras;
mod frames;
mod hours;
mod ids;
mod intervals;
mod joint_levels;
mod layers;
mod layouts;
mod make;
mod many;
mod mixes;
mod previous;
mod root_motion;
mod sharing;
mod smooth;
mod updates;
mod visibility;
mod weights;
mod worlds;
