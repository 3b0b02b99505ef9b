//! The variables that keep Open MPI from writing past a receive buffer.
//!
//! Where the fault is: in `ob1`, the layer that carries messages over shared memory, TCP and to oneself, the side that
//! moves a long message in one piece (RGET over CMA, XPMEM or to itself; PUT over TCP) takes the length of what was
//! sent. With no such transfer allowed per request, `ob1` sends fragments, and the receiver clips those.

use crate::family::Version;

/// An environment variable that Open MPI reads in `MPI_Init`, and the value that closes a path of the overrun.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The variable: `OMPI_MCA_…`.
    pub variable: &'static str,
    /// The value this project sets where the user has set none.
    pub value: &'static str,
    closes: fn(&str) -> bool,
}

impl Setting {
    /// Whether this value, the user's own, closes the path too.
    pub fn is_closed_by(&self, value: &str) -> bool {
        (self.closes)(value.trim())
    }
}

/// Closes every path of what this process sends: between processes by shared memory or TCP, and to itself.
const NO_REMOTE_ACCESS: Setting = Setting {
    variable: "OMPI_MCA_pml_ob1_max_rdma_per_request",
    value: "0",
    closes: |value| value.parse::<i64>().is_ok_and(|most| most <= 0),
};

/// Closes shared memory for what this process *receives*, from a peer that knows no remedy too; and without it 4.1
/// sends a message of 1 MiB four times slower once the other setting is made.
const NO_SINGLE_COPY_4: Setting = Setting {
    variable: "OMPI_MCA_btl_vader_single_copy_mechanism",
    value: "none",
    closes: |value| matches!(value, "none" | "3"),
};

/// The same from 5.0 on, where single copy moved to a framework of its own.
const NO_SINGLE_COPY_5: Setting = Setting {
    variable: "OMPI_MCA_smsc",
    value: "^cma,xpmem,knem",
    closes: |value| {
        let excluded = |name| value.trim_start_matches('^').split(',').any(|part| part.trim() == name);
        value.starts_with('^') && ["cma", "xpmem", "knem"].into_iter().all(excluded)
    },
};

/// What to set before `MPI_Init` of this version of Open MPI.
///
/// ```
/// use mpi_config::{Version, faults::overrun_settings};
/// for setting in overrun_settings(Version::new(4, 1, 4)) {
///     assert!(setting.is_closed_by(setting.value));
/// }
/// ```
pub fn overrun_settings(version: Version) -> &'static [Setting] {
    const OLD: &[Setting] = &[NO_REMOTE_ACCESS, NO_SINGLE_COPY_4];
    const NEW: &[Setting] = &[NO_REMOTE_ACCESS, NO_SINGLE_COPY_5];
    if version < Version::new(5, 0, 0) { OLD } else { NEW }
}

/// Whether this value of `OMPI_MCA_pml` picks a layer that was seen not to have the fault: UCX. The others were not
/// measured, and without a value `ob1` may be picked.
pub fn overrun_closed_by_pml(pml: &str) -> bool {
    pml.trim() == "ucx"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_own_way_of_closing_it_counts() {
        assert!(NO_REMOTE_ACCESS.is_closed_by(" 0 "));
        assert!(!NO_REMOTE_ACCESS.is_closed_by("4"));
        assert!(!NO_REMOTE_ACCESS.is_closed_by(""));
        assert!(NO_SINGLE_COPY_4.is_closed_by("3"));
        assert!(!NO_SINGLE_COPY_4.is_closed_by("cma"));
        assert!(NO_SINGLE_COPY_5.is_closed_by("^xpmem,cma, knem,accelerator"));
        assert!(!NO_SINGLE_COPY_5.is_closed_by("^cma"));
        assert!(!NO_SINGLE_COPY_5.is_closed_by("cma,xpmem,knem"));
    }

    #[test]
    fn single_copy_has_another_name_in_5() {
        let names = |version| overrun_settings(version).iter().map(|s| s.variable).collect::<Vec<_>>();
        assert!(names(Version::new(4, 1, 8)).contains(&NO_SINGLE_COPY_4.variable));
        assert!(names(Version::new(5, 0, 11)).contains(&NO_SINGLE_COPY_5.variable));
    }

    #[test]
    fn ucx_alone_is_trusted() {
        assert!(overrun_closed_by_pml("ucx"));
        for pml in ["", "ob1", "cm", "^ob1", "ucx,ob1"] {
            assert!(!overrun_closed_by_pml(pml), "{pml}");
        }
    }
}
