//! Reads the committed file: the container, the document, and accessors as plain numbers.

use gltf_json as json;
use json::Index;
use json::accessor::{Accessor, ComponentType};
use json::validation::Validate;

pub(crate) const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/marcher.glb");

pub(crate) struct File {
    pub(crate) size: usize,
    pub(crate) root: json::Root,
    pub(crate) data: Vec<u8>,
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

impl File {
    pub(crate) fn open() -> Self {
        let bytes = std::fs::read(PATH).unwrap();
        assert_eq!(&bytes[..4], b"glTF");
        assert_eq!((word(&bytes, 4), word(&bytes, 8)), (2, bytes.len()));
        let text = word(&bytes, 12);
        assert_eq!((&bytes[16..20], text % 4), (&b"JSON"[..], 0));
        let data = word(&bytes, 20 + text);
        assert_eq!((&bytes[24 + text..28 + text], data % 4), (&b"BIN\0"[..], 0));
        assert_eq!(bytes.len(), 28 + text + data);
        let root = json::Root::from_slice(&bytes[20..20 + text]).unwrap();
        Self { size: bytes.len(), root, data: bytes[28 + text..].to_vec() }
    }

    /// What the document breaks of the rules that `gltf-json` knows: indices out of range, missing bounds...
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        self.root.validate(&self.root, json::Path::new, &mut |path, error| {
            complaints.push(format!("{}: {error}", path()));
        });
        complaints
    }

    pub(crate) fn accessor(&self, index: Index<Accessor>) -> &Accessor {
        &self.root.accessors[index.value()]
    }

    /// The elements of an accessor, each as its numbers; integers that stand for fractions stay integers.
    pub(crate) fn elements(&self, index: Index<Accessor>) -> Vec<Vec<f64>> {
        let accessor = self.accessor(index);
        let view = &self.root.buffer_views[accessor.buffer_view.unwrap().value()];
        assert!(view.byte_stride.is_none());
        let start = view.byte_offset.map_or(0, |o| o.0) + accessor.byte_offset.map_or(0, |o| o.0);
        let width = accessor.type_.unwrap().multiplicity();
        let component = accessor.component_type.unwrap().0;
        let bytes = &self.data[start as usize..][..accessor.count.0 as usize * width * component.size()];
        let numbers: Vec<f64> = match component {
            ComponentType::U8 => bytes.iter().map(|&byte| f64::from(byte)).collect(),
            ComponentType::U16 => {
                bytes.as_chunks().0.iter().map(|&pair| f64::from(u16::from_le_bytes(pair))).collect()
            }
            ComponentType::F32 => {
                bytes.as_chunks().0.iter().map(|&four| f64::from(f32::from_le_bytes(four))).collect()
            }
            other => panic!("the file holds no {other:?}"),
        };
        numbers.chunks(width).map(<[f64]>::to_vec).collect()
    }

    pub(crate) fn node(&self, name: &str) -> usize {
        let found = self.root.nodes.iter().position(|node| node.name.as_deref() == Some(name));
        found.unwrap_or_else(|| panic!("no node named {name}"))
    }

    /// The parent of every node.
    pub(crate) fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.root.nodes.len()];
        for (parent, node) in self.root.nodes.iter().enumerate() {
            for child in node.children.iter().flatten() {
                assert_eq!(
                    parents[child.value()].replace(parent),
                    None,
                    "node {} has two parents",
                    child.value()
                );
            }
        }
        parents
    }
}
