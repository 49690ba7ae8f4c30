//! Left and right in names.

/// The name with left and right exchanged, or none if it names no side.
///
/// | in the name | for example |
/// | --- | --- |
/// | `left`, `Left`, `LEFT`, `左` anywhere | `LeftArm`, `mixamorig:LeftArm`, `arm_left`, `左腕` |
/// | `l`, `lf`, `lft` (`r`, `rt`, `rgt`), also with capitals, between dots, underscores, hyphens, spaces, colons or ends | `arm.L`, `arm_l`, `L_arm`, `Bip01 L Arm`, `hand.L.001`, `lf_arm` |
/// | a capital `L` that ends a word written in small letters or digits | `armL`, `handL1`, `footL_IK` |
/// | `L` or `l` before a capital, at the beginning or after a separator | `LThumb`, `lShldr`, `b_lHand` |
///
/// ```
/// use throng_tracks::tools::other_side;
/// assert_eq!(other_side("lShldr").as_deref(), Some("rShldr"));
/// assert_eq!(other_side("左腕").as_deref(), Some("右腕"));
/// assert_eq!(other_side("ball"), None);
/// ```
#[must_use]
pub fn other_side(name: &str) -> Option<String> {
    SWAPS.into_iter().find_map(|swap| swap(name))
}

/// Whether a name is one of a left or a right joint, by what [`other_side`] looks at. A number after a last underscore or
/// dot is not looked at.
#[must_use]
pub fn is_sided(name: &str) -> bool {
    other_side(name).is_some() || other_side(unnumbered(name)).is_some()
}

/// Every name that the other side's joint may have, the most telling first.
pub(super) fn candidates(name: &str) -> impl Iterator<Item = String> + '_ {
    SWAPS.into_iter().chain([first_letter as fn(&str) -> Option<String>]).filter_map(move |swap| swap(name))
}

const SWAPS: [fn(&str) -> Option<String>; 6] = [
    words,
    |name| tokens(name, ["l", "r"]),
    capitals,
    small_before_capital,
    |name| tokens(name, ["lf", "rt"]),
    |name| tokens(name, ["lft", "rgt"]),
];

/// The name without a number behind its last underscore or dot.
pub(super) fn unnumbered(name: &str) -> &str {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.strip_suffix(['_', '.']) {
        Some(stem) if stem.len() + 1 < name.len() && !stem.is_empty() => stem,
        _ => name,
    }
}

fn separates(c: char) -> bool {
    "._- :|/".contains(c)
}

/// Each `left` as `right` and each `right` as `left`, as it is written; none without either.
fn words(name: &str) -> Option<String> {
    const WORDS: [(&str, &str); 4] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"), ("左", "右")];
    let swaps = || WORDS.into_iter().flat_map(|(left, right)| [(left, right), (right, left)]);
    let (mut swapped, mut rest) = (String::new(), name);
    while let Some(letter) = rest.chars().next() {
        match swaps().find(|(word, _)| rest.starts_with(word)) {
            Some((word, other)) => {
                swapped.push_str(other);
                rest = &rest[word.len()..];
            }
            None => {
                swapped.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    (swapped != name).then_some(swapped)
}

/// Whole words between separators, the other one put for each, with the capitals of the one found.
fn tokens(name: &str, sides: [&str; 2]) -> Option<String> {
    let swapped: String = name
        .split_inclusive(separates)
        .map(|piece| {
            let word = piece.trim_end_matches(separates);
            let other =
                (0..2).find(|&side| word.eq_ignore_ascii_case(sides[side])).map(|side| sides[1 - side]);
            let Some(other) = other else { return piece.to_owned() };
            let spelled = match word.as_bytes() {
                [first, .., last] if first.is_ascii_uppercase() && last.is_ascii_lowercase() => {
                    other[..1].to_ascii_uppercase() + &other[1..]
                }
                [first, ..] if first.is_ascii_uppercase() => other.to_ascii_uppercase(),
                _ => other.to_owned(),
            };
            spelled + &piece[word.len()..]
        })
        .collect();
    (swapped != name).then_some(swapped)
}

/// Single capitals that end a word of small letters or digits, or begin one with another capital.
fn capitals(name: &str) -> Option<String> {
    letters(name, |before, c, after| {
        let begins = before.is_none_or(separates) && after.is_some_and(char::is_uppercase);
        let ends_word = before.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit())
            && after.is_none_or(|c| separates(c) || c.is_ascii_digit() || c.is_uppercase());
        "LR".contains(c) && (begins || ends_word)
    })
}

/// `l` and `r` that begin a word and have a capital after them.
fn small_before_capital(name: &str) -> Option<String> {
    letters(name, |before, c, after| {
        "lr".contains(c) && before.is_none_or(separates) && after.is_some_and(char::is_uppercase)
    })
}

/// `l` for `r` at the beginning of a name, or after a namespace, whatever small letter follows (`larm`, `rarm`). Half of
/// all words begin so by chance: this tells nothing unless the other joint exists.
fn first_letter(name: &str) -> Option<String> {
    letters(name, |before, c, after| {
        "lr".contains(c) && before.is_none_or(|c| c == ':') && after.is_some_and(char::is_lowercase)
    })
}

/// The other letter put for each that is one of a side; none without such.
fn letters(name: &str, is_side: impl Fn(Option<char>, char, Option<char>) -> bool) -> Option<String> {
    let all: Vec<char> = name.chars().collect();
    let at = |i: usize| all.get(i).copied();
    let other = |(i, &c): (usize, &char)| match c {
        c if !is_side(i.checked_sub(1).and_then(at), c, at(i + 1)) => c,
        'l' => 'r',
        'r' => 'l',
        'L' => 'R',
        _ => 'L',
    };
    let swapped: String = all.iter().enumerate().map(other).collect();
    (swapped != name).then_some(swapped)
}
