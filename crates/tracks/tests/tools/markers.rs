//! Markers go with their clip through every tool, and none leaves it.

use throng_tracks::tools::{
    MirrorOptions, ReduceOptions, concat, make_additive, mirror, namesakes, reduce, remap, resample, reverse,
    scale_time, shift, subclip, subclip_frames, trim,
};
use throng_tracks::{
    BakeOptions, Channel, Clip, ClipError, Interpolation, Joint, JointIndex, Marker, MarkerError, Rest,
    Skeleton, Track, Transform, bake,
};

fn mark(time_s: f32, name: &str, payload: u32) -> Marker {
    Marker { time_s, name: name.into(), payload }
}

fn clip() -> (Skeleton, Clip) {
    let root = Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
    let skeleton = Skeleton::new([root]).unwrap();
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let way = Track::new("way", Channel::Translation, Interpolation::Linear, [0.0, 1.0, 2.0], values);
    let clip = Clip::new("walk", &skeleton, [(JointIndex(0), way.unwrap())]).unwrap();
    let marks = [mark(2.0, "end", 3), mark(0.5, "left", 1), mark(0.5, "dust", 9), mark(0.0, "start", 0)];
    (skeleton, clip.with_markers(marks).unwrap())
}

fn told(clip: &Clip) -> Vec<(f32, &str)> {
    clip.markers().iter().map(|m| (m.time_s, m.name.as_str())).collect()
}

#[test]
fn markers_are_in_order_and_inside() {
    let (skeleton, clip) = clip();
    assert_eq!(told(&clip), [(0.0, "start"), (0.5, "left"), (0.5, "dust"), (2.0, "end")]);
    for time_s in [-0.1, 2.1, f32::NAN, f32::INFINITY] {
        let Err(ClipError::MarkerTime { marker, duration_s, .. }) =
            clip.clone().with_markers([mark(1.0, "fine", 0), mark(time_s, "late", 0)])
        else {
            panic!("a marker at {time_s} s")
        };
        assert_eq!((marker.as_str(), duration_s), ("late", 2.0));
    }
    let said = clip.clone().with_markers([mark(2.5, "late", 0)]).unwrap_err().to_string();
    assert_eq!(said, "clip \"walk\" has marker \"late\" at 2.5 s, but lasts from 0 to 2 s");

    let (mut bank, _) = bake(&skeleton, std::slice::from_ref(&clip), &BakeOptions::default()).unwrap();
    assert_eq!(bank.clips()[0].markers(), clip.markers());
    bank.add_marker(0, mark(0.5, "sand", 4)).unwrap();
    assert_eq!((bank.clips()[0].find_marker("sand"), bank.clips()[0].find_marker("mud")), (Some(3), None));
    assert_eq!(bank.add_marker(1, mark(0.5, "sand", 4)), Err(MarkerError::NoSuchClip { clip: 1, clips: 1 }));
    let said = bank.add_marker(0, mark(f32::NAN, "sand", 4)).unwrap_err().to_string();
    assert_eq!(said, "marker \"sand\" is at NaN s, but clip 0 lasts from 0 to 2 s");
    assert_eq!(bank.clips()[0].markers().len(), 5);
}

#[test]
fn tools_move_markers_with_what_they_mark() {
    let (skeleton, clip) = clip();
    let s = &skeleton;
    let all = told(&clip);
    assert_eq!(told(&mirror(&clip, s, &MirrorOptions::default()).unwrap().0), all);
    assert_eq!(told(&resample(&clip, s, 30.0).unwrap()), all);
    assert_eq!(told(&reduce(&clip, s, &ReduceOptions::default()).unwrap()), all);
    assert_eq!(told(&make_additive(&clip, s, &clip, 0.0).unwrap()), all);
    assert_eq!(told(&remap(&clip, s, &namesakes(s, s).joints, s).unwrap().0), all);
    assert_eq!(told(&trim(&clip, s, 0.0, 1.5).unwrap()), all[..3]);
    assert_eq!(
        told(&shift(&clip, s, 1.0).unwrap()),
        [(1.0, "start"), (1.5, "left"), (1.5, "dust"), (3.0, "end")]
    );
    assert_eq!(told(&scale_time(&clip, s, 3.0).unwrap())[1..], [(1.5, "left"), (1.5, "dust"), (6.0, "end")]);
    assert_eq!(
        told(&reverse(&clip, s).unwrap()),
        [(0.0, "end"), (1.5, "left"), (1.5, "dust"), (2.0, "start")]
    );
    assert_eq!(told(&subclip(&clip, s, 0.25, 1.0).unwrap()), [(0.25, "left"), (0.25, "dust")]);
    assert_eq!(
        told(&subclip_frames(&clip, s, 15..=60, 30.0).unwrap()),
        [(0.0, "left"), (0.0, "dust"), (1.5, "end")]
    );
    let both = concat("both", &[clip.clone(), clip.clone()], s, 0.5).unwrap();
    let twice: Vec<_> = all.iter().copied().chain(all.iter().map(|(t, name)| (t + 2.5, *name))).collect();
    assert_eq!(told(&both), twice);
}
