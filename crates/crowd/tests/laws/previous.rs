//! The palettes of the frame before, against a model that remembers each instance's last two.

use proptest::prelude::*;
use throng_crowd::{CrowdError, InstanceId, Playback};
use throng_kernels::{Layout, PaletteFormat};

use crate::make::{bits, crowd, playback, replace};

const DURATIONS_S: [f32; 2] = [0.9, 2.1];

#[derive(Clone, Debug)]
enum Act {
    Show(prop::sample::Index, bool),
    Replace(prop::sample::Index),
    Spawn,
    Evaluate(f64),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        2 => (any::<prop::sample::Index>(), any::<bool>()).prop_map(|(index, shown)| Act::Show(index, shown)),
        2 => any::<prop::sample::Index>().prop_map(Act::Replace),
        1 => Just(Act::Spawn),
        4 => (0.001..0.5f64).prop_map(Act::Evaluate),
    ];
    prop::collection::vec(act, 1..50)
}

/// One instance: whether the last frame posed it, its palette, and the one before.
struct One {
    id: InstanceId,
    posed: bool,
    palettes: Option<[Vec<u32>; 2]>,
}

proptest! {
    #[test]
    fn previous_is_what_was_present(count in 1..40usize, acts in acts()) {
        let mut crowd = crowd(&DURATIONS_S);
        crowd.keep_previous(true);
        // The same, evaluated without keeping anything.
        let mut plain = crate::make::crowd(&DURATIONS_S);
        let mut model: Vec<One> = Vec::new();
        for i in 0..count {
            plain.spawn(playback(i, 2)).unwrap();
            model.push(One { id: crowd.spawn(playback(i, 2)).unwrap(), posed: false, palettes: None });
        }
        for (i, act) in acts.into_iter().enumerate() {
            match act {
                Act::Show(index, shown) => {
                    let id = index.get(&model).id;
                    crowd.set_visible(id, shown).unwrap();
                    plain.set_visible(id, shown).unwrap();
                }
                Act::Replace(index) => {
                    let at = index.index(model.len());
                    replace(&mut plain, at, playback(i, 2));
                    let id = replace(&mut crowd, at, playback(i, 2));
                    model[at] = One { id, posed: false, palettes: None };
                }
                Act::Spawn => {
                    plain.spawn(playback(i, 2)).unwrap();
                    model.push(One { id: crowd.spawn(playback(i, 2)).unwrap(), posed: false, palettes: None });
                }
                Act::Evaluate(dt) => {
                    crowd.advance(dt).unwrap();
                    plain.advance(dt).unwrap();
                    prop_assert_eq!(crowd.evaluate().len(), plain.evaluate().len());
                    prop_assert_eq!(crowd.previous_palettes().len(), crowd.palettes().len());
                    for one in &mut model {
                        let posed = plain.is_visible(one.id).unwrap();
                        one.palettes = match (posed, one.palettes.take()) {
                            (true, Some([last, _])) if one.posed => Some([bits(plain.palette(one.id).unwrap()), last]),
                            (true, _) => Some([0; 2].map(|_| bits(plain.palette(one.id).unwrap()))),
                            (false, old) => old.map(|[last, _]| [last.clone(), last]),
                        };
                        one.posed = posed;
                    }
                }
            }
            for one in &model {
                let found = crowd.palette(one.id).map(bits);
                let before = crowd.previous_palette(one.id).map(bits);
                match &one.palettes {
                    Some([last, previous]) => {
                        prop_assert_eq!((found.as_ref(), before.as_ref()), (Ok(last), Ok(previous)), "{}", one.id);
                    }
                    None => prop_assert_eq!(found, Err(CrowdError::NotEvaluated { id: one.id })),
                }
            }
        }
    }
}

#[test]
fn it_is_kept_on_request_only() {
    let mut crowd = crowd(&[2.0]);
    let id = crowd.spawn(Playback::default()).unwrap();
    crowd.evaluate();
    assert!(crowd.previous_palettes().is_empty());
    let said = crowd.previous_palette(id).unwrap_err().to_string();
    assert_eq!(said, "previous palettes are not kept: ask for them by keep_previous");
    let shows =
        |crowd: &throng_crowd::Crowd| [crowd.palette(id).unwrap()[3], crowd.previous_palette(id).unwrap()[3]];
    crowd.keep_previous(true);
    assert_eq!(shows(&crowd), [0.0, 0.0]);
    for (frame, expected) in [[0.5, 0.5], [1.0, 0.5], [1.5, 1.0]].into_iter().enumerate() {
        crowd.advance(0.5).unwrap();
        crowd.evaluate();
        assert_eq!(shows(&crowd), expected, "frame {frame}");
        // Asked for again, it stays.
        crowd.keep_previous(true);
    }
    crowd.set_layout(Layout::new(PaletteFormat::Matrix)).unwrap();
    assert!(crowd.previous_palettes().is_empty());
    crowd.evaluate();
    assert_eq!(crowd.previous_palettes(), crowd.palettes());
    crowd.keep_previous(false);
    assert!(crowd.previous_palettes().is_empty());
}
