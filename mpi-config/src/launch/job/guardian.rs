//! A process that ends the job when the one that started it is killed, and so cannot.
//!
//! The kernel then asks the launcher to end ([`super::leave_parent`]), but a launcher may go and leave its ranks: Open
//! MPI 4.1.4's does once in some tens of times on a busy machine.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use super::MARK;
use super::processes::Mark;

/// Waits for the end of its standard input, and kills what bears the mark or belongs to the launcher's session. A line
/// says which session that is; a second one, that the job has ended. A shell, since a copy of this process may do next
/// to nothing if it has several threads.
const SCRIPT: &str = r#"
mark=$1
read -r session
read -r ended && exit
sleep 2
for round in 1 2 3 4 5; do
    for process in /proc/[0-9]*; do
        stat= && read -r stat < "$process/stat"
        set -- ${stat##*) }
        case $1 in ''|Z|X) continue ;; esac
        if [ "$4" = "$session" ] || tr '\0' '\n' < "$process/environ" | grep -qxF -e "$mark"; then
            kill -KILL "${process#/proc/}"
        fi
    done
done
"#;

#[derive(Debug)]
pub(super) struct Guardian {
    shell: Child,
}

impl Guardian {
    /// To be started before the job, which is thus watched from its first moment on.
    pub(super) fn new(mark: &Mark) -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "mpi-job-guardian", mark.entry()]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // What ends this process, a signal to its group or the end of a job that it is part of, is to be outlived.
        command.process_group(0).env_remove(MARK);
        let shell = command
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("cannot start /bin/sh: {error}")))?;
        Ok(Self { shell })
    }

    /// Names the launcher, whose id is its session's.
    pub(super) fn watch(&mut self, launcher: u32) {
        self.tell(&format!("{launcher}\n"));
    }

    fn tell(&mut self, line: &str) {
        if let Some(stdin) = &mut self.shell.stdin {
            // It fails if somebody has killed the guardian; the job goes on without.
            let _ = stdin.write_all(line.as_bytes());
        }
    }
}

impl Drop for Guardian {
    /// The job has ended.
    fn drop(&mut self) {
        self.tell("\n\n");
        let _ = self.shell.wait();
    }
}
