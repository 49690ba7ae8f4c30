//! Skeletal animation for crowds: glTF in, ten thousand skinning palettes out.
