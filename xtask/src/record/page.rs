//! The page: a table for each character and level.

use std::fmt::Write as _;

use serde_json::Value;

use super::machine::Machine;
use super::runs::Run;

/// What was measured of a character at a level.
pub(super) struct Section {
    pub(super) figure: &'static str,
    pub(super) level: &'static str,
    /// No answers where the file has no palettes in the format.
    pub(super) rows: Vec<(Run, Vec<Value>)>,
}

const HEADINGS: [&str; 13] = [
    "run",
    "characters",
    "rows",
    "format",
    "stores",
    "threads",
    "ours",
    "naive",
    "scalar",
    "fill",
    "naive / ours",
    "ours / fill",
    "besides",
];

pub(super) fn page(machine: &Machine, foreign: bool, frames: u32, sections: &[Section]) -> String {
    let Machine { cpu, threads, date, rustc, commit } = machine;
    let command = if foreign { " --assets FOLDER" } else { "" };
    let mut page = format!(
        "# {cpu}, {date}\n\n\
         {threads} threads; {rustc}; commit {commit}. Made by `cargo xtask record{command} --frames {frames}`.\n\n\
         Nanoseconds a joint, medians of {frames} frames; the README beside this file tells what the columns are.\n"
    );
    for section in sections {
        section.write(&mut page);
    }
    page
}

impl Section {
    fn write(&self, page: &mut String) {
        let _ = write!(page, "\n## {}, {}\n\n", self.figure, self.level);
        line(page, &HEADINGS.map(str::to_owned));
        line(page, &HEADINGS.map(|heading| if is_word(heading) { "---" } else { "---:" }.to_owned()));
        for (run, answers) in &self.rows {
            for answer in answers {
                line(page, &row(run.what, answer));
            }
        }
        page.push_str("\n```text\n");
        for (run, answers) in &self.rows {
            let refused =
                if answers.is_empty() { "  # refused: palettes of this file are no such thing" } else { "" };
            let _ = writeln!(page, "{}{refused}", run.shown());
        }
        page.push_str("```\n");
    }
}

/// Whether words stand in a column rather than numbers.
fn is_word(heading: &str) -> bool {
    ["run", "rows", "format", "stores", "besides"].contains(&heading)
}

fn line(page: &mut String, cells: &[String]) {
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}

fn row(what: &str, answer: &Value) -> [String; 13] {
    let word = |name: &str| match &answer[name] {
        Value::String(word) => word.clone(),
        other => other.to_string(),
    };
    let number = |value: &Value| value.as_f64().map_or_else(|| "?".to_owned(), |v| format!("{v:.2}"));
    let median = |name: &str| number(&answer[name]["median"]);
    let over = |name: &str, what: &str| {
        answer[name].as_f64().map_or_else(String::new, |over| format!("{over:.2} times {what}"))
    };
    let besides = over("seek_over_forward", "playing on") + &over("over_one_layer", "one layer");
    [
        what.to_owned(),
        word("instances"),
        word("rows"),
        word("format"),
        word("stores"),
        word("threads"),
        median("ns_per_joint"),
        median("naive_ns_per_joint"),
        median("scalar_ns_per_joint"),
        median("fill_ns_per_joint"),
        number(&answer["naive_over_ours"]),
        number(&answer["ours_over_fill"]),
        besides,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_what_the_answer_says() {
        let times = |median: f64| serde_json::json!({ "min": 0.5, "median": median });
        let answer = serde_json::json!({
            "instances": 100, "rows": "i16", "format": "half", "stores": "cached", "threads": 2,
            "ns_per_joint": times(4.0), "naive_ns_per_joint": times(30.125), "scalar_ns_per_joint": times(20.0),
            "fill_ns_per_joint": times(2.0), "naive_over_ours": 7.531, "ours_over_fill": 2.0,
            "seek_over_forward": null, "over_one_layer": 1.666,
        });
        let expected = [
            "two layers",
            "100",
            "i16",
            "half",
            "cached",
            "2",
            "4.00",
            "30.12",
            "20.00",
            "2.00",
            "7.53",
            "2.00",
            "1.67 times one layer",
        ];
        assert_eq!(row("two layers", &answer), expected);
    }
}
