//! Finding, in a rank's stack, the place that its author knows.

use std::borrow::Cow;

/// One line of a stack, innermost first.
struct Frame<'t> {
    function: &'t str,
    place: Option<&'t str>,
}

/// Where a test was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'t> {
    pub(crate) krate: &'t str,
    pub(crate) file: &'t str,
}

impl Origin<'_> {
    /// Whether a frame is the author's. With little debug information, functions lack their path, hence the file.
    fn is_of(&self, frame: &Frame<'_>) -> bool {
        let file = frame.place.and_then(|place| place.rsplit_once(':')).map_or("", |(file, _)| file);
        let same_file = !file.is_empty() && (file.ends_with(self.file) || self.file.ends_with(file));
        belongs_to(frame.function, self.krate) || same_file
    }
}

/// Says where a rank stood: the innermost function of the test's crate, and what it had called.
///
/// `trace` is a `std::backtrace::Backtrace` as text. The result reads on after "hung" or "died": `" in f at file:line"`.
pub(crate) fn place(trace: &str, origin: Origin<'_>) -> String {
    let frames = frames(trace);
    let Some(own) = frames.iter().position(|frame| origin.is_of(frame)) else {
        let library = frames.iter().find(|frame| belongs_to(frame.function, "mpi"));
        return library
            .map(|frame| format!(" in {}{}", short(frame.function), at(frame)))
            .unwrap_or_default();
    };
    // Inlining and generics put helpers of the core library in between: what the author called is what counts.
    let called = frames[..own].iter().rev().find(|frame| !is_glue(frame));
    let function = called.filter(|frame| !is_signal(frame.function)).unwrap_or(&frames[own]).function;
    // Code without a line of its own (a loop's bookkeeping) has one in its caller.
    let known = frames[own..].iter().find(|frame| frame.place.is_some()).unwrap_or(&frames[own]);
    format!(" in {}{}", short(function), at(known))
}

/// A method is known by its type, not by the file that implements it: `mpi::p2p::<impl mpi::comm::Communicator>::send`
/// and `<mpi::comm::Communicator>::send` → `mpi::Communicator::send`.
fn short(function: &str) -> Cow<'_, str> {
    if !function.contains("::") && !function.starts_with('<') {
        // A function without its path, as in `recv<i32>`.
        return function.split('<').next().unwrap_or(function).into();
    }
    let method = function.split_once('<').and_then(|(_, rest)| rest.rsplit_once(">::"));
    let Some((implemented, method)) = method else { return function.into() };
    let path = implemented.strip_prefix("impl ").unwrap_or(implemented);
    // Traits and generics have more to them than a short name can tell.
    if path.contains([' ', '<', '&']) || method.contains('<') {
        return function.into();
    }
    match (path.split_once("::"), path.rsplit_once("::")) {
        (Some((krate, _)), Some((_, name))) => format!("{krate}::{name}::{method}").into(),
        _ => function.into(),
    }
}

fn at(frame: &Frame<'_>) -> String {
    frame.place.map(|place| format!(" at {place}")).unwrap_or_default()
}

/// Reads `  12: path::function` and `        at ./file.rs:31:9` lines.
fn frames(trace: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for line in trace.lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("at ") {
            if let Some(frame) = frames.last_mut() {
                frame.place = Some(without_column(place.strip_prefix("./").unwrap_or(place)));
            }
        } else if let Some((number, function)) = line.split_once(": ")
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            frames.push(Frame { function, place: None });
        }
    }
    frames
}

/// `file.rs:31:9` → `file.rs:31`.
fn without_column(place: &str) -> &str {
    match place.rsplit_once(':') {
        Some((front, _)) if front.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok()) => {
            front
        }
        _ => place,
    }
}

/// Whether a function is one of that crate: `name::…`, or a method as in `<name::Type as Trait>::…`.
fn belongs_to(function: &str, name: &str) -> bool {
    function.trim_start_matches(['<', '&', '*']).strip_prefix(name).is_some_and(|rest| rest.starts_with("::"))
}

/// A function of the core library, by its path or, with little debug information, by its file.
fn is_glue(frame: &Frame<'_>) -> bool {
    belongs_to(frame.function, "core")
        || frame.place.is_some_and(|place| place.contains("/library/core/src/"))
}

/// A frame of the signal's delivery: the rank was in the author's own code.
fn is_signal(function: &str) -> bool {
    function.contains("mpi_test::")
        || matches!(function, "__restore_rt" | "<unknown>" | "killpg" | "_sigtramp")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "\
   0: mpi_test::rank::witness::testify
             at ./mpi-test/src/rank/witness.rs:60:9
   1: <unknown>
   2: opal_progress
   3: MPI_Barrier
   4: mpi::ffi::check
             at ./src/ffi.rs:10:5
   5: mpi::collective::blocking::<impl mpi::comm::Communicator>::barrier
             at ./src/collective/blocking.rs:31:9
   6: halo::meet::meet
             at ./tests/halo.rs:31:11
   7: halo::meet::CASE::{{closure}}
             at ./tests/halo.rs:29:1
   8: core::ops::function::FnOnce::call_once
";

    const HALO: Origin<'_> = Origin { krate: "halo", file: "halo/tests/halo.rs" };
    const OTHER: Origin<'_> = Origin { krate: "other", file: "tests/other.rs" };

    #[test]
    fn the_call_is_named_with_the_authors_line() {
        let expected = " in mpi::Communicator::barrier at tests/halo.rs:31";
        assert_eq!(place(TRACE, HALO), expected);
    }

    #[test]
    fn a_loop_of_ones_own_is_named_itself() {
        let trace = "   0: mpi_test::rank::witness::testify\n   1: <unknown>\n   2: halo::spin\n       at ./tests/halo.rs:7:5\n";
        assert_eq!(place(trace, HALO), " in halo::spin at tests/halo.rs:7");
    }

    #[test]
    fn functions_without_paths_are_known_by_their_file() {
        let trace =
            "   1: recv<i32, usize>\n  at ./src/p2p.rs:3:5\n   2: exchange\n  at ./tests/halo.rs:7:5\n";
        assert_eq!(place(trace, HALO), " in recv at tests/halo.rs:7");
    }

    #[test]
    fn helpers_of_the_core_library_are_not_named() {
        let trace = "0: spin_loop\n at /rustc/5/library/core/src/hint.rs:9:1\n 1: halo::spin\n at ./tests/halo.rs:7:5\n";
        assert_eq!(place(trace, HALO), " in halo::spin at tests/halo.rs:7");
    }

    #[test]
    fn without_a_frame_of_the_test_the_call_is_named_alone() {
        assert_eq!(place(TRACE, OTHER), " in mpi::ffi::check at src/ffi.rs:10");
        assert_eq!(place("disabled backtrace", OTHER), "");
    }

    #[test]
    fn only_plain_methods_are_shortened() {
        assert_eq!(short("<mpi::comm::Communicator>::send"), "mpi::Communicator::send");
        for whole in
            ["mpi::init", "<mpi::a::T as core::ops::Drop>::drop", "mpi::a::<impl b::B<C>>::f", "<&T>::f"]
        {
            assert_eq!(short(whole), whole);
        }
    }

    #[test]
    fn crates_whose_names_begin_alike_differ() {
        assert!(belongs_to("<mpi::Comm as core::ops::Drop>::drop", "mpi"));
        assert!(!belongs_to("mpi_test::run", "mpi"));
    }
}
