//! Who walks the street: a walk, a run and something to go over to, with steps marked and the way taken out of the pose.

use std::sync::Arc;

use throng::tracks::{BakeReport, LeftOut, Marker};
use throng::{BakeOptions, Bank, Clip, Crowd, Level, Plan, RootMotion, Skeleton, Threads, bake};

use crate::bench::Args;
use crate::bench::subject::lines;
use crate::error::CliError;
use crate::load::Scene;
use crate::{output, select};

/// Where in a clip feet come down, if it does not say.
const STEPS: [f32; 2] = [0.25, 0.75];

/// Names of joints that move a character, the most telling first.
const ROOTS: [&str; 3] = ["root", "hips", "pelvis"];

/// Clips and how they are evaluated.
pub(super) struct Cast {
    plan: Arc<Plan>,
    level: Level,
    threads: Threads,
    pub(super) layout: throng::Layout,
    stores: Option<throng::Stores>,
    /// By name.
    pub(super) clips: [String; 3],
    /// Whose motion is the walker's, if it could be taken out.
    pub(super) root: Option<String>,
}

impl Cast {
    pub(super) const WALK: usize = 0;
    pub(super) const RUN: usize = 1;
    /// What walkers go over to from their walk.
    pub(super) const OTHER: usize = 2;

    pub(super) fn new(scene: &Scene, args: &Args) -> Result<Self, CliError> {
        if scene.clips.is_empty() {
            return Err(CliError::NoClips { file: scene.file.clone() });
        }
        let skin = select::skin(scene, args.skin)?;
        let level = select::level(args.level, args.rounding)?;
        let layout = throng::Layout::new(args.format.format());
        lines(args.instances, skin.joints().len(), layout)?;
        let mut candidates: Vec<&Clip> = scene.clips.iter().collect();
        let (clips, bank, root) = loop {
            let roles = roles(&candidates);
            let clips = roles.map(|role| with_steps(candidates[role]));
            let (bank, report, root) = with_root_motion(scene, &clips)?;
            if report.left_out.is_empty() {
                break (clips, bank, root);
            }
            // Roles may share a clip.
            let mut left_out: Vec<LeftOut> =
                report.left_out.into_iter().map(|l| LeftOut { clip: roles[l.clip], ..l }).collect();
            left_out.sort_by_key(|left_out| left_out.clip);
            left_out.dedup_by_key(|left_out| left_out.clip);
            select::leave_out(scene, &mut candidates, &left_out)?;
        };
        let plan = select::plan_writing(scene, &bank, &skin, args.rows, layout.format())?;
        Ok(Self {
            plan: Arc::new(plan),
            level,
            threads: if args.threads == 1 { Threads::One } else { Threads::Pool },
            layout,
            stores: args.output.map(select::Output::stores),
            clips: clips.each_ref().map(|clip| clip.name().to_owned()),
            root,
        })
    }

    /// A crowd without anyone.
    pub(super) fn crowd(&self) -> Result<Crowd, CliError> {
        let mut crowd = Crowd::with_plan(Arc::clone(&self.plan), self.level);
        crowd.set_layout(self.layout)?;
        crowd.set_threads(self.threads);
        crowd.set_stores(self.stores);
        Ok(crowd)
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }

    pub(super) fn joints(&self) -> usize {
        self.plan.palette_entries()
    }
}

/// Walk, run and another: by their names, else in the order of the file.
fn roles(clips: &[&Clip]) -> [usize; 3] {
    let named = |part: &str| clips.iter().position(|clip| clip.name().to_lowercase().contains(part));
    let walk = named("walk").unwrap_or(0);
    let run = named("run").unwrap_or((walk + 1) % clips.len());
    let other = (0..clips.len()).find(|clip| ![walk, run].contains(clip)).unwrap_or(walk);
    [walk, run, other]
}

fn with_steps(clip: &Clip) -> Clip {
    if !clip.markers().is_empty() {
        return clip.clone();
    }
    let steps = STEPS.iter().zip(0..).map(|(part, payload)| Marker {
        time_s: part * clip.duration_s(),
        name: "step".to_owned(),
        payload,
    });
    clip.clone().with_markers(steps).expect("a part of a clip's duration is inside of it")
}

/// A bank, the report on it, and the joint whose root motion was taken out, if it could be.
type Baked = (Arc<Bank>, BakeReport, Option<String>);

/// The clips baked, and the joint whose way was taken from them. Where it can't be, they stay as they are.
fn with_root_motion(scene: &Scene, clips: &[Clip]) -> Result<Baked, CliError> {
    let root = root(&scene.skeleton);
    let options = BakeOptions { root_motion: Some(RootMotion::of(root.as_str())), ..BakeOptions::default() };
    match bake(&scene.skeleton, clips, &options) {
        Ok((bank, report)) => Ok((Arc::new(bank), report, Some(root))),
        Err(source @ throng::BakeError::RootMotion(_)) => {
            output::remark(&format!("remark: walkers stay where they are: {source}"));
            let (bank, report) = select::bank(scene, clips)?;
            Ok((bank, report, None))
        }
        Err(source) => Err(CliError::Bake { file: scene.file.clone(), source }),
    }
}

/// The joint that by its name moves the character, else the first.
fn root(skeleton: &Skeleton) -> String {
    let names = skeleton.names();
    let called = |part: &&str| names.iter().find(|name| name.to_lowercase().contains(*part));
    ROOTS.iter().find_map(called).unwrap_or(&names[0]).clone()
}
