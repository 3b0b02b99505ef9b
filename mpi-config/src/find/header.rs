//! Reads a preprocessed `mpi.h`: which names it declares, and as what.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// The `MPI_*` names of a header, by the kind of thing they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Functions that are declared. A removed function that is only a macro to an error is not among them.
    pub functions: BTreeSet<String>,
    /// Macros and enumerators: what a C initializer may name.
    pub constants: BTreeSet<String>,
    /// External variables, such as MPICH's `MPI_UNWEIGHTED`.
    pub variables: BTreeSet<String>,
}

/// Scans what `cc -E -dD` printed.
pub(super) fn names(preprocessed: &str) -> Names {
    let mut names = Names::default();
    let mut code = String::with_capacity(preprocessed.len());
    for line in preprocessed.lines() {
        match line.strip_prefix('#') {
            Some(directive) => directive_names(directive, &mut names),
            None => {
                code.push_str(line);
                code.push('\n');
            }
        }
    }
    let tokens = tokens(&code);
    for statement in statements(&tokens) {
        statement_names(statement, &mut names);
    }
    names
}

/// The file a line marker says `mpi.h` was read from.
pub(super) fn location(preprocessed: &str) -> Option<PathBuf> {
    let markers = preprocessed.lines().filter(|line| line.starts_with("# "));
    let mut files = markers.filter_map(|line| line.split('"').nth(1));
    files.find(|file| file.ends_with("/mpi.h")).map(PathBuf::from)
}

/// `#define MPI_X …` adds a constant, `#undef MPI_X` takes it away again.
fn directive_names(directive: &str, names: &mut Names) {
    let mut words = directive.split_whitespace();
    let (Some(keyword), Some(name)) = (words.next(), words.next()) else { return };
    if !is_mpi(name) || name.contains('(') {
        return;
    }
    match keyword {
        "define" => names.constants.insert(name.to_owned()),
        "undef" => names.constants.remove(name),
        _ => false,
    };
}

/// Sorts one statement at file scope: `typedef …`, `enum {…}`, a function, or a variable.
fn statement_names(statement: &[&str], names: &mut Names) {
    if let Some(start) = statement.iter().position(|token| *token == "enum")
        && let Some(open) = statement[start..].iter().position(|token| *token == "{")
    {
        let body = &statement[start + open..];
        // An enumerator follows `{` or `,`; what stands after `=` is only its value.
        let pairs = body.windows(2).filter(|pair| matches!(pair[0], "{" | ","));
        names.constants.extend(pairs.filter(|pair| is_mpi(pair[1])).map(|pair| pair[1].to_owned()));
    }
    if statement.first() == Some(&"typedef") {
        return;
    }
    let call = statement.windows(2).find(|pair| is_mpi(pair[0]) && pair[1] == "(");
    if let Some(call) = call {
        names.functions.insert(call[0].to_owned());
    } else if statement.contains(&"extern")
        && let Some(name) = statement.iter().find(|token| is_mpi_constant(token))
    {
        names.variables.insert((*name).to_owned());
    }
}

/// Splits tokens at the `;` and `}` that end a declaration at file scope.
fn statements<'a>(tokens: &'a [&'a str]) -> impl Iterator<Item = &'a [&'a str]> {
    let mut depth = 0usize;
    tokens.split_inclusive(move |token| {
        match *token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && *token == ";"
    })
}

/// Identifiers and punctuation; string and character literals are dropped, for attributes hold prose.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => {
                rest = &rest[literal_len(rest, first)..];
                continue;
            }
            c if c.is_ascii_alphanumeric() || c == '_' => {
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        if !first.is_whitespace() {
            tokens.push(&rest[..length]);
        }
        rest = &rest[length..];
    }
    tokens
}

/// The length of the literal at the start of `text`, quotes included.
fn literal_len(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

fn is_mpi(name: &str) -> bool {
    name.starts_with("MPI_")
}

/// Types are `MPI_Comm`, variables `MPI_UNWEIGHTED`.
fn is_mpi_constant(name: &str) -> bool {
    is_mpi(name) && !name.contains(|c: char| c.is_ascii_lowercase())
}
