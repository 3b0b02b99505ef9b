//! Finding the processes of a job, and killing them.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::signals::send;

/// An environment variable that every process of a job has inherited.
#[derive(Debug)]
pub(super) struct Mark {
    /// `NAME=VALUE`.
    entry: String,
    name_length: usize,
}

impl Mark {
    pub(super) fn new(name: &str, value: String) -> Self {
        Self { entry: format!("{name}={value}"), name_length: name.len() }
    }

    pub(super) fn entry(&self) -> &str {
        &self.entry
    }

    pub(super) fn value(&self) -> &str {
        &self.entry[self.name_length + 1..]
    }

    /// Living processes that have the mark or belong to the launcher's session. A rank may leave the session (Open
    /// MPI's helpers do) or clear its environment; one that does both is out of reach.
    pub(super) fn bearers(&self, session: u32) -> Vec<i32> {
        let myself = std::process::id().cast_signed();
        let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
        numbers
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|&id| id != myself)
            .filter(|&id| in_session(id, session) || self.is_on(id))
            .collect()
    }

    fn is_on(&self, id: i32) -> bool {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == self.entry.as_bytes())
    }

    /// Kills the bearers until none is left. They may fork while they are being found, hence the loop; a process stuck
    /// in the kernel dies when it comes out of it, hence its limit.
    pub(super) fn kill_all(&self, session: u32) {
        #[cfg(not(target_os = "linux"))]
        super::signals::send_group(session, libc::SIGKILL);
        for _ in 0..200 {
            let bearers = self.bearers(session);
            if bearers.is_empty() {
                return;
            }
            for id in bearers {
                send(id.cast_unsigned(), libc::SIGKILL);
            }
            sleep(Duration::from_millis(5));
        }
    }
}

/// Whether a living process belongs to a session. One that has ended and waits for its parent does not.
fn in_session(id: i32, session: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // "pid (name) state ppid pgrp session …", where the name may hold spaces and parentheses.
    let mut fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let state = fields.next();
    !matches!(state, None | Some("Z" | "X")) && fields.nth(2).and_then(|s| s.parse().ok()) == Some(session)
}

/// Waits until a child has ended, and leaves it to be reaped, so that its id stays its own.
pub(super) fn wait_unreaped(id: u32) {
    loop {
        // SAFETY: siginfo_t is plain old data, for which all zeros is a value.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        // SAFETY: `info` is a live, writable siginfo_t; the other arguments are integers.
        let code = unsafe { libc::waitid(libc::P_PID, id, &raw mut info, libc::WEXITED | libc::WNOWAIT) };
        if code == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return;
        }
    }
}
