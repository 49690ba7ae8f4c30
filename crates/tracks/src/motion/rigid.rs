//! A turn about one axis and a translation, in f64.

/// A point is turned about the axis, then moved. Its coordinates are in the cyclic order that begins with the axis: of `y` those
/// are `y`, `z` and `x`.
///
/// The turn is the quaternion `axis * half[0] + half[1]`, the sine and the cosine of half the angle: turns are then joined
/// and interpolated without any trigonometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rigid {
    pub(crate) place: [f64; 3],
    pub(crate) half: [f64; 2],
}

impl Rigid {
    pub(crate) const IDENTITY: Self = Self { place: [0.0; 3], half: [0.0, 1.0] };

    /// `b`, turned.
    #[inline]
    fn turn(half: [f64; 2], [along, b, c]: [f64; 3]) -> [f64; 3] {
        let [v, w] = half;
        let (sin, cos) = (2.0 * v * w, w * w - v * v);
        [along, cos * b - sin * c, sin * b + cos * c]
    }

    #[inline]
    fn joined([av, aw]: [f64; 2], [bv, bw]: [f64; 2]) -> [f64; 2] {
        [aw * bv + av * bw, aw * bw - av * bv]
    }

    /// `self`, after `first` was done.
    #[inline]
    pub(crate) fn after(&self, first: &Self) -> Self {
        let turned = Self::turn(self.half, first.place);
        let place = std::array::from_fn(|i| self.place[i] + turned[i]);
        Self { place, half: Self::joined(self.half, first.half) }
    }

    #[inline]
    pub(crate) fn inverse(&self) -> Self {
        let half = [-self.half[0], self.half[1]];
        Self { place: Self::turn(half, self.place.map(|v| -v)), half }
    }

    /// `end`, seen from `self`: what leads from here to there.
    #[inline]
    pub(crate) fn to(&self, end: &Self) -> Self {
        let half = [-self.half[0], self.half[1]];
        let way = std::array::from_fn(|i| end.place[i] - self.place[i]);
        Self { place: Self::turn(half, way), half: Self::joined(half, end.half) }
    }

    /// Done so many times, or undone where that is negative: by squaring, so that a thousand million times are thirty steps.
    pub(crate) fn power(&self, times: i64) -> Self {
        let mut square = if times < 0 { self.inverse() } else { *self };
        let (mut left, mut all) = (times.unsigned_abs(), Self::IDENTITY);
        while left > 0 {
            if left & 1 == 1 {
                all = all.after(&square);
            }
            left >>= 1;
            square = square.after(&square);
            square.half = unit(square.half);
        }
        Self { half: unit(all.half), ..all }
    }

    /// On the straight line between two, whose turns are in one hemisphere.
    #[inline]
    pub(crate) fn between(a: &Self, b: &Self, u: f64) -> Self {
        let line = |a: f64, b: f64| a + (b - a) * u;
        let place = std::array::from_fn(|i| line(a.place[i], b.place[i]));
        Self { place, half: unit(std::array::from_fn(|i| line(a.half[i], b.half[i]))) }
    }
}

/// `half` at unit length; no turn where it has none.
#[inline]
fn unit([v, w]: [f64; 2]) -> [f64; 2] {
    let length = (v * v + w * w).sqrt();
    if length > 0.0 { [v / length, w / length] } else { [0.0, 1.0] }
}
