//! Package managers, as data.

use mpi_config::Family;
use mpi_config::find::Environment;

use super::Piece;

/// How one family of distributions installs packages.
#[derive(Clone, Copy, Debug)]
pub struct Distribution {
    /// Values of `ID` or `ID_LIKE` in /etc/os-release.
    ids: &'static [&'static str],
    /// Refreshes the package lists, where that is a command of its own.
    refresh: &'static str,
    /// Installs the packages named after it, without questions.
    install: &'static str,
    open_mpi: &'static str,
    mpich: &'static str,
    libclang: &'static str,
    compiler: &'static str,
    needs_root: bool,
}

#[rustfmt::skip]
const DISTRIBUTIONS: [Distribution; 7] = [
    Distribution {
        ids: &["debian", "ubuntu"], refresh: "apt-get update", install: "apt-get install -y",
        open_mpi: "libopenmpi-dev openmpi-bin", mpich: "libmpich-dev mpich", libclang: "libclang-dev", compiler: "gcc libc6-dev",
        needs_root: true,
    },
    Distribution {
        ids: &["fedora", "rhel", "centos"], refresh: "", install: "dnf install -y",
        open_mpi: "openmpi-devel", mpich: "mpich-devel", libclang: "clang-devel", compiler: "gcc",
        needs_root: true,
    },
    Distribution {
        ids: &["arch"], refresh: "", install: "pacman -Sy --noconfirm --needed",
        open_mpi: "openmpi", mpich: "mpich", libclang: "clang", compiler: "gcc",
        needs_root: true,
    },
    Distribution {
        ids: &["opensuse", "suse"], refresh: "zypper --non-interactive refresh", install: "zypper --non-interactive install",
        open_mpi: "openmpi4-devel", mpich: "mpich-devel", libclang: "clang-devel", compiler: "gcc",
        needs_root: true,
    },
    Distribution {
        ids: &["alpine"], refresh: "", install: "apk add",
        open_mpi: "openmpi-dev openmpi", mpich: "mpich-dev mpich", libclang: "clang-libclang", compiler: "gcc musl-dev",
        needs_root: true,
    },
    Distribution {
        ids: &["macos"], refresh: "", install: "brew install",
        open_mpi: "open-mpi", mpich: "mpich", libclang: "llvm", compiler: "gcc",
        needs_root: false,
    },
    UNKNOWN,
];

const UNKNOWN: Distribution = Distribution {
    ids: &[],
    refresh: "",
    install: "",
    open_mpi: "",
    mpich: "",
    libclang: "",
    compiler: "",
    needs_root: true,
};

impl Distribution {
    /// The one that a text like /etc/os-release names, itself or as its like.
    pub fn of(os_release: &str) -> Self {
        let value = |key: &str| {
            let line = os_release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
            line.unwrap_or_default().trim_matches(['"', '\''])
        };
        let mut names = value("ID").split_whitespace().chain(value("ID_LIKE").split_whitespace());
        let known = |name: &str| {
            // openSUSE's are "opensuse-leap", "opensuse-tumbleweed".
            let name = name.split('-').next().unwrap_or(name);
            DISTRIBUTIONS.into_iter().find(|distribution| distribution.ids.contains(&name))
        };
        names.find_map(known).unwrap_or(UNKNOWN)
    }

    /// The same with yum where there is no dnf, as on old RHEL; the options used are the same.
    pub fn with_programs_of(self, env: &Environment) -> Self {
        match self.install.strip_prefix("dnf ") {
            Some("install -y") if env.which("dnf").is_none() => Self { install: "yum install -y", ..self },
            _ => self,
        }
    }

    /// The commands that install these pieces, none if this distribution is not known.
    pub fn install(self, pieces: &[Piece], mpi: Family) -> Vec<Vec<String>> {
        if self.install.is_empty() {
            return Vec::new();
        }
        let package = |piece: &Piece| match piece {
            Piece::Mpi if mpi == Family::Mpich => self.mpich,
            Piece::Mpi => self.open_mpi,
            Piece::Libclang => self.libclang,
            Piece::CCompiler => self.compiler,
        };
        let words = |text: &'static str| text.split_whitespace().map(str::to_owned);
        let install = words(self.install).chain(pieces.iter().map(package).flat_map(words)).collect();
        [words(self.refresh).collect(), install]
            .into_iter()
            .filter(|command: &Vec<_>| !command.is_empty())
            .collect()
    }

    /// Whether installing is the administrator's right.
    pub fn needs_root(self) -> bool {
        self.needs_root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(os_release: &str, pieces: &[Piece], mpi: Family) -> String {
        let commands = Distribution::of(os_release).install(pieces, mpi);
        commands.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join(" && ")
    }

    #[test]
    fn distributions_are_known_by_name_or_by_likeness() {
        let all = [Piece::Mpi, Piece::Libclang, Piece::CCompiler];
        for (os_release, expected) in [
            (
                "NAME=\"Debian GNU/Linux\"\nID=debian\n",
                "apt-get update && apt-get install -y libopenmpi-dev openmpi-bin libclang-dev gcc libc6-dev",
            ),
            (
                "ID=linuxmint\nID_LIKE=\"ubuntu debian\"",
                "apt-get update && apt-get install -y libopenmpi-dev openmpi-bin libclang-dev gcc libc6-dev",
            ),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"", "dnf install -y openmpi-devel clang-devel gcc"),
            ("ID=manjaro\nID_LIKE=arch", "pacman -Sy --noconfirm --needed openmpi clang gcc"),
            (
                "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"",
                "zypper --non-interactive refresh && zypper --non-interactive install openmpi4-devel clang-devel gcc",
            ),
            ("ID=alpine", "apk add openmpi-dev openmpi clang-libclang gcc musl-dev"),
            ("ID=macos", "brew install open-mpi llvm gcc"),
            ("ID=plan9", ""),
        ] {
            assert_eq!(line(os_release, &all, Family::OpenMpi), expected, "{os_release}");
        }
    }

    #[test]
    fn only_what_is_missing_is_installed_and_of_the_mpi_asked_for() {
        let expected = "apt-get update && apt-get install -y libmpich-dev mpich";
        assert_eq!(line("ID=debian", &[Piece::Mpi], Family::Mpich), expected);
    }

    /// A failed build of `mpi-sys` prints advice of its own, which must not name other packages.
    #[test]
    fn what_is_installed_is_what_a_failed_build_advises() {
        use mpi_config::find::advice;
        for distribution in DISTRIBUTIONS {
            assert!(advice::mpi().contains(distribution.open_mpi), "{distribution:?}");
            assert!(advice::libclang().contains(distribution.libclang), "{distribution:?}");
            assert!(advice::compiler().contains(distribution.compiler), "{distribution:?}");
        }
    }
}
