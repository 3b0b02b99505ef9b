//! Building an example of this package for whoever runs it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The executable of the example `name`, built with the profile and in the target folder of the running program,
/// which is TARGET/<profile>/deps/<program>.
///
/// `cargo test` builds the examples, but `cargo test --test …` and `cargo bench` do not, and leave an old one behind. With
/// all features, as this crate is built for its tests anyway: examples may need one.
pub fn build(name: &str) -> PathBuf {
    let program = std::env::current_exe().expect("the running program has a path");
    let profile = program.ancestors().nth(2).expect("the running program is in a target folder");
    let target = profile.parent().expect("the running program is in a target folder");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["build", "--quiet", "--all-features", "--example", name, "--profile"]);
    cargo.arg(if profile.ends_with("debug") { "dev" } else { "release" });
    cargo.arg("--manifest-path").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
    let status = cargo.arg("--target-dir").arg(target).status().expect("cargo can be started");
    assert!(status.success(), "{cargo:?} failed");
    profile.join("examples").join(name)
}
