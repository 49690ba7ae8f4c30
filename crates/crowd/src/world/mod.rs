//! Crowds of several skeletons, in one frame.
//!
//! [`id`] has ids that name an instance whichever crowd it is in, and `update` changes many of several crowds at once.
//!
//! All crowds' work is handed to one pool at once. A crowd's jobs are tasks like those of any other, so that a thread that
//! waits for a large crowd's end takes over from it, or begins another crowd: no crowd waits for one before it, and a small one costs
//! what its instances cost. What each crowd writes depends on nothing but itself.

mod id;
mod update;

pub use id::{CrowdId, WorldError, WorldInstanceId};

use crate::playback::at_least_zero;
use crate::pool::*;
use crate::{Crowd, CrowdError, Event, FrameReport, InstanceId, Playback, Threads};

/// Crowds of several skeletons, or of several banks for one.
///
/// Each crowd has a buffer of its own, in which palettes of one size stand one after the other, and is a [`Crowd`] like any
/// other: [`act`](Self::act) reaches an instance by its id, [`crowd_mut`](Self::crowd_mut) a crowd as a whole. What a
/// world adds are ids that name an instance among all of them, and frames of all crowds in one go.
///
/// ```
/// use std::sync::Arc;
/// use throng_crowd::{Crowd, Playback, World};
/// use throng_tracks::*;
/// # let skeleton = Skeleton::new([Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) }])?;
/// # let slide = Track::new("slide", Channel::Translation, Interpolation::Linear, [0.0, 1.0], vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0])?;
/// # let clip = Clip::new("slide", &skeleton, [(JointIndex(0), slide)])?;
/// # let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default())?;
/// # let (people_bank, horses_bank) = (Arc::new(bank.clone()), Arc::new(bank));
/// # let (people_skin, horses_skin) = (Skin::model_space(&skeleton), Skin::model_space(&skeleton));
/// let mut world = World::new();
/// let people = world.add(Crowd::new(people_bank, &people_skin)?);
/// let horses = world.add(Crowd::new(horses_bank, &horses_skin)?);
/// let rider = world.spawn(people, Playback::default())?;
/// let horse = world.spawn(horses, Playback { time_s: 0.25, ..Playback::default() })?;
/// world.act(rider, |crowd, id| crowd.set_speed(id, 0.5))?;
/// world.advance(0.5)?;
/// world.evaluate();
/// assert_eq!((world.palette(rider)?[3], world.palette(horse)?[3]), (1.0, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct World {
    crowds: Vec<Crowd>,
    /// The ids of the crowds, ascending.
    ids: Vec<CrowdId>,
    /// The number of the next crowd.
    next: u32,
    threads: Threads,
    /// Memory of [`control_many`](Self::control_many), used again: those of each crowd.
    listed: Vec<Vec<InstanceId>>,
}

impl World {
    /// A world without crowds, whose frames run on the rayon pool of the caller.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more crowd, which may have instances already. It takes on the world's [threads](Self::set_threads).
    ///
    /// # Panics
    /// If there are more than four thousand million.
    pub fn add(&mut self, mut crowd: Crowd) -> CrowdId {
        let id = CrowdId(self.next);
        self.next = id.0.checked_add(1).expect("so many crowds fit nowhere");
        crowd.set_threads(self.threads);
        self.crowds.push(crowd);
        self.ids.push(id);
        id
    }

    /// Removes a crowd with its instances, and returns it. Its id and those of its instances are errors from now on; those of
    /// other crowds stay as they are.
    ///
    /// # Errors
    /// If there is no such crowd.
    ///
    /// ```
    /// # use throng_crowd::{Crowd, Playback, World, WorldError};
    /// # fn example(world: &mut World, [people, horses]: [Crowd; 2]) -> Result<(), WorldError> {
    /// let (people, horses) = (world.add(people), world.add(horses));
    /// let rider = world.spawn(people, Playback::default())?;
    /// let horse = world.spawn(horses, Playback::default())?;
    /// world.remove(people)?;
    /// assert!(!world.contains(rider) && world.contains(horse));
    /// assert_eq!(world.palette(rider), Err(WorldError::Removed { crowd: people }));
    /// # Ok(())
    /// # }
    /// ```
    pub fn remove(&mut self, id: CrowdId) -> Result<Crowd, WorldError> {
        let at = self.position(id)?;
        self.ids.remove(at);
        Ok(self.crowds.remove(at))
    }

    /// Ends all instances of all crowds, as [`Crowd::clear`]. The crowds stay, empty.
    pub fn clear(&mut self) {
        self.crowds.iter_mut().for_each(Crowd::clear);
    }

    /// Gives back memory that the present instances do not need, as [`Crowd::shrink_to_fit`].
    pub fn shrink_to_fit(&mut self) {
        self.crowds.iter_mut().for_each(Crowd::shrink_to_fit);
        self.listed = Vec::new();
    }

    /// Where a crowd is among those that are there.
    fn position(&self, id: CrowdId) -> Result<usize, WorldError> {
        self.ids.binary_search(&id).map_err(|_| {
            if id.0 < self.next {
                WorldError::Removed { crowd: id }
            } else {
                WorldError::NoSuchCrowd { crowd: id, crowds: self.next as usize }
            }
        })
    }

    /// All crowds, in the order in which they came.
    pub fn crowds(&self) -> impl ExactSizeIterator<Item = (CrowdId, &Crowd)> {
        self.ids.iter().copied().zip(&self.crowds)
    }

    /// A crowd: its palettes, what it changed in the last frame, its report.
    ///
    /// # Errors
    /// If there is no such crowd.
    pub fn crowd(&self, id: CrowdId) -> Result<&Crowd, WorldError> {
        Ok(&self.crowds[self.position(id)?])
    }

    /// A crowd, for what is done to all of it: its level, its layout, its masks, many of its instances.
    ///
    /// # Errors
    /// If there is no such crowd.
    pub fn crowd_mut(&mut self, id: CrowdId) -> Result<&mut Crowd, WorldError> {
        let at = self.position(id)?;
        Ok(&mut self.crowds[at])
    }

    /// A new instance of a crowd.
    ///
    /// # Errors
    /// If there is no such crowd, or it [refuses](Crowd::spawn) the instance.
    pub fn spawn(&mut self, crowd: CrowdId, playback: Playback) -> Result<WorldInstanceId, WorldError> {
        let spawned = self.crowd_mut(crowd)?.spawn(playback);
        let instance = spawned.map_err(|error| WorldError::Crowd { crowd, error })?;
        Ok(WorldInstanceId { crowd, instance })
    }

    /// Ends an instance. Its slot is used again by a later [`spawn`](Self::spawn) into that crowd; no other's palette moves.
    ///
    /// # Errors
    /// If there is no such instance.
    pub fn despawn(&mut self, id: WorldInstanceId) -> Result<(), WorldError> {
        self.act(id, Crowd::despawn)
    }

    /// Does something to one instance, or asks something of it: any control of [`Crowd`], which is told the instance's id there.
    ///
    /// # Errors
    /// If there is no such crowd, and what `act` returns.
    ///
    /// ```
    /// # use throng_crowd::{Playback, World, WorldError, WorldInstanceId};
    /// # fn example(world: &mut World, id: WorldInstanceId) -> Result<(), WorldError> {
    /// let run = Playback { clip: 1, ..Playback::default() };
    /// world.act(id, |crowd, id| crowd.crossfade(id, run, 0.2))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn act<T>(
        &mut self,
        id: WorldInstanceId,
        act: impl FnOnce(&mut Crowd, InstanceId) -> Result<T, CrowdError>,
    ) -> Result<T, WorldError> {
        let crowd = self.crowd_mut(id.crowd)?;
        act(crowd, id.instance).map_err(|error| WorldError::Crowd { crowd: id.crowd, error })
    }

    /// Whether the instance lives.
    #[must_use]
    pub fn contains(&self, id: WorldInstanceId) -> bool {
        self.crowd(id.crowd).is_ok_and(|crowd| crowd.contains(id.instance))
    }

    /// All instances, crowd after crowd, by slot.
    pub fn ids(&self) -> impl Iterator<Item = WorldInstanceId> + '_ {
        self.crowds().flat_map(|(crowd, c)| c.ids().map(move |instance| WorldInstanceId { crowd, instance }))
    }

    /// How many instances there are in all crowds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.crowds.iter().map(Crowd::len).sum()
    }

    /// Whether there is no instance.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The palette of an instance, as [`Crowd::palette`].
    ///
    /// # Errors
    /// If there is no such instance, or none posed it yet.
    pub fn palette(&self, id: WorldInstanceId) -> Result<&[f32], WorldError> {
        let crowd = self.crowd(id.crowd)?;
        crowd.palette(id.instance).map_err(|error| WorldError::Crowd { crowd: id.crowd, error })
    }

    /// Moves all instances of all crowds by `dt` seconds, as [`Crowd::advance`].
    ///
    /// # Errors
    /// If `dt` is negative or not finite. Then nothing moves.
    pub fn advance(&mut self, dt: f64) -> Result<(), WorldError> {
        let dt = at_least_zero("dt", dt)?;
        self.each(|crowd| {
            // What can be refused of a step was asked before.
            let stepped = crowd.advance(dt);
            debug_assert_eq!(stepped, Ok(()));
        });
        Ok(())
    }

    /// What happened in the last step of time, as [`Crowd::events`], crowd after crowd.
    pub fn events(&self) -> impl Iterator<Item = (CrowdId, &Event)> {
        self.crowds().flat_map(|(id, crowd)| crowd.events().iter().map(move |event| (id, event)))
    }

    /// What the last frame did with the instances of all crowds: the sum of their [reports](Crowd::report). Times are of those
    /// crowds that [measure](Crowd::measure); what crowds did at the same time on several threads is counted for each.
    ///
    /// ```
    /// # use throng_crowd::World;
    /// fn frame(world: &mut World) {
    ///     world.evaluate();
    ///     println!("{}", world.report());
    ///     assert_eq!(world.report().instances(), world.len());
    /// }
    /// # frame(&mut World::new());
    /// ```
    #[must_use]
    pub fn report(&self) -> FrameReport {
        self.crowds.iter().fold(FrameReport::default(), |sum, crowd| sum.and(&crowd.report()))
    }

    /// Poses all crowds, each as [`Crowd::evaluate`] does, into their own buffers: see [`Crowd::palettes`] and
    /// [`Crowd::changed`].
    pub fn evaluate(&mut self) {
        self.each(|crowd| {
            crowd.evaluate();
        });
    }

    /// Poses all crowds, the first into the first of `outs` and so on, each as [`Crowd::evaluate_into`].
    ///
    /// # Errors
    /// If there is not one buffer for each crowd, or one is too short. Then nothing is written.
    pub fn evaluate_into(&mut self, outs: &mut [&mut [f32]]) -> Result<(), WorldError> {
        if outs.len() != self.crowds.len() {
            return Err(WorldError::Buffers { found: outs.len(), crowds: self.crowds.len() });
        }
        for ((crowd, c), out) in self.crowds().zip(&*outs) {
            c.check_output(out.len()).map_err(|error| WorldError::Crowd { crowd, error })?;
        }
        let pose = |(crowd, out): (&mut Crowd, &mut &mut [f32])| {
            let posed = crowd.evaluate_into(out);
            debug_assert_eq!(posed, Ok(()));
        };
        if self.is_serial() {
            self.crowds.iter_mut().zip(outs).for_each(pose);
        } else {
            self.crowds.par_iter_mut().zip(outs.par_iter_mut()).with_max_len(1).for_each(pose);
        }
        Ok(())
    }

    /// Chooses the threads that frames of all crowds run on.
    pub fn set_threads(&mut self, threads: Threads) {
        self.threads = threads;
        self.crowds.iter_mut().for_each(|crowd| crowd.set_threads(threads));
    }

    fn is_serial(&self) -> bool {
        self.threads == Threads::One || current_num_threads() == 1
    }

    fn each(&mut self, act: impl Fn(&mut Crowd) + Send + Sync) {
        if self.is_serial() {
            self.crowds.iter_mut().for_each(act);
        } else {
            self.crowds.par_iter_mut().with_max_len(1).for_each(act);
        }
    }
}
