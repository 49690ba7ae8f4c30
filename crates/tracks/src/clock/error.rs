use thiserror::Error;

/// What is wrong with what a clock was asked to play.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ClockError {
    /// A number that must be finite is not.
    #[error("{what} is {value}, but must be finite")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number that must be 0 or above is below.
    #[error("{what} is {value}, but must be 0 or above")]
    Negative {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A range begins after its end.
    #[error("the range begins at {min_s} s and ends before that, at {max_s} s")]
    RangeOrder {
        /// Where it begins.
        min_s: f32,
        /// Where it ends.
        max_s: f32,
    },
    /// A range leaves the clip.
    #[error("the range [{min_s}, {max_s}] s is not inside of the clip's [0, {duration_s}] s")]
    RangeOutside {
        /// Where it begins.
        min_s: f32,
        /// Where it ends.
        max_s: f32,
        /// The clip's end.
        duration_s: f32,
    },
}

/// `value`, if it is finite.
pub(super) fn finite(what: &'static str, value: f64) -> Result<f64, ClockError> {
    if value.is_finite() { Ok(value) } else { Err(ClockError::NotFinite { what, value }) }
}

/// `value`, if it is finite and 0 or above. A negative zero becomes zero.
pub(super) fn at_least_zero(what: &'static str, value: f64) -> Result<f64, ClockError> {
    let value = finite(what, value)?;
    if value >= 0.0 { Ok(value + 0.0) } else { Err(ClockError::Negative { what, value }) }
}
