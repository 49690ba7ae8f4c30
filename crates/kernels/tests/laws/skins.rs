//! Random skins: which joints, and inverse bind matrices of every kind that files hold or break with.

use glam::{Affine3A, DAffine3, DMat3, DVec3, Mat3A, Vec3, Vec3A};
use throng_tracks::{JointIndex, Skeleton, Skin, model_matrices};

use crate::figure::sheared;
use crate::random::Random;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bind {
    /// The inverse of the rest, as an exporter would write it.
    Rest,
    /// The same, but for what a careless exporter loses.
    NoisyRest,
    /// The same with an axis turned round.
    MirroredRest,
    Similarity,
    MirroredSimilarity,
    /// A similarity but for a shear that is no rounding.
    NearSimilarity,
    Tiny,
    Sheared,
    Identity,
    Flat,
    Zero,
}

pub(crate) const BINDS: [Bind; 11] = [
    Bind::Rest,
    Bind::NoisyRest,
    Bind::MirroredRest,
    Bind::Similarity,
    Bind::MirroredSimilarity,
    Bind::NearSimilarity,
    Bind::Tiny,
    Bind::Sheared,
    Bind::Identity,
    Bind::Flat,
    Bind::Zero,
];

/// A skin over some joints of the skeleton, in any order, some of them twice. One kind of bind matrix, or all of them.
pub(crate) fn skin(random: &mut Random, skeleton: &Skeleton) -> Skin {
    let kinds = match random.below(4) {
        0 => vec![Bind::Rest],
        1 => vec![random.pick(&BINDS)],
        _ => BINDS.to_vec(),
    };
    skin_of(random, skeleton, &kinds)
}

pub(crate) fn skin_of(random: &mut Random, skeleton: &Skeleton, kinds: &[Bind]) -> Skin {
    let mut joints: Vec<JointIndex> = skeleton.joints().collect();
    if random.percent(60) {
        let keep = random.pick(&[20, 60, 100]);
        joints.retain(|_| random.percent(keep));
        for _ in 0..random.pick(&[0, 3]) {
            joints.push(JointIndex(random.below(skeleton.joint_count()) as u16));
        }
        for i in (1..joints.len()).rev() {
            joints.swap(i, random.below(i + 1));
        }
        if joints.is_empty() {
            joints.push(JointIndex(random.below(skeleton.joint_count()) as u16));
        }
    }
    let mut rest = vec![Affine3A::IDENTITY; skeleton.joint_count()];
    model_matrices(skeleton, skeleton.rest(), &mut rest);
    let bind = |j: &JointIndex| {
        let kind = random.pick(kinds);
        bind(random, kind, &rest[j.get()])
    };
    let binds = joints.iter().map(bind).collect();
    Skin::new("made", skeleton, joints.clone(), Some(binds)).unwrap()
}

fn bind(random: &mut Random, kind: Bind, rest: &Affine3A) -> Affine3A {
    let scaled = |random: &mut Random, s: f32| {
        let size = rest.translation.abs().max_element().max(0.01);
        Affine3A::from_scale_rotation_translation(Vec3::splat(s), random.rotation(), random.vector(size))
    };
    match kind {
        Bind::Rest => inverse(rest),
        Bind::NoisyRest => {
            let mut bind = inverse(rest);
            let size = bind.translation.abs().max_element();
            bind.translation += Vec3A::from(random.vector(1e-6 * size));
            bind.matrix3 += Mat3A::from_cols_array(&std::array::from_fn(|_| random.between(-1e-6, 1e-6)));
            bind
        }
        Bind::MirroredRest => Affine3A::from_scale(Vec3::new(1.0, 1.0, -1.0)) * inverse(rest),
        Bind::Similarity => {
            let s = random.pick(&[0.01, 0.5, 2.5, 100.0]);
            scaled(random, s)
        }
        Bind::MirroredSimilarity => scaled(random, -0.5),
        Bind::NearSimilarity => {
            let mut bind = scaled(random, 2.0);
            bind.matrix3.x_axis.y += random.between(1e-5, 5e-4);
            bind
        }
        Bind::Tiny => scaled(random, 1e-7),
        Bind::Sheared => {
            let translation = random.vector(1.0);
            sheared(random, translation)
        }
        Bind::Identity => Affine3A::IDENTITY,
        Bind::Flat => {
            let bind = scaled(random, 1.0);
            bind * Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0))
        }
        Bind::Zero => Affine3A { matrix3: Mat3A::ZERO, translation: random.vector(1.0).into() },
    }
}

/// Taken in f64; the identity where there is none.
fn inverse(m: &Affine3A) -> Affine3A {
    let column = |c: Vec3A| DVec3::new(c.x.into(), c.y.into(), c.z.into());
    let c = &m.matrix3;
    let double = DAffine3 {
        matrix3: DMat3::from_cols(column(c.x_axis), column(c.y_axis), column(c.z_axis)),
        translation: column(m.translation),
    };
    if double.matrix3.determinant().abs() < 1e-6 {
        return Affine3A::IDENTITY;
    }
    let inverse = double.inverse();
    let [x, y, z] =
        [inverse.matrix3.x_axis, inverse.matrix3.y_axis, inverse.matrix3.z_axis].map(|c| c.as_vec3a());
    Affine3A { matrix3: Mat3A::from_cols(x, y, z), translation: inverse.translation.as_vec3a() }
}
