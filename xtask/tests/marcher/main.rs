//! The committed character, read with other code than wrote it: is it a valid file, and a plausible person?

mod body;
mod clips;
mod file;
mod pose;

use file::File;
use gltf_json::buffer::Target;
use gltf_json::validation::Checked::Valid;

#[test]
fn file_is_small() {
    let size = File::open().size;
    assert!(size < 1_000_000, "{size} bytes");
}

#[test]
fn document_breaks_no_rule() {
    assert_eq!(File::open().complaints(), Vec::<String>::new());
}

#[test]
fn views_lie_in_the_buffer_one_after_the_other() {
    let file = File::open();
    let mut end = 0;
    for view in &file.root.buffer_views {
        let start = view.byte_offset.unwrap().0;
        assert_eq!(start % 4, 0);
        assert!((end..end + 4).contains(&start), "{:?} leaves a gap or overlaps", view.name);
        end = start + view.byte_length.0;
    }
    assert_eq!(file.root.buffers.len(), 1);
    assert_eq!(file.root.buffers[0].byte_length.0, end);
    assert!((0..4).contains(&(file.data.len() as u64 - end)));
}

/// glTF 2.0, section 3.6.2.4: an accessor's start is a multiple of its component's size (of four for
/// vertices), and its last byte lies in its view.
#[test]
fn accessors_lie_in_their_views() {
    let file = File::open();
    for accessor in &file.root.accessors {
        let view = &file.root.buffer_views[accessor.buffer_view.unwrap().value()];
        let component = accessor.component_type.unwrap().0.size() as u64;
        let element = component * accessor.type_.unwrap().multiplicity() as u64;
        let start = accessor.byte_offset.unwrap().0;
        assert_eq!(start % component, 0);
        assert!(start + element * accessor.count.0 <= view.byte_length.0, "{:?}", view.name);
        if view.target == Some(Valid(Target::ArrayBuffer)) {
            assert_eq!((start % 4, element % 4), (0, 0));
        }
    }
}

#[test]
fn bounds_are_those_of_the_values() {
    let file = File::open();
    let mut bounded = 0;
    for (number, accessor) in file.root.accessors.iter().enumerate() {
        let (Some(min), Some(max)) = (&accessor.min, &accessor.max) else { continue };
        let elements = file.elements(gltf_json::Index::new(number as u32));
        for (part, (min, max)) in min.as_array().unwrap().iter().zip(max.as_array().unwrap()).enumerate() {
            let values = || elements.iter().map(|element| element[part]);
            assert_eq!(min.as_f64(), values().reduce(f64::min));
            assert_eq!(max.as_f64(), values().reduce(f64::max));
        }
        bounded += 1;
    }
    // The positions, and two or more arrays of times in each clip.
    assert!(bounded > 2 * file.root.animations.len(), "{bounded}");
}
