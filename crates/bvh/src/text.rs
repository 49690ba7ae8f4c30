//! Words and lines, and where they stand.

use crate::{Problem, Report};

/// How many characters of a word an error shows.
const SHOWN: usize = 40;

/// A text read from its start: by words as far as words matter, then by lines.
pub(crate) struct Text<'a> {
    /// What follows the current line.
    below: &'a str,
    /// What of the current line is not read yet.
    line: &'a str,
    /// The number of the current line, from 1.
    number: usize,
    /// The line of the first comment, and how many there were.
    comments: Option<(usize, usize)>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { below: text, line: "", number: 0, comments: None }
    }

    /// The number of the line that was read from last.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// Goes on to the next line that is no comment. Lines end in LF, CR LF or CR.
    fn advance(&mut self) -> bool {
        while !self.below.is_empty() {
            let end = self.below.find(['\n', '\r']).unwrap_or(self.below.len());
            let (line, rest) = self.below.split_at(end);
            let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r']));
            (self.line, self.below) = (line, rest.unwrap_or_default());
            self.number += 1;
            let start = line.trim_start();
            if !start.starts_with('#') && !start.starts_with("//") {
                return true;
            }
            self.comments.get_or_insert((self.number, 0)).1 += 1;
        }
        self.line = "";
        false
    }

    /// The next word; a brace is one of its own. None at the end.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        loop {
            self.line = self.line.trim_start();
            if let Some(first) = self.line.chars().next() {
                let end = match first {
                    '{' | '}' => 1,
                    _ => self
                        .line
                        .find(|c: char| c.is_whitespace() || c == '{' || c == '}')
                        .unwrap_or(self.line.len()),
                };
                let (word, rest) = self.line.split_at(end);
                self.line = rest;
                return Some(word);
            }
            if !self.advance() {
                return None;
            }
        }
    }

    /// What is left of the current line ahead of a brace.
    pub(crate) fn name(&mut self) -> &'a str {
        let (name, rest) = self.line.split_at(self.line.find('{').unwrap_or(self.line.len()));
        self.line = rest;
        name.trim()
    }

    /// The next line that is not blank, or what is left of the current one. None at the end.
    pub(crate) fn line(&mut self) -> Option<&'a str> {
        while self.line.trim().is_empty() {
            if !self.advance() {
                return None;
            }
        }
        Some(std::mem::take(&mut self.line).trim())
    }

    /// The error for a word that was read last.
    pub(crate) fn unexpected(&self, word: Option<&str>, expected: &'static str) -> Problem {
        at_line(self.number, found(word), expected)
    }

    pub(crate) fn report_comments(&self, report: &mut Report) {
        if let Some((line, count)) = self.comments {
            let lines = if count == 1 { "1 line".to_owned() } else { format!("{count} lines in all") };
            report.skip(format_args!("line {line}"), format!("comment; {lines}"));
        }
    }
}

/// The error for what stands at `line`.
pub(crate) fn at_line(line: usize, found: impl Into<String>, expected: impl Into<String>) -> Problem {
    Problem::field(format_args!("line {line}"), found, expected)
}

/// A word for an error, in quotes and not too long.
pub(crate) fn found(word: Option<&str>) -> String {
    let Some(word) = word else { return "the end of the file".to_owned() };
    match word.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &word[..end]),
        None => format!("{word:?}"),
    }
}

/// A number that stays finite as `f32`.
pub(crate) fn number(word: Option<&str>, line: usize) -> Result<f64, Problem> {
    let parsed = word.and_then(|word| word.parse::<f64>().ok());
    parsed
        .filter(|&number| (number as f32).is_finite())
        .ok_or_else(|| at_line(line, found(word), format!("{NUMBER}{}", word.map_or("", comma))))
}

/// What is expected of a number.
const NUMBER: &str = "a finite number in the range of 32 bits";

/// The cause for a word that is a number but for a comma. Programs write one for the decimal point where
/// the language of the system does. It is not repaired, as a comma between two numbers looks the same.
fn comma(word: &str) -> &'static str {
    let parses = |text: String| text.parse::<f64>().is_ok();
    if !word.contains(',') {
        ""
    } else if word.matches(',').count() == 1 && parses(word.replace(',', ".")) {
        " with a decimal point; the comma is probably a decimal comma, from a program that ran in another language"
    } else {
        " without a comma; numbers are separated by spaces"
    }
}
