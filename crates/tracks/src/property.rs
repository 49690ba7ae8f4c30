//! What a clip moves besides the pose: named properties of anything, a light, a face, a door.

use std::fmt;

use glam::{Quat, Vec2, Vec3, Vec4};

use crate::{Channel, JointIndex, Track};

/// A named property: of the whole, or of the thing at a joint.
///
/// The joint is part of the name: `"glow"` of joint 3 and `"glow"` of no joint are two properties.
///
/// ```
/// use throng_tracks::{JointIndex, Property};
/// assert_eq!(Property::from("dawn"), Property { name: "dawn".into(), joint: None });
/// assert_eq!(Property::at(JointIndex(3), "glow").to_string(), "\"glow\" of joint 3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Property {
    /// What it is called.
    pub name: String,
    /// The joint whose property it is, if it is one's.
    pub joint: Option<JointIndex>,
}

impl Property {
    /// The property of a joint.
    pub fn at(joint: JointIndex, name: impl Into<String>) -> Self {
        Self { name: name.into(), joint: Some(joint) }
    }
}

impl<S: Into<String>> From<S> for Property {
    fn from(name: S) -> Self {
        Self { name: name.into(), joint: None }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.joint {
            Some(joint) => write!(f, "{:?} of joint {joint}", self.name),
            None => write!(f, "{:?}", self.name),
        }
    }
}

/// A value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// One number.
    Scalar(f32),
    /// 2 numbers.
    Vec2(Vec2),
    /// 3 numbers.
    Vec3(Vec3),
    /// 4 numbers.
    Vec4(Vec4),
    /// Red, green, blue and alpha.
    Colour([f32; 4]),
    /// A rotation.
    Quaternion(Quat),
    /// As many weights as the track has.
    Weights(Vec<f32>),
    /// One of the names in the track's table, and its index there.
    Discrete(usize, &'a str),
}

/// A track and the property it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyTrack {
    pub(crate) property: Property,
    pub(crate) track: Track,
}

impl PropertyTrack {
    /// The property the track moves.
    #[must_use]
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// The keys.
    #[must_use]
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// The value at time `t` in seconds. Outside of its keys the track extrapolates; a NaN time counts as 0.
    #[must_use]
    pub fn sample(&self, t: f32) -> Value<'_> {
        let track = &self.track;
        match track.channel() {
            Channel::Weights(_) => {
                let mut weights = vec![0.0; track.channel().components()];
                track.sample(t, &mut weights);
                Value::Weights(weights)
            }
            Channel::Scalar => Value::Scalar(self.numbers::<1>(t)[0]),
            Channel::Vec2 => Value::Vec2(self.numbers(t).into()),
            Channel::Vec3 | Channel::Translation | Channel::Scale => Value::Vec3(self.numbers(t).into()),
            Channel::Vec4 => Value::Vec4(self.numbers(t).into()),
            Channel::Colour => Value::Colour(self.numbers(t)),
            Channel::Quaternion | Channel::Rotation => Value::Quaternion(Quat::from_array(self.numbers(t))),
            Channel::Discrete => {
                let index = self.numbers::<1>(t)[0] as usize;
                // A track's indices were checked against its table.
                Value::Discrete(index, track.names().get(index).map_or("", String::as_str))
            }
        }
    }

    fn numbers<const N: usize>(&self, t: f32) -> [f32; N] {
        let mut value = [0.0; N];
        self.track.sample(t, &mut value);
        value
    }
}
