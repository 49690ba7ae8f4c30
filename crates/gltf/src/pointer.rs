//! Channels of `KHR_animation_pointer`, which name what they move by a JSON pointer (RFC 6901).
//!
//! What a pointer names is a node's transform or weights, or it is a property: of the node's joint, or of the whole.
//!
//! | pointer | property |
//! | --- | --- |
//! | `/extras/NAME` | `NAME`, of the whole |
//! | `/nodes/3/extras/NAME` | `NAME`, of the joint |
//! | `/nodes/3/REST`, deeper than what moves nodes | `/REST`, of the joint |
//! | other, such as `/materials/0/alphaCutoff` | the pointer, of the whole |
//!
//! The export writes properties to extras, where any name can be: so all come back by the names they had.

use crate::animation::{Node, Target};
use crate::json::{At, quote};

/// The extension.
pub(crate) const EXTENSION: &str = "KHR_animation_pointer";

/// Lists and objects of a document whose members can be moved. All else has the structure of the file.
const MUTABLE: [&str; 6] = ["nodes", "materials", "cameras", "meshes", "extensions", "extras"];

/// What a channel's target points to, in a document of `nodes` many nodes; or why it is left out.
pub(crate) fn target(target: At<'_>, root: At<'_>, nodes: usize) -> Result<Target, String> {
    let pointer = target.get("extensions").and_then(|e| e.get(EXTENSION)?.get("pointer"));
    let Some(pointer) = pointer.and_then(|p| p.text().ok()) else {
        return Err(format!("{EXTENSION} without a pointer"));
    };
    let named = || format!("{EXTENSION} to {}", quote(pointer));
    let Some(tokens) = tokens(pointer) else {
        return Err(format!("{}, which is no JSON pointer", named()));
    };
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    if let ["nodes", node, path] = tokens[..] {
        let property = Node::named(path).ok_or_else(named)?;
        let node = index(node).filter(|&node| node < nodes);
        return node
            .map(|node| Target::Node(node, property))
            .ok_or_else(|| format!("{}, where there is no such node", named()));
    }
    if !(MUTABLE.contains(&tokens[0]) && tokens.len() > 1 && root.has_place_for(pointer)) {
        return Err(named());
    }
    let property = match tokens[..] {
        ["extras", name] => Target::Property(None, name.to_owned()),
        ["nodes", node, "extras", name] => Target::Property(index(node), name.to_owned()),
        ["nodes", node, ..] => {
            let rest = pointer.match_indices('/').nth(2).map_or("", |(at, _)| &pointer[at..]);
            Target::Property(index(node), rest.to_owned())
        }
        _ => Target::Property(None, pointer.to_owned()),
    };
    Ok(property)
}

/// The pointer to a property of the whole or of a node, among the extras.
#[cfg(feature = "export")]
pub(crate) fn to_extra(node: Option<usize>, name: &str) -> String {
    let of = node.map_or_else(String::new, |node| format!("/nodes/{node}"));
    format!("{of}/extras/{}", name.replace('~', "~0").replace('/', "~1"))
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
    fn any_name_can_be_an_extra() {
        for name in ["glow", "", "a/b", "~1", "/nodes/0", "\u{e9} \n"] {
            let of = |node| tokens(&to_extra(node, name)).unwrap();
            assert_eq!(of(None), ["extras", name]);
            assert_eq!(of(Some(7)), ["nodes", "7", "extras", name]);
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
