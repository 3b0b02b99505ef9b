//! The machine that is looked at and installed on; a value, so that tests can make one up.

use std::process::Stdio;

use mpi_config::find::Environment;

use super::distribution::Distribution;

/// What installing depends on.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Variables, and through `PATH` the programs.
    pub env: Environment,
    /// The text of /etc/os-release.
    pub os_release: String,
    /// Whether this process is the superuser's.
    pub root: bool,
}

impl Machine {
    /// This one.
    pub fn this() -> Self {
        let os_release = if cfg!(target_os = "macos") {
            "ID=macos".to_owned()
        } else {
            std::fs::read_to_string("/etc/os-release").unwrap_or_default()
        };
        // SAFETY: geteuid has no preconditions and cannot fail.
        let root = unsafe { libc::geteuid() } == 0;
        Self { env: Environment::of_process(), os_release, root }
    }

    /// The same machine where the user has chosen an MPI.
    pub fn with_mpi(&self, choice: Option<&crate::choice::Choice>) -> Self {
        Self { env: crate::choice::apply(self.env.clone(), choice), ..self.clone() }
    }

    /// Its package manager's names for things.
    pub fn distribution(&self) -> Distribution {
        Distribution::of(&self.os_release).with_programs_of(&self.env)
    }

    /// What to put in front of an installation command; `None` if there is no right to install.
    pub fn right_to_install(&self) -> Option<&'static [&'static str]> {
        if self.root || !self.distribution().needs_root() {
            return Some(&[]);
        }
        let sudo = self.env.which("sudo")?;
        let without_password = self.env.command(&sudo).args(["-n", "true"]).stderr(Stdio::null()).status();
        without_password.is_ok_and(|status| status.success()).then_some(&["sudo", "-n"])
    }
}
