//! Ids and slots, against a model that remembers everything.

use proptest::prelude::*;
use throng_crowd::{InstanceId, Playback};

use crate::make::{bits, crowd};

#[derive(Clone, Copy, Debug)]
enum Act {
    Spawn,
    /// Of all ids ever given, one in that place, dead or alive.
    Despawn(prop::sample::Index),
    Evaluate,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => Just(Act::Spawn),
        3 => any::<prop::sample::Index>().prop_map(Act::Despawn),
        1 => Just(Act::Evaluate),
    ];
    prop::collection::vec(act, 1..80)
}

proptest! {
    #[test]
    fn an_id_names_one_instance_for_ever(acts in acts()) {
        let mut crowd = crowd(&[100.0]);
        // What each instance ever spawned plays, and whether it lives.
        let mut all: Vec<(InstanceId, f64, bool)> = Vec::new();
        let mut most = 0;
        for act in acts {
            match act {
                Act::Spawn => {
                    let time_s = all.len() as f64;
                    let id = crowd.spawn(Playback { time_s, ..Playback::default() }).unwrap();
                    prop_assert!(all.iter().all(|(other, _, _)| *other != id));
                    prop_assert!(all.iter().all(|(other, _, lives)| !lives || other.slot() != id.slot()));
                    all.push((id, time_s, true));
                }
                Act::Despawn(_) if all.is_empty() => {}
                Act::Despawn(index) => {
                    let (id, _, lives) = index.get(&all);
                    prop_assert_eq!(crowd.despawn(*id).is_ok(), *lives);
                    let at = index.index(all.len());
                    all[at].2 = false;
                }
                Act::Evaluate => {
                    let before = bits(crowd.palettes());
                    let floats = crowd.plan().palette_floats();
                    let after = bits(crowd.evaluate());
                    let mut dead = vec![true; crowd.slot_count()];
                    for (id, time_s, _) in all.iter().filter(|(_, _, lives)| *lives) {
                        dead[id.slot()] = false;
                        prop_assert!((f64::from(crowd.palette(*id).unwrap()[3]) - time_s).abs() < 1e-4);
                    }
                    for (slot, _) in dead.iter().enumerate().filter(|(_, dead)| **dead) {
                        let place = slot * floats..(slot + 1) * floats;
                        let old = before.get(place.clone()).map_or(vec![0; floats], <[u32]>::to_vec);
                        prop_assert_eq!(&after[place], old);
                    }
                }
            }
            let live: Vec<_> = all.iter().filter(|(_, _, lives)| *lives).collect();
            most = most.max(live.len());
            prop_assert_eq!((crowd.len(), crowd.is_empty()), (live.len(), live.is_empty()));
            // Slots are used again before new ones are made.
            prop_assert_eq!(crowd.slot_count(), most);
            for (id, time_s, lives) in &all {
                prop_assert_eq!(crowd.contains(*id), *lives);
                prop_assert_eq!(crowd.playback(*id).ok().map(|p| p.time_s), lives.then_some(*time_s));
            }
            let mut ids: Vec<_> = live.iter().map(|(id, _, _)| *id).collect();
            ids.sort();
            prop_assert_eq!(crowd.ids().collect::<Vec<_>>(), ids);
        }
    }
}

#[test]
fn an_id_is_written_as_slot_and_generation() {
    let mut crowd = crowd(&[1.0]);
    let ids: Vec<_> = (0..3).map(|_| crowd.spawn(Playback::default()).unwrap()).collect();
    crowd.despawn(ids[1]).unwrap();
    let again = crowd.spawn(Playback::default()).unwrap();
    assert_eq!((again.slot(), again.generation(), again.to_string()), (1, 2, "1v2".into()));
    assert_eq!(format!("{crowd:?}").split(", level").next(), Some("Crowd { instances: 3, slots: 3"));
}
