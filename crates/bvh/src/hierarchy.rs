//! `HIERARCHY`: joints, their offsets and channels, end sites. Blocks are kept on a list, as files may nest them deeply.

use throng_tracks::{JointIndex, Skeleton};

use crate::text::{Text, at_line, found, number};
use crate::{EndSite, Problem, Report};

/// What one number of a row means for its joint; the axis is 0, 1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    Position(usize),
    Rotation(usize),
}

impl Channel {
    fn from_word(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        let axis = match word.as_bytes().first()? {
            b'x' => 0,
            b'y' => 1,
            b'z' => 2,
            _ => return None,
        };
        match &word[1..] {
            "position" => Some(Self::Position(axis)),
            "rotation" => Some(Self::Rotation(axis)),
            _ => None,
        }
    }
}

pub(crate) struct RawJoint {
    pub(crate) name: String,
    pub(crate) parent: Option<JointIndex>,
    pub(crate) offset: [f32; 3],
    /// In the order of the rows' numbers.
    pub(crate) channels: Vec<Channel>,
}

/// The joints in the order of the file, parents before children.
pub(crate) struct Hierarchy {
    pub(crate) joints: Vec<RawJoint>,
    pub(crate) end_sites: Vec<EndSite>,
}

impl Hierarchy {
    /// How many numbers a row has.
    pub(crate) fn channel_count(&self) -> usize {
        self.joints.iter().map(|j| j.channels.len()).sum()
    }
}

/// A block whose closing brace is still to come.
struct Block {
    /// The joint it is of; for an end site, the joint that has it.
    joint: JointIndex,
    is_end_site: bool,
    has_offset: bool,
    has_channels: bool,
    has_children: bool,
}

/// Reads up to the word `MOTION`, or to the end; tells whether there was that word.
pub(crate) fn read(text: &mut Text<'_>, report: &mut Report) -> Result<(Hierarchy, bool), Problem> {
    let first = text.word();
    if !first.is_some_and(|word| word.eq_ignore_ascii_case("HIERARCHY")) {
        return Err(text.unexpected(first, "HIERARCHY"));
    }
    let mut reader = Reader {
        text,
        report,
        open: Vec::new(),
        read: Hierarchy { joints: Vec::new(), end_sites: Vec::new() },
    };
    let has_motion = reader.blocks()?;
    Ok((reader.read, has_motion))
}

struct Reader<'r, 'a> {
    text: &'r mut Text<'a>,
    report: &'r mut Report,
    /// From the root to the block that is being read.
    open: Vec<Block>,
    read: Hierarchy,
}

impl Reader<'_, '_> {
    fn blocks(&mut self) -> Result<bool, Problem> {
        loop {
            let word = self.text.word();
            let keyword = word.unwrap_or_default().to_ascii_uppercase();
            let has_joints = !self.read.joints.is_empty();
            match (self.open.pop(), keyword.as_str()) {
                (Some(block), _) => self.inside(block, word, &keyword)?,
                (None, "ROOT") => self.joint(None)?,
                (None, "MOTION") if has_joints => return Ok(true),
                (None, "") if has_joints => return Ok(false),
                (None, _) => {
                    let expected = if has_joints { "ROOT or MOTION" } else { "ROOT" };
                    return Err(self.text.unexpected(word, expected));
                }
            }
        }
    }

    /// What a word means in a block, which goes back on the list unless the word closes it.
    fn inside(&mut self, mut block: Block, word: Option<&str>, keyword: &str) -> Result<(), Problem> {
        match (keyword, block.is_end_site) {
            ("}", _) => return self.need_offset(&block),
            ("OFFSET", _) => self.offset(&mut block)?,
            ("CHANNELS", _) => self.channels(&mut block)?,
            ("JOINT" | "END", false) => {
                self.need_offset(&block)?;
                block.has_children = true;
                let joint = block.joint;
                self.open.push(block);
                return if keyword == "JOINT" { self.joint(Some(joint)) } else { self.end_site(joint) };
            }
            (_, true) => return Err(self.text.unexpected(word, "OFFSET or a closing brace")),
            (_, false) => {
                let expected = "OFFSET, CHANNELS, JOINT, End Site or a closing brace";
                return Err(self.text.unexpected(word, expected));
            }
        }
        self.open.push(block);
        Ok(())
    }

    fn joint(&mut self, parent: Option<JointIndex>) -> Result<(), Problem> {
        let (line, index) = (self.text.number(), self.read.joints.len());
        if index == Skeleton::MAX_JOINTS {
            let found = format!("joint number {}", index + 1);
            return Err(at_line(line, found, format!("at most {index} joints")));
        }
        let name = self.text.name().to_owned();
        if name.is_empty() {
            self.report.remark(format_args!("line {line}"), format!("joint {index} has no name"));
        }
        self.read.joints.push(RawJoint { name, parent, offset: [0.0; 3], channels: Vec::new() });
        self.begin(JointIndex(index as u16), false)
    }

    fn end_site(&mut self, joint: JointIndex) -> Result<(), Problem> {
        // What follows `End` is `Site`, and in some files a name.
        self.text.name();
        self.begin(joint, true)
    }

    fn begin(&mut self, joint: JointIndex, is_end_site: bool) -> Result<(), Problem> {
        let word = self.text.word();
        if word != Some("{") {
            return Err(self.text.unexpected(word, "an opening brace"));
        }
        let block = Block { joint, is_end_site, has_offset: false, has_channels: false, has_children: false };
        self.open.push(block);
        Ok(())
    }

    fn offset(&mut self, block: &mut Block) -> Result<(), Problem> {
        once(self.text.number(), "OFFSET", &mut block.has_offset)?;
        let mut offset = [0.0; 3];
        for along in &mut offset {
            let word = self.text.word();
            *along = number(word, self.text.number())? as f32;
        }
        if block.is_end_site {
            self.read.end_sites.push(EndSite { joint: block.joint, offset: offset.into() });
        } else {
            self.read.joints[block.joint.get()].offset = offset;
        }
        Ok(())
    }

    fn channels(&mut self, block: &mut Block) -> Result<(), Problem> {
        if block.has_children {
            // Whether their numbers stand before or behind those of the children, no one could tell.
            return Err(self.text.unexpected(Some("CHANNELS"), "it ahead of the children of its joint"));
        }
        once(self.text.number(), "CHANNELS", &mut block.has_channels)?;
        let word = self.text.word();
        let line = self.text.number();
        let Some(count) = word.and_then(|word| word.parse::<u64>().ok()) else {
            return Err(at_line(line, found(word), "the number of channels"));
        };
        if block.is_end_site && count > 0 {
            return Err(at_line(line, format!("CHANNELS {count} in an End Site"), "0"));
        }
        let mut has_position = [false; 3];
        for _ in 0..count {
            let word = self.text.word();
            let Some(channel) = word.and_then(Channel::from_word) else {
                let expected = "Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation";
                return Err(self.text.unexpected(word, expected));
            };
            if let Channel::Position(axis) = channel {
                let what = ["Xposition", "Yposition", "Zposition"][axis];
                once(self.text.number(), what, &mut has_position[axis])?;
            }
            self.read.joints[block.joint.get()].channels.push(channel);
        }
        Ok(())
    }

    /// For what makes no sense without an offset: children, and an end.
    fn need_offset(&self, block: &Block) -> Result<(), Problem> {
        if block.has_offset {
            return Ok(());
        }
        let name = found(Some(&self.read.joints[block.joint.get()].name));
        let block = if block.is_end_site { format!("the End Site of {name}") } else { name };
        let found = format!("no OFFSET in the block of {block}");
        Err(at_line(self.text.number(), found, "one ahead of this line"))
    }
}

fn once(line: usize, what: &'static str, has: &mut bool) -> Result<(), Problem> {
    if std::mem::replace(has, true) {
        return Err(at_line(line, format!("{what} again"), "it once"));
    }
    Ok(())
}
