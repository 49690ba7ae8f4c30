//! Assets of several files and several skins.

use throng::import_slice;
use throng::prelude::*;

const OURS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb");

/// Two joints, the first of which a clip moves; `skins` as given.
fn gltf(joints: [&str; 2], clip: &str, skins: &str) -> Import {
    let numbers: [f32; 8] = [0.0, 1.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let bytes: String = numbers.iter().flat_map(|n| n.to_le_bytes()).map(|b| format!("%{b:02x}")).collect();
    let [first, second] = joints;
    let text = format!(
        r#"{{
        "asset": {{ "version": "2.0" }},
        "nodes": [{{ "name": "{first}", "children": [1] }}, {{ "name": "{second}" }}],
        "skins": [{skins}],
        "buffers": [{{ "byteLength": 32, "uri": "data:application/octet-stream,{bytes}" }}],
        "bufferViews": [{{ "buffer": 0, "byteLength": 8 }}, {{ "buffer": 0, "byteOffset": 8, "byteLength": 24 }}],
        "accessors": [
            {{ "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR" }},
            {{ "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3" }}
        ],
        "animations": [{{
            "name": "{clip}",
            "channels": [{{ "sampler": 0, "target": {{ "node": 0, "path": "translation" }} }}],
            "samplers": [{{ "input": 0, "output": 1 }}]
        }}]
    }}"#
    );
    import_slice(text.as_bytes(), None).unwrap_or_else(|e| panic!("{e}"))
}

fn asset(import: Import) -> Asset {
    Asset::from_import(import, &BakeOptions::default()).unwrap()
}

#[test]
fn clips_of_another_file_are_bound_by_name() {
    let mut asset = asset(gltf(["hips", "spine"], "walk", r#"{ "joints": [0, 1] }"#));
    let before = asset.crowd(0).unwrap();
    let added = asset.add_import(&gltf(["spine", "tail"], "wag", "")).unwrap();
    assert_eq!(added.clips, [Some(1)]);
    assert_eq!((added.bind.bound, added.bind.moved), (1, 1));
    assert_eq!(asset.clip_names().collect::<Vec<_>>(), ["walk", "wag"]);
    assert_eq!(asset.import.clips.len(), 2);
    assert_eq!(asset.import.clips[1].tracks()[0].joint(), asset.joint("spine").unwrap());
    let mut crowd = asset.crowd(0).unwrap();
    let clip = asset.clip("wag").unwrap();
    let id = crowd.spawn(Playback { clip, time_s: 0.5, ..Playback::default() }).unwrap();
    crowd.evaluate();
    let palette = crowd.palette(id).unwrap();
    assert_eq!((palette[3], palette[12 + 3]), (0.0, 1.5), "the spine moves, the hips rest");
    assert_eq!(before.plan().bank().clips().len(), 1, "a crowd keeps its bank");
}

#[test]
fn a_file_can_be_added_by_its_path() {
    let mut asset = Asset::load(OURS).unwrap();
    let added = asset.add_clips(OURS).unwrap();
    assert_eq!(added.clips, [4, 5, 6, 7].map(Some));
    assert_eq!((added.bind.unbound_tracks(), asset.bank.clips().len()), (0, 8));
    assert_eq!(asset.clip("run").unwrap(), 1, "the first of two");
    let error = asset.add_clips("none.glb").unwrap_err().to_string();
    assert!(error.starts_with("none.glb: can't be read: "), "{error}");
}

#[test]
fn nothing_changes_where_nothing_fits() {
    let mut asset = asset(gltf(["hips", "spine"], "walk", ""));
    let error = asset.add_import(&gltf(["a", "b"], "fly", "")).unwrap_err();
    assert!(matches!(error, AssetError::NothingBound { tracks: 1 }), "{error}");
    assert_eq!((asset.bank.clips().len(), asset.import.clips.len()), (1, 1));
}

#[test]
fn clips_that_are_not_there_name_the_nearest() {
    let asset = Asset::load(OURS).unwrap();
    let said = asset.clip("Walk").unwrap_err().to_string();
    let nearest = "the nearest: \"walk\", \"wave\", ";
    let expected = "found no clip named \"Walk\", expected one of the file's clips; ";
    assert!(said.starts_with(&format!("{expected}{nearest}")), "{said}");
    let said = asset.joint("hips!").unwrap_err().to_string();
    assert!(
        said.starts_with("found no joint named \"hips!\", expected one of the skeleton's joints"),
        "{said}"
    );
}

#[test]
fn a_clip_that_the_bank_left_out_says_why() {
    let limit = BakeOptions { max_rows: 2, ..BakeOptions::default() };
    let import = gltf(["hips", "spine"], "walk", "");
    let asset = Asset::from_import(import, &limit).unwrap();
    assert_eq!((asset.bank.clips().len(), asset.bake.left_out.len()), (0, 1));
    let said = asset.clip("walk").unwrap_err().to_string();
    assert!(said.starts_with("clip 0 (\"walk\") is not in the bank: found "), "{said}");
}

#[test]
fn several_skins_share_one_pose() {
    let skins = r#"{ "joints": [0, 1] }, { "name": "cape", "joints": [1] }"#;
    let asset = asset(gltf(["hips", "spine"], "walk", skins));
    let mut crowd = asset.crowd_with(&[1, 0], &PlanOptions::default()).unwrap();
    let id = crowd.spawn(Playback { time_s: 0.5, ..Playback::default() }).unwrap();
    crowd.evaluate();
    assert_eq!(crowd.palette(id).unwrap().len(), 3 * 12);
    assert_eq!(crowd.palette_of(id, 0).unwrap(), &crowd.palette_of(id, 1).unwrap()[12..]);
    let error = asset.crowd_with(&[0, 2], &PlanOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "there is no skin 2: the file has 2, counted from 0");
    assert!(asset.crowd_with(&[], &PlanOptions::default()).is_err());
}

#[test]
fn a_file_without_skins_has_model_matrices() {
    let asset = asset(gltf(["hips", "spine"], "walk", ""));
    assert_eq!(asset.skins().len(), 1);
    assert!(asset.import.report.to_string().contains("no skin: one over all joints was added"));
    let mut crowd = asset.crowd(0).unwrap();
    let id = crowd.spawn(Playback { time_s: 0.5, ..Playback::default() }).unwrap();
    crowd.evaluate();
    // Only what a clip animates, and its ancestors, are joints of such a file.
    assert_eq!(asset.import.skeleton.names(), ["hips"]);
    assert_eq!((crowd.palette(id).unwrap().len(), crowd.palette(id).unwrap()[3]), (12, 1.5));
}
