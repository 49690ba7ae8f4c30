//! Reading untyped JSON so that every complaint knows its place.
//!
//! The document stays a [`serde_json::Value`], and only what the import needs is looked at, when it is needed. A typed
//! schema would refuse whole files for a fault in a material or in an accessor that nothing here uses, where viewers
//! show the file.

use std::fmt;

use serde_json::Value;

use crate::Problem;

/// How deep the parts of a document lie that this crate reads.
const DEPTH: usize = 6;

/// Where in the document something stands, such as `accessors[4].sparse.indices`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    steps: [(&'static str, Option<usize>); DEPTH],
    len: usize,
}

impl Place {
    pub(crate) fn key(mut self, key: &'static str) -> Self {
        if let Some(step) = self.steps.get_mut(self.len) {
            *step = (key, None);
            self.len += 1;
        }
        self
    }

    pub(crate) fn item(mut self, index: usize) -> Self {
        if let Some(step) = self.len.checked_sub(1).and_then(|last| self.steps.get_mut(last)) {
            step.1 = Some(index);
        }
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, index)) in self.steps[..self.len].iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "." })?;
            f.write_str(key)?;
            if let Some(index) = index {
                write!(f, "[{index}]")?;
            }
        }
        Ok(())
    }
}

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    value: &'a Value,
    pub(crate) place: Place,
}

/// An array and where it stands. What is no array in the document is an error before it gets here; what is absent is
/// empty.
#[derive(Clone, Copy)]
pub(crate) struct List<'a> {
    items: &'a [Value],
    place: Place,
}

impl<'a> List<'a> {
    pub(crate) fn len(self) -> usize {
        self.items.len()
    }

    pub(crate) fn get(self, index: usize) -> Option<At<'a>> {
        self.items.get(index).map(|value| At { value, place: self.place.item(index) })
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = At<'a>> {
        self.items.iter().enumerate().map(move |(i, value)| At { value, place: self.place.item(i) })
    }
}

impl<'a> At<'a> {
    pub(crate) fn root(value: &'a Value) -> Self {
        Self { value, place: Place::default() }
    }

    /// The member of that name; none if it is absent or null, or if this is no object.
    pub(crate) fn get(self, key: &'static str) -> Option<Self> {
        let value = self.value.get(key).filter(|v| !v.is_null())?;
        Some(Self { value, place: self.place.key(key) })
    }

    /// The member of that name, null or not.
    pub(crate) fn get_or_null(self, key: &'static str) -> Option<Self> {
        Some(Self { value: self.value.get(key)?, place: self.place.key(key) })
    }

    /// Whether this is an object.
    pub(crate) fn is_object(self) -> bool {
        self.value.is_object()
    }

    /// What this is, on one line.
    pub(crate) fn described(self) -> String {
        describe(self.value)
    }

    /// The member of that name, which must be there.
    pub(crate) fn need(self, key: &'static str, expected: &str) -> Result<Self, Problem> {
        self.get(key).ok_or_else(|| Problem::Field {
            place: self.place.key(key).to_string(),
            found: "nothing".into(),
            expected: expected.into(),
        })
    }

    /// Whether a JSON pointer names something in this, or what an object in this could have: a member that is absent may
    /// have a default.
    pub(crate) fn has_place_for(self, pointer: &str) -> bool {
        let Some((within, _)) = pointer.rsplit_once('/') else { return false };
        self.value.pointer(pointer).is_some() || self.value.pointer(within).is_some_and(Value::is_object)
    }

    pub(crate) fn list(self, key: &'static str) -> Result<List<'a>, Problem> {
        match self.get(key) {
            None => Ok(List { items: &[], place: self.place.key(key) }),
            Some(at) => match at.value {
                Value::Array(items) => Ok(List { items, place: at.place }),
                _ => Err(at.wrong("a list")),
            },
        }
    }

    /// A whole number from 0. Written as `3.0` it is one too, as in JavaScript.
    pub(crate) fn whole(self) -> Result<usize, Problem> {
        let whole = self.value.as_u64().or_else(|| {
            let x = self.value.as_f64()?;
            // Up to 2^53 a float names one whole number.
            ((0.0..=9_007_199_254_740_992.0).contains(&x) && x.fract() == 0.0).then_some(x as u64)
        });
        whole.and_then(|w| usize::try_from(w).ok()).ok_or_else(|| self.wrong("a whole number from 0"))
    }

    /// A member that is a whole number, 0 if absent.
    pub(crate) fn whole_or_zero(self, key: &'static str) -> Result<usize, Problem> {
        self.get(key).map_or(Ok(0), Self::whole)
    }

    /// An index into `list`, and what it names.
    pub(crate) fn index_into(self, list: List<'a>) -> Result<(usize, At<'a>), Problem> {
        let index = self.whole()?;
        match list.get(index) {
            Some(at) => Ok((index, at)),
            None => Err(self.wrong(format!("an index into {} of length {}", list.place, list.len()))),
        }
    }

    pub(crate) fn number(self) -> Result<f32, Problem> {
        let number = self.value.as_f64().map(|x| x as f32);
        number.filter(|x| x.is_finite()).ok_or_else(|| self.wrong("a number within f32"))
    }

    pub(crate) fn numbers<const N: usize>(self) -> Result<[f32; N], Problem> {
        let wrong = || self.wrong(format!("a list of {N} numbers"));
        let Value::Array(items) = self.value else { return Err(wrong()) };
        if items.len() != N {
            return Err(wrong());
        }
        let mut numbers = [0.0; N];
        for (i, (number, value)) in numbers.iter_mut().zip(items).enumerate() {
            *number = Self { value, place: self.place.item(i) }.number()?;
        }
        Ok(numbers)
    }

    pub(crate) fn text(self) -> Result<&'a str, Problem> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    /// Whether this is `true`; everything else counts as `false`.
    pub(crate) fn is_true(self) -> bool {
        self.value.as_bool() == Some(true)
    }

    /// The member `name`, empty where there is none: a name decides nothing, so one that is no text is none.
    pub(crate) fn name(self) -> &'a str {
        self.value.get("name").and_then(Value::as_str).unwrap_or_default()
    }

    /// The error that this value is not what it should be.
    pub(crate) fn wrong(self, expected: impl Into<String>) -> Problem {
        Problem::Field {
            place: self.place.to_string(),
            found: describe(self.value),
            expected: expected.into(),
        }
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".into(),
        Value::String(text) => quote(text),
        other => other.to_string(),
    }
}

/// A text from the file, in quotes, on one line, shortened.
pub(crate) fn quote(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
