//! The interpolation formulas, scalar and exact: in f64, each written once. What is public in f32 is their result rounded.
//!
//! The lane kernels have their own copy of `nlerp`; everything else of the authored curves lives here.

use glam::{DQuat, Quat};

/// Above this cosine nlerp is less than 1e-14 away from slerp, whose own formula divides by nearly zero. (At 0.9995, where
/// evaluators in f32 have to change over, it would be 6e-7: too much for joints below a scale of 100.)
const SLERP_LIMIT: f64 = 1.0 - 1e-9;

/// `b`, negated if it lies in the other hemisphere than `a`: the same rotation, on the short way from `a`.
#[must_use]
pub fn align(a: Quat, b: Quat) -> Quat {
    align_f64(a.as_dquat(), b.as_dquat()).as_quat()
}

fn align_f64(a: DQuat, b: DQuat) -> DQuat {
    if a.dot(b) < 0.0 { -b } else { b }
}

/// The unit quaternion along `q`, or none if `q` has length zero. `q` must be finite.
pub(crate) fn normalized(q: Quat) -> Option<Quat> {
    normalized_f64(q.as_dquat()).map(DQuat::as_quat)
}

/// [`normalized`] before rounding. Squares of numbers that come from f32 neither vanish nor overflow in f64.
pub(crate) fn normalized_f64(q: DQuat) -> Option<DQuat> {
    let length = q.length();
    (length != 0.0).then(|| q / length)
}

/// Normalised linear interpolation on the short arc: `normalize(a + (b' - a) u)`, `b'` = `b` [aligned](align) to `a`.
///
/// At `u = 0` it is `a`, at `u = 1` it is `b` or `-b`, up to rounding. `a` and `b` must be nearly of unit length; the result
/// is.
#[must_use]
pub fn nlerp(a: Quat, b: Quat, u: f32) -> Quat {
    nlerp_f64(a.as_dquat(), b.as_dquat(), f64::from(u)).as_quat()
}

pub(crate) fn nlerp_f64(a: DQuat, b: DQuat, u: f64) -> DQuat {
    let b = align_f64(a, b);
    // On the short arc only zeros sum to zero.
    normalized_f64(a + (b - a) * u).unwrap_or(a)
}

/// Spherical linear interpolation on the short arc; [`nlerp`] where the two are too close to tell an angle.
///
/// `a sin((1-u) w)/sin w + b' sin(u w)/sin w`, normalised, with `cos w = a . b'` (Shoemake, "Animating rotation with
/// quaternion curves", SIGGRAPH 1985). In f64: near 1 an f32 cosine holds only half of an angle's digits. At `u = 0` it is
/// `a`, at `u = 1` it is `b` or `-b`, up to rounding.
///
/// `a` and `b` must be nearly of unit length; the result is. They are taken as they are: the angle is that of their raw dot
/// product, and of two lengths the larger counts for more. glTF 2.0, appendix C, has the formula like this.
///
/// ```
/// use glam::Quat;
/// let (a, b) = (Quat::IDENTITY, Quat::from_rotation_z(1.0));
/// assert!(throng_tracks::slerp(a, b, 0.25).abs_diff_eq(Quat::from_rotation_z(0.25), 1e-6));
/// // The other name of the same rotation makes no difference.
/// assert_eq!(throng_tracks::slerp(a, -b, 0.25), throng_tracks::slerp(a, b, 0.25));
/// ```
#[must_use]
pub fn slerp(a: Quat, b: Quat, u: f32) -> Quat {
    slerp_f64(a.as_dquat(), b.as_dquat(), f64::from(u)).as_quat()
}

pub(crate) fn slerp_f64(a: DQuat, b: DQuat, u: f64) -> DQuat {
    let b = align_f64(a, b);
    let cos = a.dot(b);
    if cos > SLERP_LIMIT {
        return nlerp_f64(a, b, u);
    }
    let angle = cos.acos();
    // Normalising takes out the division by sin w.
    let sum = a * ((1.0 - u) * angle).sin() + b * (u * angle).sin();
    normalized_f64(sum).unwrap_or(a)
}

/// Nearly [`slerp`] for the price of [`nlerp`]: nlerp on the short arc at a corrected way.
///
/// nlerp follows the arc of slerp, slow at the ends and fast in the middle. A cubic that is odd about the middle undoes most
/// of it: `u' = d u - 3 k u^2 + 2 k u^3` with `d = 1 + k`, which keeps 0, 1/2 and 1 and has the slope `d` at both ends.
/// `k = 0.5069269 (1 - 0.7878088 cos w)^2`, `cos w = a . b'`, fits the slope to the angle (Jonathan Blow, "Hacking
/// Quaternions", 2002, with his two numbers).
///
/// Largest angle between the rotations of this and of slerp, measured: 0.0185 radians (1.06 degrees) for keys half a turn
/// apart, 0.0011 for keys up to a quarter turn apart; those of nlerp are 0.143 and 0.0161. At `u = 0` it is `a`, at `u = 1` it is
/// `b` or `-b`, up to rounding. `a` and `b` must be nearly of unit length; the result is.
#[must_use]
pub fn quasi_slerp(a: Quat, b: Quat, u: f32) -> Quat {
    quasi_slerp_f64(a.as_dquat(), b.as_dquat(), f64::from(u)).as_quat()
}

pub(crate) fn quasi_slerp_f64(a: DQuat, b: DQuat, u: f64) -> DQuat {
    let k = quasi_bend(a.dot(b));
    nlerp_f64(a, b, u * ((1.0 + k) + k * u * (2.0 * u - 3.0)))
}

/// The `k` of [`quasi_slerp`]'s formula for two rotations by the cosine between them, in whichever hemisphere they are.
pub(crate) fn quasi_bend(cos: f64) -> f64 {
    let factor = 1.0 - 0.787_808_8 * cos.abs();
    0.506_926_9 * factor * factor
}

/// The four weights of a cubic Hermite segment at `u` in `[0, 1]`, for start value, start tangent, end value, end
/// tangent; tangents must already be multiplied by the segment's length in seconds.
///
/// glTF 2.0 specification, appendix C. At `u = 0` exactly `[1, 0, 0, 0]`, at `u = 1` exactly `[0, 0, 1, 0]`.
#[must_use]
pub fn hermite(u: f64) -> [f64; 4] {
    let (u2, v) = (u * u, 1.0 - u);
    let end = u2 * (3.0 - 2.0 * u);
    [1.0 - end, u * v * v, end, -u2 * v]
}
