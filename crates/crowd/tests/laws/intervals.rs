//! Instances that are posed every few frames: when, said again by a model of frame numbers that knows nothing of counting
//! down; with the bits of a crowd that poses all, or mixed of them; and what changed, and what previous palettes are.

use proptest::prelude::*;
use throng_crowd::{Crowd, CrowdError, Detail, InstanceId, Playback, Threads};

use crate::make::{bits, crowd, playback};

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

/// When an instance is due in one kind of frames.
#[derive(Clone, Copy)]
struct Turn {
    /// None: in the next.
    frame: Option<u64>,
    /// How many frames it kept its palette.
    held: u64,
}

/// The way from one pose to the next, of one that is smooth.
#[derive(Clone)]
struct Way {
    from: Vec<f32>,
    to: Vec<f32>,
    /// None: there is no earlier pose, and this one stays.
    frames: Option<u64>,
}

/// What the model knows of one instance.
struct One {
    id: InstanceId,
    visible: bool,
    interval: u8,
    smooth: bool,
    turns: [Turn; 2],
    ways: [Option<Way>; 2],
    /// In the own buffer, the present one and the one before.
    palettes: Option<[Vec<u32>; 2]>,
    seen: bool,
}

impl One {
    fn new(id: InstanceId) -> Self {
        let turns = [Turn { frame: None, held: 0 }; 2];
        let (ways, palettes) = ([None, None], None);
        Self { id, visible: true, interval: 1, smooth: false, turns, ways, palettes, seen: false }
    }

    /// The first of its turns from `frame` on.
    fn turn(&self, frame: u64) -> u64 {
        let golden = f64::from(0x9e37_79b9u32) / 4_294_967_296.0;
        let phase = ((self.id.slot() as f64 * golden).fract() * f64::from(self.interval)) as u64;
        (frame..).find(|frame| frame % u64::from(self.interval) == phase).unwrap()
    }

    fn set(&mut self, interval: u8, smooth: bool, frames: [u64; 2], active: bool) {
        let before = std::mem::replace(&mut self.interval, interval);
        if std::mem::replace(&mut self.smooth, smooth) != smooth {
            self.turns = Self::new(self.id).turns;
            return;
        }
        for (which, frame) in frames.into_iter().enumerate() {
            let next = self.turn(frame);
            let turn = &mut self.turns[which].frame;
            *turn = match *turn {
                _ if !active => None,
                Some(frame) if before != 1 => Some(frame.min(next)),
                Some(_) if before != interval => Some(next),
                same => same,
            };
        }
    }

    /// Whether a frame poses it, whose pose is told, and what is written.
    fn step(&mut self, which: usize, frame: u64, pose: &[f32]) -> (bool, Option<Vec<f32>>) {
        if !self.visible {
            return (false, None);
        }
        let turn = self.turns[which].frame;
        let due = turn.is_none_or(|turn| turn <= frame);
        if due {
            let held = self.turns[which].held;
            assert!(held < 255, "{} was held for {held} frames", self.id);
            self.turns[which] = Turn { frame: Some(self.turn(frame + 1)), held: 0 };
        } else {
            self.turns[which].held += 1;
        }
        let left = self.turns[which].frame.unwrap() - frame;
        if !self.smooth {
            return (due, due.then(|| pose.to_vec()));
        }
        let way = &mut self.ways[which];
        if due && self.interval == 1 {
            *way = None;
            return (due, Some(pose.to_vec()));
        }
        if due {
            let before = way.take().filter(|_| turn.is_some());
            let (frames, to) = (before.is_some().then_some(left.min(254)), pose.to_vec());
            *way = Some(Way { from: before.map_or_else(|| to.clone(), |before| before.to), to, frames });
        }
        let shown = match &*way {
            Some(Way { from, to, frames: Some(frames) }) => {
                let way = frames.saturating_sub(left) as f32 / *frames as f32;
                Some(from.iter().zip(to).map(|(from, to)| from + (to - from) * way).collect())
            }
            Some(Way { to, .. }) if due => Some(to.clone()),
            _ => None,
        };
        (due, shown)
    }
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
                        one.turns = One::new(one.id).turns;
                    }
                    one.visible = shown;
                }
            }
            Act::Replace(index) => {
                let at = index.index(count);
                crowd.despawn(model[at].id).unwrap();
                let other = all.ids().nth(at).unwrap();
                all.despawn(other).unwrap();
                all.spawn(playback(i, 2)).unwrap();
                model[at] = One::new(crowd.spawn(playback(i, 2)).unwrap());
            }
            Act::Spawn => self.spawn(i),
            Act::Refresh => {
                crowd.refresh();
                model.iter_mut().for_each(|one| one.turns = One::new(one.id).turns);
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
                    one.turns = One::new(one.id).turns;
                }
                stepped
            })
            .collect()
    }

    fn check_report(&self, stepped: &[(bool, Option<Vec<f32>>)]) {
        let written = self.model.iter().zip(stepped).filter(|(_, (_, written))| written.is_some());
        let slots: Vec<_> = written.map(|(one, _)| one.id.slot() as u32).collect();
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
        self.check_report(&stepped);
        for (one, (_, written)) in self.model.iter_mut().zip(stepped) {
            let written = written.map(|written| bits(&written));
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
        self.check_report(&stepped);
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

#[test]
fn every_frame_has_about_the_same_work() {
    for interval in [2, 3, 4, 8, 15] {
        let mut crowd = crowd(&DURATIONS_S);
        let ids: Vec<_> = (0..3000).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
        crowd.evaluate();
        // Every third, as if by distance.
        let far: Vec<_> = ids.iter().copied().filter(|id| id.slot() % 3 == 0).collect();
        crowd.set_detail_many(&far, every(interval)).unwrap();
        // The first makes up for not knowing who was posed in the frame before.
        crowd.evaluate();
        let mut times = vec![0; ids.len()];
        for frame in 0..2 * u32::from(interval) {
            crowd.evaluate();
            let share = far.len() / usize::from(interval);
            let found = crowd.report().evaluated - (ids.len() - far.len());
            assert!(found.abs_diff(share) <= 3, "interval {interval}, frame {frame}: {found}, not {share}");
            crowd.changed().iter().for_each(|slot| times[*slot as usize] += 1);
        }
        for id in ids {
            let expected = if id.slot() % 3 == 0 { 2 } else { 2 * usize::from(interval) };
            assert_eq!(times[id.slot()], expected, "{id}");
        }
    }
}

#[test]
fn threads_and_shards_change_nothing() {
    let pools =
        [1, 2, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let run = |threads: Threads, shard: Option<usize>| {
        let mut crowd = crowd(&DURATIONS_S);
        crowd.set_threads(threads);
        crowd.set_shard_slots(shard);
        for i in 0..1000 {
            crowd.spawn(playback(i, 2)).unwrap();
        }
        crowd.set_joint_levels(&[throng_tracks::JointIndex(0)], &[1]).unwrap();
        crowd
            .set_detail_all(|id, _| Detail {
                level: (id.slot() / 3 % 2) as u8,
                smooth: id.slot() % 4 == 1,
                share_s: if id.slot() % 4 == 2 { 0.05 } else { 0.0 },
                ..every(1 + id.slot() as u8 % 7)
            })
            .unwrap();
        let mut all = Vec::new();
        for _ in 0..8 {
            crowd.advance(0.03).unwrap();
            all.extend(bits(crowd.evaluate()));
            all.extend(crowd.changed());
        }
        all
    };
    let expected = run(Threads::One, None);
    for pool in &pools {
        for shard in [None, Some(16), Some(100), Some(usize::MAX)] {
            assert!(pool.install(|| run(Threads::Pool, shard)) == expected, "{pool:?}, {shard:?}");
        }
    }
}

#[test]
fn details_that_cannot_be_change_nothing() {
    let mut crowd = crowd(&DURATIONS_S);
    let ids: Vec<_> = (0..600).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    let said = "the interval is 0, but an instance is posed in every frame at most, which is 1";
    assert_eq!(crowd.set_detail(ids[0], every(0)).unwrap_err().to_string(), said);
    assert_eq!(crowd.set_detail_many(&ids, every(0)).unwrap_err().to_string(), said);
    for threads in [Threads::One, Threads::Pool] {
        crowd.set_threads(threads);
        let refused = crowd.set_detail_all(|id, _| every(if id.slot() < 599 { 3 } else { 0 }));
        assert_eq!(refused.unwrap_err().to_string(), said);
    }
    assert!(ids.iter().all(|id| crowd.detail(*id) == Ok(Detail::default())));
    // A slot's next instance has nothing of it.
    crowd.set_detail(ids[7], every(9)).unwrap();
    crowd.despawn(ids[7]).unwrap();
    let next = crowd.spawn(Playback::default()).unwrap();
    assert_eq!((next.slot(), crowd.detail(next)), (7, Ok(Detail::default())));
}
