//! Markers of animations. glTF has no word for them, so they stand in an animation's extras:
//!
//! ```json
//! { "name": "walk", "channels": [], "samplers": [],
//!   "extras": { "markers": [{ "time": 0.3, "name": "foot_left", "payload": 7 }] } }
//! ```
//!
//! The time is in seconds, like those of keys. Name and payload, a whole number from 0, may be left out. Exporters of Blender
//! write an action's custom properties there.

#[cfg(feature = "export")]
use serde_json::{Value, json};
use throng_tracks::{Clip, Marker};

use crate::json::At;
use crate::{Problem, Report};

const MARKERS: &str = "markers";

/// The clip of an animation with the markers that can be read, `shift_s` earlier; the others are lines of the report.
pub(crate) fn marked(clip: Clip, animation: At<'_>, shift_s: f32, report: &mut Report) -> Clip {
    let Some(extras) = animation.get("extras") else { return clip };
    let list = match extras.list(MARKERS) {
        Ok(list) => list,
        Err(problem) => {
            report.skip(animation.place, format!("markers that can't be read ({problem})"));
            return clip;
        }
    };
    let (mut markers, end_s) = (Vec::new(), clip.duration_s());
    for at in list.iter() {
        match marker(at) {
            Ok(Marker { time_s, name, payload }) => {
                let time_s = time_s - shift_s;
                if (0.0..=end_s).contains(&time_s) {
                    markers.push(Marker { time_s, name, payload });
                } else {
                    let what = format!("a marker at {time_s} s; the clip lasts from 0 to {end_s} s");
                    report.skip(at.place, what);
                }
            }
            Err(problem) => report.skip(at.place, format!("a marker that can't be read ({problem})")),
        }
    }
    clip.with_markers(markers).expect("they were held against the clip's end")
}

fn marker(at: At<'_>) -> Result<Marker, Problem> {
    let time_s = at.need("time", "a number of seconds")?.number()?;
    let name = at.get("name").map(At::text).transpose()?.unwrap_or_default().to_owned();
    let payload = match at.get("payload") {
        None => 0,
        Some(payload) => {
            u32::try_from(payload.whole()?).map_err(|_| payload.wrong("a whole number below 2^32"))?
        }
    };
    Ok(Marker { time_s, name, payload })
}

/// What the export writes; none where there are no markers.
#[cfg(feature = "export")]
pub(crate) fn written(clip: &Clip) -> Option<Value> {
    let one = |m: &Marker| json!({ "time": m.time_s, "name": m.name, "payload": m.payload });
    let markers: Vec<Value> = clip.markers().iter().map(one).collect();
    (!markers.is_empty()).then(|| json!({ MARKERS: markers }))
}
