//! What a frame did, and how long it took.

use std::fmt;

/// What the last frame did with the instances, each of which is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FrameReport {
    /// Poses that were made.
    pub evaluated: usize,
    /// Instances that were given a pose made for [another](crate::Detail::share_s).
    pub shared: usize,
    /// Instances that are visible and were not posed, for it was not their [turn](crate::Detail::interval).
    pub held: usize,
    /// Instances that are visible and were not posed, for nothing of them [changed](crate::Crowd::set_skip_frozen).
    pub frozen: usize,
    /// Instances that are [hidden](crate::Crowd::set_visible).
    pub hidden: usize,
    /// How long it took, if that is [measured](crate::Crowd::measure).
    pub ms: Option<StageMs>,
}

/// How long the stages of a frame took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StageMs {
    /// Clocks and fades: the last [`advance`](crate::Crowd::advance).
    pub advance: f64,
    /// Finding out who is posed.
    pub select: f64,
    /// Posing, and writing palettes.
    pub pose: f64,
    /// What is left: the palettes [of the frame before](crate::Crowd::keep_previous).
    pub settle: f64,
}

impl StageMs {
    fn and(&self, other: &Self) -> Self {
        Self {
            advance: self.advance + other.advance,
            select: self.select + other.select,
            pose: self.pose + other.pose,
            settle: self.settle + other.settle,
        }
    }

    /// All of it.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.advance + self.select + self.pose + self.settle
    }
}

impl FrameReport {
    /// Both together: what of either was measured counts.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self {
            evaluated: self.evaluated + other.evaluated,
            shared: self.shared + other.shared,
            held: self.held + other.held,
            frozen: self.frozen + other.frozen,
            hidden: self.hidden + other.hidden,
            ms: match (self.ms, other.ms) {
                (Some(a), Some(b)) => Some(a.and(&b)),
                (a, b) => a.or(b),
            },
        }
    }

    /// How many instances there were.
    #[must_use]
    pub fn instances(&self) -> usize {
        self.evaluated + self.shared + self.held + self.frozen + self.hidden
    }
}

/// A table of counts, each with its part of all, and of stages, if they were measured.
///
/// ```text
/// evaluated       2503   25.0 %    advance    0.41 ms
/// shared           497    5.0 %    select     0.05 ms
/// held            2000   20.0 %    pose       2.70 ms
/// frozen          2000   20.0 %    settle     0.00 ms
/// hidden          3000   30.0 %
/// ```
impl fmt::Display for FrameReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            ("evaluated", self.evaluated),
            ("shared", self.shared),
            ("held", self.held),
            ("frozen", self.frozen),
            ("hidden", self.hidden),
        ];
        let ms = self.ms.unwrap_or_default();
        let stages =
            [("advance", ms.advance), ("select", ms.select), ("pose", ms.pose), ("settle", ms.settle)];
        let mut stages = stages.into_iter().filter(|_| self.ms.is_some());
        let all = self.instances().max(1) as f64;
        for (line, (what, count)) in counts.into_iter().enumerate() {
            let part = count as f64 * 100.0 / all;
            if line > 0 {
                writeln!(f)?;
            }
            write!(f, "{what:<9} {count:>10} {part:>6.1} %")?;
            if let Some((stage, ms)) = stages.next() {
                write!(f, "    {stage:<7} {ms:>7.2} ms")?;
            }
        }
        Ok(())
    }
}

/// Tells the time, where anybody wants to know.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stopwatch {
    /// The caller's clock.
    clock: Option<fn() -> f64>,
    /// Whether reports are to say it.
    pub(crate) reports: bool,
}

impl Stopwatch {
    pub(crate) fn set_clock(&mut self, clock: Option<fn() -> f64>) {
        self.clock = clock;
    }

    /// Now, in milliseconds from some time on; 0 where there is no clock.
    pub(crate) fn now_ms(&self) -> f64 {
        match self.clock {
            Some(clock) => clock(),
            None => system_ms(),
        }
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn system_ms() -> f64 {
    0.0
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn system_ms() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_table() {
        let mut report =
            FrameReport { evaluated: 2503, shared: 497, held: 2000, frozen: 2000, hidden: 3000, ms: None };
        let lines: Vec<String> = report.to_string().lines().map(String::from).collect();
        assert_eq!(lines[0], "evaluated       2503   25.0 %");
        report.ms = Some(StageMs { advance: 0.41, select: 0.05, pose: 2.7, settle: 0.0 });
        let with: Vec<String> = report.to_string().lines().map(String::from).collect();
        assert_eq!(with[2], "held            2000   20.0 %    pose       2.70 ms");
        assert_eq!(with[4], "hidden          3000   30.0 %");
        assert_eq!(with.len(), 5);
        assert!(with[0].starts_with(&lines[0]));
        assert!(FrameReport::default().to_string().contains("0.0 %"));
    }
}
