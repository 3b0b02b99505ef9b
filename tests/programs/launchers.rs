//! The program under its own launcher, and under that of another MPI.

use crate::case::{Case, Which};
use mpi::environment::{Family, bound_library};
use mpi_config::launch::Launcher;
use std::path::PathBuf;
use std::process::ExitCode;

pub const CASES: &[Case] = &[
    Case::new("everybody_is_there", 2, print_rank, |ended| {
        ended.succeeded();
        assert_eq!((ended.count("rank 0 of 2"), ended.count("rank 1 of 2")), (1, 1));
    }),
    Case {
        launcher: Which::Foreign,
        ..Case::new("the_wrong_launcher_is_named_once", 2, print_rank, |ended| {
            ended.failed();
            assert_eq!(ended.count("rank 0 of 1\n"), 0, "nobody gets to the body");
            let starter =
                if bound_library().family == Family::OpenMpi { "MPICH family" } else { "Open MPI's mpirun" };
            ended.said_once(&[
                "this program is linked with",
                starter,
                "each of its 2 processes would be rank 0 of 1",
            ]);
        })
    },
];

fn print_rank() -> ExitCode {
    mpi::run(|world| println!("rank {} of {}", world.rank(), world.size()))
}

/// The launcher that belongs to the MPI this program was linked with.
pub fn own() -> Result<Launcher, String> {
    use mpi::test_support::{FAMILY, IMPL_VERSION, LIBDIRS, MPIEXEC, PREFIX};
    Launcher::from_parts(FAMILY, IMPL_VERSION, MPIEXEC, LIBDIRS, PREFIX).map_err(|error| error.to_string())
}

/// Debian's launcher of the other family, if it is installed.
pub fn foreign() -> Option<Launcher> {
    let (family, name) = match bound_library().family {
        Family::OpenMpi => ("mpich", "mpiexec.mpich"),
        _ => ("openmpi", "mpiexec.openmpi"),
    };
    let path = std::env::var_os("PATH")?;
    let mpiexec: PathBuf =
        std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())?;
    Launcher::from_parts(family, "0", mpiexec.to_str()?, "", "").ok()
}
