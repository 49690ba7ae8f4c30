//! Which instances a frame leaves out, and whose palettes it wrote.

use super::detail::OWN;
use crate::{Crowd, SkipFrozen};

/// What frames write again.
impl Crowd {
    /// Makes the next frame pose all visible instances, whosever turn it is: for a caller's buffer that is another one now,
    /// or was lost.
    pub fn refresh(&mut self) {
        let slots = self.slots.count();
        self.turns.iter_mut().for_each(|turns| turns.freshen_all(slots));
    }

    /// Chooses in which frames instances are left out whose output would be written again bit for bit;
    /// [`SkipFrozen::OwnBuffer`] at first.
    ///
    /// Such an instance costs next to nothing: neither [`advance`](Self::advance) nor frames look at it. Reports count it
    /// as [frozen](crate::FrameReport::frozen), and [`changed`](Self::changed) does not list it. Any control of it, another
    /// pose, world matrix, detail or level poses it in the next frame in which it is due.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let fall = Playback { wrap: WrapMode::Clamp, ..Playback::default() };
    /// let ids = [crowd.spawn(fall)?, crowd.spawn(Playback::default())?];
    /// for _ in 0..3 {
    ///     crowd.advance(0.75)?;
    ///     crowd.evaluate();
    /// }
    /// assert_eq!((crowd.report().evaluated, crowd.report().frozen), (1, 1));
    /// assert_eq!((crowd.changed(), crowd.palette(ids[0])?[3]), ([1].as_slice(), 4.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_skip_frozen(&mut self, skip: SkipFrozen) {
        self.skip_frozen = skip;
    }

    /// In which frames instances are left out whose output would be written again bit for bit.
    #[must_use]
    pub fn skip_frozen(&self) -> SkipFrozen {
        self.skip_frozen
    }

    /// The slots whose palettes the last [`evaluate`](Self::evaluate) or [`evaluate_into`](Self::evaluate_into) wrote,
    /// ascending: what has to be uploaded, if the rest is there still.
    ///
    /// Where [previous palettes](Self::keep_previous) are kept, slots are listed, too, whose previous palette changed
    /// because they were posed in the frame before and not in this one.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let (bank, _) = bake(&skeleton, &[Clip::new("still", &skeleton, [])?], &BakeOptions::default())?;
    /// # struct Queue;
    /// # impl Queue { fn write_buffer(&self, at: usize, bytes: &[u8]) { assert_eq!((at, bytes.len()), (48, 2 * 48)); } }
    /// # let queue = Queue;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// let ids = [(); 4].map(|()| crowd.spawn(Playback::default()).unwrap());
    /// crowd.set_visible_many(&[ids[0], ids[3]], false)?;
    /// crowd.evaluate();
    /// assert_eq!(crowd.changed(), [1, 2]);
    /// // Neighbours go together.
    /// let size = crowd.palette_floats() * 4;
    /// for run in crowd.changed().chunk_by(|a, b| a + 1 == *b) {
    ///     let first = run[0] as usize * size;
    ///     queue.write_buffer(first, &crowd.palette_bytes()[first..][..run.len() * size]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn changed(&self) -> &[u32] {
        &self.due.slots
    }

    /// Makes the slots stale, in frames that write either buffer, of which anything changed since the frame before.
    pub(super) fn flush_touched(&mut self) {
        let Self { layers, turns, slots, .. } = self;
        layers.take_touched(|touched| turns.iter_mut().for_each(|turns| turns.touch(touched, slots.count())));
    }

    /// Whether frames that write one of the two kinds of buffers leave out instances that are frozen.
    pub(super) fn skips_frozen(&self, which: usize) -> bool {
        match self.skip_frozen {
            SkipFrozen::Never => false,
            SkipFrozen::OwnBuffer => which == OWN,
            SkipFrozen::Always => true,
        }
    }
}
