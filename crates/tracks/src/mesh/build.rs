use super::{Influence, Influences, MeshError, MeshSource, SkinnedMesh};

/// What becomes of weights that don't sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum WeightRule {
    /// Those of each vertex are divided by their sum. Where all are 0, the first joint takes the vertex: the same as
    /// three.js does.
    #[default]
    Normalise,
    /// They are taken as they are; then a vertex whose weights sum to less than 1 shrinks towards the origin.
    Keep,
}

/// How far weights were from summing to 1, before anything was done about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightReport {
    /// How many vertices were off by more than 1e-3.
    pub off: usize,
    /// How many of these had no weight at all.
    pub weightless: usize,
    /// The largest difference of a sum from 1.
    pub largest: f32,
}

/// What rounding to sixteen bits stays far below.
const OFF: f64 = 1e-3;

impl SkinnedMesh {
    /// A mesh for a palette of `joint_count` entries. Influences of weight 0 are left out.
    ///
    /// # Errors
    /// Any [`MeshError`].
    pub fn new(
        source: MeshSource<'_>,
        joint_count: usize,
        rule: WeightRule,
    ) -> Result<(Self, WeightReport), MeshError> {
        let MeshSource { positions, normals, tangents, influences } = source;
        let vertices = positions.len();
        check("position", positions, vertices)?;
        normals.map_or(Ok(()), |normals| check("normal", normals, vertices))?;
        tangents.map_or(Ok(()), |tangents| check("tangent", tangents, vertices))?;
        check_influences(&influences, vertices)?;
        let mut builder = Builder {
            joint_count,
            rule,
            report: WeightReport::default(),
            offsets: vec![0],
            influences: Vec::new(),
        };
        let mut given = Vec::new();
        for vertex in 0..vertices {
            given.clear();
            match influences {
                Influences::Lists { offsets, list } => {
                    given.extend(&list[offsets[vertex] as usize..offsets[vertex + 1] as usize]);
                }
                Influences::Sets(sets) => {
                    for set in sets {
                        let pairs = set.joints[vertex].into_iter().zip(set.weights[vertex]);
                        given.extend(pairs.map(|(joint, weight)| Influence { joint, weight }));
                    }
                }
            }
            builder.vertex(vertex, &given)?;
        }
        let Builder { report, offsets, influences, .. } = builder;
        let mesh = Self {
            positions: positions.to_vec(),
            normals: normals.map(<[_]>::to_vec),
            tangents: tangents.map(<[_]>::to_vec),
            offsets,
            influences,
            joint_count,
        };
        Ok((mesh, report))
    }
}

fn check<const N: usize>(what: &'static str, all: &[[f32; N]], vertices: usize) -> Result<(), MeshError> {
    if all.len() != vertices {
        let what = if what == "normal" { "normals" } else { "tangents" };
        return Err(MeshError::Count { what, found: all.len(), expected: vertices, vertices });
    }
    for (vertex, numbers) in all.iter().enumerate() {
        if let Some(&found) = numbers.iter().find(|x| !x.is_finite()) {
            return Err(MeshError::NotFinite { what, vertex, found });
        }
    }
    Ok(())
}

fn check_influences(influences: &Influences<'_>, vertices: usize) -> Result<(), MeshError> {
    let count = |what, found, expected| {
        if found == expected { Ok(()) } else { Err(MeshError::Count { what, found, expected, vertices }) }
    };
    match influences {
        Influences::Lists { offsets, list } => {
            count("offsets of influences", offsets.len(), vertices + 1)?;
            let within = |w: &[u32]| w[0] <= w[1] && w[1] as usize <= list.len();
            if let Some(vertex) = offsets.windows(2).position(|w| !within(w)) {
                let (start, end) = (offsets[vertex], offsets[vertex + 1]);
                return Err(MeshError::Range { vertex, start, end, count: list.len() });
            }
        }
        Influences::Sets(sets) => {
            for set in *sets {
                count("joints of a set", set.joints.len(), vertices)?;
                count("weights of a set", set.weights.len(), vertices)?;
            }
        }
    }
    Ok(())
}

struct Builder {
    joint_count: usize,
    rule: WeightRule,
    report: WeightReport,
    offsets: Vec<u32>,
    influences: Vec<Influence>,
}

impl Builder {
    fn vertex(&mut self, vertex: usize, given: &[Influence]) -> Result<(), MeshError> {
        let Some(&first) = given.first() else { return Err(MeshError::NoInfluence { vertex }) };
        let bad = |i: &&Influence| !(i.weight >= 0.0 && i.weight.is_finite());
        if let Some(&Influence { joint, weight }) = given.iter().find(bad) {
            return Err(MeshError::Weight { vertex, joint, found: weight });
        }
        // In f64 no sum of weights overflows, and none of small ones vanishes.
        let sum: f64 = given.iter().map(|i| f64::from(i.weight)).sum();
        let error = (sum - 1.0).abs();
        self.report.largest = self.report.largest.max(error as f32);
        self.report.off += usize::from(error > OFF);
        self.report.weightless += usize::from(sum == 0.0);
        let start = self.influences.len();
        for &Influence { joint, weight } in given.iter().filter(|i| i.weight > 0.0) {
            let weight = match self.rule {
                WeightRule::Normalise => (f64::from(weight) / sum) as f32,
                WeightRule::Keep => weight,
            };
            self.push(vertex, Influence { joint, weight })?;
        }
        if start == self.influences.len() {
            let weight = if self.rule == WeightRule::Normalise { 1.0 } else { 0.0 };
            self.push(vertex, Influence { joint: first.joint, weight })?;
        }
        let found = self.influences.len();
        self.offsets.push(u32::try_from(found).map_err(|_| MeshError::TooMany { found })?);
        Ok(())
    }

    fn push(&mut self, vertex: usize, influence: Influence) -> Result<(), MeshError> {
        let (joint, joint_count) = (influence.joint, self.joint_count);
        if usize::from(joint) >= joint_count {
            return Err(MeshError::NoSuchJoint { vertex, joint, joint_count });
        }
        self.influences.push(influence);
        Ok(())
    }
}
