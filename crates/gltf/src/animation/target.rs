//! What channels move.

use crate::json::{At, List, quote};
use crate::{Problem, Report, pointer};

/// What a channel moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// A node.
    Node(usize, Node),
    /// A property of the whole, or of the node given.
    Property(Option<usize>, String),
}

/// What can be moved of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Node {
    /// What `path` names.
    pub(crate) fn named(path: &str) -> Option<Self> {
        Some(match path {
            "translation" => Self::Translation,
            "rotation" => Self::Rotation,
            "scale" => Self::Scale,
            "weights" => Self::Weights,
            _ => return None,
        })
    }
}

/// What a channel moves; none, with a line in the report, if it is not for us.
pub(super) fn target(
    channel: At<'_>,
    root: At<'_>,
    nodes: List<'_>,
    report: &mut Report,
) -> Result<Option<Target>, Problem> {
    let Some(target) = channel.get("target") else {
        report.skip(channel.place, "a channel without a target");
        return Ok(None);
    };
    let path = target.get("path").map(At::text).transpose()?.unwrap_or_default();
    if path == "pointer" {
        return Ok(match pointer::target(target, root, nodes.len()) {
            Ok(pointed) => {
                if let Some(beside) = target.get("node") {
                    report.repair(beside.place, "a node beside a pointer; the pointer counts");
                }
                Some(pointed)
            }
            Err(why) => {
                report.skip(channel.place, why);
                None
            }
        });
    }
    let Some(moved) = Node::named(path) else {
        report.skip(
            channel.place,
            format!("a channel for {}, which is nothing that can be moved", quote(path)),
        );
        return Ok(None);
    };
    let Some(node) = target.get("node") else {
        report.skip(channel.place, "a channel without a node");
        return Ok(None);
    };
    Ok(Some(Target::Node(node.index_into(nodes)?.0, moved)))
}
