//! What `cargo run` adds to the environment is about this tool, not about the user's program.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Forgets what an outer `cargo run` has set, as the alias `cargo xmpi` is one: variables that describe this package,
/// and library folders of its build. `CARGO` stays: the inner cargo must be the same.
pub fn drop_what_cargo_set() {
    for (name, _) in std::env::vars_os().filter(|(name, _)| describes_a_package(name)) {
        // SAFETY: this is called first in `main`, when there is one thread only.
        unsafe { std::env::remove_var(name) };
    }
    let Some(paths) = std::env::var_os("LD_LIBRARY_PATH") else { return };
    match without_build_folders(&paths, std::env::current_exe().ok().as_deref()) {
        // SAFETY: as above.
        Some(paths) => unsafe { std::env::set_var("LD_LIBRARY_PATH", paths) },
        // SAFETY: as above.
        None => unsafe { std::env::remove_var("LD_LIBRARY_PATH") },
    }
}

fn describes_a_package(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("CARGO_PKG_")
        || name.starts_with("CARGO_MANIFEST_")
        || matches!(&*name, "CARGO_BIN_NAME" | "CARGO_CRATE_NAME" | "CARGO_PRIMARY_PACKAGE" | "OUT_DIR")
}

/// The search path without the folders of this program's own build and of the Rust toolchain; `None` if that is all.
fn without_build_folders(paths: &OsStr, program: Option<&Path>) -> Option<std::ffi::OsString> {
    let build = program.and_then(Path::parent);
    let is_cargos = |path: &Path| {
        build.is_some_and(|build| path.starts_with(build))
            || path.components().any(|part| part.as_os_str() == "rustlib")
            || path.components().any(|part| part.as_os_str() == "toolchains") && path.ends_with("lib")
    };
    let kept: Vec<PathBuf> = std::env::split_paths(paths).filter(|path| !is_cargos(path)).collect();
    if kept.is_empty() { None } else { std::env::join_paths(kept).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_folders_of_the_build_are_dropped_and_the_users_stay() {
        let program = Some(Path::new("/w/target/debug/cargo-mpi"));
        let rust = "/root/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/lib";
        let paths =
            format!("/w/target/debug/build/x/out:/w/target/debug/deps:/w/target/debug:{rust}:/opt/lib");
        assert_eq!(without_build_folders(OsStr::new(&paths), program).unwrap(), "/opt/lib");
        assert_eq!(without_build_folders(OsStr::new(rust), program), None);
    }

    #[test]
    fn variables_about_this_package_are_told_from_settings() {
        let dropped = |name: &str| describes_a_package(OsStr::new(name));
        assert!(dropped("CARGO_PKG_NAME") && dropped("CARGO_MANIFEST_DIR"));
        assert!(!dropped("CARGO") && !dropped("CARGO_HOME") && !dropped("CARGO_TARGET_DIR"));
    }
}
