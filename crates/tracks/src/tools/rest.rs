//! How far the rest poses of two skeletons differ, where clips of one are shown on the other.

use std::fmt;

use super::WhyUnbound;
use crate::{JointIndex, Skeleton};

/// Rotations at rest that differ by less than this, in radians (half a degree), count as the same.
const ROTATION: f32 = 0.009;

/// Lengths and scales that differ by less than this part count as the same.
const PART: f32 = 0.01;

/// Shorter bones than this part of the longest one say nothing of a unit.
const SHORT: f32 = 1e-3;

/// Units that are large multiples of each other: bones of two characters in one unit differ by less.
const FAR_UNITS: [f32; 7] = [10.0, 25.4, 30.48, 39.370_08, 100.0, 304.8, 1000.0];

/// Units that are near each other: feet in metres, inches in centimetres. Two characters can differ by as much, so all
/// bones must.
const NEAR_UNITS: [f32; 2] = [3.280_84, 2.54];

/// How far, in logarithms, the median of all bones may be from a far unit: characters have sizes of their own.
const OWN_SIZE: f32 = 0.35;

/// Likewise for a near unit, and how far single bones may be from the median.
const SAME_SIZE: f32 = 0.02;

/// By how much a joint's rest differs from its namesake's.
#[derive(Clone, Debug, PartialEq)]
pub struct RestDifference {
    /// The joint, in the skeleton that the clips are bound to.
    pub joint: JointIndex,
    /// Its name.
    pub name: String,
    /// The angle between the two rotations, in radians.
    pub rotation_rad: f32,
    /// The distance between the two translations, in the unit of the skeleton that the clips are bound to. Where
    /// [units](RestComparison::unit_ratio) differ, it is what is left after conversion.
    pub translation: f32,
    /// The largest difference of the scale's components.
    pub scale: f32,
}

/// How two skeletons differ at rest. Displays as remarks, one a line; none if nothing differs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestComparison {
    /// Pairs of joints that were compared.
    pub compared: usize,
    /// Joints whose rest differs, in order.
    pub differences: Vec<RestDifference>,
    /// How many units of the clips' skeleton make one of the other: 100 for centimetres and metres. None where the lengths
    /// of bones do not suggest that units differ.
    pub unit_ratio: Option<f32>,
}

impl fmt::Display for RestComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ratio) = self.unit_ratio {
            let units = named(ratio).map_or(String::new(), |[from, to]| format!(", as {from} are to {to}"));
            writeln!(
                f,
                "remark: units seem to differ: bones of the clips' skeleton are {ratio} times as long{units}; translations \
                 are taken as they are, so convert one of the two on import"
            )?;
        }
        let of_all = |differs: &dyn Fn(&RestDifference) -> f32, unit: &str, what: &str| {
            let count = self.differences.iter().filter(|d| differs(d) > 0.0).count();
            let most = self.differences.iter().max_by(|a, b| differs(a).total_cmp(&differs(b)));
            let RestDifference { joint, name, .. } = most.filter(|_| count > 0)?;
            let most = differs(most?);
            let compared = self.compared;
            Some(format!(
                "remark: rest poses differ in {what} at {count} of {compared} joints, most at joint {joint} {name:?}: \
                 {most:.3}{unit}"
            ))
        };
        let degrees = |d: &RestDifference| d.rotation_rad.to_degrees();
        let lines = [
            of_all(&degrees, " degrees", "rotation"),
            of_all(&|d| d.translation, "", "translation"),
            of_all(&|d| d.scale, "", "scale"),
        ];
        lines.into_iter().flatten().try_for_each(|line| writeln!(f, "{line}"))
    }
}

fn named(ratio: f32) -> Option<[&'static str; 2]> {
    let names = [
        (10.0, ["millimetres", "centimetres"]),
        (25.4, ["millimetres", "inches"]),
        (30.48, ["centimetres", "feet"]),
        (39.370_08, ["inches", "metres"]),
        (100.0, ["centimetres", "metres"]),
        (304.8, ["millimetres", "feet"]),
        (1000.0, ["millimetres", "metres"]),
        (3.280_84, ["feet", "metres"]),
        (2.54, ["centimetres", "inches"]),
    ];
    names.into_iter().find_map(|(unit, [a, b])| match ratio {
        r if r == unit => Some([a, b]),
        r if r == 1.0 / unit => Some([b, a]),
        _ => None,
    })
}

/// Compares the rest poses of two skeletons at the joints that stand for each other, as
/// [`namesakes`](super::namesakes) finds them.
///
/// Rotations differ from half a degree on, translations from a hundredth of the bone's length, scales from a hundredth. Units are told by
/// the ratio of the lengths of bones: the median must be near that of two units in use, and for units that are less than 5
/// times each other all bones must agree. Joints with a fixed matrix are not compared.
///
/// ```
/// use throng_tracks::*;
/// use throng_tracks::tools::{compare_rest, namesakes};
/// let arm = |length: f32| Skeleton::new([None, Some(JointIndex(0))].map(|parent| Joint {
///     name: if parent.is_some() { "hand" } else { "arm" }.into(),
///     parent,
///     rest: Rest::Trs(Transform { translation: [0.0, length, 0.0].into(), ..Transform::IDENTITY }),
/// }));
/// let (centimetres, metres) = (arm(30.0)?, arm(0.3)?);
/// let pairs = namesakes(&centimetres, &metres);
/// assert_eq!(compare_rest(&centimetres, &metres, &pairs.joints).unit_ratio, Some(100.0));
/// # Ok::<(), SkeletonError>(())
/// ```
///
/// # Panics
/// If `joints` has not one entry a joint of `from`, or names a joint that `to` has not.
#[must_use]
pub fn compare_rest(
    from: &Skeleton,
    to: &Skeleton,
    joints: &[Result<JointIndex, WhyUnbound>],
) -> RestComparison {
    assert_eq!(joints.len(), from.joint_count(), "a joint goes somewhere or has a reason not to");
    let pairs = from.joints().zip(joints).filter_map(|(joint, other)| Some((joint, (*other).ok()?)));
    let moves =
        |&(a, b): &(JointIndex, JointIndex)| from.fixed_matrix(a).is_none() && to.fixed_matrix(b).is_none();
    let pairs: Vec<_> = pairs.filter(moves).collect();
    let lengths = pairs.iter().map(|&(a, b)| {
        [from.rest()[a.get()], to.rest()[b.get()]].map(|rest| rest.translation.as_dvec3().length())
    });
    let unit_ratio = unit_ratio(&lengths.collect::<Vec<_>>());
    let mut differences = Vec::new();
    for &(a, joint) in &pairs {
        let (a, b) = (from.rest()[a.get()], to.rest()[joint.get()]);
        let moved = a.translation.as_dvec3() / f64::from(unit_ratio.unwrap_or(1.0));
        let there = b.translation.as_dvec3();
        let (translation, longer) = (moved.distance(there) as f32, moved.length().max(there.length()) as f32);
        let cosine = a.rotation.normalize().dot(b.rotation.normalize()).abs();
        // By the sine where the angle is small: the cosine is flat there.
        let sine =
            (a.rotation.normalize() - b.rotation.normalize() * a.rotation.dot(b.rotation).signum()).length();
        let rotation_rad = if cosine < 0.9 { 2.0 * cosine.acos() } else { 2.0 * sine };
        let scale = (a.scale - b.scale).abs().max_element();
        let above = |value: f32, least: f32| if value > least { value } else { 0.0 };
        let difference = RestDifference {
            joint,
            name: to.name(joint).to_owned(),
            rotation_rad: above(rotation_rad, ROTATION),
            translation: above(translation, PART * longer),
            scale: above(scale, PART * a.scale.abs().max(b.scale.abs()).max_element()),
        };
        if difference.rotation_rad + difference.translation + difference.scale > 0.0 {
            differences.push(difference);
        }
    }
    differences.sort_by_key(|difference| difference.joint);
    RestComparison { compared: pairs.len(), differences, unit_ratio }
}

/// The ratio of the units of two lists of lengths, if it is one of units in use.
fn unit_ratio(lengths: &[[f64; 2]]) -> Option<f32> {
    let longest = |side: usize| lengths.iter().fold(0.0f64, |most, pair| most.max(pair[side]));
    let least = [longest(0) * f64::from(SHORT), longest(1) * f64::from(SHORT)];
    let long = lengths.iter().filter(|[a, b]| *a > least[0] && *b > least[1]);
    let mut ratios: Vec<f32> =
        long.map(|[a, b]| (a.ln() - b.ln()) as f32).filter(|r| r.is_finite()).collect();
    ratios.sort_by(f32::total_cmp);
    let median = *ratios.get(ratios.len() / 2)?;
    let mut spreads: Vec<f32> = ratios.iter().map(|ratio| (ratio - median).abs()).collect();
    spreads.sort_by(f32::total_cmp);
    let spread = *spreads.get(spreads.len() / 2)?;
    let off = |unit: f32| (median.abs() - unit.ln()).abs();
    let nearest = |units: &[f32]| units.iter().copied().min_by(|a, b| off(*a).total_cmp(&off(*b)));
    let far = nearest(&FAR_UNITS).filter(|&unit| off(unit) <= OWN_SIZE && spread <= OWN_SIZE);
    let near = nearest(&NEAR_UNITS).filter(|&unit| off(unit) <= SAME_SIZE && spread <= SAME_SIZE);
    near.or(far).map(|unit| if median > 0.0 { unit } else { 1.0 / unit })
}
