//! The names every build of this crate wants to offer, and which of them the installed header has.

use mpi_config::find::Names;

/// Constants of C type `int` (or of an enumeration), one name a line.
const INTEGERS: &str = include_str!("../names/integers.txt");
/// Constants of any other type, with that type.
const HANDLES: &str = include_str!("../names/handles.txt");
/// Every function of the standard, removed ones included, with its `_c` form.
const FUNCTIONS: &str = include_str!("../names/functions.txt");

/// Every name whose existence a dependent crate may ask for.
pub fn known() -> Vec<&'static str> {
    FUNCTIONS.lines().chain(INTEGERS.lines()).chain(handles().map(|handle| handle.name)).collect()
}

fn handles() -> impl Iterator<Item = Handle> {
    HANDLES.lines().filter_map(|line| line.split_once(' ')).map(|(name, c_type)| Handle { name, c_type })
}

/// A constant whose value is a handle, an address or a function: nothing that Rust could compute.
#[derive(Debug, Clone, Copy)]
pub struct Handle {
    /// The C name.
    pub name: &'static str,
    /// Its C type, without spaces.
    pub c_type: &'static str,
}

/// The wanted names that exist.
#[derive(Debug, Default)]
pub struct Present {
    /// Integer constants.
    pub integers: Vec<&'static str>,
    /// Macros that the shim turns into symbols.
    pub macros: Vec<Handle>,
    /// What the library itself exports as variables.
    pub variables: Vec<Handle>,
}

impl Present {
    /// Keeps what the header has.
    pub fn in_header(header: &Names) -> Self {
        let integers = INTEGERS.lines().filter(|name| header.constants.contains(*name)).collect();
        // A variable may be hidden behind a macro of its own name; it is the variable that counts.
        let variable = |handle: &Handle| header.variables.contains(handle.name);
        let is_macro = |handle: &Handle| header.constants.contains(handle.name);
        Present {
            integers,
            macros: handles().filter(|handle| is_macro(handle) && !variable(handle)).collect(),
            variables: handles().filter(variable).collect(),
        }
    }

    /// The names of all of them.
    pub fn names(&self) -> Vec<&'static str> {
        let handles = self.macros.iter().chain(&self.variables).map(|handle| handle.name);
        self.integers.iter().copied().chain(handles).collect()
    }
}

impl Handle {
    /// Is it a pointer to a function?
    pub fn is_function(&self) -> bool {
        self.c_type.contains("_function")
    }

    /// The Rust spelling of its type, given that functions are nullable pointers in bindgen's output.
    pub fn rust_type(&self) -> String {
        let base = self.c_type.trim_end_matches('*');
        let stars = self.c_type.len() - base.len();
        let name = match base {
            "void" => "c_void",
            "char" => "c_char",
            "int" => "c_int",
            function if self.is_function() => return function.to_owned(),
            other => other,
        };
        format!("{}{name}", "*mut ".repeat(stars))
    }
}
