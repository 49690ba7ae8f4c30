//! Levels by name and by environment, and the ways to write that depend on nothing else.

#[cfg(not(target_family = "wasm"))]
use std::process::Command;

use throng_kernels::{BLOCK, Level, LevelError, Line, Rounding, floor};

use crate::palettes::STORES;
use crate::random::levels;

#[test]
fn a_level_is_its_name() {
    let levels = levels();
    for &level in &levels {
        assert_eq!(level.name().parse(), Ok(level));
        assert_eq!(level.to_string(), level.name());
        assert!(level.lanes().is_power_of_two() && level.lanes() <= BLOCK, "{level}");
    }
    for name in ["scalar", "scalar-fused", "portable"] {
        assert!(levels.iter().any(|l| l.name() == name), "{name} is everywhere");
    }
    assert_eq!(levels[0], Level::scalar());
    assert!(!Level::scalar().is_fused() && levels[1].is_fused());
    assert_eq!(levels.last(), Some(&Level::detect()));
}

#[test]
fn a_rounding_changes_nothing_but_the_rounding() {
    for level in levels() {
        let (portable, fastest) =
            (level.with_rounding(Rounding::Portable), level.with_rounding(Rounding::Fastest));
        assert_eq!(portable.rounding(), Rounding::Portable, "{level}");
        for other in [portable, fastest] {
            assert_eq!(other.lanes(), level.lanes(), "{level}");
            assert_eq!(other.is_fused(), other.rounding() == Rounding::Fastest, "{level}");
            for rounding in [Rounding::Portable, Rounding::Fastest] {
                let (once, twice) = (level.with_rounding(rounding), other.with_rounding(rounding));
                assert!(once == twice || level.name().starts_with("scalar"), "{level}, then {other}");
            }
        }
        assert_eq!(level.with_rounding(level.rounding()), level, "{level}");
        if let Some(lanes) = level.name().strip_suffix("-unfused") {
            assert_eq!((portable, fastest.name()), (level, lanes));
        }
    }
    assert_eq!(Level::detect().with_rounding(Rounding::Fastest), Level::detect());
}

#[test]
fn names_of_no_level() {
    let unknown = "AVX9".parse::<Level>().unwrap_err();
    assert_eq!(unknown, LevelError::Unknown { name: "AVX9".into() });
    let message = "there is no level \"AVX9\"; levels are scalar, scalar-fused, portable, neon, neon-unfused, \
        avx2, avx2-unfused, avx512, avx512-unfused";
    assert_eq!(unknown.to_string(), message);
    for name in ["neon", "neon-unfused", "avx2", "avx2-unfused", "avx512", "avx512-unfused"] {
        if let Err(error) = name.parse::<Level>() {
            let message = error.to_string();
            assert!(
                message.starts_with(&format!("this processor has no {name}; it has scalar")),
                "{message}"
            );
        }
    }
}

/// Not a law: the child that [`the_environment_names_the_level`] starts.
#[test]
fn says_the_level_of_its_environment() {
    match Level::from_env() {
        Ok(level) => println!("level of the environment: {level}"),
        Err(error) => println!("error of the environment: {error}"),
    }
}

/// This program, under the emulator that it runs under itself, if cargo was told of one.
#[cfg(not(target_family = "wasm"))]
fn child() -> Command {
    let program = std::env::current_exe().unwrap();
    let runner = match std::env::var("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER") {
        Ok(runner) if cfg!(target_arch = "aarch64") => runner,
        _ => return Command::new(program),
    };
    let mut words = runner.split_whitespace();
    let mut child = Command::new(words.next().unwrap());
    child.args(words).arg(program);
    child
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn the_environment_names_the_level() {
    let said = |value: Option<&str>| {
        let mut child = child();
        child.args(["--exact", "level::says_the_level_of_its_environment", "--nocapture"]);
        match value {
            Some(value) => child.env("THRONG_LEVEL", value),
            None => child.env_remove("THRONG_LEVEL"),
        };
        String::from_utf8(child.output().unwrap().stdout).unwrap()
    };
    for level in levels() {
        let said = said(Some(level.name()));
        assert!(said.contains(&format!("level of the environment: {level}\n")), "{said}");
    }
    let detected = format!("level of the environment: {}\n", Level::detect());
    assert!(said(None).contains(&detected));
    assert!(said(Some("")).contains(&detected));
    let unknown = said(Some("fast"));
    assert!(unknown.contains("error of the environment: there is no level \"fast\""), "{unknown}");
}

#[test]
fn fill_fills() {
    for level in levels() {
        for stores in STORES {
            for count in 0..4 {
                let mut lines = vec![Line::ZERO; count + 1];
                floor::fill(level, stores, &mut lines[..count], -2.5);
                let (last, filled) = lines.split_last().unwrap();
                assert!(filled.iter().all(|l| *l == Line([-2.5; BLOCK])), "{level}, {stores:?}");
                assert_eq!(*last, Line::ZERO);
            }
        }
    }
}
