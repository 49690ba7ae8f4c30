//! Options and plain data as text and back.

use std::fmt::Debug;

use serde_json::{from_str, to_string};
use throng::glam::{Quat, Vec3};
use throng::prelude::*;

fn comes_back<T: PartialEq + Debug + serde::Serialize + serde::de::DeserializeOwned>(value: &T) {
    let text = to_string(value).unwrap();
    assert_eq!(&from_str::<T>(&text).unwrap(), value, "{text}");
}

#[test]
fn what_is_written_comes_back() {
    comes_back(&Playback { clip: 3, time_s: 0.25, at_end: AtEnd::Rest, ..Playback::default() });
    comes_back(&Transform { translation: Vec3::X, rotation: Quat::IDENTITY, scale: Vec3::splat(2.0) });
    comes_back(&ImportOptions { meshes: true, ..ImportOptions::default() });
    comes_back(&BakeOptions {
        rate_hz: Some(24.0),
        root_motion: Some(RootMotion::of("hips")),
        ..BakeOptions::default()
    });
    comes_back(&RowFormat::I16);
    comes_back(&Repeat::Passes(1.5));
}

#[test]
fn fields_may_be_missing_and_unknown_ones_are_named() {
    assert_eq!(from_str::<Playback>("{ \"clip\": 2 }").unwrap(), Playback { clip: 2, ..Playback::default() });
    assert_eq!(from_str::<BakeOptions>("{}").unwrap(), BakeOptions::default());
    let error = from_str::<ImportOptions>("{ \"mesh\": true }").unwrap_err().to_string();
    assert!(error.contains("unknown field `mesh`, expected"), "{error}");
}
