//! Starting MPI, or joining one that runs already.
#![allow(unsafe_code)]

use super::{ThreadLevel, attach, exit_in_init, identity, info, launcher, state};
use crate::comm::Communicator;
use crate::error::{Error, Result, State};
use crate::ffi::{self, MPI_Comm, check};
use crate::quirks;
use mpi_config::family::{Abi, Family};
use state::Phase;
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::time::Duration;

/// Initializes MPI and returns the world.
///
/// `MPI_Init_thread` with [`ThreadLevel::Funneled`] (MPI 4.1 §11.2). MPI is finalized when the last handle drops.
/// Called again while MPI is live, on a thread that may use it, this returns another handle to the world. Where a
/// host program has initialized MPI already, the crate attaches to it and works on a duplicate of the world.
///
/// # Errors
/// MPI has been finalized; another thread initialized it below [`ThreadLevel::Multiple`]; the program was started
/// by the launcher of another MPI, or loaded the library of another one.
///
/// ```no_run
/// let world = mpi::init()?;
/// println!("rank {} of {}", world.rank(), world.size());
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias("MPI_Init", "MPI_Init_thread", "MPI_Finalize"))]
pub fn init() -> Result<Communicator> {
    Builder::new().init()
}

/// How to initialize MPI: thread level, stall limit, waivers.
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "nothing happens before `init` or `run`"]
pub struct Builder {
    level: ThreadLevel,
    stall_limit: Option<Duration>,
    allow_overrun: bool,
}

impl Builder {
    /// The defaults: `FUNNELED`, a stall limit of 10 seconds, every remedy on.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for a thread level. A level that the library does not provide is an `Err`; more than asked for is fine.
    pub fn threads(mut self, level: ThreadLevel) -> Self {
        self.level = level;
        self
    }

    /// How long a scope that ends with an `Err` waits for what is still in flight before it ends the job.
    pub fn stall_limit(mut self, limit: Duration) -> Self {
        self.stall_limit = Some(limit);
        self
    }

    /// Leaves Open MPI's single-copy receives on although they write past a receive buffer that is too short.
    ///
    /// # Safety
    /// No message, and no rank's part of a collective, may be longer than the buffer it is received into, in the
    /// whole program: Open MPI 4.1 and 5.0 report the truncation and write all bytes anyway.
    pub unsafe fn allow_receive_overrun(mut self) -> Self {
        self.allow_overrun = true;
        self
    }

    /// Initializes MPI, attaches to it, or returns another handle to the world.
    ///
    /// # Errors
    /// As [`init`]; and a thread level that the library does not provide.
    pub fn init(self) -> Result<Communicator> {
        if state::phase() == Phase::Callback {
            return Err(Error::state(&"MPI_Init_thread", State::Callback)); // who called back may hold the lock
        }
        let _lock = state::transition();
        match state::phase() {
            Phase::Live => {
                if !state::thread_allowed() {
                    return Err(Error::state(&"MPI_Init_thread", State::OtherThread));
                }
                self.require_level(state::level())?;
            }
            Phase::Ending | Phase::Callback => {
                return Err(Error::state(&"MPI_Init_thread", State::Finalized));
            }
            Phase::Uninitialized => self.start()?,
        }
        if let Some(limit) = self.stall_limit {
            super::set_stall_limit(limit);
        }
        Communicator::predefined(attach::world())
    }

    /// Initializes MPI and runs `main` with the world, ending the whole job if it panics or returns an `Err`: what
    /// `#[mpi::main]` expands to.
    pub fn run<R: super::Outcome>(self, main: impl FnOnce(Communicator) -> R) -> std::process::ExitCode {
        super::run::run_with(self, main)
    }

    fn require_level(&self, provided: ThreadLevel) -> Result<()> {
        if provided >= self.level {
            return Ok(());
        }
        Err(Error::state(&"MPI_Init_thread", State::Level { wanted: self.level, provided }))
    }

    /// From *uninitialized* to *live*. The caller holds the transition lock.
    fn start(&self) -> Result<()> {
        require_bound_family()?;
        if info::flag(&"MPI_Finalized", ffi::MPI_Finalized)? {
            return Err(Error::state(&"MPI_Init_thread", State::Finalized));
        }
        if info::flag(&"MPI_Initialized", ffi::MPI_Initialized)? {
            return self.join_host();
        }
        quirks::before_init(self.allow_overrun, false)?;
        let mut provided: c_int = 0;
        let code = exit_in_init::explained(|| {
            // SAFETY: MPI is neither initialized nor finalized, and the lock keeps other threads out; null arguments
            // are allowed since MPI 2.
            unsafe {
                ffi::MPI_Init_thread(ptr::null_mut(), ptr::null_mut(), self.level.raw(), &raw mut provided)
            }
        });
        check(&"MPI_Init_thread", code)?;
        return_errors(ffi::MPI_COMM_WORLD)?;
        return_errors(ffi::MPI_COMM_SELF)?;
        let provided = ThreadLevel::from_raw(provided);
        state::begin(true, provided, tag_upper_bound()?);
        let started = self.require_level(provided).and_then(|()| introduce(ffi::MPI_COMM_WORLD));
        if started.is_err() {
            state::end(); // no handle was made: MPI has no user
        }
        started
    }

    fn join_host(&self) -> Result<()> {
        quirks::before_init(self.allow_overrun, true)?;
        let mut provided: c_int = 0;
        // SAFETY: MPI is initialized.
        check(&"MPI_Query_thread", unsafe { ffi::MPI_Query_thread(&raw mut provided) })?;
        let provided = ThreadLevel::from_raw(provided);
        if provided < ThreadLevel::Multiple && !info::flag(&"MPI_Is_thread_main", ffi::MPI_Is_thread_main)? {
            return Err(Error::state(&"MPI_Init_thread", State::OtherThread));
        }
        self.require_level(provided)?;
        let world = attach::attach()?;
        state::begin(false, provided, tag_upper_bound()?);
        introduce(world)
    }
}

pub(crate) fn return_errors(comm: MPI_Comm) -> Result<()> {
    // SAFETY: a valid communicator and a predefined error handler.
    check(&"MPI_Comm_set_errhandler", unsafe { ffi::MPI_Comm_set_errhandler(comm, ffi::MPI_ERRORS_RETURN) })
}

/// The library that was loaded must speak the ABI that this program was compiled for.
fn require_bound_family() -> Result<()> {
    let text = info::library_version()?;
    match Family::from_library_version(&text) {
        Some((loaded, _)) if !may_load(info::bound_family(), loaded) => {
            Err(Error::state(&"MPI_Get_library_version", State::WrongLibrary { loaded }))
        }
        _ => Ok(()),
    }
}

/// Libraries that share an ABI stand in for each other; the standard's is implemented by several.
fn may_load(bound: Family, loaded: Family) -> bool {
    bound.abi() == loaded.abi()
        || matches!(bound.abi(), Abi::Standard | Abi::Unknown)
        || loaded.abi() == Abi::Unknown
}

/// Learns rank, size and host for messages, and finds out whether the right launcher started us.
fn introduce(world: MPI_Comm) -> Result<()> {
    let (mut rank, mut size) = (0, 0);
    // SAFETY: a valid communicator; out-arguments are ours.
    check(&"MPI_Comm_rank", unsafe { ffi::MPI_Comm_rank(world, &raw mut rank) })?;
    // SAFETY: as above.
    check(&"MPI_Comm_size", unsafe { ffi::MPI_Comm_size(world, &raw mut size) })?;
    identity::set(rank as usize, size as usize, info::read_processor_name()?);
    let env = |name: &str| std::env::var(name).ok();
    launcher::foreign(info::bound_family(), size as usize, env).map_or(Ok(()), |foreign| Err(foreign.error()))
}

/// The attribute `MPI_TAG_UB` of the world; 32767 is what the standard guarantees.
fn tag_upper_bound() -> Result<c_int> {
    let (mut value, mut found) = (ptr::null_mut::<c_int>(), 0);
    let out = (&raw mut value).cast::<c_void>();
    // SAFETY: a predefined key; MPI writes a pointer to an int that lives as long as MPI.
    let code = unsafe { ffi::MPI_Comm_get_attr(ffi::MPI_COMM_WORLD, ffi::MPI_TAG_UB, out, &raw mut found) };
    check(&"MPI_Comm_get_attr", code)?;
    if found == 0 || value.is_null() {
        return Ok(32767);
    }
    // SAFETY: found, so `value` points to MPI's int.
    Ok(unsafe { *value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_one_abi_stand_in_for_each_other() {
        assert!(may_load(Family::Mpich, Family::Intel));
        assert!(may_load(Family::Intel, Family::Mpich));
        assert!(may_load(Family::OpenMpi, Family::OpenMpi));
        assert!(!may_load(Family::OpenMpi, Family::Mpich));
        assert!(!may_load(Family::Intel, Family::OpenMpi));
        // Several implement the standard's ABI, and say their own name.
        assert!(may_load(Family::Abi, Family::Mpich));
    }
}
