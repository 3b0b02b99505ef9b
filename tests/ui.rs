//! Programs that must not compile, each with the smallest edit after which it does.
//!
//! A case is a file below `tests/ui`. Its first lines say what must happen:
//!
//! - `//@ expect E0597` — the set of error codes, exactly;
//! - `//@ expect: some text` — a part of the compiler's output (several such lines: all of them);
//! - `//@ fix SCRIPT` — a `sed` script that removes the misuse; the result must compile.
//!
//! `UI=scope/05 cargo test --test ui` runs only the cases whose path contains the text.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

/// How this crate and the test runner were compiled for this test, and where their dependencies are.
struct Built {
    mpi: PathBuf,
    mpi_test: PathBuf,
    deps: PathBuf,
}

static BUILT: LazyLock<Built> = LazyLock::new(|| {
    let exe = std::env::current_exe().expect("a test has a path");
    let deps = exe.parent().expect("a test is in a folder").to_owned();
    let target = deps.ancestors().nth(2).expect("target/<profile>/deps");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--no-run", "--test", "ui", "--message-format=json-render-diagnostics", "--quiet"]);
    cargo.arg("--target-dir").arg(target).current_dir(env!("CARGO_MANIFEST_DIR"));
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let out = cargo.output().expect("cargo runs");
    let messages = String::from_utf8_lossy(&out.stdout);
    let rlib = |name: &str| {
        let is_it = |part: &&str| part.contains(name) && part.ends_with(".rlib");
        let path = messages.split('"').find(is_it).map(PathBuf::from);
        path.unwrap_or_else(|| panic!("cargo named no {name}:\n{messages}{}", text(&out.stderr)))
    };
    Built { mpi: rlib("/libmpi-"), mpi_test: rlib("/libmpi_test-"), deps }
});

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn compile(source: &Path, out: &Path) -> Output {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    Command::new(rustc)
        .args(["--edition", "2024", "--crate-name", "case", "--emit=metadata", "-A", "warnings", "-o"])
        .arg(out)
        .arg("-L")
        .arg(format!("dependency={}", BUILT.deps.display()))
        .arg("--extern")
        .arg(format!("mpi={}", BUILT.mpi.display()))
        .arg("--extern")
        .arg(format!("mpi_test={}", BUILT.mpi_test.display()))
        .arg(source)
        .output()
        .expect("rustc runs")
}

/// The codes of all errors, in `error[E0597]: …`.
fn codes(stderr: &str) -> BTreeSet<&str> {
    stderr.lines().filter_map(|line| line.strip_prefix("error[")?.split(']').next()).collect()
}

/// What one case wants; `Err` says what it got.
fn check(case: &Path, folder: &Path) -> Result<(), String> {
    let source = fs::read_to_string(case).map_err(|e| e.to_string())?;
    let directive = |name: &'static str| source.lines().filter_map(move |line| line.strip_prefix(name));
    let wanted: BTreeSet<&str> = directive("//@ expect ").flat_map(str::split_whitespace).collect();
    let texts: Vec<&str> = directive("//@ expect: ").collect();
    let fix = directive("//@ fix ").next().ok_or("no `//@ fix` line")?;
    if wanted.is_empty() && texts.is_empty() {
        return Err("no `//@ expect` line".into());
    }

    let out = compile(case, &folder.join("misuse.rmeta"));
    let stderr = text(&out.stderr);
    if out.status.success() {
        return Err("the misuse compiles".into());
    }
    if !wanted.is_empty() && codes(&stderr) != wanted {
        return Err(format!("expected the codes {wanted:?}, got\n{stderr}"));
    }
    if let Some(missing) = texts.iter().find(|part| !stderr.contains(**part)) {
        return Err(format!("the compiler does not say «{missing}»:\n{stderr}"));
    }

    let sed = Command::new("sed")
        .arg(format!("/^\\/\\/@/d;{fix}"))
        .arg(case)
        .output()
        .map_err(|e| e.to_string())?;
    let fixed = folder.join("fixed.rs");
    fs::write(&fixed, &sed.stdout).map_err(|e| e.to_string())?;
    if sed.stdout == source.as_bytes() {
        return Err("the fix changes nothing".into());
    }
    let out = compile(&fixed, &folder.join("fixed.rmeta"));
    if !out.status.success() {
        return Err(format!("does not compile when fixed:\n{}\n{}", text(&sed.stdout), text(&out.stderr)));
    }
    Ok(())
}

fn cases(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("tests/ui exists").map(|e| e.expect("readable").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            cases(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn misuse_does_not_compile_and_its_fix_does() {
    let mut all = Vec::new();
    cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui"), &mut all);
    let only = std::env::var("UI").unwrap_or_default();
    all.retain(|path| path.to_string_lossy().contains(&only));
    assert!(!all.is_empty(), "no case matches {only:?}");

    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                let folder = tempfile::tempdir().expect("a temporary folder");
                while let Some(case) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = check(case, folder.path()) {
                        failures
                            .lock()
                            .expect("no panic holds it")
                            .push(format!("{}: {why}", case.display()));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic holds it");
    println!("{} misuse programs", all.len());
    assert!(
        failures.is_empty(),
        "{} of {} misuse programs:\n{}",
        failures.len(),
        all.len(),
        failures.join("\n\n")
    );
}
