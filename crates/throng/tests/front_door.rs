//! From our own file to palettes, through the front door alone.

use throng::prelude::*;
use throng::{AssetError, ImportOptions, PlanOptions, RowFormat};

const OURS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb");

#[test]
fn a_file_becomes_a_crowd() {
    let asset = Asset::load(OURS).unwrap();
    let clips = asset.bank.clips();
    assert_eq!(clips.iter().map(|c| c.name()).collect::<Vec<_>>(), ["walk", "run", "idle", "wave"]);
    assert_eq!(asset.bake.clips.len(), clips.len());
    let mut crowd = asset.crowd(0).unwrap();
    let ids: Vec<InstanceId> = (0..100)
        .map(|i| {
            crowd.spawn(Playback { clip: i % 4, time_s: i as f64 * 0.1, ..Playback::default() }).unwrap()
        })
        .collect();
    crowd.advance(1.0 / 60.0).unwrap();
    crowd.evaluate();
    assert_eq!(crowd.palette_bytes().len(), 100 * asset.skin(0).unwrap().0.joints().len() * 48);
    assert!(crowd.palettes().iter().all(|f| f.is_finite() && f.abs() < 10.0));
    // Other clips and other times: no two of the first eight look the same.
    let palettes: Vec<_> = ids[..8].iter().map(|&id| crowd.palette(id).unwrap()).collect();
    for (i, palette) in palettes.iter().enumerate() {
        assert!(!palettes[..i].contains(palette), "instance {i}");
    }
}

#[test]
fn options_reach_import_and_bake() {
    let bake = BakeOptions { rate_hz: Some(48.0), ..BakeOptions::default() };
    let asset = Asset::load_with(OURS, &ImportOptions::default(), &bake).unwrap();
    assert!(asset.bank.clips().iter().all(|clip| clip.rate_hz() == 48.0));
    let rows = PlanOptions { rows: RowFormat::I16, ..PlanOptions::default() };
    assert_eq!(asset.plan_with(&[0], &rows).unwrap().row_format(), RowFormat::I16);
    assert_eq!(asset.plan(0).unwrap().row_format(), RowFormat::F32);
    let none = ImportOptions { max_numbers: 1, ..ImportOptions::default() };
    assert!(matches!(Asset::load_with(OURS, &none, &bake), Err(AssetError::Import(_))));
    let zero = BakeOptions { rate_hz: Some(0.0), ..BakeOptions::default() };
    assert!(matches!(Asset::load_with(OURS, &ImportOptions::default(), &zero), Err(AssetError::Bake(_))));
}

#[test]
fn a_skin_that_is_not_there_is_counted() {
    let asset = Asset::load(OURS).unwrap();
    let said = asset.crowd(1).unwrap_err().to_string();
    assert_eq!(said, "there is no skin 1: the file has 1, counted from 0");
    assert!(Asset::load("no such file.glb").unwrap_err().to_string().starts_with("no such file.glb"));
}

#[test]
fn palettes_have_the_joints_that_vertices_follow_or_all_of_them() {
    let mut asset = Asset::load(OURS).unwrap();
    let all = asset.import.skins[0].joints().len();
    // Of the file only the first and the last joint.
    let used = (0..all).map(|joint| joint == 0 || joint + 1 == all).collect();
    asset.import.used_joints[0] = Some(used);
    let entries = |asset: &Asset| {
        let mut crowd = asset.crowd(0).unwrap();
        let id = crowd.spawn(Playback { time_s: 0.4, ..Playback::default() }).unwrap();
        crowd.evaluate();
        crowd.palette(id).unwrap().to_vec()
    };
    let pruned = entries(&asset);
    let remap = asset.joint_remap(0).unwrap();
    assert_eq!((pruned.len(), remap.kept(), remap.entry(all as u16 - 1)), (24, 2, Some(1)));
    let asset = asset.with_all_joints();
    assert!(asset.joint_remap(0).unwrap().is_identity());
    let whole = entries(&asset);
    assert_eq!(whole.len(), 12 * all);
    // Joints without an entry are computed in another space, which rounds otherwise.
    let kept = [&whole[..12], &whole[12 * (all - 1)..]].concat();
    assert!(pruned.iter().zip(&kept).all(|(a, b)| (a - b).abs() < 1e-5), "{pruned:?} {kept:?}");
    asset.skin(1).unwrap_err();
}
