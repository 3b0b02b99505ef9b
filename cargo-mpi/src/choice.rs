//! What `--mpi` means.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use mpi_config::Family;
use mpi_config::find::{Environment, find_all};

/// The MPI that the user asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its compiler wrapper, for `MPICC`.
    pub mpicc: PathBuf,
    /// A short name, for the target directory.
    pub name: String,
}

/// Finds the MPI the user means: a family's name, an installation's folder, or a compiler wrapper.
pub fn resolve(wanted: &str, env: &Environment) -> Result<Choice> {
    if let Some(family) = family(wanted) {
        let mpicc = wrapper_of(family, env).with_context(|| {
            format!(
                "{family} is not installed: run `cargo mpi --mpi {family_name} setup`",
                family_name = family.name()
            )
        })?;
        return Ok(Choice { mpicc, name: family.name().to_owned() });
    }
    let path = Path::new(wanted);
    if path.is_dir() {
        let mpicc = std::path::absolute(path.join("bin/mpicc"))?;
        if !mpicc.is_file() {
            bail!(
                "{wanted} has no bin/mpicc: give --mpi the folder that an MPI with its compiler wrapper is in"
            );
        }
        return Ok(Choice { name: short_name(&mpicc), mpicc });
    }
    let Some(mpicc) = env.which(wanted) else {
        bail!(
            "--mpi {wanted} is none of: openmpi, mpich, intel, a folder with bin/mpicc, a compiler wrapper"
        );
    };
    let mpicc = std::path::absolute(mpicc)?;
    Ok(Choice { name: short_name(&mpicc), mpicc })
}

/// The environment in which a build uses the chosen MPI.
pub fn apply(env: Environment, choice: Option<&Choice>) -> Environment {
    match choice {
        Some(choice) => env.with("MPICC", choice.mpicc.as_os_str()),
        None => env,
    }
}

/// The family of that name, in the spellings people use.
pub fn family(name: &str) -> Option<Family> {
    match name.to_ascii_lowercase().as_str() {
        "open-mpi" | "ompi" => Some(Family::OpenMpi),
        "impi" | "intelmpi" => Some(Family::Intel),
        lower => Family::from_name(lower).filter(|&family| family != Family::Unknown),
    }
}

fn wrapper_of(family: Family, env: &Environment) -> Option<PathBuf> {
    // Debian's name for it; looking into every installation's header takes longer.
    env.which(format!("mpicc.{}", family.name())).or_else(|| {
        find_all(env).into_iter().find(|found| found.probe.family == family && found.mpicc.is_some())?.mpicc
    })
}

/// `/opt/mpich-5/bin/mpicc` → `mpich-5`; `/usr/bin/mpicc.openmpi` → `openmpi`; `/x/bin/mpicc_abi` → `x-mpicc_abi`.
fn short_name(mpicc: &Path) -> String {
    let name =
        |path: Option<&Path>| path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let wrapper = name(Some(mpicc)).unwrap_or_default();
    if let Some(suffix) = wrapper.strip_prefix("mpicc.") {
        return suffix.to_owned();
    }
    let folder = mpicc.parent().filter(|dir| dir.ends_with("bin")).map_or(mpicc.parent(), Path::parent);
    let folder = name(folder).unwrap_or_default();
    match (&*folder, &*wrapper) {
        (_, "mpicc") => folder,
        ("", _) => wrapper,
        _ => format!("{folder}-{wrapper}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fake_wrapper(file: &Path) {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        fake_program::write(file, ":");
    }

    #[test]
    fn short_names_tell_installations_apart() {
        for (mpicc, name) in [
            ("/opt/mpich-5/bin/mpicc", "mpich-5"),
            ("/usr/bin/mpicc.openmpi", "openmpi"),
            ("/x/v-mpich5/bin/mpicc_abi", "v-mpich5-mpicc_abi"),
            ("/bin/wrapper", "wrapper"),
        ] {
            assert_eq!(short_name(Path::new(mpicc)), name);
        }
    }

    #[test]
    fn folders_wrappers_and_families_are_understood() {
        let root = tempfile::tempdir().unwrap();
        let (folder, bin) = (root.path().join("my-mpi"), root.path().join("bin"));
        fake_wrapper(&folder.join("bin/mpicc"));
        fake_wrapper(&bin.join("mpicc.mpich"));
        let env = Environment::new([("PATH", bin.as_os_str())], Vec::new());

        let by_folder = resolve(folder.to_str().unwrap(), &env).unwrap();
        assert_eq!(by_folder, Choice { mpicc: folder.join("bin/mpicc"), name: "my-mpi".into() });
        let by_file = resolve(folder.join("bin/mpicc").to_str().unwrap(), &env).unwrap();
        assert_eq!(by_file, by_folder);
        assert_eq!(resolve("mpich", &env).unwrap().mpicc, bin.join("mpicc.mpich"));
        assert_eq!(resolve("mpicc.mpich", &env).unwrap().name, "mpich");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let root = tempfile::tempdir().unwrap();
        let env = Environment::new([("PATH", root.path().as_os_str())], Vec::new());
        let error = |wanted: &str| resolve(wanted, &env).unwrap_err().to_string();
        assert!(error("openmpi").contains("cargo mpi --mpi openmpi setup"));
        assert!(error("nonsense").contains("--mpi nonsense is none of"));
        assert!(error(root.path().to_str().unwrap()).contains("has no bin/mpicc"));
    }
}
