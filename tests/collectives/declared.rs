//! Which collectives the sources declare.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The names of the blocking collectives: the functions of `Communicator` in `src/collective` that return no request.
pub fn declared() -> BTreeSet<String> {
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/collective"))
        .iter()
        .flat_map(|text| text.split("\nimpl Communicator {").skip(1))
        .filter_map(|rest| rest.split("\n}\n").next())
        .flat_map(|block| block.split("    pub fn ").skip(1))
        .filter_map(|function| function.split('{').next())
        .filter(|signature| !signature.contains("Pending<"))
        .filter_map(|signature| signature.split(['<', '(']).next())
        .map(String::from)
        .collect()
}

/// The texts of a folder and of those in it.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the sources are there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let texts = |path: std::path::PathBuf| match path.is_dir() {
        true => sources(&path),
        false => vec![fs::read_to_string(path).expect("a text")],
    };
    paths.flat_map(texts).collect()
}

#[test]
fn some_are_found() {
    let names = declared();
    for name in ["bcast", "allreduce", "alltoallw_in_place", "neighbor_allgatherv_into"] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    assert!(!names.contains("ibcast") && !names.contains("ialltoallw_in_place"), "{names:?}");
}
