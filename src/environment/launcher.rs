//! A program under the launcher of another MPI sees N times "rank 0 of 1". Here that is recognized.

use crate::error::{Error, State};
use mpi_config::family::{Abi, Family};

/// A launcher that is not this library's own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// In words, for a message.
    pub started_by: &'static &'static str,
    /// How many processes it started.
    pub ranks: u32,
    /// Whether this process is its first: one of them speaks for all.
    pub speaker: bool,
}

impl Foreign {
    pub(super) fn error(&self) -> Error {
        let Foreign { started_by, ranks, speaker } = *self;
        Error::state(&"MPI_Init_thread", State::WrongLauncher { started_by, ranks, speaker })
    }
}

/// What the environment says of a world of one process: was it meant to be larger?
///
/// Every launcher names its ranks in variables of its own. One that our library understands would have made the
/// world larger than one, so only the others are looked for.
pub(crate) fn foreign(linked: Family, size: usize, env: impl Fn(&str) -> Option<String>) -> Option<Foreign> {
    if size != 1 {
        return None;
    }
    let number = |name: &str| env(name).and_then(|v| v.trim().parse::<u32>().ok());
    let found = |started_by, ranks: u32, rank: &str| Foreign {
        started_by,
        ranks,
        speaker: number(rank).unwrap_or(0) == 0,
    };
    if linked.abi() != Abi::OpenMpi
        && let Some(n @ 2..) = number("OMPI_COMM_WORLD_SIZE")
    {
        return Some(found(&"Open MPI's mpirun", n, "OMPI_COMM_WORLD_RANK"));
    }
    if linked.abi() == Abi::OpenMpi
        && env("OMPI_COMM_WORLD_SIZE").is_none()
        && let Some(n @ 2..) = number("PMI_SIZE")
    {
        return Some(found(
            &"a launcher of the MPICH family (MPICH's or Intel's mpiexec, or srun --mpi=pmi2)",
            n,
            "PMI_RANK",
        ));
    }
    // Inside a job step that srun started itself: a launcher's own daemons bring their variables along.
    if env("OMPI_COMM_WORLD_SIZE").is_none()
        && env("PMI_RANK").is_none()
        && let Some(n @ 2..) = number("SLURM_STEP_NUM_TASKS")
    {
        return Some(found(
            &"Slurm's srun with a --mpi= that this library does not speak (see srun --mpi=list)",
            n,
            "SLURM_PROCID",
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(linked: Family, size: usize, environment: &[(&str, &str)]) -> Option<(u32, bool)> {
        let env =
            |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        foreign(linked, size, env).map(|foreign| (foreign.ranks, foreign.speaker))
    }

    #[test]
    fn each_family_under_the_launcher_of_the_other() {
        let mpirun = [("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_RANK", "2"), ("PMIX_RANK", "2")];
        assert_eq!(found(Family::Mpich, 1, &mpirun), Some((4, false)));
        assert_eq!(found(Family::Intel, 1, &mpirun), Some((4, false)));
        let hydra = [("PMI_SIZE", "3"), ("PMI_RANK", "0")];
        assert_eq!(found(Family::OpenMpi, 1, &hydra), Some((3, true)));
    }

    #[test]
    fn srun_with_a_protocol_that_the_library_does_not_speak() {
        let step = [("SLURM_STEP_NUM_TASKS", "4"), ("SLURM_PROCID", "0")];
        assert_eq!(found(Family::Mpich, 1, &step), Some((4, true)));
        assert_eq!(found(Family::OpenMpi, 1, &step), Some((4, true)));
    }

    #[test]
    fn a_world_of_one_that_is_meant() {
        assert_eq!(found(Family::OpenMpi, 1, &[]), None);
        assert_eq!(found(Family::OpenMpi, 1, &[("PMI_SIZE", "1")]), None);
        assert_eq!(found(Family::Mpich, 1, &[("OMPI_COMM_WORLD_SIZE", "1")]), None);
        // One rank that mpiexec started inside an allocation of four: the launcher's own variables say so.
        let inside = [("SLURM_STEP_NUM_TASKS", "4"), ("PMI_RANK", "0"), ("PMI_SIZE", "1")];
        assert_eq!(found(Family::Mpich, 1, &inside), None);
    }

    #[test]
    fn a_larger_world_has_the_right_launcher() {
        assert_eq!(found(Family::Mpich, 4, &[("OMPI_COMM_WORLD_SIZE", "4")]), None);
    }
}
