//! The vertices of a file's meshes, posed on the CPU: `cargo run --release --example skinning -p throng [FILE [SECONDS]]`.
use throng::glam::Vec3;
use throng::prelude::*;
use throng::{BakeOptions, ImportOptions, MeshBlocks, SkinnedVertices, SkinningJob, skin_vertices};

/// The corners of the box around all vertices.
fn bounds(positions: &[[f32; 3]]) -> (Vec3, Vec3) {
    let all = positions.iter().map(|&p| Vec3::from_array(p));
    all.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb");
    let path = std::env::args().nth(1).unwrap_or_else(|| ours.into());
    let time_s = std::env::args().nth(2).map_or(Ok(0.5), |seconds| seconds.parse())?;
    let options = ImportOptions { meshes: true, ..ImportOptions::default() };
    let asset = Asset::load_with(path, &options, &BakeOptions::default())?;
    if asset.bank.clips().is_empty() {
        return Err("the file has no clips".into());
    }
    let level = Level::detect();
    for part in &asset.import.meshes {
        // The palette of the mesh's skin, from a crowd of one.
        let mut crowd = asset.crowd(part.skin)?;
        crowd.spawn(Playback { clip: 0, time_s, ..Playback::default() })?;
        crowd.evaluate();
        // Palettes have entries only of joints that vertices follow.
        let vertices = part.vertices.remapped(&asset.joint_remap(part.skin)?);
        let mesh = MeshBlocks::new(&vertices.ok_or("the mesh follows a joint that its skin left out")?);
        let mut positions = vec![[0.0; 3]; mesh.vertex_count()];
        let out = SkinnedVertices { positions: &mut positions, normals: None, tangents: None };
        skin_vertices(level, SkinningJob::new(&mesh, &crowd.palettes()[..mesh.palette_floats()], out)?);
        let ((low, high), (bind_low, bind_high)) = (bounds(&positions), bounds(part.vertices.positions()));
        println!("mesh {} {:?}, part {}: {} vertices", part.mesh, part.name, part.primitive, positions.len());
        println!("  bind pose  {bind_low:8.3} to {bind_high:8.3}");
        println!("  at {time_s:4.2} s  {low:8.3} to {high:8.3}");
    }
    Ok(())
}
