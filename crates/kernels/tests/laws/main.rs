//! The laws that the kernels keep, by theme, each over every level that the processor has. `figure` and `skins` make
//! random data, `bound` says how far from the oracle a palette may be.

mod advance;
mod bits;
mod blend;
mod bound;
mod buffers;
mod errors;
mod external;
mod extras;
mod figure;
mod heavy;
mod held;
mod holes;
mod level;
mod lookup;
mod motion;
mod palettes;
mod property;
mod random;
mod rotate;
mod similarity;
mod skinned;
mod skinning;
mod skins;
mod stages;
mod still;
mod stored;
mod worlds;
