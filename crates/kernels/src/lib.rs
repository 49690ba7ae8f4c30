//! SIMD kernels that turn keyframe rows into poses, model matrices and skinning palettes.
