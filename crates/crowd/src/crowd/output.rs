//! Where palettes go, and in what form; and those of the crowd's own buffer.

use throng_kernels::Layout;

use super::detail::CALLERS;
use super::worlds::check_world_format;
use super::{NEVER, memory_has};
use crate::previous::Previous;
use crate::{Crowd, CrowdError, InstanceId};

/// Palettes.
impl Crowd {
    /// In what form palettes are written, and where in the caller's buffer.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Chooses in what form palettes are written, and for [`evaluate_into`](Self::evaluate_into) how far into the caller's
    /// buffer that of slot 0 begins and how far apart they are.
    ///
    /// In the crowd's own buffer palettes stand one after the other, from its first float on. If the format is another than
    /// before, that buffer is emptied, and no instance has a palette until it is evaluated again.
    ///
    /// # Errors
    /// If palettes would overlap, the plan cannot write that format, or memory has no room for it or for a buffer of that
    /// offset and stride. Then nothing changed.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use throng_crowd::{Crowd, Playback};
    /// # use throng_kernels::{Layout, PaletteFormat};
    /// # use throng_tracks::*;
    /// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
    /// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
    /// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
    /// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
    /// let mut crowd = Crowd::new(Arc::new(bank), &Skin::model_space(&skeleton))?;
    /// crowd.spawn(Playback { time_s: 0.25, ..Playback::default() })?;
    /// // A column-major matrix behind a header of 16 floats.
    /// crowd.set_layout(Layout::new(PaletteFormat::Matrix).with_offset(16))?;
    /// let mut out = vec![0.0; crowd.output_floats()];
    /// crowd.evaluate_into(&mut out)?;
    /// assert_eq!(out[16 + 12..], [1.0, 0.0, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_layout(&mut self, layout: Layout) -> Result<(), CrowdError> {
        check_world_format(self.extras.fold, layout.format())?;
        let entries = self.plan.palette_entries();
        let (stride, floats) = (layout.stride(entries), layout.size(entries));
        if stride < floats {
            return Err(CrowdError::Stride { stride, floats });
        }
        for plan in [&self.plan].into_iter().chain(&self.lower) {
            plan.check_format(layout.format())?;
        }
        let slots = self.slots.count();
        if !memory_has(slots, floats) {
            return Err(CrowdError::Full { slots });
        }
        let (offset, palettes) = (layout.offset(), slots.max(1));
        let behind = (palettes - 1).checked_mul(stride).and_then(|last| last.checked_add(floats));
        let needed = behind.and_then(|behind| behind.checked_add(offset));
        if !needed.is_some_and(|needed| memory_has(1, needed)) {
            return Err(CrowdError::LayoutTooLarge { offset, stride, palettes });
        }
        if layout.format() != self.layout.format() {
            self.forget_palettes();
        }
        if layout != self.layout {
            self.turns[CALLERS].freshen_all(self.slots.count());
        }
        self.layout = layout;
        Ok(())
    }

    fn forget_palettes(&mut self) {
        self.buffer.clear();
        self.written = 0;
        self.previous = self.previous.is_some().then(Previous::default);
        self.refresh();
        for (slot, awaits) in self.awaits.iter_mut().enumerate() {
            *awaits = if self.slots.is_posed(slot) { self.evaluations } else { NEVER };
        }
    }

    /// How many floats a palette takes in the layout's format.
    #[must_use]
    pub fn palette_floats(&self) -> usize {
        self.layout.size(self.plan.palette_entries())
    }

    /// How many floats the caller's buffer needs for the palettes of all slots in the [layout](Self::set_layout).
    #[must_use]
    pub fn output_floats(&self) -> usize {
        let Some(last) = self.slots.count().checked_sub(1) else { return 0 };
        let stride = self.layout.stride(self.plan.palette_entries());
        // Too much for any buffer is too much here, too.
        last.saturating_mul(stride).saturating_add(self.layout.offset()).saturating_add(self.palette_floats())
    }

    /// The palettes that the last [`evaluate`](Self::evaluate) wrote, each at its slot. Begins at a multiple of 64 bytes.
    #[must_use]
    pub fn palettes(&self) -> &[f32] {
        &bytemuck::cast_slice(&self.buffer)[..self.written]
    }

    /// [`palettes`](Self::palettes) as bytes, for a graphics API.
    #[must_use]
    pub fn palette_bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self.palettes())
    }

    /// The palette of one instance, as the last [`evaluate`](Self::evaluate) that posed it wrote it: the last one, unless it
    /// is hidden.
    ///
    /// # Errors
    /// If there is no such instance, or none posed it yet in the present format.
    pub fn palette(&self, id: InstanceId) -> Result<&[f32], CrowdError> {
        let slot = self.slots.find(id)?;
        if self.awaits[slot] >= self.evaluations {
            return Err(CrowdError::NotEvaluated { id });
        }
        let floats = self.palette_floats();
        Ok(&self.palettes()[slot * floats..][..floats])
    }

    /// Chooses whether the palettes of the evaluation before the last are kept, for motion vectors; at first they are not.
    ///
    /// That is a second buffer as large as the first, and the two change places with each [`evaluate`](Self::evaluate).
    pub fn keep_previous(&mut self, keep: bool) {
        match (keep, &self.previous) {
            (true, None) => self.previous = Some(Previous::like(&self.buffer)),
            (true, Some(_)) => {}
            (false, _) => self.previous = None,
        }
    }

    /// The palettes as they were an [`evaluate`](Self::evaluate) before [`palettes`](Self::palettes), each at its slot; empty
    /// unless they are [kept](Self::keep_previous).
    ///
    /// Whoever was not posed then (a new instance, one that was hidden, all of them where they were not kept yet) has the
    /// present palette here too, and so moves nowhere.
    #[must_use]
    pub fn previous_palettes(&self) -> &[f32] {
        match &self.previous {
            Some(previous) => &previous.palettes()[..self.written],
            None => &[],
        }
    }

    /// That of one instance.
    ///
    /// # Errors
    /// If there is no such instance, none posed it yet in the present format, or previous palettes are not kept.
    pub fn previous_palette(&self, id: InstanceId) -> Result<&[f32], CrowdError> {
        let floats = self.palette(id)?.len();
        let not_kept = CrowdError::NotKept { what: "previous palettes", by: "keep_previous" };
        let previous = self.previous.as_ref().ok_or(not_kept)?;
        Ok(&previous.palettes()[id.slot() * floats..][..floats])
    }
}
