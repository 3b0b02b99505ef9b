//! What each launcher must be told, as data.
//!
//! A setting is made only if its variable is unset: what the user has chosen stands. Nothing here changes the network
//! that a program uses on a cluster: transports are named for jobs on this machine alone, and only where the default
//! was measured to cost a second or to crash.

use super::Situation;
use crate::{Family, Version};

/// The situations in which a setting is made.
#[derive(Clone, Copy)]
enum When {
    Root,
    Oversubscribed,
    Local,
    LocalOversubscribed,
    LongTmpdir,
}

struct Setting {
    family: Family,
    /// First version, and the first one that does not need it any more.
    versions: std::ops::Range<Version>,
    when: When,
    name: &'static str,
    value: &'static str,
}

const fn v(major: u32, minor: u32, patch: u32) -> Version {
    Version::new(major, minor, patch)
}

const NEVER_MENDED: Version = v(u32::MAX, 0, 0);

/// Longest TMPDIR that leaves room for `ompi.<host>.<uid>/pid.<pid>/…` in a socket's path.
const LONG_TMPDIR: usize = 40;

#[rustfmt::skip]
const TABLE: &[Setting] = &[
    // mpirun refuses to run as root unless told so twice; containers and CI have no other user.
    set(Family::OpenMpi, v(0, 0, 0)..NEVER_MENDED, When::Root, "OMPI_ALLOW_RUN_AS_ROOT", "1"),
    set(Family::OpenMpi, v(0, 0, 0)..NEVER_MENDED, When::Root, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    // "There are not enough slots available": the name of the permission changed with PRRTE.
    set(Family::OpenMpi, v(0, 0, 0)..v(5, 0, 0), When::Oversubscribed, "OMPI_MCA_rmaps_base_oversubscribe", "1"),
    // With hosts named it would fill the first one, so there it is an argument (see `arguments`).
    set(Family::OpenMpi, v(5, 0, 0)..NEVER_MENDED, When::LocalOversubscribed, "PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
    // Two ranks bound to one core wait for each other's time slice; unbound they move apart.
    set(Family::OpenMpi, v(0, 0, 0)..v(5, 0, 0), When::Oversubscribed, "OMPI_MCA_hwloc_base_binding_policy", "none"),
    set(Family::OpenMpi, v(5, 0, 0)..NEVER_MENDED, When::Oversubscribed, "PRTE_MCA_hwloc_default_binding_policy", "none"),
    // A rank that spins keeps the one it waits for off the core: 1.5 s against 0.3 s for a short job.
    set(Family::OpenMpi, v(0, 0, 0)..NEVER_MENDED, When::Oversubscribed, "OMPI_MCA_mpi_yield_when_idle", "1"),
    // Looking for fabrics costs a second per start, which one machine does not need (4.1.8 1.27 s -> 0.34 s, 5.0.11
    // 1.18 s -> 0.19 s). Debian excludes the same ones in its site file, which a variable overrides, so all are named.
    set(Family::OpenMpi, v(4, 0, 0)..NEVER_MENDED, When::Local, "OMPI_MCA_btl", "^ofi,uct,openib"),
    // Its sockets live below TMPDIR, and a socket's path has room for some 100 bytes. Not TMPDIR itself: that is the
    // program's as well.
    set(Family::OpenMpi, v(0, 0, 0)..v(5, 0, 0), When::LongTmpdir, "OMPI_MCA_orte_tmpdir_base", "/tmp"),
    set(Family::OpenMpi, v(5, 0, 0)..NEVER_MENDED, When::LongTmpdir, "PRTE_MCA_prte_tmpdir_base", "/tmp"),
    // One-sided communication crashes over `rdma` in Debian's 4.1.4 (7 runs of 7); 4.1.8 is well.
    set(Family::OpenMpi, v(4, 1, 0)..v(4, 1, 8), When::Local, "OMPI_MCA_osc", "^rdma"),
    // Spinning ranks: 1000 allreduces of four ranks on two cores take 8 s, 0.02 s when throttled.
    set(Family::Mpich, v(5, 0, 0)..NEVER_MENDED, When::Oversubscribed, "MPIR_CVAR_CH4_PROGRESS_THROTTLE", "1"),
    set(Family::Mpich, v(5, 0, 0)..NEVER_MENDED, When::Oversubscribed, "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT", "10"),
    // The standard ABI does not tell whose it is; Intel's library ignores variables of MPICH.
    set(Family::Abi, v(0, 0, 0)..NEVER_MENDED, When::Oversubscribed, "MPIR_CVAR_CH4_PROGRESS_THROTTLE", "1"),
    set(Family::Abi, v(0, 0, 0)..NEVER_MENDED, When::Oversubscribed, "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT", "10"),
    // As for Open MPI: no two ranks bound to one core.
    set(Family::Intel, v(0, 0, 0)..NEVER_MENDED, When::Oversubscribed, "I_MPI_PIN", "off"),
];

const fn set(
    family: Family,
    versions: std::ops::Range<Version>,
    when: When,
    name: &'static str,
    value: &'static str,
) -> Setting {
    Setting { family, versions, when, name, value }
}

/// The variables to set for the launcher of this MPI in this situation.
///
/// ```
/// use mpi_config::launch::{Situation, settings};
/// use mpi_config::{Family, Version};
/// let crowded = Situation { oversubscribed: true, ..Situation::default() };
/// let mut set = settings(Family::Mpich, Version::new(5, 0, 2), &crowded);
/// assert!(set.any(|(name, _)| name == "MPIR_CVAR_CH4_PROGRESS_THROTTLE"));
/// ```
pub fn settings(
    family: Family,
    version: Version,
    situation: &Situation,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE
        .iter()
        .filter(move |row| row.family == family && row.versions.contains(&version))
        .filter(|row| row.when.holds(situation) && situation.variable(row.name).is_none())
        .map(|row| (row.name, row.value))
}

impl When {
    fn holds(self, situation: &Situation) -> bool {
        match self {
            Self::Root => situation.root,
            Self::Oversubscribed => situation.oversubscribed,
            Self::Local => situation.local,
            Self::LocalOversubscribed => situation.local && situation.oversubscribed,
            Self::LongTmpdir => situation.variable("TMPDIR").is_some_and(|dir| dir.len() > LONG_TMPDIR),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(family: Family, version: Version, situation: &Situation) -> Vec<&'static str> {
        settings(family, version, situation).map(|(name, _)| name).collect()
    }

    fn with(variables: &[(&str, &str)]) -> Situation {
        let environment = variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
        Situation { environment, ..Situation::default() }
    }

    #[test]
    fn nothing_is_set_without_need() {
        for family in Family::ALL {
            assert!(names(family, v(5, 0, 0), &Situation::default()).is_empty(), "{family}");
        }
    }

    #[test]
    fn root_must_be_allowed() {
        let root = Situation { root: true, ..Situation::default() };
        let expected = ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"];
        assert_eq!(names(Family::OpenMpi, v(4, 1, 4), &root), expected);
        assert_eq!(names(Family::OpenMpi, v(5, 0, 11), &root), expected);
        assert!(names(Family::Mpich, v(5, 0, 2), &root).is_empty());
    }

    #[test]
    fn oversubscription_is_named_as_each_version_names_it() {
        let crowded = Situation { local: true, oversubscribed: true, ..Situation::default() };
        let four = names(Family::OpenMpi, v(4, 1, 8), &crowded);
        let five = names(Family::OpenMpi, v(5, 0, 11), &crowded);
        assert!(four.contains(&"OMPI_MCA_rmaps_base_oversubscribe"));
        assert!(five.contains(&"PRTE_MCA_rmaps_default_mapping_policy"));
        assert!(!five.iter().any(|name| four.contains(name) && name.contains("rmaps")));
        assert!(
            four.contains(&"OMPI_MCA_mpi_yield_when_idle") && five.contains(&"OMPI_MCA_mpi_yield_when_idle")
        );
        // MPICH 4 has no such setting.
        assert!(names(Family::Mpich, v(4, 0, 2), &crowded).is_empty());
        assert_eq!(names(Family::Mpich, v(5, 0, 2), &crowded).len(), 2);
        assert_eq!(names(Family::Intel, v(2021, 19, 0), &crowded), ["I_MPI_PIN"]);
    }

    #[test]
    fn transports_are_chosen_on_this_machine_alone() {
        let local = Situation { local: true, ..Situation::default() };
        assert_eq!(names(Family::OpenMpi, v(4, 1, 4), &local), ["OMPI_MCA_btl", "OMPI_MCA_osc"]);
        assert_eq!(names(Family::OpenMpi, v(5, 0, 11), &local), ["OMPI_MCA_btl"]);
    }

    #[test]
    fn a_long_temporary_folder_is_avoided() {
        let long = with(&[("TMPDIR", &"x".repeat(60))]);
        assert_eq!(names(Family::OpenMpi, v(4, 1, 4), &long), ["OMPI_MCA_orte_tmpdir_base"]);
        assert!(names(Family::OpenMpi, v(4, 1, 4), &with(&[("TMPDIR", "/tmp")])).is_empty());
    }

    #[test]
    fn what_the_user_has_set_stands() {
        let local = Situation { local: true, ..with(&[("OMPI_MCA_btl", "self,vader")]) };
        assert_eq!(names(Family::OpenMpi, v(4, 1, 8), &local), [] as [&str; 0]);
    }
}
