//! Types, functions and integer constants, by bindgen.

use std::fmt::Write;
use std::process::Command;

use bindgen::callbacks::{ItemInfo, ParseCallbacks};
use mpi_config::Error;
use mpi_config::find::{Installation, advice};

use crate::names::Present;

/// Marks the C variables whose values become Rust constants.
const PREFIX: &str = "mpi_sys_integer_";

/// Returns the Rust declarations.
pub fn generate(found: &Installation, present: &Present) -> Result<String, Error> {
    clang_sys::load().map_err(|error| {
        Error::new("libclang, which reads mpi.h, cannot be loaded").tried([error]).advice(advice::libclang())
    })?;
    bindgen::Builder::default()
        .header_contents("mpi_sys.h", &header(present))
        .clang_args(found.flags.preprocessor_args())
        .clang_args(compiler_headers(&found.probe.compiler))
        .allowlist_function("MPI_.*")
        .allowlist_type("MPI_.*")
        .allowlist_var(format!("{PREFIX}.*"))
        .rust_target(rust_version()?)
        .rust_edition(bindgen::RustEdition::Edition2024)
        .layout_tests(false)
        .generate_comments(false)
        .parse_callbacks(Box::new(Unprefix))
        .generate()
        .map(|bindings| bindings.to_string())
        .map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().next().unwrap_or_default();
            Error::new(format!("bindgen cannot read {}: {reason}", found.probe.header.display()))
                .advice(advice::libclang())
        })
}

/// The oldest compiler this package supports; bindgen would otherwise ask the one that happens to run.
fn rust_version() -> Result<bindgen::RustTarget, Error> {
    env!("CARGO_PKG_RUST_VERSION").parse().map_err(|error| Error::new(format!("bindgen: {error}")))
}

/// Where the C compiler keeps `stddef.h` and its like. libclang is often installed without its own copies;
/// `-idirafter` means that they count where they exist.
fn compiler_headers(compiler: &[String]) -> Vec<String> {
    let Some((program, arguments)) = compiler.split_first() else { return Vec::new() };
    let output = Command::new(program).args(arguments).arg("-print-file-name=include").output();
    let dir =
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    // A compiler that does not know the folder repeats the question: "include".
    if dir.starts_with('/') { vec!["-idirafter".to_owned(), dir] } else { Vec::new() }
}

/// A header that gives every integer constant the same form and type, be it a macro or an enumerator.
fn header(present: &Present) -> String {
    let mut text = String::from("#include <mpi.h>\n");
    for name in &present.integers {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "static const int {PREFIX}{name} = {name};");
    }
    text
}

/// Gives the constants their own names back.
#[derive(Debug)]
struct Unprefix;

impl ParseCallbacks for Unprefix {
    fn item_name(&self, item: ItemInfo<'_>) -> Option<String> {
        item.name.strip_prefix(PREFIX).map(str::to_owned)
    }
}
