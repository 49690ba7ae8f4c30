//! The binary chunk while it grows: views one after the other, accessors into the open view.

use gltf_json as json;
use json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use json::buffer::{Target, View};
use json::validation::{Checked::Valid, USize64};
use json::{Index, Value};

/// Binary data, and what the document says of it.
pub(super) struct Pool {
    pub(super) root: json::Root,
    pub(super) data: Vec<u8>,
    buffer: Index<json::Buffer>,
}

impl Pool {
    pub(super) fn new() -> Self {
        let mut root = json::Root::default();
        let buffer = root.push(json::Buffer {
            byte_length: USize64(0),
            name: None,
            uri: None,
            extensions: None,
            extras: None,
        });
        Self { root, data: Vec::new(), buffer }
    }

    /// Starts a view at the end of the data; accessors pushed from here on lie in it.
    pub(super) fn open_view(&mut self, name: &str, target: Option<Target>) {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        self.root.push(View {
            buffer: self.buffer,
            byte_length: USize64(0),
            byte_offset: Some(USize64::from(self.data.len())),
            byte_stride: None,
            name: Some(name.to_owned()),
            target: target.map(Valid),
            extensions: None,
            extras: None,
        });
    }

    /// Appends numbers to the open view; `N` of them make one element.
    pub(super) fn floats<const N: usize>(&mut self, kind: Type, elements: &[[f32; N]]) -> Index<Accessor> {
        let bytes = elements.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
        self.push(ComponentType::F32, kind, elements.len(), bytes)
    }

    /// [`Pool::floats`] with the smallest and largest value of each component.
    pub(super) fn bounded_floats<const N: usize>(
        &mut self,
        kind: Type,
        elements: &[[f32; N]],
    ) -> Index<Accessor> {
        let accessor = self.floats(kind, elements);
        let bound = |pick: fn(f32, f32) -> f32, start: f32| {
            let bound: [f32; N] =
                std::array::from_fn(|part| elements.iter().map(|element| element[part]).fold(start, pick));
            Some(Value::from(bound.to_vec()))
        };
        let described = &mut self.root.accessors[accessor.value()];
        described.min = bound(f32::min, f32::INFINITY);
        described.max = bound(f32::max, f32::NEG_INFINITY);
        accessor
    }

    /// Appends bytes, four an element.
    pub(super) fn bytes(&mut self, elements: &[[u8; 4]]) -> Index<Accessor> {
        self.push(ComponentType::U8, Type::Vec4, elements.len(), elements.concat())
    }

    /// [`Pool::bytes`] that stand for 0 to 1.
    pub(super) fn fractions(&mut self, elements: &[[u8; 4]]) -> Index<Accessor> {
        let accessor = self.bytes(elements);
        self.root.accessors[accessor.value()].normalized = true;
        accessor
    }

    /// Appends triangle corners.
    pub(super) fn indices(&mut self, indices: &[u16]) -> Index<Accessor> {
        let bytes = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        self.push(ComponentType::U16, Type::Scalar, indices.len(), bytes)
    }

    fn push(
        &mut self,
        component: ComponentType,
        kind: Type,
        count: usize,
        bytes: Vec<u8>,
    ) -> Index<Accessor> {
        let number = self.root.buffer_views.len() - 1;
        let view = &mut self.root.buffer_views[number];
        let start = view.byte_length.0;
        view.byte_length = USize64(start + bytes.len() as u64);
        self.data.extend(bytes);
        self.root.push(Accessor {
            buffer_view: Some(Index::new(number as u32)),
            byte_offset: Some(USize64(start)),
            count: USize64::from(count),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: None,
            type_: Valid(kind),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    /// The document, its one buffer as long as the data.
    pub(super) fn finish(mut self) -> (json::Root, Vec<u8>) {
        self.root.buffers[0].byte_length = USize64::from(self.data.len());
        (self.root, self.data)
    }
}
