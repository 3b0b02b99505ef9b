//! Compares what Rust believes with what the C compiler says of the same header: sizes, alignments, offsets, and
//! the value of every constant.
//!
//! The C side is generated, compiled into a shared object and loaded into this process, so that addresses
//! (Open MPI's handles) can be compared as well.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, c_char, c_int, c_longlong, c_void};
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;

use mpi_config::find::{self, Environment, Installation};

include!(concat!(env!("OUT_DIR"), "/inventory.rs"));

type Row = (String, i64);

/// Receives one row from C: `what` and its value.
type Sink = unsafe extern "C" fn(rows: *mut c_void, what: *const c_char, value: c_longlong);

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Sizes and alignments of C types, and offsets of the public fields of `MPI_Status`, with their C spelling.
fn layout() -> Vec<Row> {
    let mut rows = Vec::new();
    macro_rules! types {
        ($($name:ident)*) => { $(
            rows.push((concat!("sizeof(", stringify!($name), ")").to_owned(), size_of::<mpi_sys::$name>() as i64));
            rows.push((concat!("_Alignof(", stringify!($name), ")").to_owned(), align_of::<mpi_sys::$name>() as i64));
        )* };
    }
    macro_rules! fields {
        ($($field:ident)*) => { $(
            let what = concat!("offsetof(MPI_Status, ", stringify!($field), ")");
            rows.push((what.to_owned(), offset_of!(mpi_sys::MPI_Status, $field) as i64));
        )* };
    }
    types!(MPI_Status MPI_Comm MPI_Group MPI_Datatype MPI_Op MPI_Request MPI_Message MPI_Info MPI_Errhandler);
    types!(MPI_Win MPI_File MPI_Aint MPI_Offset MPI_Count);
    fields!(MPI_SOURCE MPI_TAG MPI_ERROR);
    rows
}

/// Everything Rust believes.
fn rust_rows() -> Vec<Row> {
    let named = integers().into_iter().chain(handles()).map(|(name, value)| (name.to_owned(), value));
    layout().into_iter().chain(named).collect()
}

/// A C function that reports the same expressions.
fn c_source(rows: &[Row]) -> String {
    let mut text = String::from(
        "#include <stddef.h>\n#include <stdint.h>\n#include <mpi.h>\n\
         void rows(void (*row)(void *, const char *, long long), void *to) {\n",
    );
    for (what, _) in rows {
        text += &format!("    row(to, \"{what}\", (long long)(intptr_t)({what}));\n");
    }
    text + "}\n"
}

/// The MPI this test was built with.
fn installation() -> Installation {
    let env = Environment::of_process();
    let env = if mpi_sys::MPICC.is_empty() { env } else { env.with("MPICC", mpi_sys::MPICC) };
    find::find(&env).expect("the MPI of the build is still there")
}

fn compile(source: &str, dir: &Path) -> PathBuf {
    let found = installation();
    let (file, library) = (dir.join("rows.c"), dir.join("rows.so"));
    std::fs::write(&file, source).expect("a writable temporary folder");
    let status = Command::new(&found.probe.compiler[0])
        .args(&found.probe.compiler[1..])
        .args(found.flags.preprocessor_args())
        .args(["-shared", "-fPIC", "-w", "-o"])
        .args([&library, &file])
        .status();
    assert!(status.expect("the compiler starts").success());
    library
}

unsafe extern "C" fn collect(rows: *mut c_void, what: *const c_char, value: c_longlong) {
    // SAFETY: `c_rows` passes its own map, and nothing else touches it meanwhile.
    let rows = unsafe { &mut *rows.cast::<BTreeMap<String, i64>>() };
    // SAFETY: the generated code passes a string literal.
    let what = unsafe { CStr::from_ptr(what) };
    rows.insert(what.to_string_lossy().into_owned(), value);
}

fn c_rows(library: &Path) -> BTreeMap<String, i64> {
    const RTLD_NOW: c_int = 2;
    let path = CString::new(library.as_os_str().as_encoded_bytes()).expect("no NUL in a path");
    // SAFETY: a terminated path; the object has no initializers.
    let handle = unsafe { dlopen(path.as_ptr(), RTLD_NOW) };
    assert!(!handle.is_null(), "{} cannot be loaded", library.display());
    // SAFETY: a live handle and a terminated name.
    let symbol = unsafe { dlsym(handle, c"rows".as_ptr()) };
    assert!(!symbol.is_null());
    // SAFETY: `c_source` gives `rows` exactly this type.
    let rows: unsafe extern "C" fn(Sink, *mut c_void) = unsafe { std::mem::transmute(symbol) };
    let mut found = BTreeMap::new();
    // SAFETY: `collect` expects the map that is passed here, and calls are over when this returns.
    unsafe { rows(collect, (&raw mut found).cast()) };
    found
}

/// One line for each row on which the two disagree.
fn differences(rust: &[Row], c: &BTreeMap<String, i64>) -> Vec<String> {
    rust.iter()
        .filter(|(what, value)| c.get(what) != Some(value))
        .map(|(what, value)| format!("{what}: Rust says {value}, C says {:?}", c.get(what)))
        .collect()
}

#[test]
fn rust_agrees_with_c() {
    let rust = rust_rows();
    let dir = tempfile::tempdir().expect("a temporary folder");
    let c = c_rows(&compile(&c_source(&rust), dir.path()));
    let wrong = differences(&rust, &c);
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), rust.len(), wrong.join("\n"));
    println!("{} values agree", rust.len());
    assert!(rust.len() > 250, "the list of constants is nearly empty");

    // The comparison is worth something only if it notices any single value that is wrong.
    for index in 0..rust.len() {
        let mut falsified = rust.clone();
        falsified[index].1 += 1;
        assert_eq!(differences(&falsified, &c).len(), 1, "{} could be wrong unnoticed", rust[index].0);
    }
}

/// What stands in hot calls is known at compile time, so that it costs what it costs in C.
#[test]
fn handles_are_constants() {
    const _: (mpi_sys::MPI_Comm, mpi_sys::MPI_Datatype, mpi_sys::MPI_Op) =
        (mpi_sys::MPI_COMM_WORLD, mpi_sys::MPI_DOUBLE, mpi_sys::MPI_SUM);
    const _: (*mut mpi_sys::MPI_Status, *mut c_void, mpi_sys::MPI_Request) =
        (mpi_sys::MPI_STATUS_IGNORE, mpi_sys::MPI_IN_PLACE, mpi_sys::MPI_REQUEST_NULL);
}

/// What the build scripts of dependent crates are told exists is what can be called.
#[test]
fn the_functions_found_are_the_functions_bound() {
    let bindings = include_str!(concat!(env!("OUT_DIR"), "/bindings.rs"));
    // Not by lines: without rustfmt there is only one.
    let bound = bindings.split("pub fn ").skip(1).filter_map(|item| item.split('(').next());
    let bound: BTreeSet<&str> = bound.map(str::trim).collect();
    let found = installation().probe.names.functions;
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, bound);
}
