//! The table of library faults against the library this crate was built for: each row's C program must still show its
//! fault, so that a newer library that has mended it is noticed, and the remedy of the overrun must hold.

use mpi::test_support::{FAMILY, IMPL_VERSION, LIBDIRS, MPICC, MPIEXEC, PREFIX};
use mpi_config::faults::{self, Fault, OVERRUN, Reproducer};
use mpi_config::launch::{Ending, Job, Launcher, Options, Output};
use mpi_config::{Family, Version};
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Far more than a reproducer takes on an idle machine; a hang is a fault too.
const LIMIT: Duration = Duration::from_secs(60);

/// One job at a time: ranks that share cores wait for each other's time slices.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The library of this build; `None` in stub mode, where there is nothing to run, and without a compiler to run it with.
fn library() -> Option<(Family, Version)> {
    let family = Family::from_name(FAMILY).filter(|_| !MPICC.is_empty() && !MPIEXEC.is_empty())?;
    Some((family, Version::parse(IMPL_VERSION)?))
}

/// Compiles the C program of that name into `folder`.
fn compile(name: &str, folder: &Path) -> Result<PathBuf> {
    let source = format!("{}/tests/faults/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let program = folder.join(name);
    let mut mpicc = Command::new(MPICC);
    mpicc.args(["-O1", &source, "-o"]).arg(&program);
    if FAMILY == "intel" {
        mpicc.env("I_MPI_ROOT", PREFIX); // without it the wrapper prints a placeholder
    }
    let done = mpicc.output()?;
    if !done.status.success() {
        return Err(format!("{MPICC} {source}: {}", String::from_utf8_lossy(&done.stderr)).into());
    }
    Ok(program)
}

/// Runs it with the variables of the remedy set as told here, whatever they are outside.
fn run(program: &Path, args: &[&str], ranks: usize, variables: &[(&str, &str)]) -> Result<Ending> {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let launcher = Launcher::from_parts(FAMILY, IMPL_VERSION, MPIEXEC, LIBDIRS, PREFIX)?;
    let genv = variables.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let options = Options { ranks, genv, ..Options::default() };
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let mut command = launcher.command(&options, program, &args);
    command.env("OMPI_MCA_mpi_yield_when_idle", "1"); // the machine may have other work
    for setting in
        [Version::new(4, 0, 0), Version::new(5, 0, 0)].into_iter().flat_map(faults::overrun_settings)
    {
        if !variables.iter().any(|(name, _)| *name == setting.variable) {
            command.env_remove(setting.variable);
        }
    }
    Ok(Job::spawn(command, Output::Capture, Some(LIMIT))?.wait()?)
}

/// Whether the program ran to its end and saw nothing wrong. A crash, an abort or a hang is not that.
fn is_well(ending: &Ending) -> bool {
    ending.exit_code() == 0
        && String::from_utf8_lossy(&ending.stdout).lines().any(|line| line.starts_with("ok "))
}

fn is_mended(fault: &Fault, folder: &Path) -> Result<bool> {
    let Reproducer { name, ranks, environment } = fault.reproducer;
    Ok(is_well(&run(&compile(name, folder)?, &[], ranks, environment)?))
}

#[test]
fn every_fault_of_the_table_is_still_there() -> Result<()> {
    let Some((family, version)) = library() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    for fault in faults::applying(family, version) {
        let mended = is_mended(fault, folder.path())?;
        assert!(!mended, "{family} {version} has no `{}` any more: set `mended` in its row", fault.id);
    }
    Ok(())
}

#[test]
fn a_mended_fault_has_not_come_back() -> Result<()> {
    let Some((family, version)) = library() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let mended = |fault: &&Fault| {
        fault.families.contains(&family) && fault.mended.is_some_and(|first| version >= first)
    };
    for fault in faults::FAULTS.iter().filter(mended) {
        assert!(is_mended(fault, folder.path())?, "{family} {version} has `{}` again", fault.id);
    }
    Ok(())
}

/// What derived types are with a library that tears structs.
#[test]
fn structs_of_bytes_are_not_torn() -> Result<()> {
    if library().is_none() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let ending = run(&compile("torn_structs", folder.path())?, &["bytes"], 2, &[])?;
    assert!(is_well(&ending), "{}", String::from_utf8_lossy(&ending.stderr));
    Ok(())
}

/// The variables of the remedy of the overrun, if the library needs them.
fn remedy((family, version): (Family, Version)) -> Vec<(&'static str, &'static str)> {
    match faults::named(OVERRUN).filter(|fault| fault.applies_to(family, version)) {
        Some(_) => faults::overrun_settings(version).iter().map(|s| (s.variable, s.value)).collect(),
        None => Vec::new(),
    }
}

/// Ranks that disagree on a length, in every collective: a job may end with an error, be aborted by the library or hang,
/// but nothing outside a buffer changes, and no process crashes.
#[test]
fn ranks_that_disagree_change_nothing_outside_their_buffers() -> Result<()> {
    let Some(library) = library() else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let (program, remedy) = (compile("disagree", folder.path())?, remedy(library));
    let harmless = |args: &[&str], ranks| -> Result<()> {
        let ending = run(&program, args, ranks, &remedy)?;
        let said = [ending.stdout, ending.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let bad = ["FAULT", "egmentation", "SIGSEGV", "SIGBUS", "corrupt", "free()", "malloc"];
        assert!(!bad.iter().any(|word| said.contains(word)), "disagree {args:?} with {remedy:?}:\n{said}");
        let known = ["ok disagree", "hangs, and", "Message truncated", "message sizes do not match"];
        assert!(known.iter().any(|word| said.contains(word)), "disagree {args:?}:\n{said}");
        Ok(())
    };
    harmless(&[], 2)?;
    harmless(&[], 3)?;
    let names = "bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw reduce allreduce \
                 reduce_scatter_block reduce_scatter scan exscan neighbor_allgather neighbor_allgatherv \
                 neighbor_alltoall neighbor_alltoallv neighbor_alltoallw";
    for name in names.split_whitespace() {
        harmless(&[name, "8", "30000"], 2)?;
        harmless(&[name, "30000", "8"], 2)?;
    }
    Ok(())
}

/// All lengths from 1 B to 1 MiB point to point, some in collectives: nothing behind the buffer changes.
#[test]
fn the_remedy_of_the_overrun_holds() -> Result<()> {
    let Some(library) = library() else { return Ok(()) };
    let (folder, remedy) = (tempfile::tempdir()?, remedy(library));
    let program = compile("overrun", folder.path())?;
    let text = |ending: Ending| String::from_utf8_lossy(&ending.stdout).into_owned();
    let all = run(&program, &[], 2, &remedy)?;
    assert!(is_well(&all), "{}", text(all));
    // Lengths at which ranks that disagree do not hang.
    for form in ["bcast", "ibcast", "gather", "igather", "scatter"] {
        let ending = run(&program, &[form, "other", "4096", "5000", "20000", "65536"], 2, &remedy)?;
        assert!(!text(ending).contains("FAULT"), "{form} with {remedy:?}");
    }
    Ok(())
}
