//! Several layers of a lane group, mixed joint by joint on their way from the rows to a matrix.
//!
//! Rows are in palette space. For averages that makes no difference: a rotation there is the joint's own between two
//! constants, and a translation an affine image of it, so that weights which sum to 1 give the image of the average. The
//! rows of additive clips were rewritten as differences of those images (see `plan/rows.rs`).

use throng_tracks::RowPair;

use super::layers::{Blend, Layer, Layers};
use super::sample::{Sampler, between};
use crate::isa::{BLOCK, Isa, Line, RowLanes, RowTable, ValueTable};
use crate::math::{hamilton, length_squared};
use crate::plan::{BlendColumns, Blending, Columns, Decoding, Plan};
use crate::rotate::dot;
use crate::unroll::{each3, each4};

/// The layers of a group, averages and additive ones in the order of the job.
pub(crate) struct BlendLanes<'a, I: Isa> {
    layers: [Option<LayerLanes<'a, I>>; 4],
    blending: &'a [Blending],
    /// Of joints, if there is no mask.
    weights: JointWeights<I::F>,
    masked: bool,
    /// Whether the rest pose may have a part.
    resting: bool,
}

struct LayerLanes<'a, I: Isa> {
    rows: RowLanes<'a, I>,
    weight: I::F,
    additive: bool,
    mask: Option<(ValueTable<'a>, I::I)>,
}

/// Of a joint that does not exist.
static NO_BLENDING: Blending =
    [BlendColumns { difference: Decoding { scale: [0.0; 4], offset: [0.0; 4] }, rest: [0.0; 4] }; 3];

/// What a joint is blended with.
#[derive(Clone, Copy)]
pub(crate) struct JointBlend<'a, F> {
    weights: JointWeights<F>,
    columns: &'a Blending,
}

/// A weight that is large among those of differences. What is divided by it comes down to 2^15, and nothing below 2^-14: of
/// either a float holds the square of four factors.
const LARGE: f32 = 256.0;

/// How much of each layer a joint takes.
#[derive(Clone, Copy)]
struct JointWeights<F> {
    /// Of averages the shares, which sum to 1 at most; of differences the weights.
    layers: [F; 4],
    /// What is left for the rest pose.
    rest: F,
    /// Of differences, how much a rotation has of its own and of none.
    turns: [Turn<F>; 4],
}

/// The weight of a rotation, and what that leaves of 1: both, or a part of both.
#[derive(Clone, Copy)]
struct Turn<F> {
    own: F,
    none: F,
}

impl<'a, I: Isa> BlendLanes<'a, I> {
    /// The lanes of the instances from `first` on, and the rows of those behind them to be fetched.
    #[inline(always)]
    pub(super) fn new(isa: I, plan: &'a Plan, layers: &Layers<'a>, first: usize) -> Self {
        Self::over(isa, plan.rows(), &plan.blending, layers, first)
    }

    /// The same over the rows of `table`, which `blending` belongs to.
    #[inline(always)]
    pub(crate) fn over(
        isa: I,
        table: RowTable<'a>,
        blending: &'a [Blending],
        layers: &Layers<'a>,
        first: usize,
    ) -> Self {
        let (all, zero) = (layers.layers, isa.splat(0.0));
        // Made where they stay: moved, they would be copied by a call.
        #[expect(clippy::manual_map, reason = "no closures around lanes")]
        let layers_of_group = each4!(K => match all.get(K) {
            Some(layer) => Some(layer_lanes(isa, table, layer, first)),
            None => None,
        });
        let weights = each4!(K => match &layers_of_group[K] {
            Some(layer) => layer.weight,
            None => zero,
        });
        Self {
            weights: sum(isa, &layers_of_group, weights),
            layers: layers_of_group,
            blending,
            masked: all.iter().any(|layer| layer.mask.is_some()),
            resting: layers.resting,
        }
    }

    /// The weighted sum of the averages, and the rest pose's part.
    #[inline(always)]
    fn average(&self, isa: I, columns: &Columns, weights: JointWeights<I::F>, rest: &[f32; 4]) -> [I::F; 4] {
        let mut sum = [isa.splat(0.0); 4];
        for (layer, w) in self.layers.iter().zip(weights.layers) {
            let Some(layer) = layer else { break };
            if !layer.additive {
                let v = between(isa, &layer.rows, columns, &columns.decoding);
                sum = each4!(C => isa.mul_add(v[C], w, sum[C]));
            }
        }
        if self.resting {
            let (zero, w) = (isa.splat(0.0), weights.rest);
            sum = each4!(C => {
                let with = isa.mul_add(isa.splat(rest[C]), w, sum[C]);
                // A lane without it keeps its bits, the sign of a zero too.
                isa.select_greater(w, zero, with, sum[C])
            });
        }
        sum
    }
}

/// Weights of layers, with what follows from their sum.
#[inline(always)]
fn sum<I: Isa>(isa: I, layers: &[Option<LayerLanes<'_, I>>; 4], weights: [I::F; 4]) -> JointWeights<I::F> {
    let (zero, one) = (isa.splat(0.0), isa.splat(1.0));
    let mut total = zero;
    for (layer, weight) in layers.iter().zip(weights) {
        let Some(layer) = layer else { break };
        if !layer.additive {
            total = total + weight;
        }
    }
    let scale = isa.select_greater(total, one, one / total, one);
    JointWeights {
        layers: each4!(K => match &layers[K] {
            Some(LayerLanes { additive: false, .. }) => weights[K] * scale,
            _ => weights[K],
        }),
        rest: isa.select_greater(one, total, one - total, zero),
        turns: each4!(K => match &layers[K] {
            Some(LayerLanes { additive: true, .. }) => turn(isa, weights[K]),
            _ => Turn { own: zero, none: zero },
        }),
    }
}

/// Of a difference. A quaternion may be of any length, but the square of four large ones' product would not be finite: so a
/// large weight is made smaller, by a power of two, which changes no bit of what comes of it.
#[inline(always)]
fn turn<I: Isa>(isa: I, weight: I::F) -> Turn<I::F> {
    let (one, large) = (isa.splat(1.0), isa.splat(LARGE));
    let size = isa.negate_where_negative(weight, weight);
    let part = isa.select_greater(size, large, isa.splat(1.0 / LARGE), one);
    Turn { own: weight * part, none: (one - weight) * part }
}

#[inline(always)]
fn layer_lanes<'a, I: Isa>(
    isa: I,
    table: RowTable<'a>,
    layer: &Layer<'a>,
    first: usize,
) -> LayerLanes<'a, I> {
    let table = match layer.external {
        Some(external) => external.table(),
        None => table,
    };
    let next: &[RowPair] = layer.pairs.get(first + I::LANES..).unwrap_or_default();
    let pairs = layer.pairs.get(first..).unwrap_or_default();
    let mut weights = Line::ZERO;
    fill(&mut weights.0, layer.weights.get(first..).unwrap_or_default());
    let mask = match &layer.mask {
        Some(mask) => {
            let mut choice = [0; BLOCK];
            fill(&mut choice, mask.choice.get(first..).unwrap_or_default());
            let mut rows = [0; BLOCK];
            for (row, choice) in rows.iter_mut().zip(choice) {
                *row = i32::from(choice);
            }
            let rows = isa.indices(&rows);
            ValueTable::new(mask.masks.table(), mask.masks.joints()).zip(Some(rows))
        }
        None => None,
    };
    LayerLanes {
        rows: RowLanes::before(isa, table, pairs, next),
        weight: isa.load(&weights, 0),
        additive: layer.blend == Blend::Additive,
        mask,
    }
}

/// The first of `from`; the last of them takes the places that are left.
#[inline(always)]
fn fill<T: Copy>(to: &mut [T; BLOCK], from: &[T]) {
    let Some(&last) = from.get(..BLOCK).map_or(from.last(), <[T]>::last) else { return };
    for (at, to) in to.iter_mut().enumerate() {
        *to = match from.get(at) {
            Some(v) => *v,
            None => last,
        };
    }
}

impl<'a, I: Isa> Sampler<I> for BlendLanes<'a, I> {
    type Blend = JointBlend<'a, I::F>;

    #[inline(always)]
    fn joint(&self, isa: I, joint: u32) -> JointBlend<'a, I::F> {
        let columns = match self.blending.get(joint as usize) {
            Some(columns) => columns,
            None => &NO_BLENDING,
        };
        if !self.masked {
            return JointBlend { weights: self.weights, columns };
        }
        let weights = each4!(K => match &self.layers[K] {
            Some(LayerLanes { weight, mask: Some((masks, row)), .. }) => {
                isa.gather(masks, *row, 0, joint as usize) * *weight
            }
            Some(LayerLanes { weight, .. }) => *weight,
            None => isa.splat(0.0),
        });
        JointBlend { weights: sum(isa, &self.layers, weights), columns }
    }

    /// Each layer's rotation on the side of the sum so far, by weight (as in section 6 of the contract, where the running
    /// sum chooses the sign, so that no order of layers wins but by rounding); then the differences, on the local side.
    #[inline(always)]
    fn rotation(&self, isa: I, columns: &Columns, joint: JointBlend<'a, I::F>) -> [I::F; 4] {
        let (weights, BlendColumns { difference, rest }) = (joint.weights, &joint.columns[0]);
        let zero = isa.splat(0.0);
        let mut sum = [zero; 4];
        for (layer, w) in self.layers.iter().zip(weights.layers) {
            let Some(layer) = layer else { break };
            if !layer.additive {
                let q = between(isa, &layer.rows, columns, &columns.decoding);
                // Rows between keys are shorter than 1; a layer's weight is that of its direction.
                let w = w / isa.sqrt(length_squared(isa, q));
                let w = isa.negate_where_negative(dot(isa, sum, q), w);
                sum = each4!(C => isa.mul_add(q[C], w, sum[C]));
            }
        }
        if self.resting {
            let q = each4!(C => isa.splat(rest[C]));
            let w = isa.negate_where_negative(dot(isa, sum, q), weights.rest);
            sum = each4!(C => {
                isa.select_greater(weights.rest, zero, isa.mul_add(q[C], w, sum[C]), sum[C])
            });
        }
        for (layer, Turn { own, none }) in self.layers.iter().zip(weights.turns) {
            let Some(layer) = layer else { break };
            if layer.additive {
                let d = between(isa, &layer.rows, columns, difference);
                let unit = isa.negate_where_negative(d[3], own / isa.sqrt(length_squared(isa, d)));
                let [x, y, z] = each3!(C => d[C] * unit);
                sum = hamilton(isa, sum, [x, y, z, isa.mul_add(d[3], unit, none)]);
            }
        }
        sum
    }

    #[inline(always)]
    fn placing(&self, isa: I, columns: &Columns, joint: JointBlend<'a, I::F>) -> [I::F; 4] {
        let (weights, BlendColumns { difference, rest }) = (joint.weights, &joint.columns[1]);
        let mut sum = self.average(isa, columns, weights, rest);
        for (layer, w) in self.layers.iter().zip(weights.layers) {
            let Some(layer) = layer else { break };
            if layer.additive {
                let d = between(isa, &layer.rows, columns, difference);
                let [x, y, z] = each3!(C => isa.mul_add(d[C], w, sum[C]));
                sum = [x, y, z, sum[3] * ratio(isa, d[3], w)];
            }
        }
        sum
    }

    #[inline(always)]
    fn axes(&self, isa: I, columns: &Columns, joint: JointBlend<'a, I::F>) -> [I::F; 4] {
        let (weights, BlendColumns { difference, rest }) = (joint.weights, &joint.columns[2]);
        let mut sum = self.average(isa, columns, weights, rest);
        for (layer, w) in self.layers.iter().zip(weights.layers) {
            let Some(layer) = layer else { break };
            if layer.additive {
                let d = between(isa, &layer.rows, columns, difference);
                sum = each4!(C => sum[C] * ratio(isa, d[C], w));
            }
        }
        sum
    }

    #[inline(always)]
    fn fetch(&self, part: usize, parts: usize) {
        for layer in &self.layers {
            let Some(layer) = layer else { break };
            layer.rows.fetch_next(part, parts);
        }
    }
}

/// From 1 to `ratio`.
#[inline(always)]
fn ratio<I: Isa>(isa: I, ratio: I::F, w: I::F) -> I::F {
    let one = isa.splat(1.0);
    isa.mul_add(ratio - one, w, one)
}
