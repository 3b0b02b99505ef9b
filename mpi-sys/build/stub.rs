//! Declarations for machines without MPI: enough for `cargo check`, rust-analyzer and docs.rs, not for linking.

use mpi_config::Abi;

use crate::emit::{self, Facts};
use crate::names::Present;

/// Made by `stub/generate.sh` from the header of the standard ABI: every function MPI 5.0 has.
const DECLARATIONS: &str = include_str!("../stub/bindings.rs");

/// Was it asked for?
pub fn wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    set("MPI_SYS_STUB") || set("DOCS_RS")
}

/// Says what there is and returns it, with an empty list of values: there is nothing to compare them with.
pub fn declare() -> (Present, String) {
    emit::facts(&Facts {
        family: "stub",
        abi: Abi::Standard.name(),
        impl_version: "0.0.0".into(),
        std_version: "5.0".into(),
        functions: declared(&["pub fn "]),
        constants: declared(&["pub const ", "pub safe static "]),
        ..Facts::default()
    });
    (Present::default(), DECLARATIONS.to_owned())
}

/// The names declared by lines that start like this.
fn declared<'a>(starts: &[&str]) -> Vec<&'a str> {
    let lines = DECLARATIONS.lines().map(str::trim_start);
    let items = lines.filter_map(|line| starts.iter().find_map(|start| line.strip_prefix(start)));
    items.filter_map(|item| item.split(['(', ':']).next()).filter(|name| name.starts_with("MPI_")).collect()
}
