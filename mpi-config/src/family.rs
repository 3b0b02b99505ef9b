//! Which MPI implementation, and which version of it.

use std::fmt;

/// An MPI implementation, as far as bindings and launchers care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Open MPI.
    OpenMpi,
    /// MPICH and what derives from it with the same ABI: MVAPICH, Cray MPICH, ParaStation MPI.
    Mpich,
    /// Intel MPI: MPICH's ABI, but its own launcher settings and version numbers.
    Intel,
    /// The standard ABI of MPI 5.0 (`libmpi_abi`), whoever implements it.
    Abi,
    /// Something else.
    Unknown,
}

/// A binary interface. Two families that share one can stand in for each other at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Abi {
    /// Open MPI's own: handles are pointers to exported objects.
    OpenMpi,
    /// The MPICH ABI initiative's: handles are 32-bit integers.
    Mpich,
    /// The MPI 5.0 standard's.
    Standard,
    /// Not known.
    Unknown,
}

impl Family {
    /// Every family that has a name, in the order tools list them.
    pub const ALL: [Family; 5] =
        [Family::OpenMpi, Family::Mpich, Family::Intel, Family::Abi, Family::Unknown];

    /// The name used in `MPI_SYS_FAMILY`, `DEP_MPI_FAMILY` and `cargo mpi --mpi`.
    pub const fn name(self) -> &'static str {
        match self {
            Family::OpenMpi => "openmpi",
            Family::Mpich => "mpich",
            Family::Intel => "intel",
            Family::Abi => "mpi-abi",
            Family::Unknown => "unknown",
        }
    }

    /// The family of that name; `None` for other text, such as the `"stub"` of a build without MPI.
    pub fn from_name(name: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.name() == name)
    }

    /// The binary interface this family's library has.
    pub const fn abi(self) -> Abi {
        match self {
            Family::OpenMpi => Abi::OpenMpi,
            Family::Mpich | Family::Intel => Abi::Mpich,
            Family::Abi => Abi::Standard,
            Family::Unknown => Abi::Unknown,
        }
    }

    /// Reads what `MPI_Get_library_version` returned; `None` if the text is nobody's we know.
    ///
    /// The text tells who implements the library, so it never yields [`Family::Abi`].
    pub fn from_library_version(text: &str) -> Option<(Family, Version)> {
        // Order matters: derivatives of MPICH may name MPICH too, but start with their own name.
        const MARKS: [(&str, Family); 8] = [
            ("Open MPI v", Family::OpenMpi),
            ("Intel(R) MPI Library", Family::Intel),
            ("CRAY MPICH version", Family::Mpich),
            ("MVAPICH2", Family::Mpich),
            ("MVAPICH", Family::Mpich),
            ("ParaStation MPI", Family::Mpich),
            ("MPICH2 Version", Family::Mpich),
            ("MPICH Version", Family::Mpich),
        ];
        MARKS.into_iter().find_map(|(mark, family)| {
            let (_, rest) = text.split_once(mark)?;
            Some((family, Version::first_in(rest.lines().next()?)?))
        })
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::OpenMpi => "Open MPI",
            Family::Mpich => "MPICH",
            Family::Intel => "Intel MPI",
            Family::Abi => "the standard ABI (libmpi_abi)",
            Family::Unknown => "an unknown MPI",
        })
    }
}

impl Abi {
    /// The value of `cfg(mpi_abi = "…")`.
    pub const fn name(self) -> &'static str {
        match self {
            Abi::OpenMpi => "openmpi",
            Abi::Mpich => "mpich",
            Abi::Standard => "standard",
            Abi::Unknown => "unknown",
        }
    }
}

/// A version, ordered as one expects. What follows the third number (`rc1`, `-1`) is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number; 0 if there was none.
    pub minor: u32,
    /// The third number; 0 if there was none.
    pub patch: u32,
}

impl Version {
    /// A version from its three numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Version { major, minor, patch }
    }

    /// Reads `4`, `4.1`, `4.1.4`, `5.0.0rc1`, `8.1.25.17`; `None` if the text does not start with a digit.
    pub fn parse(text: &str) -> Option<Version> {
        let mut numbers = [0; 3];
        for (index, (number, part)) in numbers.iter_mut().zip(text.split('.')).enumerate() {
            let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            match part[..digits].parse() {
                Ok(value) => *number = value,
                Err(_) if index == 0 => return None,
                Err(_) => break,
            }
            if digits < part.len() {
                break;
            }
        }
        Some(Version::new(numbers[0], numbers[1], numbers[2]))
    }

    /// The first version that occurs in a line of prose.
    fn first_in(line: &str) -> Option<Version> {
        line.find(|c: char| c.is_ascii_digit()).and_then(|start| Version::parse(&line[start..]))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_version_texts() {
        let cases = [
            ("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", Family::OpenMpi, (4, 1, 4)),
            ("Open MPI v5.0.0rc7, package: x", Family::OpenMpi, (5, 0, 0)),
            ("MPICH Version:      4.0.2\nMPICH Release date: x", Family::Mpich, (4, 0, 2)),
            ("MPICH Version:      4.3.0b1\n", Family::Mpich, (4, 3, 0)),
            ("Intel(R) MPI Library 2021.19 for Linux* OS\n", Family::Intel, (2021, 19, 0)),
            ("MVAPICH2 Version      :\t2.3.7\n", Family::Mpich, (2, 3, 7)),
            ("MVAPICH Version        :\t3.0\nMPICH Version: 3.4", Family::Mpich, (3, 0, 0)),
            ("MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\n", Family::Mpich, (8, 1, 25)),
        ];
        for (text, family, (major, minor, patch)) in cases {
            let expected = Some((family, Version::new(major, minor, patch)));
            assert_eq!(Family::from_library_version(text), expected, "{text}");
        }
        assert_eq!(Family::from_library_version("HAL 9000"), None);
    }

    #[test]
    fn versions_are_ordered_and_lenient() {
        assert!(Version::parse("4.1.4") < Version::parse("4.1.10"));
        assert_eq!(Version::parse("4"), Some(Version::new(4, 0, 0)));
        assert_eq!(Version::parse("3.4a2"), Some(Version::new(3, 4, 0)));
        assert_eq!(Version::parse("v4"), None);
        assert_eq!(Version::new(4, 1, 4).to_string(), "4.1.4");
    }

    #[test]
    fn names_come_back() {
        for family in Family::ALL {
            assert_eq!(Family::from_name(family.name()), Some(family));
        }
        assert_eq!(Family::from_name("stub"), None);
    }

    #[test]
    fn intel_and_mpich_share_an_abi() {
        assert_eq!(Family::Intel.abi(), Family::Mpich.abi());
        assert_ne!(Family::OpenMpi.abi(), Family::Abi.abi());
    }
}
