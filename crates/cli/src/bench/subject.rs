//! What is measured, whatever the number of characters: a bank and a plan, and how they are run.

use std::sync::Arc;

use throng::kernels::{Layout, Line, Masks, RowError};
use throng::{Bank, Clip, Level, Plan, Skin, Stores};

use throng::tracks::JointIndex;

use super::Args;
use super::layers::{self, Additive};
use crate::error::CliError;
use crate::load::Scene;
use crate::select;

/// More palettes than this are a slip of the finger.
const LARGEST_OUTPUT: u64 = 4 << 30;

pub(super) struct Subject {
    pub(super) bank: Arc<Bank>,
    pub(super) plan: Arc<Plan>,
    pub(super) skin: Skin,
    pub(super) level: Level,
    pub(super) format: select::Format,
    pub(super) layout: Layout,
    /// None: through the caches.
    pub(super) stores: Option<Stores>,
    pub(super) threads: usize,
    pub(super) seek: bool,
    /// Clips of the bank that are poses; a difference may come after them.
    pub(super) poses: usize,
    /// Layers that are averaged.
    pub(super) averages: usize,
    /// What one more layer shows.
    pub(super) additive: Option<Additive>,
    /// What layers are restricted by.
    pub(super) masks: Option<Masks>,
    /// Larger of the rest pose's extent and its largest coordinate.
    pub(super) size: f32,
    /// Joints of the longest chain from a root.
    pub(super) depth: usize,
    /// How far the plan's rows are from those of the bank.
    pub(super) stored: RowError,
}

impl Subject {
    pub(super) fn new(scene: &Scene, args: &Args) -> Result<Self, CliError> {
        if scene.clips.is_empty() {
            return Err(CliError::NoClips { file: scene.file.clone() });
        }
        let skin = select::skin(scene, args.skin)?;
        let level = select::level(args.level, args.rounding)?;
        let layout = Layout::new(args.format.format());
        // Before the bake, which takes a while.
        for &instances in args.sizes() {
            lines(instances, skin.joints().len(), layout)?;
        }
        layers::check(args)?;
        let mut clips = scene.clips.clone();
        let (bank, report) = loop {
            let difference = args.additive.then(|| layers::difference(scene, &clips[0])).transpose()?;
            let all: Vec<Clip> = clips.iter().cloned().chain(difference).collect();
            let (bank, report) = select::bank(scene, &all)?;
            if report.left_out.is_empty() {
                break (bank, report);
            }
            select::leave_out(scene, &mut clips, &report.left_out)?;
        };
        let poses = clips.len();
        let additive = args.additive.then_some(Additive { clip: poses, of: 0 });
        let plan = select::plan_writing(scene, &bank, &skin, args.rows, layout.format())?;
        Ok(Self {
            stored: plan.row_error(),
            bank,
            plan: Arc::new(plan),
            skin: skin.into_owned(),
            level,
            format: args.format,
            layout,
            stores: args.output.map(select::Output::stores),
            threads: args.threads as usize,
            seek: args.seek,
            poses,
            averages: args.layers as usize,
            additive,
            masks: args.mask.then(|| layers::masks(&scene.skeleton)),
            size: report.extent.max(report.largest_coordinate),
            depth: depth(scene.skeleton.parents()),
        })
    }

    /// How many layers a character has.
    pub(super) fn layer_count(&self) -> usize {
        self.averages + usize::from(self.additive.is_some())
    }

    /// Whether poses are blended: else there is one clip a character, as it is.
    pub(super) fn is_layered(&self) -> bool {
        self.layer_count() > 1 || self.masks.is_some()
    }

    /// Floats of one palette.
    pub(super) fn palette_floats(&self) -> usize {
        self.layout.size(self.plan.palette_entries())
    }

    /// How the output is written.
    pub(super) fn stores(&self) -> Stores {
        self.stores.unwrap_or_default()
    }

    /// Room for all palettes. A size that memory has no room for is an error rather than the end of the process.
    pub(super) fn buffer(&self, instances: u32) -> Result<Vec<Line>, CliError> {
        let joints = self.plan.palette_entries();
        let lines = lines(instances, joints, self.layout)?;
        let mut out = Vec::new();
        out.try_reserve_exact(lines).map_err(|_| too_large(instances, joints, self.layout))?;
        out.resize(lines, Line::ZERO);
        Ok(out)
    }
}

/// How many joints the longest chain from a root has. Parents are before their children.
fn depth(parents: &[Option<JointIndex>]) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        depths.push(1 + parent.map_or(0, |parent| depths[parent.get()]));
    }
    depths.into_iter().max().unwrap_or(0)
}

/// How many lines the output takes, if that is not too many.
pub(super) fn lines(instances: u32, joints: usize, layout: Layout) -> Result<usize, CliError> {
    let bytes = bytes(instances, joints, layout);
    let lines = usize::try_from(bytes.div_ceil(size_of::<Line>() as u64));
    lines.ok().filter(|_| bytes <= LARGEST_OUTPUT).ok_or_else(|| too_large(instances, joints, layout))
}

fn bytes(instances: u32, joints: usize, layout: Layout) -> u64 {
    u64::from(instances) * (layout.size(joints) * size_of::<f32>()) as u64
}

fn too_large(instances: u32, joints: usize, layout: Layout) -> CliError {
    CliError::OutputTooLarge {
        instances,
        joints,
        bytes: bytes(instances, joints, layout),
        limit: LARGEST_OUTPUT,
    }
}
