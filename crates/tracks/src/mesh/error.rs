use thiserror::Error;

/// What is wrong with a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// There is not one of each a vertex.
    #[error("{found} {what}, expected {expected} for {vertices} vertices")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
        /// How many positions there are.
        vertices: usize,
    },
    /// The lists of influences don't follow each other through all influences.
    #[error("the influences of vertex {vertex} are {start}..{end} of {count}, expected a range within them")]
    Range {
        /// Which vertex.
        vertex: usize,
        /// Where its influences begin.
        start: u32,
        /// Where they end.
        end: u32,
        /// How many there are in all.
        count: usize,
    },
    /// NaN or infinity.
    #[error("the {what} of vertex {vertex} has {found}, expected finite numbers")]
    NotFinite {
        /// Position, normal or tangent.
        what: &'static str,
        /// Which vertex.
        vertex: usize,
        /// The first such number.
        found: f32,
    },
    /// A weight that is none.
    #[error("vertex {vertex} follows joint {joint} by {found}, expected a weight from 0 on")]
    Weight {
        /// Which vertex.
        vertex: usize,
        /// The joint it is about.
        joint: u16,
        /// The weight.
        found: f32,
    },
    /// A vertex that follows nothing has no place to be.
    #[error("vertex {vertex} has no influences, expected one or more")]
    NoInfluence {
        /// Which vertex.
        vertex: usize,
    },
    /// A vertex names a joint that the skin has not.
    #[error("vertex {vertex} follows joint {joint}, expected one of the skin's {joint_count}")]
    NoSuchJoint {
        /// Which vertex.
        vertex: usize,
        /// The joint it names.
        joint: u16,
        /// How many joints there are.
        joint_count: usize,
    },
    /// More influences than an offset can count.
    #[error("{found} influences, expected at most 4294967295")]
    TooMany {
        /// How many there would be.
        found: usize,
    },
}
