//! Remedies of library faults that must be in the environment before MPI starts.
//!
//! The `mpi` crate sets them itself while its process has one thread. On a rank that is too late: the test harness has
//! started the test's thread by then. So the launch does it.

use mpi_config::faults::{OVERRUN, named, overrun_settings};
use mpi_config::{Family, Version};

/// The variables to set for ranks of this MPI. What is set already is the user's choice, and left alone.
pub(crate) fn variables(
    family: Family,
    version: Version,
    is_set: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (String, String)> {
    let concerned = named(OVERRUN).is_some_and(|fault| fault.applies_to(family, version));
    let settings = if concerned { overrun_settings(version) } else { &[] };
    let missing = settings.iter().filter(move |setting| !is_set(setting.variable));
    missing.map(|setting| (setting.variable.to_owned(), setting.value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_mpi_gets_what_the_user_has_not_set() {
        let version = Version::new(4, 1, 4);
        let all: Vec<_> = variables(Family::OpenMpi, version, |_| false).collect();
        assert!(!all.is_empty());
        let (first, _) = &all[0];
        assert_eq!(variables(Family::OpenMpi, version, |name| name == first).count(), all.len() - 1);
        assert_eq!(variables(Family::Mpich, Version::new(4, 0, 2), |_| false).count(), 0);
    }
}
