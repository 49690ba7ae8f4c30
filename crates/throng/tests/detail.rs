//! Levels of joints of the sample character.

use throng::JointOrder;
use throng::prelude::*;

#[test]
fn fingers_and_face_come_last() {
    let asset = Asset::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/marcher.glb")).unwrap();
    let skeleton = asset.bank.skeleton();
    let order = JointOrder::by_extent(skeleton);
    let names = |kept: usize| -> Vec<&str> {
        order.joints()[..kept].iter().map(|joint| skeleton.name(*joint)).collect()
    };
    let (near, far) = (names(order.reaching(0.05)), names(order.reaching(0.1)));
    for name in ["hips", "spine_3", "neck", "head", "hand_l", "hand_r", "foot_l", "foot_r"] {
        assert!(near.contains(&name), "{name} is not among {near:?}");
    }
    for part in ["thumb", "index", "middle", "ring", "pinky", "jaw", "eye"] {
        assert!(near.iter().all(|name| !name.contains(part)), "{part} is among {near:?}");
    }
    for name in ["hips", "neck", "forearm_l", "forearm_r", "shin_l", "shin_r"] {
        assert!(far.contains(&name), "{name} is not among {far:?}");
    }
    // No joint stands ahead of its parent.
    for (at, joint) in order.joints().iter().enumerate() {
        let parent = skeleton.parents()[joint.get()];
        assert!(parent.is_none_or(|parent| order.joints()[..at].contains(&parent)), "joint {joint}");
    }
}
