//! Names that are near to one that is not there.

/// At most so many are named.
const NAMED: usize = 3;

/// Longer names are compared by their beginnings.
const COMPARED: usize = 64;

/// The names nearest to `wanted`, the nearest first, each once. Case counts less than letters.
pub(super) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = letters(wanted);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        if found.iter().any(|(_, known)| *known == name) {
            continue;
        }
        let at = distance(&wanted, &letters(name));
        let place = found.partition_point(|(distance, _)| *distance <= at);
        found.insert(place, (at, name));
        found.truncate(NAMED);
    }
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn letters(name: &str) -> Vec<char> {
    name.chars().take(COMPARED).flat_map(char::to_lowercase).collect()
}

/// The number of insertions, deletions and substitutions that lead from one to the other (the
/// Levenshtein distance); one that begins with or contains the other is nearer than its length says.
fn distance(a: &[char], b: &[char]) -> usize {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if !short.is_empty() && long.windows(short.len()).any(|part| part == short) {
        return usize::from(long.len() > short.len());
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let change = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        let names = ["Idle", "walk", "Walk_Slow", "run", "walk", "Wave"];
        assert_eq!(nearest("Walk", names.into_iter()), ["walk", "Walk_Slow", "Wave"]);
        assert_eq!(nearest("wlak", names.into_iter())[0], "walk");
        assert_eq!(nearest("", ["a"].into_iter()), ["a"]);
        assert!(nearest("walk", [].into_iter()).is_empty());
    }

    #[test]
    fn distances_are_those_of_levenshtein() {
        let distance = |a: &str, b: &str| distance(&letters(a), &letters(b));
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("flaw", "lawn"), 2);
    }
}
