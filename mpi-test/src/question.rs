//! Asking the ranks of a hung job where they stand.

use crate::folder::Folder;
use crate::rank::{QUESTION, host};
use crate::record::{Process, RankLog};
use std::fs;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long the ranks have for the answer.
const LIMIT: Duration = Duration::from_secs(2);

/// Where a rank stood when the launch ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    /// Its stack.
    Stack(String),
    /// It has none to give: its process is gone.
    Gone,
    /// It did not say.
    Silent,
}

/// Asks every rank of this machine, and waits a moment.
pub(crate) fn ask(folder: &Folder, logs: &[RankLog]) -> Vec<Answer> {
    // Process ids mean something on the machine they come from only.
    let here = host();
    let question =
        |log: &RankLog| log.process.as_ref().filter(|process| process.host == here).map(send_question);
    let asked: Vec<Option<Sent>> = logs.iter().map(question).collect();

    let begin = Instant::now();
    let missing =
        |(rank, sent): (usize, &Option<Sent>)| *sent == Some(Sent::Yes) && !folder.stack(rank).exists();
    while begin.elapsed() < LIMIT && asked.iter().enumerate().any(missing) {
        sleep(Duration::from_millis(5));
    }
    let told = answers(folder, logs).into_iter().zip(asked);
    told.map(|(answer, sent)| if sent == Some(Sent::NobodyThere) { Answer::Gone } else { answer }).collect()
}

/// What the ranks have told so far, asked or dying.
pub(crate) fn answers(folder: &Folder, logs: &[RankLog]) -> Vec<Answer> {
    let read = |rank| fs::read(folder.stack(rank)).ok();
    let answer = |stack: Vec<u8>| Answer::Stack(String::from_utf8_lossy(&stack).into_owned());
    (0..logs.len()).map(|rank| read(rank).map_or(Answer::Silent, answer)).collect()
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sent {
    Yes,
    NobodyThere,
}

fn send_question(process: &Process) -> Sent {
    let gone = !signal(process) && io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH);
    if gone { Sent::NobodyThere } else { Sent::Yes }
}

/// To the thread that runs the tests: another one's stack tells nothing.
#[cfg(target_os = "linux")]
fn signal(process: &Process) -> bool {
    // SAFETY: tgkill takes three integers.
    unsafe { libc::syscall(libc::SYS_tgkill, process.id, process.thread, QUESTION) == 0 }
}

#[cfg(not(target_os = "linux"))]
fn signal(process: &Process) -> bool {
    // SAFETY: kill takes two integers.
    unsafe { libc::kill(process.id, QUESTION) == 0 }
}
