//! Known faults of MPI libraries: which library does what, since when, and what to do about it. Data only.
//!
//! A row names the versions that were *measured*: from [`Fault::first`] on, until [`Fault::mended`], the first version
//! that was seen to be right. What lies between is taken for faulty. `docs/faults.md` has the measurements, and
//! `tests/faults/` a C program for each row that prints `FAULT` where the fault is and `ok` where it is not.

mod overrun;
mod table;

pub use overrun::{Setting, overrun_closed_by_pml, overrun_settings};
pub use table::FAULTS;

use crate::family::{Family, Version};

/// The row of the one fault that corrupts a correct program's memory: the receive overrun of Open MPI.
pub const OVERRUN: &str = "receive-overrun";

/// A fault of one or several MPI libraries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// A short name, the same for ever: `"receive-overrun"`.
    pub id: &'static str,
    /// Whose fault it is.
    pub families: &'static [Family],
    /// The first version known to have it; `None` if every older version is taken to have it.
    pub first: Option<Version>,
    /// The first version seen without it; `None` if there is none yet.
    pub mended: Option<Version>,
    /// What happens, in one sentence.
    pub summary: &'static str,
    /// How a program can know that it is concerned.
    pub recognized: &'static str,
    /// What this project does about it, or what the user can do.
    pub remedy: &'static str,
    /// What the remedy costs.
    pub cost: &'static str,
    /// Whether it can write to memory that is not MPI's to write to.
    pub corrupts_memory: bool,
    /// The program that shows it.
    pub reproducer: Reproducer,
}

/// A C program in `tests/faults/` and how to start it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reproducer {
    /// The file's name without `.c`.
    pub name: &'static str,
    /// How many ranks it needs.
    pub ranks: usize,
    /// Variables without which the fault does not show.
    pub environment: &'static [(&'static str, &'static str)],
}

/// One that needs nothing in its environment.
const fn program(name: &'static str, ranks: usize) -> Reproducer {
    Reproducer { name, ranks, environment: &[] }
}

/// A version in a row.
const fn v(major: u32, minor: u32, patch: u32) -> Option<Version> {
    Some(Version::new(major, minor, patch))
}

impl Fault {
    /// Whether this version of this family has the fault, as far as is known.
    pub fn applies_to(&self, family: Family, version: Version) -> bool {
        self.families.contains(&family)
            && self.first.is_none_or(|first| version >= first)
            && self.mended.is_none_or(|mended| version < mended)
    }
}

/// The rows that apply to a library.
///
/// ```
/// use mpi_config::{Family, Version, faults};
/// let mut rows = faults::applying(Family::OpenMpi, Version::new(4, 1, 4));
/// assert!(rows.any(|fault| fault.id == faults::OVERRUN && fault.corrupts_memory));
/// ```
pub fn applying(family: Family, version: Version) -> impl Iterator<Item = &'static Fault> {
    FAULTS.iter().filter(move |fault| fault.applies_to(family, version))
}

/// The row of that name.
pub fn named(id: &str) -> Option<&'static Fault> {
    FAULTS.iter().find(|fault| fault.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(family: Family, major: u32, minor: u32, patch: u32) -> Vec<&'static str> {
        applying(family, Version::new(major, minor, patch)).map(|fault| fault.id).collect()
    }

    #[test]
    fn names_are_unique_and_findable() {
        for fault in FAULTS {
            assert_eq!(named(fault.id), Some(fault));
        }
        assert!(named(OVERRUN).is_some_and(|fault| fault.corrupts_memory));
        assert_eq!(named("none"), None);
    }

    #[test]
    fn every_row_is_complete_and_has_its_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/faults");
        for fault in FAULTS {
            let texts = [fault.summary, fault.recognized, fault.remedy, fault.cost];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", fault.id);
            assert!(!fault.families.is_empty() && fault.reproducer.ranks > 0, "{}", fault.id);
            if std::path::Path::new(folder).exists() {
                let program = format!("{folder}/{}.c", fault.reproducer.name);
                assert!(std::path::Path::new(&program).exists(), "{program} is missing");
            }
        }
    }

    #[test]
    fn versions_bound_a_row_on_both_sides() {
        assert!(ids(Family::Mpich, 4, 0, 2).contains(&"reduce-in-place"));
        assert!(!ids(Family::Mpich, 5, 0, 2).contains(&"reduce-in-place"));
        assert!(!ids(Family::Mpich, 4, 0, 2).contains(&"zero-size-receive"));
        assert!(ids(Family::Mpich, 5, 0, 2).contains(&"zero-size-receive"));
    }

    #[test]
    fn the_overrun_is_open_mpis_alone() {
        for family in Family::ALL {
            assert_eq!(ids(family, 5, 0, 11).contains(&OVERRUN), family == Family::OpenMpi, "{family}");
        }
    }
}
