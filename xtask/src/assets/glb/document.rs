//! The glTF document: which nodes, mesh, skin and animations there are, and where their numbers lie.

use std::collections::BTreeMap;

use gltf_json as json;
use json::accessor::{Accessor, Type};
use json::animation::{self, Property};
use json::buffer::Target;
use json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use json::mesh::{Mode, Primitive, Semantic};
use json::scene::UnitQuaternion;
use json::validation::Checked::Valid;
use json::{Index, Node};

use super::pool::Pool;
use crate::assets::clips::{Clip, Interpolation, Path, Track};
use crate::assets::mesh::Mesh;
use crate::assets::rounding::{round_vec, to_f32};
use crate::assets::skeleton::{Joint, Skeleton};

/// Builds the document and its data. Node order: the armature, its joints, the skinned body beside it.
pub(super) fn describe(skeleton: &Skeleton, mesh: &Mesh, clips: &[Clip]) -> (json::Root, Vec<u8>) {
    let mut pool = Pool::new();
    pool.root.asset.generator = Some("throng, cargo xtask assets".to_owned());
    pool.root.asset.copyright = Some("The throng authors, MIT OR Apache-2.0".to_owned());
    let mesh = add_mesh(&mut pool, mesh);
    let (armature, joints) = add_joints(&mut pool, skeleton);
    let skin = add_skin(&mut pool, skeleton, &joints);
    let body = pool.root.push(Node {
        mesh: Some(mesh),
        skin: Some(skin),
        name: Some("body".to_owned()),
        ..Node::default()
    });
    let scene = pool.root.push(json::Scene {
        extensions: None,
        extras: None,
        name: Some("marcher".to_owned()),
        nodes: vec![armature, body],
    });
    pool.root.scene = Some(scene);
    for clip in clips {
        add_clip(&mut pool, clip, &joints);
    }
    pool.finish()
}

fn add_mesh(pool: &mut Pool, mesh: &Mesh) -> Index<json::Mesh> {
    let mut attributes = BTreeMap::new();
    let vertices = Some(Target::ArrayBuffer);
    let vectors = |list: &[glam::DVec3]| -> Vec<[f32; 3]> {
        list.iter().map(|&vector| round_vec(vector).to_array().map(to_f32)).collect()
    };
    pool.open_view("positions", vertices);
    let positions = pool.bounded_floats(Type::Vec3, &vectors(&mesh.positions));
    attributes.insert(Valid(Semantic::Positions), positions);
    pool.open_view("normals", vertices);
    attributes.insert(Valid(Semantic::Normals), pool.floats(Type::Vec3, &vectors(&mesh.normals)));
    pool.open_view("colours", vertices);
    let colours: Vec<[u8; 4]> = mesh.colours.iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
    attributes.insert(Valid(Semantic::Colors(0)), pool.fractions(&colours));
    pool.open_view("joints", vertices);
    attributes.insert(Valid(Semantic::Joints(0)), pool.bytes(&mesh.joints));
    pool.open_view("weights", vertices);
    attributes.insert(Valid(Semantic::Weights(0)), pool.floats(Type::Vec4, &mesh.weights));
    pool.open_view("triangles", Some(Target::ElementArrayBuffer));
    let indices = pool.indices(mesh.triangles.as_flattened());

    let material = pool.root.push(json::Material {
        name: Some("cloth".to_owned()),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([1.0; 4]),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(0.85),
            ..PbrMetallicRoughness::default()
        },
        ..json::Material::default()
    });
    pool.root.push(json::Mesh {
        extensions: None,
        extras: None,
        name: Some("body".to_owned()),
        primitives: vec![Primitive {
            attributes,
            extensions: None,
            extras: None,
            indices: Some(indices),
            material: Some(material),
            mode: Valid(Mode::Triangles),
            targets: None,
        }],
        weights: None,
    })
}

fn add_joints(pool: &mut Pool, skeleton: &Skeleton) -> (Index<Node>, Vec<Index<Node>>) {
    let armature = pool.root.push(Node { name: Some("armature".to_owned()), ..Node::default() });
    let node = |joint: &Joint| Node {
        name: Some(joint.name.clone()),
        rotation: Some(UnitQuaternion(joint.rotation.to_array().map(to_f32))),
        translation: Some(joint.translation.to_array().map(to_f32)),
        ..Node::default()
    };
    let joints: Vec<Index<Node>> = skeleton.joints.iter().map(|joint| pool.root.push(node(joint))).collect();
    for (joint, &index) in skeleton.joints.iter().zip(&joints) {
        let parent = joint.parent.map_or(armature, |parent| joints[parent]);
        pool.root.nodes[parent.value()].children.get_or_insert_default().push(index);
    }
    (armature, joints)
}

fn add_skin(pool: &mut Pool, skeleton: &Skeleton, joints: &[Index<Node>]) -> Index<json::Skin> {
    pool.open_view("inverse bind matrices", None);
    let matrices: Vec<[f32; 16]> =
        (0..joints.len()).map(|joint| skeleton.inverse_bind(joint).to_cols_array().map(to_f32)).collect();
    let inverse_bind_matrices = pool.floats(Type::Mat4, &matrices);
    pool.root.push(json::Skin {
        extensions: None,
        extras: None,
        inverse_bind_matrices: Some(inverse_bind_matrices),
        joints: joints.to_vec(),
        name: Some("marcher".to_owned()),
        skeleton: Some(joints[0]),
    })
}

/// Tracks with the same key times share one accessor of times.
fn add_clip(pool: &mut Pool, clip: &Clip, joints: &[Index<Node>]) {
    pool.open_view(clip.name, None);
    let mut shared: Vec<(&[f32], Index<Accessor>)> = Vec::new();
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for track in &clip.tracks {
        let known = shared.iter().find(|(times, _)| *times == track.times).map(|&(_, input)| input);
        let input = known.unwrap_or_else(|| {
            let times: Vec<[f32; 1]> = track.times.iter().map(|&time| [time]).collect();
            let input = pool.bounded_floats(Type::Scalar, &times);
            shared.push((&track.times, input));
            input
        });
        let sampler = Index::push(&mut samplers, sampler(pool, track, input));
        channels.push(animation::Channel {
            sampler,
            target: animation::Target {
                extensions: None,
                extras: None,
                node: joints[track.joint],
                path: Valid(match track.path {
                    Path::Translation => Property::Translation,
                    Path::Rotation => Property::Rotation,
                    Path::Scale => Property::Scale,
                }),
            },
            extensions: None,
            extras: None,
        });
    }
    pool.root.push(json::Animation {
        extensions: None,
        extras: None,
        channels,
        name: Some(clip.name.to_owned()),
        samplers,
    });
}

fn sampler(pool: &mut Pool, track: &Track, input: Index<Accessor>) -> animation::Sampler {
    let output = match track.path {
        Path::Rotation => pool.floats(Type::Vec4, track.values.as_chunks::<4>().0),
        Path::Translation | Path::Scale => pool.floats(Type::Vec3, track.values.as_chunks::<3>().0),
    };
    animation::Sampler {
        extensions: None,
        extras: None,
        input,
        interpolation: Valid(match track.interpolation {
            Interpolation::Linear => animation::Interpolation::Linear,
            Interpolation::Step => animation::Interpolation::Step,
            Interpolation::Cubic => animation::Interpolation::CubicSpline,
        }),
        output,
    }
}
