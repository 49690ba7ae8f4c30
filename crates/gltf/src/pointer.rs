//! Channels of `KHR_animation_pointer`, which name what they move by a JSON pointer (RFC 6901).

use crate::animation::Property;
use crate::json::{At, quote};

/// The extension.
pub(crate) const EXTENSION: &str = "KHR_animation_pointer";

/// The node, of `nodes` many, and the property that a channel's target points to; or why it is left out.
pub(crate) fn target(target: At<'_>, nodes: usize) -> Result<(usize, Property), String> {
    let pointer = target.get("extensions").and_then(|e| e.get(EXTENSION)?.get("pointer"));
    let Some(pointer) = pointer.and_then(|p| p.text().ok()) else {
        return Err(format!("{EXTENSION} without a pointer"));
    };
    let named = || format!("{EXTENSION} to {}", quote(pointer));
    let Some(tokens) = tokens(pointer) else {
        return Err(format!("{}, which is no JSON pointer", named()));
    };
    let [list, node, path] = tokens.as_slice() else { return Err(named()) };
    let property = Property::named(path).filter(|_| list == "nodes").ok_or_else(named)?;
    let node = index(node).filter(|&node| node < nodes);
    node.map(|node| (node, property)).ok_or_else(|| format!("{}, where there is no such node", named()))
}

/// The tokens of a pointer, `~1` and `~0` read as `/` and `~`. None if it is malformed.
fn tokens(pointer: &str) -> Option<Vec<String>> {
    let escaped = pointer.strip_prefix('/')?.split('/');
    escaped
        .map(|token| {
            let malformed = token.split('~').skip(1).any(|rest| !rest.starts_with(['0', '1']));
            (!malformed).then(|| token.replace("~1", "/").replace("~0", "~"))
        })
        .collect()
}

/// An index into a list: digits, without zeros in front.
fn index(token: &str) -> Option<usize> {
    let plain = token.bytes().all(|b| b.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    plain.then(|| token.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_split_and_unescaped() {
        let of = |pointer| tokens(pointer).map(|t| t.join("|"));
        assert_eq!(of("/nodes/0/scale").as_deref(), Some("nodes|0|scale"));
        assert_eq!(of("/a~1b/~0~01").as_deref(), Some("a/b|~~1"));
        assert_eq!(of("/").as_deref(), Some(""));
        for malformed in ["", "nodes/0/scale", "/a~", "/a~2", "/~/b"] {
            assert_eq!(of(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn indices_are_written_one_way() {
        assert_eq!(index("0"), Some(0));
        assert_eq!(index("10"), Some(10));
        for token in ["", "-", "-1", "+1", "01", "00", "1.0", "1e0", "99999999999999999999999", "\u{664}"] {
            assert_eq!(index(token), None, "{token}");
        }
    }
}
