//! The interpolation formulas, scalar and exact. The lane kernels have their own copy of `nlerp`; everything else of
//! the authored curves lives here.

use glam::Quat;

/// Above this cosine nlerp is less than 6e-7 away from slerp, whose own formula would divide by nearly zero.
const SLERP_LIMIT: f32 = 0.9995;

/// `b`, negated if it lies in the other hemisphere than `a`: the same rotation, on the short way from `a`.
#[must_use]
pub fn align(a: Quat, b: Quat) -> Quat {
    if a.dot(b) < 0.0 { -b } else { b }
}

/// The length of `q`. In f64, where no finite quaternion is too short or too long to have one.
pub(crate) fn length(q: Quat) -> f64 {
    q.to_array().map(f64::from).iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// The unit quaternion along `q`, or none if `q` has length zero. `q` must be finite.
pub(crate) fn normalized(q: Quat) -> Option<Quat> {
    let length = length(q);
    (length != 0.0).then(|| Quat::from_array(q.to_array().map(|c| (f64::from(c) / length) as f32)))
}

/// Normalised linear interpolation on the short arc: `normalize(a + (b' - a) u)`, `b'` = `b` [aligned](align) to `a`.
///
/// At `u = 0` it is `a`, at `u = 1` it is `b` or `-b`, up to rounding. `a` and `b` must have unit length.
#[must_use]
pub fn nlerp(a: Quat, b: Quat, u: f32) -> Quat {
    let b = align(a, b);
    // Opposite rotations half way sum to zero: any rotation is as right as another, and `a` is no NaN.
    normalized(a + (b - a) * u).unwrap_or(a)
}

/// Spherical linear interpolation on the short arc; [`nlerp`] where the two are closer than a cosine of 0.9995.
///
/// `a sin((1-u) w)/sin w + b' sin(u w)/sin w` with `cos w = a . b'` (Shoemake, "Animating rotation with quaternion
/// curves", SIGGRAPH 1985). The angle is taken in f64: near 1 an f32 cosine holds only half of its digits. At `u = 0`
/// it is `a`, at `u = 1` it is `b` or `-b`, up to rounding. `a` and `b` must have unit length.
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
    let b = align(a, b);
    let (p, q) = (a.to_array().map(f64::from), b.to_array().map(f64::from));
    let cos = (p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]).min(1.0);
    if cos > f64::from(SLERP_LIMIT) {
        return nlerp(a, b, u);
    }
    let angle = cos.acos();
    let u = f64::from(u);
    let (wa, wb) = (((1.0 - u) * angle).sin() / angle.sin(), (u * angle).sin() / angle.sin());
    let sum = [0, 1, 2, 3].map(|i| (p[i] * wa + q[i] * wb) as f32);
    normalized(Quat::from_array(sum)).unwrap_or(a)
}

/// The four weights of a cubic Hermite segment at `u` in `[0, 1]`, for start value, start tangent, end value, end
/// tangent; tangents must already be multiplied by the segment's length in seconds.
///
/// glTF 2.0 specification, appendix C. At `u = 0` exactly `[1, 0, 0, 0]`, at `u = 1` exactly `[0, 0, 1, 0]`.
#[must_use]
pub fn hermite(u: f32) -> [f32; 4] {
    let (u2, v) = (u * u, 1.0 - u);
    let end = u2 * (3.0 - 2.0 * u);
    [1.0 - end, u * v * v, end, -u2 * v]
}
