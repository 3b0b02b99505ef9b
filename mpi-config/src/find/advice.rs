//! What to install, per distribution. Kept in one place so that every message agrees.

/// How to get an MPI with headers.
pub fn mpi() -> String {
    advice("an MPI", |d| d.mpi)
        + "\nOn a cluster: `module load openmpi` (or mpich, intel-mpi, …), or set MPICC to the compiler wrapper's path."
}

/// How to get libclang, which bindgen needs.
pub fn libclang() -> String {
    advice("libclang", |d| d.libclang)
        + "\nIf it is installed, set LIBCLANG_PATH to the folder of libclang.so."
}

/// How to get a C compiler.
pub fn compiler() -> String {
    advice("a C compiler", |d| d.compiler) + "\nIf one is installed, set CC to it."
}

struct Distribution {
    names: &'static str,
    install: &'static str,
    mpi: &'static str,
    libclang: &'static str,
    compiler: &'static str,
}

const DISTRIBUTIONS: [Distribution; 6] = [
    Distribution {
        names: "Debian, Ubuntu",
        install: "apt-get install",
        mpi: "libopenmpi-dev openmpi-bin",
        libclang: "libclang-dev",
        compiler: "gcc libc6-dev",
    },
    Distribution {
        names: "Fedora, RHEL",
        install: "dnf install",
        mpi: "openmpi-devel",
        libclang: "clang-devel",
        compiler: "gcc",
    },
    Distribution { names: "Arch", install: "pacman -S", mpi: "openmpi", libclang: "clang", compiler: "gcc" },
    Distribution {
        names: "openSUSE",
        install: "zypper install",
        mpi: "openmpi4-devel",
        libclang: "clang-devel",
        compiler: "gcc",
    },
    Distribution {
        names: "Alpine",
        install: "apk add",
        mpi: "openmpi-dev openmpi",
        libclang: "clang-libclang",
        compiler: "gcc musl-dev",
    },
    Distribution {
        names: "macOS",
        install: "brew install",
        mpi: "open-mpi",
        libclang: "llvm",
        compiler: "gcc",
    },
];

fn advice(what: &str, package: impl Fn(&Distribution) -> &str) -> String {
    let mut text = format!("To install {what}: `cargo mpi setup`, or");
    for distribution in &DISTRIBUTIONS {
        let Distribution { names, install, .. } = distribution;
        text += &format!("\n  {names:<15} {install} {}", package(distribution));
    }
    text
}
