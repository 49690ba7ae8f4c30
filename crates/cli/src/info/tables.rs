//! The answer for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{
    Answer, BakeAnswer, ClipAnswer, LeftOutAnswer, MarkerAnswer, PropertyAnswer, StoredAnswer, WorstAnswer,
};
use crate::output::{printable, table};

pub(super) fn text(answer: &Answer<'_>) -> String {
    let mut text = String::new();
    let (joints, skins, clips) = (answer.joints.len(), answer.skins.len(), answer.clips.len());
    line(&mut text, &format!("{}: joints {joints}, skins {skins}, clips {clips}", answer.file));
    if skins > 0 {
        let mut skins = table(["skin", "name", "joints"], 2);
        for skin in &answer.skins {
            skins.add_row([skin.index.to_string(), printable(skin.name), skin.joints.len().to_string()]);
        }
        line(&mut text, &format!("\n{skins}"));
    }
    if clips > 0 {
        let columns = ["clip", "name", "moves", "interpolations", "seconds", "tracks", "keys", "timelines"];
        let mut clips = table(columns, 4);
        for clip in &answer.clips {
            let counted = |counts: &BTreeMap<&str, usize>| {
                let counts = counts.iter().map(|(name, count)| format!("{name} {count}"));
                counts.collect::<Vec<_>>().join(", ")
            };
            clips.add_row([
                clip.index.to_string(),
                printable(clip.name),
                counted(&clip.channels),
                counted(&clip.interpolations),
                format!("{:.3}", clip.seconds),
                clip.tracks.to_string(),
                clip.keys.to_string(),
                clip.timelines.to_string(),
            ]);
        }
        line(&mut text, &format!("\n{clips}"));
        for clip in &answer.clips {
            clip_text(&mut text, clip);
        }
    }
    for morph in &answer.morphs {
        let joint = morph.joint.map_or_else(String::new, |j| format!(" (joint {j})"));
        let names = match morph.names {
            [] => String::new(),
            names => format!(": {}", names.iter().map(|n| printable(n)).collect::<Vec<_>>().join(", ")),
        };
        line(&mut text, &format!("node {}{joint}: {} morph targets{names}", morph.node, morph.weights.len()));
    }
    if !answer.end_sites.is_empty() {
        line(&mut text, &format!("end sites {}", answer.end_sites.len()));
    }
    if let Some(onto) = &answer.onto {
        let (bound, moved, still) = (onto.bound, onto.moved, onto.still);
        line(
            &mut text,
            &format!("\nOnto {}: {bound} tracks bound; {moved} joints move, {still} stay still", onto.file),
        );
        for u in &onto.unbound {
            line(&mut text, &format!("  {} tracks of joint {} {:?}: {}", u.tracks, u.joint, u.name, u.why));
        }
        onto.remarks.iter().for_each(|remark| line(&mut text, &format!("  remark: {}", printable(remark))));
    }
    match (&answer.bake, &answer.bake_error) {
        (Some(bake), _) if clips > 0 => bake_text(&mut text, bake),
        (None, Some(error)) => line(&mut text, &format!("\nNo bake: {}", printable(error))),
        _ => {}
    }
    if !answer.report.is_empty() {
        line(&mut text, "\nThe import reports:");
    }
    for entry in &answer.report {
        let colon = if entry.place.is_empty() { "" } else { ": " };
        let what = format!("{}: {}{colon}{}", entry.kind, entry.place, entry.what);
        line(&mut text, &format!("  {}", printable(&what)));
    }
    text
}

/// What of a clip is no part of a pose.
fn clip_text(text: &mut String, clip: &ClipAnswer<'_>) {
    for weights in &clip.weights {
        let (joint, count) = (weights.joint, weights.count);
        line(text, &format!("clip {} moves {count} morph weights of joint {joint}", clip.index));
    }
    for property in &clip.properties {
        let of = property.joint.map_or_else(String::new, |joint| format!(" of joint {joint}"));
        let PropertyAnswer { name, channel, interpolation, keys, .. } = property;
        let what = format!("{name:?}{of}: {channel}, {interpolation}, {keys} keys");
        line(text, &format!("clip {} moves property {}", clip.index, printable(&what)));
    }
    for MarkerAnswer { name, seconds, payload } in &clip.markers {
        let what = format!("{name:?} at {seconds:.3} s, payload {payload}");
        line(text, &format!("clip {} has marker {}", clip.index, printable(&what)));
    }
}

fn bake_text(text: &mut String, bake: &BakeAnswer<'_>) {
    line(
        text,
        &format!(
            "\nBaked: {} rows, {} KiB, {} moving joints; at rest {:.4} across, coordinates up to {:.4}",
            bake.rows,
            bake.bytes.div_ceil(1024),
            bake.moving_joints,
            bake.extent,
            bake.largest_coordinate
        ),
    );
    if let Some(WorstAnswer { clip, largest, .. }) = &bake.largest_error {
        let of = largest.name.map_or(String::new(), |joint| format!(", joint {joint:?}"));
        line(
            text,
            &format!("Largest error: {:.2e}, clip {clip:?} at {:.3} s{of}", largest.error, largest.time),
        );
    }
    if let Some(stored) = bake.stored.as_ref().and_then(StoredAnswer::text) {
        line(text, &stored);
    }
    let mut clips =
        table(["clip", "name", "largest error of joint", "error", "at, s", "rate, Hz", "rows"], 3);
    for clip in &bake.clips {
        clips.add_row([
            clip.index.to_string(),
            printable(clip.name),
            printable(clip.largest_error.name.unwrap_or_default()),
            format!("{:.2e}", clip.largest_error.error),
            format!("{:.3}", clip.largest_error.time),
            clip.rate_hz.to_string(),
            clip.rows.to_string(),
        ]);
    }
    if !bake.clips.is_empty() {
        line(text, &format!("\n{clips}"));
    }
    for left_out in &bake.left_out {
        let LeftOutAnswer { index, name, why } = left_out;
        line(
            text,
            &format!(
                "clip {index} ({}) is not in the bank: {}",
                printable(&format!("{name:?}")),
                printable(why)
            ),
        );
    }
}

fn line(text: &mut String, line: &str) {
    // Writing to a string can't fail.
    let _ = writeln!(text, "{line}");
}
