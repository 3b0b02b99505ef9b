//! A running job: a launcher in a session of its own, and everything that it started.
//!
//! An MPI launcher is a poor guardian. MPICH's leaves spinning ranks behind when it is killed, all of them leave what
//! the ranks forked, and a signal from a terminal may or may not reach a rank. So a [`Job`] marks its processes by an
//! environment variable, asks the launcher to end the job, and then kills whatever bears the mark. If this process is
//! killed, its [`Guardian`] does.

mod guardian;
mod processes;
mod signals;

use std::io::{self, IsTerminal, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use guardian::Guardian;
use processes::Mark;
pub use signals::{Forwarding, forward_signals};

/// Marks the processes of a job; its value is unique to it.
const MARK: &str = "MPI_JOB_ID";

/// How long a launcher that was asked to end its job may take.
const GRACE: Duration = Duration::from_millis(1500);

/// How often a wait looks whether a second signal has come.
const TICK: Duration = Duration::from_millis(100);

/// Where a job's standard output and error go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Where this process's go.
    Inherit,
    /// Into [`Ending`]; standard input is empty.
    Capture,
    /// Where the [`Command`] given to [`Job::spawn`] says.
    AsConfigured,
}

/// A started job. No process of it survives this value, however the job ends.
#[derive(Debug)]
pub struct Job {
    launcher: Child,
    mark: Mark,
    guardian: Option<Guardian>,
    started: Instant,
    limit: Option<Duration>,
    /// How many signals had come before it was started.
    signals_before: u32,
    exited: Receiver<()>,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    status: Option<ExitStatus>,
}

/// How a job ended.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The launcher's.
    pub status: ExitStatus,
    /// The time limit was exceeded, and the job was ended for it.
    pub timed_out: bool,
    /// Captured standard output, if so asked.
    pub stdout: Vec<u8>,
    /// Captured standard error, if so asked.
    pub stderr: Vec<u8>,
}

impl Ending {
    /// What a shell would call the exit code: 128 + the signal after one, 124 after a time-out as `timeout` has it.
    #[must_use]
    pub fn exit_code(&self) -> i32 {
        if self.timed_out {
            return 124;
        }
        self.status.code().or_else(|| self.status.signal().map(|signal| 128 + signal)).unwrap_or(1)
    }
}

impl Job {
    /// Starts a launcher in a session of its own.
    ///
    /// # Errors
    /// If it cannot be started; the message names it.
    pub fn spawn(mut command: Command, output: Output, limit: Option<Duration>) -> io::Result<Self> {
        let mark = Mark::new(MARK, unique());
        command.env(MARK, mark.value());
        if output == Output::Capture {
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        // Open MPI does not read a terminal that belongs to another session than its own.
        let relay = output == Output::Inherit && io::stdin().is_terminal();
        if relay {
            command.stdin(Stdio::piped());
        }
        let name = command.get_program().to_string_lossy().into_owned();
        let parent = std::process::id();
        let mut guardian = Guardian::new(&mark)?;
        // SAFETY: the closure runs in the child between fork and exec, where only async-signal-safe functions may be
        // called and nothing may be allocated: `leave_parent` makes system calls alone.
        unsafe { command.pre_exec(move || leave_parent(parent)) };
        let (mut launcher, exited) = spawn_with_keeper(command)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot start {name}: {error}")))?;
        guardian.watch(launcher.id());
        let signals_before = signals::watch(launcher.id());
        if relay && let Some(stdin) = launcher.stdin.take() {
            relay_input(stdin);
        }
        let (stdout, stderr) = match output {
            Output::Capture => (launcher.stdout.take().map(collect), launcher.stderr.take().map(collect)),
            Output::Inherit | Output::AsConfigured => (None, None),
        };
        let guardian = Some(guardian);
        Ok(Self {
            launcher,
            mark,
            guardian,
            started: Instant::now(),
            limit,
            signals_before,
            exited,
            stdout,
            stderr,
            status: None,
        })
    }

    /// The launcher's process id.
    #[must_use]
    pub fn launcher_id(&self) -> u32 {
        self.launcher.id()
    }

    /// The ids of all living processes of this job, the launcher among them.
    #[must_use]
    pub fn processes(&self) -> Vec<i32> {
        self.mark.bearers(self.launcher.id())
    }

    /// Whether the launcher has ended by itself.
    ///
    /// # Errors
    /// If the system cannot tell.
    pub fn has_ended(&mut self) -> io::Result<bool> {
        if self.status.is_none() && !matches!(self.exited.try_recv(), Err(mpsc::TryRecvError::Empty)) {
            self.reap()?;
        }
        Ok(self.status.is_some())
    }

    /// Waits until the job has ended or its time limit is exceeded, passing on the signals that
    /// [`forward_signals`] catches; a second signal ends the job at once.
    ///
    /// # Errors
    /// If the system cannot tell how it ended.
    pub fn wait(&mut self) -> io::Result<Ending> {
        let mut timed_out = false;
        while self.status.is_none() {
            let left = self.limit.map(|limit| limit.saturating_sub(self.started.elapsed()));
            match self.exited.recv_timeout(left.map_or(TICK, |left| left.min(TICK))) {
                Err(RecvTimeoutError::Timeout) => {
                    timed_out = left.is_some_and(|left| left.is_zero());
                    if timed_out || signals::received() > self.signals_before + 1 {
                        self.end()?;
                    }
                }
                Ok(()) | Err(RecvTimeoutError::Disconnected) => self.reap()?,
            }
        }
        self.ending(timed_out)
    }

    /// Ends the job: asks the launcher, waits a moment, then kills every process of it. Does nothing if it has ended.
    ///
    /// # Errors
    /// If the system cannot tell how it ended.
    pub fn end(&mut self) -> io::Result<()> {
        if self.status.is_none() {
            signals::send(self.launcher.id(), libc::SIGTERM);
            let _ = self.exited.recv_timeout(GRACE);
            self.reap()?;
        }
        Ok(())
    }

    /// Kills what is left of the job, then lets the launcher's id go. In this order: as long as it is not reaped, its
    /// id, and with it its session's, cannot become anyone else's.
    fn reap(&mut self) -> io::Result<()> {
        signals::forget(self.launcher.id());
        self.mark.kill_all(self.launcher.id());
        // In this order too: it would take whoever has the session's id for a part of the job.
        self.guardian = None;
        self.status = Some(self.launcher.wait()?);
        Ok(())
    }

    fn ending(&mut self, timed_out: bool) -> io::Result<Ending> {
        let text =
            |reader: Option<JoinHandle<Vec<u8>>>| reader.and_then(|r| r.join().ok()).unwrap_or_default();
        let status = self.launcher.wait()?;
        Ok(Ending { status, timed_out, stdout: text(self.stdout.take()), stderr: text(self.stderr.take()) })
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // Nobody is left to be told; the processes are killed before anything in `end` can fail.
        let _ = self.end();
    }
}

/// In the child: a new session, so that the whole job is one target; and its end if this process is killed, which then
/// cannot do so itself.
fn leave_parent(parent: u32) -> io::Result<()> {
    // SAFETY: setsid takes no arguments; it fails only in a group leader, which a forked child is not.
    unsafe { libc::setsid() };
    #[cfg(target_os = "linux")]
    {
        // SAFETY: PR_SET_PDEATHSIG takes one integer, a signal's number.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) };
        // SAFETY: getppid has no preconditions.
        if unsafe { libc::getppid() }.cast_unsigned() != parent {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    Ok(())
}

/// Starts the launcher from a thread that lives as long as it does, because the kernel sends the parent-death signal
/// when the *thread* that forked ends. The thread tells when the launcher has ended, and leaves it to be reaped.
fn spawn_with_keeper(mut command: Command) -> io::Result<(Child, Receiver<()>)> {
    let (tell_child, child) = mpsc::channel();
    let (tell_exit, exited) = mpsc::channel();
    thread::Builder::new().name("mpi-job".into()).spawn(move || {
        let spawned = command.spawn();
        // Its copies of pipes would keep a reader waiting.
        drop(command);
        let id = spawned.as_ref().ok().map(Child::id);
        let delivered = tell_child.send(spawned).is_ok();
        if let (true, Some(id)) = (delivered, id) {
            processes::wait_unreaped(id);
            // The job may have been dropped meanwhile.
            let _ = tell_exit.send(());
        }
    })?;
    let child = child.recv().map_err(|_| io::Error::other("the thread that starts it has ended"))??;
    Ok((child, exited))
}

/// Passes standard input on. The thread may wait for input longer than the job lasts; it holds nothing.
fn relay_input(mut job: ChildStdin) {
    thread::spawn(move || io::copy(&mut io::stdin(), &mut job));
}

fn collect(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still worth reporting.
        let _ = stream.read_to_end(&mut bytes);
        bytes
    })
}

/// Different for every job of every process on this machine.
fn unique() -> String {
    static JOBS: AtomicU32 = AtomicU32::new(0);
    let number = JOBS.fetch_add(1, Ordering::Relaxed);
    let nanoseconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    format!("{}.{number}.{nanoseconds}", std::process::id())
}
