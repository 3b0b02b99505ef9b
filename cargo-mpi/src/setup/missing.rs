//! What a build of `mpi-sys` needs.

use mpi_config::Family;
use mpi_config::find::{Environment, find, find_all};

use super::find_libclang;

/// Something that a build needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    Mpi,
    Libclang,
    CCompiler,
}

impl Piece {
    pub fn name(self) -> &'static str {
        match self {
            Self::Mpi => "an MPI with its headers and launcher",
            Self::Libclang => "libclang",
            Self::CCompiler => "a C compiler",
        }
    }
}

/// The pieces this machine lacks; of MPIs the one asked for, else any.
pub fn missing(env: &Environment, family: Option<Family>) -> Vec<Piece> {
    let compiler = find_compiler(env).is_some();
    let mpi = || match family {
        Some(family) => {
            find_all(env).iter().any(|found| found.probe.family == family && found.mpiexec.is_some())
        }
        None => find(env).is_ok_and(|found| found.mpiexec.is_some()),
    };
    let pieces = [
        // Without a compiler no header can be read, so an MPI may be there: it is asked for again afterwards.
        (Piece::Mpi, mpi()),
        (Piece::Libclang, find_libclang(env).is_some()),
        (Piece::CCompiler, compiler),
    ];
    pieces.into_iter().filter(|(_, found)| !found).map(|(piece, _)| piece).collect()
}

/// The C compiler that the `cc` crate would use.
pub fn find_compiler(env: &Environment) -> Option<std::path::PathBuf> {
    let named = env.get("CC").map(|value| value.to_string_lossy().into_owned());
    match named {
        // CC may hold arguments.
        Some(named) => env.which(named.split_whitespace().next()?),
        None => ["cc", "gcc", "clang"].iter().find_map(|name| env.which(name)),
    }
}
