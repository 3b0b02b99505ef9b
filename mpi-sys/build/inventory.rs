//! Lists what was generated, so that `tests/layout.rs` can compare every value with C's.

use std::fmt::Write;

use crate::names::{Handle, Present};

/// Rust functions that return the names and values of all constants.
pub fn source(present: &Present) -> String {
    let integers = present.integers.iter().map(|name| (*name, format!("i64::from(mpi_sys::{name})")));
    let handles = present.macros.iter().chain(&present.variables).map(|handle| (handle.name, bits(handle)));
    list("integers", integers) + &list("handles", handles)
}

/// A handle as a number: sign-extended if it is an `int`, the address if it is a pointer.
fn bits(handle: &Handle) -> String {
    let name = handle.name;
    if handle.is_function() {
        format!("mpi_sys::{name}.map_or(0, |function| function as usize as i64)")
    } else {
        format!("mpi_sys::{name} as isize as i64")
    }
}

fn list<'a>(function: &str, rows: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut text = format!("fn {function}() -> Vec<(&'static str, i64)> {{\n    vec![\n");
    for (name, value) in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "        ({name:?}, {value}),");
    }
    text + "    ]\n}\n"
}
