//! Poses that callers give instances, in the place of clips.

use throng_kernels::{ExternalError, ExternalRows, Plan};
use throng_tracks::{RowPair, Transform};

use std::sync::Arc;

/// One pose an instance, of those that were given one; all others share the first, which is at rest.
#[derive(Default)]
pub(crate) struct Poses {
    /// None until anybody has or shows one.
    rows: Option<ExternalRows>,
    /// By slot, as far as they were given one; 0 for those who were not.
    of_slot: Vec<u32>,
    /// By pose, the way from the earlier to the later of its two.
    fractions: Vec<f32>,
    /// Those of instances that are gone.
    free: Vec<u32>,
}

/// What of a pose is given.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    /// It stands still.
    One(&'a [Transform]),
    /// The last one becomes the earlier of two.
    Next(&'a [Transform]),
}

impl Poses {
    /// From now on there is one to show.
    pub(crate) fn prepare(&mut self, plan: &Arc<Plan>) -> Result<&mut ExternalRows, ExternalError> {
        if self.rows.is_none() {
            let mut rows = ExternalRows::new(Arc::clone(plan))?;
            rows.push()?;
            self.fractions.push(0.0);
            self.rows = Some(rows);
        }
        self.rows.as_mut().ok_or(ExternalError::NoSuchPose { pose: 0, poses: 0 })
    }

    pub(crate) fn rows(&self) -> Option<&ExternalRows> {
        self.rows.as_ref()
    }

    /// What a slot's instance shows.
    pub(crate) fn pair(&self, slot: usize) -> RowPair {
        let pose = self.of_slot.get(slot).copied().unwrap_or_default();
        RowPair { row: 2 * pose, fraction: self.fractions.get(pose as usize).copied().unwrap_or_default() }
    }

    /// Whether a pose can be given.
    pub(crate) fn check(&mut self, plan: &Arc<Plan>, locals: &[Transform]) -> Result<(), ExternalError> {
        self.prepare(plan)?.check(locals)
    }

    /// Gives a slot's instance a pose.
    pub(crate) fn give(
        &mut self,
        plan: &Arc<Plan>,
        slot: usize,
        given: Given<'_>,
    ) -> Result<(), ExternalError> {
        let (Given::One(locals) | Given::Next(locals)) = given;
        self.check(plan, locals)?;
        let pose = self.pose(plan, slot)?;
        let rows = self.prepare(plan)?;
        match given {
            Given::One(locals) => rows.set(pose, locals),
            Given::Next(locals) => rows.advance(pose, locals),
        }
    }

    pub(crate) fn set_fraction(
        &mut self,
        plan: &Arc<Plan>,
        slot: usize,
        fraction: f32,
    ) -> Result<(), ExternalError> {
        self.prepare(plan)?;
        let pose = self.pose(plan, slot)?;
        self.fractions[pose] = fraction;
        Ok(())
    }

    /// A slot's own pose, at rest if it had none.
    fn pose(&mut self, plan: &Arc<Plan>, slot: usize) -> Result<usize, ExternalError> {
        if slot >= self.of_slot.len() {
            self.of_slot.resize(slot + 1, 0);
        }
        if self.of_slot[slot] == 0 {
            let rest = plan.bank().skeleton().rest();
            let pose = match self.free.pop() {
                Some(pose) => {
                    self.prepare(plan)?.set(pose as usize, rest)?;
                    pose
                }
                None => self.prepare(plan)?.push()? as u32,
            };
            if self.fractions.len() <= pose as usize {
                self.fractions.resize(pose as usize + 1, 0.0);
            }
            self.fractions[pose as usize] = 0.0;
            self.of_slot[slot] = pose;
        }
        Ok(self.of_slot[slot] as usize)
    }

    /// A slot's instance is gone.
    pub(crate) fn clear(&mut self, slot: usize) {
        if let Some(pose) = self.of_slot.get_mut(slot).filter(|pose| **pose != 0) {
            self.free.push(*pose);
            *pose = 0;
        }
    }
}
