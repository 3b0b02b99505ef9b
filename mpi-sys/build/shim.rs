//! Constants that are macros of a handle or pointer type, which bindgen does not see.
//!
//! The preprocessor says what each expands to. If that is a number or the address of a symbol, Rust names the
//! same; otherwise C initializes a variable with it, and Rust reads that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use mpi_config::Error;
use mpi_config::find::{Installation, advice};

use crate::names::{Handle, Present};
use crate::value::Value;

/// Marks the shim's symbols, and the lines whose expansion is read.
const PREFIX: &str = "mpi_sys_";

/// MPICH's macros name NULL without including what defines it.
const INCLUDES: &str = "#include <stddef.h>\n#include <mpi.h>\n";

/// Returns the Rust declarations, and compiles the shim for those of them that the library does not export.
pub fn build(found: &Installation, present: &Present, out_dir: &Path) -> Result<String, Error> {
    let values = values(found, &present.macros, out_dir)?;
    let direct = |handle: &Handle| values.get(handle.name).filter(|_| !handle.is_function());
    let (known, unknown): (Vec<Handle>, Vec<Handle>) =
        present.macros.iter().partition(|handle| direct(handle).is_some());

    let mut rust = String::new();
    let mut symbols = BTreeSet::new();
    for handle in &known {
        if let Some(value) = direct(handle) {
            constant(&mut rust, handle, value);
            symbols.extend(value.symbol());
        }
    }
    rust += "unsafe extern \"C\" {\n";
    for symbol in symbols {
        // Only its address is used, so any type will do.
        let _ = writeln!(rust, "    static {symbol}: u8;");
    }
    for handle in &unknown {
        let _ = writeln!(rust, "    #[link_name = \"{PREFIX}{}\"]", handle.name);
        variable(&mut rust, handle);
    }
    for handle in &present.variables {
        variable(&mut rust, handle);
    }
    rust += "}\n";

    let source = out_dir.join("shim.c");
    crate::write(&source, &c_variables(&unknown))?;
    compiler(found, &source).try_compile("mpi_sys_shim").map_err(|_| failed("compile", &source))?;
    Ok(rust)
}

/// What cc reports is the command; what the compiler said is what helps, and cargo shows it as a warning.
fn failed(what: &str, source: &Path) -> Error {
    Error::new(format!("the C compiler cannot {what} {}: see its message", source.display()))
        .advice(advice::compiler())
}

/// What the macros stand for, as far as Rust can say the same.
fn values(
    found: &Installation,
    macros: &[Handle],
    out_dir: &Path,
) -> Result<BTreeMap<&'static str, Value>, Error> {
    let mut text = String::from(INCLUDES);
    for Handle { name, .. } in macros {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "{PREFIX}{name} {name}");
    }
    let source = out_dir.join("values.c");
    crate::write(&source, &text)?;
    let expanded = compiler(found, &source).try_expand().map_err(|_| failed("preprocess", &source))?;
    let expanded = String::from_utf8_lossy(&expanded);
    // Line markers may stand in the middle of an expansion that comes from a system header.
    let code: Vec<&str> = expanded.lines().filter(|line| !line.starts_with('#')).collect();
    let code = code.join(" ");
    let expansions = code.split(PREFIX).filter_map(|text| text.split_once(' '));
    let expansions: BTreeMap<&str, &str> = expansions.collect();
    Ok(macros
        .iter()
        .filter_map(|handle| Some((handle.name, Value::parse(expansions.get(handle.name)?)?)))
        .collect())
}

fn constant(rust: &mut String, handle: &Handle, value: &Value) {
    let (name, rust_type) = (handle.name, handle.rust_type());
    let expression = match value {
        // Handles are integers here and pointers there; this cast is right for both.
        Value::Integer(number) => format!("{number}_i64 as usize as {rust_type}"),
        Value::Address(symbol) => format!("(&raw const {symbol}).cast_mut().cast()"),
    };
    let _ = writeln!(rust, "pub const {name}: {rust_type} = {expression};");
}

/// `safe`, because all of these are `const` in C: initialized before `main` and never written again.
fn variable(rust: &mut String, handle: &Handle) {
    let _ = writeln!(rust, "    pub safe static {}: {};", handle.name, handle.rust_type());
}

fn c_variables(handles: &[Handle]) -> String {
    let mut text = String::from(INCLUDES);
    for Handle { name, c_type } in handles {
        let _ = writeln!(text, "{c_type} const {PREFIX}{name} = {name};");
    }
    text
}

fn compiler(found: &Installation, source: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build.file(source).includes(&found.flags.includes).warnings(false);
    for define in &found.flags.defines {
        let (name, value) = define.split_once('=').map_or((define.as_str(), None), |(n, v)| (n, Some(v)));
        build.define(name, value);
    }
    // Where nothing names a compiler, cc tries `cc` only, and the search may have found another. A cross build
    // is left to cc, which knows the target's.
    let named = ["CC", "TARGET_CC"].iter().any(|name| std::env::var_os(name).is_some());
    let native = std::env::var_os("TARGET") == std::env::var_os("HOST");
    if let ([program], false, true) = (found.probe.compiler.as_slice(), named, native) {
        build.compiler(program);
    }
    build
}
