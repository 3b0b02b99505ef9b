//! What is done about the faults of the loaded library before it starts.
//!
//! The table of faults is data that the tools read too: [`mpi_config::faults`]. Most rows are dealt with where the call
//! is wrapped. Here is the one that must be dealt with before `MPI_Init`: Open MPI writes past a receive buffer that is
//! shorter than the message. Its remedy is a matter of environment variables, since Open MPI lets neither be set
//! through `MPI_T` (`MPI_T_ERR_CVAR_SET_NEVER`).
#![allow(unsafe_code)]

use crate::environment;
use crate::error::{Error, Needs, Result, State};
use crate::topology::Swapped;
use mpi_config::faults::{self, Fault, OVERRUN, Setting};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a running MPI that may overrun is not joined.
const STARTED_OPEN: &str = "the host program has started Open MPI so that it writes past short receive buffers; start \
     the job with the variables that docs/faults.md names for `receive-overrun` (`cargo mpi doctor` prints them)";

/// Why the variables are not set here where threads cannot be counted.
#[cfg(not(target_os = "linux"))]
const UNCOUNTABLE: &str = "this Open MPI writes past short receive buffers unless environment variables are set, which \
     this system gives no safe way to do inside the process; start the job with those that docs/faults.md names for \
     `receive-overrun`";

/// What [`before_init`] did; kept for [`applied`].
static APPLIED: OnceLock<Vec<&'static Fault>> = OnceLock::new();

/// A row of the table that calls ask about: whether the loaded library has the fault.
struct Asked {
    id: &'static str,
    found: AtomicBool,
}

impl Asked {
    const fn about(id: &'static str) -> Self {
        Asked { id, found: AtomicBool::new(false) }
    }
    #[inline(always)]
    fn is_found(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }
}

static UNSIGNED_ORDER: Asked = Asked::about("unsigned-order");
static REDUCE_IN_PLACE: Asked = Asked::about("reduce-in-place");
static TORN_STRUCTS: Asked = Asked::about("torn-structs");
static SHORT_RING: Asked = Asked::about("neighbor-alltoall-short-ring");
static SHORT_RING_INTEL: Asked = Asked::about("neighbor-alltoall-short-ring-intel");
static SHORT_RING_LATER: Asked = Asked::about("ineighbor-alltoall-short-ring");
static REDUCE_SCATTER_PADDING: Asked = Asked::about("reduce-scatter-padding");
static ASKED: [&Asked; 7] = [
    &UNSIGNED_ORDER,
    &REDUCE_IN_PLACE,
    &TORN_STRUCTS,
    &SHORT_RING,
    &SHORT_RING_INTEL,
    &SHORT_RING_LATER,
    &REDUCE_SCATTER_PADDING,
];

/// Whether the library compares unsigned integers as if they were signed (`unsigned-order`).
pub(crate) fn unsigned_order() -> bool {
    UNSIGNED_ORDER.is_found()
}

/// Whether `MPI_Reduce` crashes where the root gives `MPI_IN_PLACE` (`reduce-in-place`).
#[inline(always)]
pub(crate) fn reduce_in_place() -> bool {
    cfg!(mpi_abi = "mpich") && REDUCE_IN_PLACE.is_found()
}

/// Whether `MPI_Reduce_scatter` writes past memory of its own where values have padding at an end and the operation does not
/// commute (`reduce-scatter-padding`).
pub(crate) fn reduce_scatter_padding() -> bool {
    REDUCE_SCATTER_PADDING.is_found()
}

/// Whether what travels as packed bytes and arrives as structs loses fields (`torn-structs`).
pub(crate) fn tears_structs() -> bool {
    TORN_STRUCTS.is_found()
}

/// Which forms of the neighbourhood all-to-alls swap the directions of a short ring (`…-short-ring`).
pub(crate) fn swapped_neighbors() -> Swapped {
    let blocking = SHORT_RING.is_found() || SHORT_RING_INTEL.is_found();
    #[cfg(miri)]
    let blocking = blocking || crate::sys_fake::hooks::short_rings_are_faulty();
    Swapped { blocking, later: blocking || SHORT_RING_LATER.is_found() }
}

/// The faults of the loaded library that are remedied in this process, beyond what single calls do. Empty before `init`.
#[doc(hidden)]
pub fn applied() -> Vec<&'static Fault> {
    APPLIED.get().cloned().unwrap_or_default()
}

/// Remedies what must be remedied before MPI starts.
///
/// `waived`: the program has promised that no receive is too short. `attaching`: MPI runs already, so that only what
/// its environment says can be looked at.
///
/// # Errors
/// The remedy is needed and can no longer be made: MPI runs without it, or the process has several threads.
pub(crate) fn before_init(waived: bool, attaching: bool) -> Result<()> {
    let library = environment::loaded_library()?;
    for asked in ASKED {
        let row = faults::named(asked.id);
        let found = row.is_some_and(|fault| fault.applies_to(library.family, library.version));
        asked.found.store(found, Ordering::Relaxed);
    }
    let overrun = faults::named(OVERRUN).filter(|fault| fault.applies_to(library.family, library.version));
    let Some(overrun) = overrun.filter(|_| !waived) else { return Ok(()) };
    let variable = |name: &str| std::env::var(name).ok();
    let plan = Plan::new(faults::overrun_settings(library.version), variable);
    if attaching && !plan.missing.is_empty() {
        return Err(Error::unsupported(&"MPI_Init_thread", Needs::Fault(&STARTED_OPEN)));
    }
    plan.carry_out()?;
    if plan.kept_open.is_empty() {
        let _ = APPLIED.set(vec![overrun]); // a second world after the first has the same remedies
    } else if variable("OMPI_COMM_WORLD_RANK").is_none_or(|rank| rank == "0") {
        environment::report(format_args!(
            "{} may write past short receive buffers: the environment says {}",
            library.family,
            plan.choices()
        ));
    }
    Ok(())
}

/// What is left to do, given what the user has chosen.
#[derive(Debug, Default)]
struct Plan {
    missing: Vec<&'static Setting>,
    /// The user's own values that leave a path of the fault open. They stand.
    kept_open: Vec<(&'static str, String)>,
}

impl Plan {
    fn new(settings: &'static [Setting], variable: impl Fn(&str) -> Option<String>) -> Self {
        let mut plan = Plan::default();
        if variable("OMPI_MCA_pml").is_some_and(|pml| faults::overrun_closed_by_pml(&pml)) {
            return plan;
        }
        for setting in settings {
            match variable(setting.variable) {
                None => plan.missing.push(setting),
                Some(value) if setting.is_closed_by(&value) => {}
                Some(value) => plan.kept_open.push((setting.variable, value)),
            }
        }
        plan
    }

    fn carry_out(&self) -> Result<()> {
        if self.missing.is_empty() {
            return Ok(());
        }
        require_one_thread()?;
        for setting in &self.missing {
            // SAFETY: `set_var` must not run beside another thread that reads or writes the environment; this is the
            // only thread, counted two lines up, and it starts none in between.
            unsafe { std::env::set_var(setting.variable, setting.value) };
        }
        Ok(())
    }

    fn choices(&self) -> String {
        let choices = self.kept_open.iter().map(|(variable, value)| format!("{variable}={value}"));
        choices.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(target_os = "linux")]
fn require_one_thread() -> Result<()> {
    // A process that cannot look at itself is taken to have more than one.
    let threads = std::fs::read_dir("/proc/self/task").map_or(2, |tasks| tasks.count() as u32);
    if threads == 1 { Ok(()) } else { Err(Error::state(&"MPI_Init_thread", State::Threads(threads))) }
}

#[cfg(not(target_os = "linux"))]
fn require_one_thread() -> Result<()> {
    Err(Error::unsupported(&"MPI_Init_thread", Needs::Fault(&UNCOUNTABLE)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpi_config::family::Version;

    fn plan(environment: &[(&str, &str)]) -> Plan {
        Plan::new(faults::overrun_settings(Version::new(4, 1, 4)), |name| {
            environment.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
        })
    }

    #[test]
    fn everything_is_missing_at_first() {
        let plan = plan(&[]);
        assert_eq!(plan.missing.len(), 2);
        assert!(plan.kept_open.is_empty());
    }

    #[test]
    fn what_is_closed_already_is_left_alone() {
        let settings = faults::overrun_settings(Version::new(4, 1, 4));
        let environment: Vec<_> = settings.iter().map(|s| (s.variable, s.value)).collect();
        let plan = plan(&environment);
        assert!(plan.missing.is_empty() && plan.kept_open.is_empty());
    }

    #[test]
    fn the_users_choice_stands_and_is_named() {
        let plan = plan(&[("OMPI_MCA_pml_ob1_max_rdma_per_request", "4")]);
        assert_eq!(plan.missing.len(), 1);
        assert_eq!(plan.choices(), "OMPI_MCA_pml_ob1_max_rdma_per_request=4");
    }

    #[test]
    fn ucx_needs_nothing() {
        let plan = plan(&[("OMPI_MCA_pml", "ucx")]);
        assert!(plan.missing.is_empty() && plan.kept_open.is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_second_thread_is_noticed() {
        // The test harness runs this on a thread of its own.
        assert!(require_one_thread().is_err());
    }
}
