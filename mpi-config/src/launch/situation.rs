//! What the machine and the environment are like when a job is started.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use super::Options;

/// Where a job is about to be started. A value, so that decisions can be tested without such a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// Started by the superuser.
    pub root: bool,
    /// Every rank runs on this machine and nobody else manages it.
    pub local: bool,
    /// Inside a Slurm allocation whose `srun` starts the ranks.
    pub slurm: bool,
    /// More ranks than places: than cores of this machine, or than slots of the hosts named.
    pub oversubscribed: bool,
    /// The variables of this process; what the user has set there is left alone.
    pub environment: BTreeMap<OsString, OsString>,
}

impl Situation {
    /// The situation of this process.
    #[must_use]
    pub fn observe(options: &Options) -> Self {
        let environment: BTreeMap<_, _> = std::env::vars_os().collect();
        let allocation = inside_allocation(&environment);
        let local = options.hosts.is_empty() && !allocation;
        let places = if local { cores(Path::new("/sys/devices/system/cpu")) } else { slots(&options.hosts) };
        Self {
            // SAFETY: geteuid has no preconditions and cannot fail.
            root: unsafe { libc::geteuid() } == 0,
            local,
            slurm: options.srun && allocation,
            // Inside an allocation Slurm itself refuses what does not fit.
            oversubscribed: places.is_some_and(|places| options.ranks > places),
            environment,
        }
    }

    /// A variable's value, unless unset or empty.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }
}

/// In an allocation, and not already a rank of something that `mpiexec` or `srun` started in it.
fn inside_allocation(environment: &BTreeMap<OsString, OsString>) -> bool {
    let has = |name: &str| environment.contains_key(OsStr::new(name));
    let rank = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"].into_iter().any(has);
    has("SLURM_JOB_ID") && !rank
}

/// Places on the hosts: `name:slots`, and one for a host without a number, as every launcher counts.
fn slots(hosts: &[String]) -> Option<usize> {
    let slot = |host: &String| host.rsplit_once(':').and_then(|(_, slots)| slots.parse().ok()).unwrap_or(1);
    (!hosts.is_empty()).then(|| hosts.iter().map(slot).sum())
}

/// Physical cores that this process may use. Open MPI counts those, not hardware threads, as its slots.
fn cores(cpus: &Path) -> Option<usize> {
    let threads = std::thread::available_parallelism().ok()?.get();
    let siblings =
        |cpu: fs::DirEntry| fs::read_to_string(cpu.path().join("topology/thread_siblings_list")).ok();
    let physical: BTreeSet<String> =
        fs::read_dir(cpus).into_iter().flatten().flatten().filter_map(siblings).collect();
    Some(if physical.is_empty() { threads } else { threads.min(physical.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(names: &[&str]) -> BTreeMap<OsString, OsString> {
        names.iter().map(|name| (name.into(), "1".into())).collect()
    }

    #[test]
    fn an_allocation_is_seen_and_a_rank_inside_it_is_not_one() {
        assert!(!inside_allocation(&environment(&["PATH"])));
        assert!(inside_allocation(&environment(&["SLURM_JOB_ID"])));
        assert!(!inside_allocation(&environment(&["SLURM_JOB_ID", "PMIX_RANK"])));
    }

    #[test]
    fn a_host_without_a_number_has_one_slot() {
        assert_eq!(slots(&[]), None);
        assert_eq!(slots(&["n1:2".into(), "n2".into()]), Some(3));
    }

    #[test]
    fn hardware_threads_of_one_core_count_once() {
        let cpus = tempfile::tempdir().unwrap();
        for (cpu, siblings) in [("cpu0", "0-1"), ("cpu1", "0-1")] {
            let topology = cpus.path().join(cpu).join("topology");
            fs::create_dir_all(&topology).unwrap();
            fs::write(topology.join("thread_siblings_list"), siblings).unwrap();
        }
        assert_eq!(cores(cpus.path()), Some(1));
        assert!(cores(Path::new("/nowhere")).is_some_and(|cores| cores >= 1));
    }
}
