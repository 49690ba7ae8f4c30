//! The way to stdout and stderr.

use std::fmt::Write as _;
use std::io::Write;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use serde::Serialize;

use crate::closed;
use crate::error::CliError;

/// One JSON object on a line of its own. An `f32` is written as the shortest decimal that reads back.
pub(crate) fn json(value: &impl Serialize) -> Result<(), CliError> {
    let mut line = serde_json::to_vec(value).map_err(|e| CliError::Output { source: e.into() })?;
    line.push(b'\n');
    write(&line)
}

/// Lines for people.
pub(crate) fn text(text: &str) -> Result<(), CliError> {
    write(text.as_bytes())
}

fn write(bytes: &[u8]) -> Result<(), CliError> {
    if closed::stdout() {
        let source = std::io::Error::other("it is closed, so there is nowhere to print the answer");
        return Err(CliError::Output { source });
    }
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|source| CliError::Output { source })
}

/// A line on stderr. A closed stderr is no reason to stop.
pub(crate) fn remark(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(line));
}

const LINE_BELOW_HEADINGS: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table with these headings. The first `left` columns stand to the left, numbers to the right.
pub(crate) fn table(headings: impl IntoIterator<Item = &'static str>, left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(LINE_BELOW_HEADINGS).set_header(headings);
    for column in table.column_iter_mut().skip(left) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The text with control characters escaped: names come from files of strangers, and a terminal obeys what it prints.
pub(crate) fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            let _ = write!(printable, "{}", c.escape_default());
        } else {
            printable.push(c);
        }
    }
    printable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_not_command_a_terminal() {
        assert_eq!(printable("a\nb\u{1b}[2Jc é"), "a\\nb\\u{1b}[2Jc é");
    }
}
