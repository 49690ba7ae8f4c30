//! Skeletons, clips and banks of keyframe rows: the data of throng, at rest.
