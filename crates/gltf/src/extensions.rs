//! Versions and required extensions: whether the file can be understood at all.

use crate::json::{At, quote};
use crate::{Problem, Report};

/// Beginnings of the names of extensions that change how things look, sound or are packed into meshes, never how joints
/// move.
const NO_MATTER_TO_POSES: [&str; 28] = [
    "ADOBE_materials_",
    "EXT_lights_",
    "EXT_materials_",
    "EXT_mesh_",
    "EXT_structural_metadata",
    "EXT_texture_",
    "FB_geometry_metadata",
    "FB_ngon_encoding",
    "KHR_audio",
    "KHR_draco_mesh_compression",
    "KHR_gaussian_splatting",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_mesh_quantization",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_node_visibility",
    "KHR_techniques_",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_lod",
    "MSFT_packing_",
    "MSFT_texture_",
    "NV_materials_",
    "KHR_environment_map",
    "KHR_implicit_shapes",
    "VRM",
    "CESIUM_primitive_outline",
];

/// Extensions that are looked after where they are met.
const LOOKED_AFTER: [&str; 3] =
    [crate::meshopt::NAMES[0], crate::meshopt::NAMES[1], crate::pointer::EXTENSION];

/// The version must be 2, and every required extension one that is understood or has no say in poses.
pub(crate) fn check(root: At<'_>, report: &mut Report) -> Result<(), Problem> {
    let asset = root.need("asset", "an object with a version")?;
    let version = asset.need("version", "\"2.0\"")?;
    if number(version)?.0 != 2 {
        return Err(wrong(version));
    }
    match asset.get("minVersion") {
        Some(least) if number(least)? > (2, 0) => return Err(wrong(least)),
        None if number(version)?.1 > 0 => {
            report.remark(version.place, format!("{}, read as 2.0", quote(version.text()?)));
        }
        _ => {}
    }
    remark_on_vrm(root, report);
    for extension in root.list("extensionsRequired")?.iter() {
        let name = extension.text()?;
        if NO_MATTER_TO_POSES.iter().any(|prefix| name.starts_with(prefix)) {
            report.remark(extension.place, format!("{name} has no say in poses; left out"));
        } else if !LOOKED_AFTER.contains(&name) {
            let place = extension.place.to_string();
            return Err(Problem::RequiredExtension { place, name: quote(name) });
        }
    }
    Ok(())
}

/// VRM 0 departs from glTF and from VRM 1 in which direction a model faces
/// (<https://github.com/vrm-c/vrm-specification/tree/master/specification/0.0>).
fn remark_on_vrm(root: At<'_>, report: &mut Report) {
    let Ok(used) = root.list("extensionsUsed") else { return };
    if let Some(extension) = used.iter().find(|extension| extension.text().is_ok_and(|name| name == "VRM")) {
        let what = "VRM 0: the model faces -z, where VRM 1 faces +z; joints have the names of their nodes, not \
                    the humanoid bone names of the extension, which is left out with its springs and expressions";
        report.remark(extension.place, what);
    }
}

fn wrong(version: At<'_>) -> Problem {
    let found = version.text().map_or_else(|_| String::new(), quote);
    Problem::Version { place: version.place.to_string(), found }
}

/// Major and minor.
fn number(version: At<'_>) -> Result<(u32, u32), Problem> {
    let parts = version.text()?.split_once('.');
    let parse = |s: &str| s.parse::<u32>().ok();
    parts
        .and_then(|(a, b)| Some((parse(a)?, parse(b)?)))
        .ok_or_else(|| version.wrong("a version such as \"2.0\""))
}
