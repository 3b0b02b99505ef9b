//! The search for an MPI, on made-up machines: scripts that print what compiler wrappers print.
#![cfg(feature = "find")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use mpi_config::find::{Environment, Handles, Installation, find, find_all};
use mpi_config::{Error, Family, Version};
use tempfile::TempDir;

/// As little of Open MPI's header as shows everything the scan has to understand.
const HEADER: &str = r#"
#define OMPI_MAJOR_VERSION 4
#define OMPI_MINOR_VERSION 1
#define OMPI_RELEASE_VERSION 4
#define MPI_VERSION 3
#define MPI_SUBVERSION 1
#define MPI_ANY_SOURCE (-1)
#define MPI_Address(...) _Static_assert(0, "MPI_Address was removed")
#define MPI_GONE 1
#undef MPI_GONE
typedef struct communicator *MPI_Comm;
typedef void (MPI_User_function)(void *, void *, int *, int *);
typedef int MPI_Copy_function(MPI_Comm, int);
enum { MPI_TAG_UB, MPI_HOST = MPI_TAG_UB + 1, MPI_IO };
extern int *const MPI_UNWEIGHTED __attribute__((visibility("default")));
__attribute__((deprecated("MPI_Old(x); see MPI_New(y)"))) int MPI_Attr_get(MPI_Comm comm);
int MPI_Send(const void *buf, int count,
             MPI_Comm comm);
double MPI_Wtime(void);
int PMPI_Send(const void *buf);
"#;

/// A folder that plays the file system.
struct Machine {
    dir: TempDir,
}

impl Machine {
    /// A machine with a C compiler and nothing else.
    fn new() -> Self {
        let machine = Machine { dir: tempfile::tempdir().expect("a temporary folder") };
        let cc = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].map(PathBuf::from);
        let cc = cc.into_iter().find(|cc| cc.exists()).expect("a C compiler for the tests");
        fs::create_dir_all(machine.path("bin")).expect("a folder");
        symlink(cc, machine.path("bin/cc")).expect("a link");
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    fn script(&self, name: &str, body: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fake_program::write(&path, body);
        path
    }

    /// An installation with wrapper, launcher and header.
    fn mpi(&self, prefix: &str) {
        self.file(&format!("{prefix}/include/mpi.h"), HEADER);
        let root = self.path(prefix);
        let root = root.display();
        self.script(&format!("{prefix}/bin/mpicc"), &format!("echo cc -I{root}/include -L{root}/lib -lmpi"));
        self.script(&format!("{prefix}/bin/mpiexec"), "exit 0");
    }

    fn env(&self, variables: &[(&str, &str)]) -> Environment {
        let path = ("PATH", self.path("bin").display().to_string());
        let given = variables.iter().map(|(name, value)| (*name, (*value).to_owned()));
        Environment::new([path].into_iter().chain(given), vec![])
    }

    fn find(&self, variables: &[(&str, &str)]) -> Result<Installation, Error> {
        find(&self.env(variables))
    }

    fn failure(&self, variables: &[(&str, &str)]) -> String {
        self.find(variables).expect_err("there is no MPI").to_string()
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn no_mpi_at_all() {
    let message = Machine::new().failure(&[]);
    assert!(
        message.starts_with("no usable MPI found\n  tried: mpicc on PATH, pkg-config ompi-c"),
        "{message}"
    );
    for hint in
        ["cargo mpi setup", "apt-get", "dnf", "pacman", "zypper", "apk", "brew", "module load", "MPICC"]
    {
        assert!(message.contains(hint), "{hint} is missing in: {message}");
    }
}

#[test]
fn mpicc_is_a_plain_compiler() {
    let message = Machine::new().failure(&[("MPICC", "cc")]);
    assert!(message.starts_with("MPICC=cc: `"), "{message}");
    assert!(message.contains("-show` failed") && message.contains("\nSet MPICC to an MPI compiler wrapper"));
    assert_eq!(message.lines().count(), 2, "{message}");
}

#[test]
fn mpicc_does_not_exist() {
    let message = Machine::new().failure(&[("MPICC", "/no/such/mpicc")]);
    assert!(message.starts_with("MPICC=/no/such/mpicc: there is no such program\nSet MPICC to"), "{message}");
}

#[test]
fn mpi_without_headers() {
    let machine = Machine::new();
    machine.script("bin/mpicc", "echo cc -I/nowhere -lmpi");
    let message = machine.failure(&[]);
    assert!(message.contains("tried: mpicc on PATH: `"), "{message}");
    assert!(message.contains("cannot read mpi.h") && message.contains("libopenmpi-dev"), "{message}");
    let message = machine.failure(&[("MPICC", "mpicc")]);
    assert!(message.contains("cannot read mpi.h") && message.contains("libopenmpi-dev"), "{message}");
}

#[test]
fn no_compiler() {
    let machine = Machine::new();
    machine.mpi("mpi");
    fs::remove_file(machine.path("bin/cc")).expect("the compiler");
    let mpicc = machine.path("mpi/bin/mpicc");
    let message = machine.failure(&[("MPICC", text(&mpicc))]);
    assert!(
        message.starts_with("there is no C compiler") && message.contains("apt-get install gcc"),
        "{message}"
    );
    let message = machine.failure(&[("MPICC", text(&mpicc)), ("CC", "ccc")]);
    assert!(message.starts_with("CC=ccc: there is no such program"), "{message}");
}

#[test]
fn paths_with_spaces_in_quotes() {
    let machine = Machine::new();
    machine.file("my mpi/include/mpi.h", HEADER);
    fs::create_dir_all(machine.path("my mpi/lib")).expect("a folder");
    let root = machine.path("my mpi");
    let root = root.display();
    let show = format!(r#"cc -I"{root}/include" -L"{root}/lib" -Xlinker -rpath -Xlinker "{root}/lib" -lmpi"#);
    machine.script("bin/mpicc", &format!("echo '{show}'"));
    let found = machine.find(&[]).expect("an MPI");
    assert_eq!(found.flags.includes, [machine.path("my mpi/include")]);
    assert_eq!(found.flags.runtime_dirs(), [machine.path("my mpi/lib")]);
    assert_eq!(found.probe.header, machine.path("my mpi/include/mpi.h"));
}

#[test]
fn what_the_header_says() {
    let machine = Machine::new();
    machine.mpi("mpi");
    let found = machine.find(&[("MPI_HOME", text(&machine.path("mpi")))]).expect("an MPI");
    let probe = &found.probe;
    assert_eq!((probe.family, probe.version), (Family::OpenMpi, Version::new(4, 1, 4)));
    assert_eq!((probe.standard, probe.handles), ((3, 1), Handles::Pointer));
    let names = |set: &std::collections::BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(names(&probe.names.functions), "MPI_Attr_get MPI_Send MPI_Wtime");
    assert_eq!(names(&probe.names.variables), "MPI_UNWEIGHTED");
    let constants = names(&probe.names.constants);
    assert_eq!(constants, "MPI_ANY_SOURCE MPI_HOST MPI_IO MPI_SUBVERSION MPI_TAG_UB MPI_VERSION");
    assert_eq!(found.mpiexec, Some(machine.path("mpi/bin/mpiexec")));
    assert_eq!(found.prefix, Some(machine.path("mpi")));
}

#[test]
fn the_order_of_the_search() {
    let machine = Machine::new();
    for prefix in ["named", "home", "intel"] {
        machine.mpi(prefix);
    }
    let root = machine.path("usual");
    machine.file("usual/include/mpi.h", HEADER);
    machine.file("usual/lib/libmpi.so", "");
    let named = machine.path("named/bin/mpicc");
    let (home, intel) = (machine.path("home"), machine.path("intel"));
    let mut variables =
        vec![("MPICC", text(&named)), ("MPI_HOME", text(&home)), ("I_MPI_ROOT", text(&intel))];

    let source = |variables: &[(&str, &str)]| machine.find(variables).expect("an MPI").source;
    assert_eq!(source(&variables), format!("MPICC={}", named.display()));
    variables.remove(0);
    assert_eq!(source(&variables), format!("MPI_HOME={}", home.display()));
    variables.remove(0);
    assert_eq!(source(&variables), format!("I_MPI_ROOT={}", intel.display()));

    let path = ("PATH".to_owned(), machine.path("bin").display().to_string());
    let env = Environment::new([path], vec![machine.path("empty"), root.clone()]);
    let found = find(&env).expect("an MPI in the usual place");
    assert_eq!(found.source, root.display().to_string());
    assert_eq!((found.mpicc, found.flags.libs), (None, vec!["mpi".to_owned()]));

    machine.script("bin/mpicc", &format!("exec {}", named.display()));
    assert_eq!(find(&env).expect("an MPI").source, "mpicc on PATH");
    let all: Vec<String> = find_all(&env).into_iter().map(|found| found.source).collect();
    assert_eq!(all, ["mpicc on PATH".to_owned(), root.display().to_string()]);
}

#[test]
fn only_what_the_user_set_for_us_must_hold_an_mpi() {
    let machine = Machine::new();
    machine.mpi("mpi");
    let nothing = machine.path("nothing");
    machine.script("bin/mpicc", &format!("exec {}", machine.path("mpi/bin/mpicc").display()));
    let message = machine.failure(&[("MPI_HOME", text(&nothing))]);
    assert!(
        message.contains("nothing: neither bin/mpicc nor lib/libmpi.so is there\nSet MPI_HOME to"),
        "{message}"
    );
    let found = machine.find(&[("I_MPI_ROOT", text(&nothing))]).expect("the one on PATH");
    assert_eq!(found.source, "mpicc on PATH");
}

#[test]
fn an_unusable_mpi_is_passed_over_but_not_in_silence() {
    let machine = Machine::new();
    machine.mpi("mpi");
    machine.script("bin/mpicc", "echo cc -I/nowhere -lmpi");
    let path = ("PATH", machine.path("bin"));
    let found = find(&Environment::new([path], vec![machine.path("mpi")])).expect("the other one");
    assert_eq!(found.passed_over.len(), 1, "{:?}", found.passed_over);
    assert!(found.passed_over[0].starts_with("mpicc on PATH: `"), "{:?}", found.passed_over);
}

#[test]
fn intels_wrapper_is_told_where_it_is() {
    let machine = Machine::new();
    machine.mpi("intel");
    let show = r#"root=${I_MPI_ROOT:-I_MPI_SUBSTITUTE_INSTALLDIR}; echo "cc -I\"$root/include\" -lmpi""#;
    let mpicc = machine.script("intel/bin/mpicc", show);
    let found = machine.find(&[("MPICC", text(&mpicc))]).expect("an MPI");
    assert_eq!(found.flags.includes, [machine.path("intel/include")]);
}

#[test]
fn the_launcher_of_debians_alternatives() {
    let machine = Machine::new();
    machine.mpi("mpi");
    machine.script("bin/mpicc.openmpi", &format!("exec {}", machine.path("mpi/bin/mpicc").display()));
    for launcher in ["mpiexec", "mpiexec.mpich", "mpiexec.openmpi"] {
        machine.script(&format!("bin/{launcher}"), "exit 0");
    }
    fs::create_dir_all(machine.path("alternatives")).expect("a folder");
    symlink(machine.path("bin/mpicc.openmpi"), machine.path("alternatives/mpi")).expect("a link");
    symlink("../alternatives/mpi", machine.path("bin/mpicc")).expect("a link");
    let found = machine.find(&[]).expect("an MPI");
    assert_eq!(found.mpiexec, Some(machine.path("bin/mpiexec.openmpi")));
}

#[test]
fn pkg_config_without_a_wrapper() {
    let machine = Machine::new();
    machine.mpi("mpi");
    let root = machine.path("mpi");
    let root = root.display();
    let script = format!(
        "case \"$*\" in *ompi-c) ;; *) exit 1;; esac\n\
         case $1 in --variable=prefix) echo {root};; *) echo -I{root}/include -L{root}/lib -lmpi;; esac"
    );
    machine.script("bin/pkg-config", &script);
    let found = machine.find(&[]).expect("an MPI");
    assert_eq!(found.source, "pkg-config ompi-c");
    assert_eq!(found.mpiexec, Some(machine.path("mpi/bin/mpiexec")));
}

#[test]
fn the_mpis_of_this_machine() {
    let env = Environment::of_process();
    for (mpicc, family, mpiexec) in [
        ("mpicc.openmpi", Family::OpenMpi, "/usr/bin/mpiexec.openmpi"),
        ("mpicc.mpich", Family::Mpich, "/usr/bin/mpiexec.mpich"),
    ] {
        if env.which(mpicc).is_none() {
            println!("skipped: {mpicc} is not installed");
            continue;
        }
        let found = find(&env.clone().with("MPICC", mpicc)).expect("an MPI");
        assert_eq!((found.probe.family, found.prefix), (family, None));
        assert_eq!(found.mpiexec, Some(PathBuf::from(mpiexec)));
        assert!(found.probe.names.functions.contains("MPI_Neighbor_alltoallw"));
        assert!(!found.probe.names.functions.contains("MPI_Type_struct") || family == Family::Mpich);
    }
}
