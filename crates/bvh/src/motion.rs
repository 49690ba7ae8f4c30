//! `MOTION`: how many rows there should be, how long each lasts, and the rows.

use crate::text::{Text, at_line, found, number};
use crate::{Problem, Report};

pub(crate) struct Motion {
    pub(crate) frame_time_s: f64,
    /// All numbers of all rows, row by row.
    pub(crate) numbers: Vec<f64>,
}

/// How many numbers the rows have.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// In each row.
    pub(crate) channels: usize,
    /// In all rows, at most.
    pub(crate) numbers: usize,
}

/// A `Frame Time` above this is worth a remark.
const LONG_S: f64 = 1.0;

/// A `Frame Time` from this on is no number of seconds: it is a rate or milliseconds.
const RATE: f64 = 10.0;

/// Reads what follows the word `MOTION`.
pub(crate) fn read(text: &mut Text<'_>, limits: Limits, report: &mut Report) -> Result<Motion, Problem> {
    let Limits { channels, numbers: limit } = limits;
    let (frames, frames_line, frame_time_s) = header(text, report)?;
    let (mut numbers, mut rows) = (Vec::new(), 0);
    while let Some(line) = text.line() {
        let before = numbers.len();
        let mut words = line.split_whitespace();
        // A row that is too long is counted, not kept.
        for word in words.by_ref().take(channels) {
            numbers.push(number(Some(word), text.number())?);
        }
        let found = numbers.len() - before + words.count();
        if found != channels {
            let place = format!("line {}", text.number());
            let (what, expected) = (format!("numbers in row {rows}"), format!("{channels}, one a channel"));
            return Err(Problem::Count { place, what, found, expected });
        }
        if numbers.len() > limit {
            let place = format!("line {}", text.number());
            return Err(Problem::TooMuch { place, needed: numbers.len(), limit });
        }
        rows += 1;
    }
    if channels > 0 && frames != rows as u64 {
        let what = format!("Frames: tells {frames} rows, but there are {rows}; these are used");
        report.repair(format_args!("line {frames_line}"), what);
    }
    if channels == 0 {
        report.remark("", "no joint has channels, so no clip");
    } else if rows == 0 {
        report.remark("", "no rows, so no clip");
    }
    Ok(Motion { frame_time_s, numbers })
}

/// The number of rows, the line that tells it, and the seconds from row to row. The two lines may come in either order.
fn header(text: &mut Text<'_>, report: &mut Report) -> Result<(u64, usize, f64), Problem> {
    let (mut frames, mut frame_time) = (None, None);
    loop {
        if let (Some((frames, line)), Some(frame_time)) = (frames, frame_time) {
            return Ok((frames, line, frame_time));
        }
        let expected = if frames.is_none() { "Frames:" } else { "Frame Time:" };
        let line = text.line();
        let Some((key, value)) = line.and_then(|line| line.split_once(':')) else {
            return Err(text.unexpected(line, expected));
        };
        let (key, value, at): (String, _, _) =
            (key.split_whitespace().collect(), value.trim(), text.number());
        let wrong = |expected| at_line(at, found(Some(value)), expected);
        let repeated = |what| at_line(at, format!("{what} again"), "it once");
        if key.eq_ignore_ascii_case("Frames") {
            let count = value.parse().map_err(|_| wrong("the number of rows"))?;
            if frames.replace((count, at)).is_some() {
                return Err(repeated("Frames:"));
            }
        } else if key.eq_ignore_ascii_case("FrameTime") {
            let seconds = number(Some(value), at)?;
            // Key times are f32.
            if seconds as f32 <= 0.0 {
                return Err(wrong("seconds above 0"));
            }
            check_rate(seconds, value, at, report)?;
            if frame_time.replace(seconds).is_some() {
                return Err(repeated("Frame Time:"));
            }
        } else {
            return Err(text.unexpected(line, expected));
        }
    }
}

/// Finds a `Frame Time` that is probably not in seconds.
fn check_rate(seconds: f64, value: &str, line: usize, report: &mut Report) -> Result<(), Problem> {
    let (period, from_ms) = (1.0 / seconds, seconds / 1000.0);
    let cause = format!(
        "a rate in rows a second, to be written as {period:.7}, or milliseconds, to be written as {from_ms:.7}"
    );
    if seconds >= RATE {
        let expected = format!("the seconds from row to row, below {RATE}; it is probably {cause}");
        return Err(at_line(line, format!("Frame Time: {value}"), expected));
    }
    if seconds > LONG_S {
        let what = format!("Frame Time is {seconds} s from row to row, taken as it is; it may be {cause}");
        report.remark(format_args!("line {line}"), what);
    }
    Ok(())
}
