//! Machines made of a temporary folder with a few shell scripts for programs.

use std::fs;

use mpi_config::find::Environment;
use tempfile::TempDir;

use super::*;

struct Fake {
    bin: TempDir,
}

impl Fake {
    fn new(programs: &[(&str, &str)]) -> Self {
        let fake = Self { bin: tempfile::tempdir().unwrap() };
        programs.iter().for_each(|(name, script)| fake_program::write(&fake.bin.path().join(name), script));
        fake
    }

    fn machine(&self, root: bool) -> Machine {
        let env = Environment::new([("PATH", self.bin.path())], Vec::new());
        Machine { env, os_release: "ID=debian\n".into(), root }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.bin.path().join("log")).unwrap_or_default()
    }
}

/// Logs its arguments, and installs nothing.
const LAZY: &str = "echo apt-get $* >> ${0%/*}/log";

/// Logs its arguments, and installs a compiler and an MPI whose header is enough for the probe.
const INSTALLER: &str = "echo apt-get $* $DEBIAN_FRONTEND >> ${0%/*}/log
here=${0%/*}
[ $1 = install ] || exit 0
put() { printf '#!/bin/sh\\n%s\\n' \"$2\" > $here/$1; /bin/chmod +x $here/$1; }
put cc 'PATH=/usr/bin:/bin exec /usr/bin/cc \"$@\"'
put mpicc \"echo cc -I$here -lmpi\"
put mpiexec :
printf '#define MPI_VERSION 3\\n#define MPI_SUBVERSION 1\\n#define OMPI_MAJOR_VERSION 4\\n#define OMPI_MINOR_VERSION 1\\n#define OMPI_RELEASE_VERSION 4\\nint MPI_Init(int *, char ***);\\n' > $here/mpi.h";

/// These tests take libclang from the machine they run on, where it is needed to build the workspace anyway.
const PACKAGES: &str = "libopenmpi-dev openmpi-bin gcc libc6-dev";

#[test]
fn what_is_missing_is_installed_after_the_lists_are_refreshed() {
    let fake = Fake::new(&[("apt-get", INSTALLER)]);
    install_missing(&fake.machine(true), None).unwrap();
    let expected = format!("apt-get update noninteractive\napt-get install -y {PACKAGES} noninteractive\n");
    assert_eq!(fake.log(), expected);
    install_missing(&fake.machine(true), None).unwrap();
    assert_eq!(fake.log(), expected, "the second time there is nothing to do");
}

#[test]
fn sudo_is_used_where_it_asks_for_no_password() {
    let sudo = "echo sudo $1 >> ${0%/*}/log; shift; [ $1 = true ] || exec \"$@\"";
    let fake = Fake::new(&[("apt-get", INSTALLER), ("sudo", sudo)]);
    install_missing(&fake.machine(false), None).unwrap();
    assert!(
        fake.log().ends_with(&format!("sudo -n\napt-get install -y {PACKAGES} noninteractive\n")),
        "{}",
        fake.log()
    );
}

#[test]
fn without_the_right_to_install_the_command_is_shown_and_nothing_is_done() {
    for programs in [&[("apt-get", LAZY)][..], &[("apt-get", LAZY), ("sudo", "exit 1")]] {
        let fake = Fake::new(programs);
        let error = install_missing(&fake.machine(false), None).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!("sudo apt-get update && sudo apt-get install -y {PACKAGES}")),
            "{error}"
        );
        assert_eq!(fake.log(), "");
    }
}

#[test]
fn an_installation_that_changes_nothing_is_an_error() {
    let fake = Fake::new(&[("apt-get", LAZY)]);
    let error = install_missing(&fake.machine(true), None).unwrap_err().to_string();
    assert!(error.contains("an MPI with its headers and launcher, a C compiler"), "{error}");
}

#[test]
fn a_package_manager_that_fails_is_named() {
    let fake = Fake::new(&[("apt-get", "exit 100")]);
    let error = install_missing(&fake.machine(true), None).unwrap_err().to_string();
    assert!(error.starts_with("`apt-get update` failed"), "{error}");
}

#[test]
fn an_unknown_system_gets_advice() {
    let machine = Machine { os_release: "ID=plan9".into(), ..Fake::new(&[]).machine(true) };
    let error = install_missing(&machine, None).unwrap_err().to_string();
    assert!(error.contains("package manager is not known"), "{error}");
}

#[test]
fn the_mpi_asked_for_is_installed_not_another() {
    let fake = Fake::new(&[("apt-get", LAZY)]);
    let error = install_missing(&fake.machine(false), Some("mpich")).unwrap_err().to_string();
    assert!(error.contains("libmpich-dev mpich"), "{error}");
    let error = install_missing(&fake.machine(true), Some("intel")).unwrap_err().to_string();
    assert!(error.contains("Intel MPI is in no distribution's packages"), "{error}");
    let error = install_missing(&fake.machine(true), Some("/nowhere")).unwrap_err().to_string();
    assert!(error.contains("/nowhere"), "{error}");
    assert_eq!(fake.log(), "");
}
