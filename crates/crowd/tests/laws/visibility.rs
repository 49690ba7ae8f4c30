//! Hidden instances: time goes on, nothing is written, and the rest has the bits it would have without them.

use proptest::prelude::*;
use throng_crowd::{CrowdError, InstanceId, Playback, SkipFrozen, Threads};

use crate::make::{bits, crowd, playback, replace};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

#[derive(Clone, Debug)]
enum Act {
    Show(Vec<prop::sample::Index>, bool),
    Replace(prop::sample::Index),
    Step(f64),
    Evaluate,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let some = prop::collection::vec(any::<prop::sample::Index>(), 0..12);
    let act = prop_oneof![
        4 => (some, any::<bool>()).prop_map(|(some, shown)| Act::Show(some, shown)),
        2 => any::<prop::sample::Index>().prop_map(Act::Replace),
        2 => (0.0..0.5f64).prop_map(Act::Step),
        3 => Just(Act::Evaluate),
    ];
    prop::collection::vec(act, 1..40)
}

/// What the model knows of one instance.
#[derive(Clone)]
struct One {
    id: InstanceId,
    visible: bool,
    palette: Option<Vec<u32>>,
}

proptest! {
    #[test]
    fn a_hidden_one_lives_on_and_keeps_its_palette(count in 1..70usize, acts in acts()) {
        let mut crowd = crowd(&DURATIONS_S);
        crowd.set_threads(Threads::One);
        crowd.set_skip_frozen(SkipFrozen::Never);
        // The same, but nobody hides.
        let mut all = crate::make::crowd(&DURATIONS_S);
        let mut spawn = |i: usize| {
            all.spawn(playback(i, 2)).unwrap();
            One { id: crowd.spawn(playback(i, 2)).unwrap(), visible: true, palette: None }
        };
        let mut model: Vec<One> = (0..count).map(&mut spawn).collect();
        for (i, act) in acts.into_iter().enumerate() {
            match act {
                Act::Show(some, shown) => {
                    let places: Vec<usize> = some.iter().map(|index| index.index(count)).collect();
                    let ids: Vec<_> = places.iter().map(|&at| model[at].id).collect();
                    crowd.set_visible_many(&ids, shown).unwrap();
                    places.iter().for_each(|&at| model[at].visible = shown);
                }
                Act::Replace(index) => {
                    let at = index.index(count);
                    replace(&mut all, at, playback(i, 2));
                    let id = replace(&mut crowd, at, playback(i, 2));
                    model[at] = One { id, visible: true, palette: None };
                }
                Act::Step(dt) => {
                    crowd.advance(dt).unwrap();
                    all.advance(dt).unwrap();
                }
                Act::Evaluate => {
                    crowd.evaluate();
                    all.evaluate();
                    let hidden = model.iter().filter(|one| !one.visible).count();
                    prop_assert_eq!((crowd.report().evaluated, crowd.report().hidden), (count - hidden, hidden));
                    for (one, other) in model.iter_mut().zip(all.ids().collect::<Vec<_>>()) {
                        if one.visible {
                            one.palette = Some(bits(all.palette(other).unwrap()));
                        }
                    }
                }
            }
            for (one, other) in model.iter().zip(all.ids()) {
                prop_assert_eq!(crowd.is_visible(one.id), Ok(one.visible));
                prop_assert_eq!(crowd.playback(one.id), all.playback(other));
                let expected = one.palette.clone().ok_or(CrowdError::NotEvaluated { id: one.id });
                prop_assert_eq!(crowd.palette(one.id).map(bits), expected);
            }
        }
    }
}

#[test]
fn nothing_of_a_hidden_one_is_written() {
    let mut crowd = crowd(&DURATIONS_S);
    let ids: Vec<_> = (0..40).map(|i| crowd.spawn(playback(i, 2)).unwrap()).collect();
    crowd.set_visible_many(&ids[3..30], false).unwrap();
    let floats = crowd.plan().palette_floats();
    let mut out = vec![-123.5; crowd.output_floats()];
    crowd.evaluate_into(&mut out).unwrap();
    for (id, palette) in ids.iter().zip(out.chunks(floats)) {
        let untouched = palette.iter().all(|f| *f == -123.5);
        assert_eq!(untouched, (3..30).contains(&id.slot()), "{id}");
    }
    crowd.set_visible_many(&ids, false).unwrap();
    out.fill(7.0);
    crowd.evaluate_into(&mut out).unwrap();
    assert!(out.iter().all(|f| *f == 7.0));
    assert_eq!((crowd.report().evaluated, crowd.report().hidden), (0, 40));
}

#[test]
fn a_slot_of_a_hidden_one_is_shown_again_by_the_next() {
    let mut crowd = crowd(&DURATIONS_S);
    let first = crowd.spawn(Playback::default()).unwrap();
    crowd.set_visible(first, false).unwrap();
    crowd.despawn(first).unwrap();
    crowd.evaluate();
    assert_eq!((crowd.report().evaluated, crowd.report().hidden), (0, 0));
    let second = crowd.spawn(Playback::default()).unwrap();
    assert_eq!(crowd.is_visible(second), Ok(true));
    crowd.evaluate();
    assert_eq!((crowd.report().evaluated, crowd.report().hidden), (1, 0));
}
