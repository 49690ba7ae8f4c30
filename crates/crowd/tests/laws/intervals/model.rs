//! When one instance is posed, by frame numbers, and what it shows between.

use throng_crowd::InstanceId;

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
pub(super) struct One {
    pub(super) id: InstanceId,
    pub(super) visible: bool,
    pub(super) interval: u8,
    pub(super) smooth: bool,
    turns: [Turn; 2],
    ways: [Option<Way>; 2],
    /// In the own buffer, the present one and the one before.
    pub(super) palettes: Option<[Vec<u32>; 2]>,
    pub(super) seen: bool,
    /// Whether the last frame that wrote the own buffer wrote this one.
    pub(super) wrote: bool,
}

impl One {
    pub(super) fn new(id: InstanceId) -> Self {
        let turns = [Turn { frame: None, held: 0 }; 2];
        let (ways, palettes) = ([None, None], None);
        Self {
            id,
            visible: true,
            interval: 1,
            smooth: false,
            turns,
            ways,
            palettes,
            seen: false,
            wrote: false,
        }
    }

    /// It is due in the next frames of either kind.
    pub(super) fn freshen(&mut self) {
        self.turns = Self::new(self.id).turns;
    }

    /// The first of its turns from `frame` on.
    fn turn(&self, frame: u64) -> u64 {
        let golden = f64::from(0x9e37_79b9u32) / 4_294_967_296.0;
        let phase = ((self.id.slot() as f64 * golden).fract() * f64::from(self.interval)) as u64;
        (frame..).find(|frame| frame % u64::from(self.interval) == phase).unwrap()
    }

    pub(super) fn set(&mut self, interval: u8, smooth: bool, frames: [u64; 2], active: bool) {
        let before = std::mem::replace(&mut self.interval, interval);
        if std::mem::replace(&mut self.smooth, smooth) != smooth {
            self.freshen();
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
    pub(super) fn step(&mut self, which: usize, frame: u64, pose: &[f32]) -> (bool, Option<Vec<f32>>) {
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
