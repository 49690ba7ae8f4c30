//! A crowd on one thread does not touch rayon.

use throng_crowd::{Crowd, Playback, Threads};
use throng_tracks::{
    BakeOptions, Channel, Clip, Interpolation, Joint, JointIndex, Rest, Skeleton, Skin, Track,
};
use throng_tracks::{Transform, bake};

#[test]
fn one_thread_starts_no_pool() {
    let root = Joint { name: "root".into(), parent: None, rest: Rest::Trs(Transform::IDENTITY) };
    let skeleton = Skeleton::new([root]).unwrap();
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let track = Track::new("t", Channel::Translation, Interpolation::Linear, [0.0, 1.0], values).unwrap();
    let clip = Clip::new("slide", &skeleton, [(JointIndex(0), track)]).unwrap();
    let (bank, _) = bake(&skeleton, &[clip], &BakeOptions::default()).unwrap();
    let mut crowd = Crowd::new(bank.into(), &Skin::model_space(&skeleton)).unwrap();
    for _ in 0..5000 {
        crowd.spawn(Playback::default()).unwrap();
    }
    crowd.set_threads(Threads::One);
    crowd.advance(0.5).unwrap();
    assert_eq!(crowd.evaluate().len(), 5000 * 12);
    // Would fail if there were a global pool already, as there is after any use of rayon.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
}
