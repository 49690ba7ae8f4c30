//! Instances that are posed every few frames: when, said again by a model of frame numbers that knows nothing of counting
//! down; with the bits of a crowd that poses all, or mixed of them; and what changed, and what previous palettes are.

mod model;

use proptest::prelude::*;
use throng_crowd::{Crowd, CrowdError, Detail, InstanceId, SkipFrozen};

use crate::make::{bits, crowd, playback, replace};
use model::One;

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

fn every(interval: u8) -> Detail {
    Detail { interval, ..Detail::default() }
}

#[derive(Clone, Debug)]
enum Act {
    Every(Vec<prop::sample::Index>, u8, bool),
    EveryBySlot(u8),
    Show(Vec<prop::sample::Index>, bool),
    Replace(prop::sample::Index),
    Spawn,
    Refresh,
    Evaluate,
    EvaluateInto,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let some = || prop::collection::vec(any::<prop::sample::Index>(), 0..12);
    let interval = prop_oneof![5 => 1..6u8, 1 => Just(u8::MAX)];
    let act = prop_oneof![
        4 => (some(), interval, any::<bool>())
            .prop_map(|(some, interval, smooth)| Act::Every(some, interval, smooth)),
        1 => (1..5u8).prop_map(Act::EveryBySlot),
        2 => (some(), any::<bool>()).prop_map(|(some, shown)| Act::Show(some, shown)),
        2 => any::<prop::sample::Index>().prop_map(Act::Replace),
        1 => Just(Act::Spawn),
        1 => Just(Act::Refresh),
        10 => Just(Act::Evaluate),
        6 => Just(Act::EvaluateInto),
    ];
    prop::collection::vec(act, 1..60)
}

struct Both {
    crowd: Crowd,
    /// The same, but all are posed in every frame.
    all: Crowd,
    model: Vec<One>,
    frames: [u64; 2],
    /// Whether anybody ever had an interval of several frames; frames are counted from then on.
    active: bool,
    out: Vec<f32>,
}

impl Both {
    fn new(count: usize) -> Self {
        let mut both = Self {
            crowd: crowd(&DURATIONS_S),
            all: crowd(&DURATIONS_S),
            model: Vec::new(),
            frames: [0; 2],
            active: false,
            out: Vec::new(),
        };
        both.crowd.keep_previous(true);
        both.crowd.set_skip_frozen(SkipFrozen::Never);
        (0..count).for_each(|i| both.spawn(i));
        both
    }

    fn spawn(&mut self, i: usize) {
        self.all.spawn(playback(i, 2)).unwrap();
        self.model.push(One::new(self.crowd.spawn(playback(i, 2)).unwrap()));
    }

    fn act(&mut self, i: usize, act: Act) {
        let Self { crowd, all, model, frames, active, .. } = self;
        let count = model.len();
        let places = |some: Vec<prop::sample::Index>| -> Vec<usize> {
            some.iter().map(|index| index.index(count)).collect()
        };
        match act {
            Act::Every(some, interval, smooth) => {
                let places = places(some);
                let ids: Vec<_> = places.iter().map(|&at| model[at].id).collect();
                crowd.set_detail_many(&ids, Detail { smooth, ..every(interval) }).unwrap();
                let changes =
                    places.iter().any(|&at| (model[at].interval, model[at].smooth) != (interval, smooth));
                let before = std::mem::replace(active, *active || changes);
                places.iter().for_each(|&at| model[at].set(interval, smooth, *frames, before));
            }
            Act::EveryBySlot(by) => {
                let interval = |id: InstanceId| 1 + id.slot() as u8 % by;
                crowd.set_detail_all(|id, detail| Detail { interval: interval(id), ..detail }).unwrap();
                let changes = model.iter().any(|one| one.interval != interval(one.id));
                let before = std::mem::replace(active, *active || changes);
                model.iter_mut().for_each(|one| one.set(interval(one.id), one.smooth, *frames, before));
            }
            Act::Show(some, shown) => {
                let places = places(some);
                let ids: Vec<_> = places.iter().map(|&at| model[at].id).collect();
                crowd.set_visible_many(&ids, shown).unwrap();
                for at in places {
                    let one = &mut model[at];
                    if shown && !one.visible {
                        one.freshen();
                    }
                    one.visible = shown;
                }
            }
            Act::Replace(index) => {
                let at = index.index(count);
                replace(all, at, playback(i, 2));
                model[at] = One::new(replace(crowd, at, playback(i, 2)));
            }
            Act::Spawn => self.spawn(i),
            Act::Refresh => {
                crowd.refresh();
                model.iter_mut().for_each(One::freshen);
            }
            Act::Evaluate => self.evaluate(),
            Act::EvaluateInto => self.evaluate_into(),
        }
    }

    /// Who is posed now, and what is written.
    fn step(&mut self, which: usize) -> Vec<(bool, Option<Vec<f32>>)> {
        self.crowd.advance(0.05).unwrap();
        self.all.advance(0.05).unwrap();
        self.all.evaluate();
        let frame = self.frames[which];
        // Not counted as long as nobody waits.
        self.frames[which] += u64::from(self.active);
        let (active, all) = (self.active, &self.all);
        self.model
            .iter_mut()
            .zip(all.ids())
            .map(|(one, other)| {
                let stepped = one.step(which, frame, all.palette(other).unwrap());
                if !active {
                    one.freshen();
                }
                stepped
            })
            .collect()
    }

    fn check_report(&self, stepped: &[(bool, Option<Vec<f32>>)], own: bool) {
        // Where nothing is written, the previous palette is another once more if the frame before wrote.
        let settles = |one: &One| own && one.visible && one.wrote;
        let listed =
            |(one, (_, written)): &(&One, &(bool, Option<Vec<f32>>))| written.is_some() || settles(one);
        let changed = self.model.iter().zip(stepped).filter(listed);
        let slots: Vec<_> = changed.map(|(one, _)| one.id.slot() as u32).collect();
        assert_eq!(self.crowd.changed(), slots);
        let report = self.crowd.report();
        let visible = self.model.iter().filter(|one| one.visible).count();
        let evaluated = stepped.iter().filter(|(due, _)| *due).count();
        let expected = (evaluated, visible - evaluated, self.model.len() - visible);
        assert_eq!((report.evaluated, report.held, report.hidden), expected);
    }

    fn evaluate(&mut self) {
        let stepped = self.step(0);
        self.crowd.evaluate();
        self.check_report(&stepped, true);
        for (one, (_, written)) in self.model.iter_mut().zip(stepped) {
            let written = written.map(|written| bits(&written));
            one.wrote = written.is_some();
            one.palettes = match (written, one.palettes.take()) {
                (Some(written), Some([last, _])) if one.seen => Some([written, last]),
                (Some(written), _) => Some([written.clone(), written]),
                (None, old) => old.map(|[last, _]| [last.clone(), last]),
            };
            one.seen = one.visible;
        }
    }

    fn evaluate_into(&mut self) {
        let stepped = self.step(1);
        self.out.resize(self.crowd.output_floats(), 0.0);
        let mut expected = self.out.clone();
        let floats = self.crowd.palette_floats();
        for (one, (_, written)) in self.model.iter().zip(&stepped) {
            if let Some(written) = written {
                expected[one.id.slot() * floats..][..floats].copy_from_slice(written);
            }
        }
        self.crowd.evaluate_into(&mut self.out).unwrap();
        self.check_report(&stepped, false);
        assert_eq!(bits(&self.out), bits(&expected));
    }

    fn check(&self) {
        for one in &self.model {
            let detail = Detail { smooth: one.smooth, ..every(one.interval) };
            assert_eq!(self.crowd.detail(one.id), Ok(detail));
            let found = self.crowd.palette(one.id).map(bits);
            match &one.palettes {
                Some([present, previous]) => {
                    assert_eq!(found.as_ref(), Ok(present), "{}", one.id);
                    assert_eq!(bits(self.crowd.previous_palette(one.id).unwrap()), *previous, "{}", one.id);
                }
                None => assert_eq!(found, Err(CrowdError::NotEvaluated { id: one.id })),
            }
        }
    }
}

proptest! {
    #[test]
    fn each_is_posed_when_the_model_says(count in 1..70usize, acts in acts()) {
        let mut both = Both::new(count);
        for (i, act) in acts.into_iter().enumerate() {
            both.act(i, act);
            both.check();
        }
    }
}
