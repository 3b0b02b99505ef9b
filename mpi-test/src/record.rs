//! What a rank writes down about itself, one line per event, and what a reader makes of it.

use std::fmt;

/// One event on a rank. Tests are named by their place in the plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Record {
    /// The process is there.
    Hello { process: i32, thread: i32, host: String },
    /// The next test begins; its output starts at this offset.
    Begin { offset: u64 },
    /// The test passed; its output ends at this offset.
    Pass { offset: u64 },
    /// Something panicked. It may still be caught.
    Panic { message: String },
    /// The test, or what comes before and after the tests, failed; its output ends at this offset. Without a message,
    /// the last panic has it.
    Fail { offset: u64, message: String },
    /// A deadly signal came.
    Signal { number: i32 },
    /// The process is ending of itself though a test has not ended.
    Exit,
    /// All tests have passed and MPI is finalized.
    Done,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello { process, thread, host } => writeln!(f, "hello {process} {thread} {host}"),
            Self::Begin { offset } => writeln!(f, "begin {offset}"),
            Self::Pass { offset } => writeln!(f, "pass {offset}"),
            Self::Panic { message } => writeln!(f, "panic {}", on_one_line(message)),
            Self::Fail { offset, message } => writeln!(f, "fail {offset} {}", on_one_line(message)),
            Self::Signal { number } => writeln!(f, "signal {number}"),
            Self::Exit => writeln!(f, "exit"),
            Self::Done => writeln!(f, "done"),
        }
    }
}

impl Record {
    fn parse(line: &str) -> Option<Self> {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some(match kind {
            "hello" => {
                let mut words = rest.splitn(3, ' ');
                let mut number = || words.next()?.parse().ok();
                let (process, thread) = (number()?, number()?);
                Self::Hello { process, thread, host: words.next()?.to_owned() }
            }
            "begin" => Self::Begin { offset: rest.parse().ok()? },
            "pass" => Self::Pass { offset: rest.parse().ok()? },
            "panic" => Self::Panic { message: on_its_lines(rest) },
            "fail" => {
                let (offset, message) = rest.split_once(' ')?;
                Self::Fail { offset: offset.parse().ok()?, message: on_its_lines(message) }
            }
            "signal" => Self::Signal { number: rest.parse().ok()? },
            "exit" => Self::Exit,
            "done" => Self::Done,
            _ => return None,
        })
    }
}

fn on_one_line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

fn on_its_lines(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                plain.extend(characters.next().map(|escaped| if escaped == 'n' { '\n' } else { escaped }))
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Where a rank is, as far as its records tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RankLog {
    /// The process, once it has said hello.
    pub(crate) process: Option<Process>,
    /// Where the output of each begun test starts and, if it ended, ends.
    pub(crate) tests: Vec<(u64, Option<u64>)>,
    /// How many tests have passed here.
    pub(crate) passed: usize,
    /// What went wrong first.
    pub(crate) trouble: Option<Trouble>,
    /// Everything passed, and MPI is finalized.
    pub(crate) done: bool,
    /// The latest panic of the current test.
    panic: Option<String>,
}

/// Where to find a rank's process.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Process {
    pub(crate) id: i32,
    pub(crate) thread: i32,
    pub(crate) host: String,
}

/// What ended a rank.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    /// A panic or an error.
    Failed(String),
    /// A signal, perhaps after a panic that could not be caught.
    Signal(i32, Option<String>),
    /// The process ended itself, perhaps after a panic that could not go on.
    Exit(Option<String>),
}

impl RankLog {
    /// Reads all records; a last line without its end is still being written, and left out.
    pub(crate) fn parse(text: &str) -> Self {
        let complete = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut log = Self::default();
        complete.lines().filter_map(Record::parse).for_each(|record| log.add(record));
        log
    }

    fn add(&mut self, record: Record) {
        match record {
            Record::Hello { process, thread, host } => {
                self.process = Some(Process { id: process, thread, host });
            }
            Record::Begin { offset } => {
                self.panic = None;
                self.tests.push((offset, None));
            }
            Record::Pass { offset } => {
                self.end_test(offset);
                self.passed += 1;
            }
            Record::Panic { message } => self.panic = Some(message),
            Record::Fail { offset, message } => {
                self.end_test(offset);
                let panic = self.panic.take().unwrap_or_else(|| "panicked".to_owned());
                self.is_in(Trouble::Failed(if message.is_empty() { panic } else { message }));
            }
            Record::Signal { number } => {
                let panic = self.panic.take();
                self.is_in(Trouble::Signal(number, panic));
            }
            Record::Exit => {
                let panic = self.panic.take();
                self.is_in(Trouble::Exit(panic))
            }
            Record::Done => self.done = true,
        }
    }

    fn end_test(&mut self, offset: u64) {
        if let Some((_, end)) = self.tests.last_mut() {
            *end = Some(offset);
        }
    }

    fn is_in(&mut self, trouble: Trouble) {
        self.trouble.get_or_insert(trouble);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(records: &[Record]) -> RankLog {
        RankLog::parse(&records.iter().map(Record::to_string).collect::<String>())
    }

    #[test]
    fn every_record_can_be_read_back() {
        let message = "left: 1\n right: \\2\n".to_owned();
        let records = [
            Record::Hello { process: 7, thread: 8, host: "node 1".into() },
            Record::Begin { offset: 0 },
            Record::Pass { offset: 12 },
            Record::Panic { message: message.clone() },
            Record::Fail { offset: 3, message },
            Record::Fail { offset: 3, message: String::new() },
            Record::Signal { number: 11 },
            Record::Exit,
            Record::Done,
        ];
        for record in records {
            let line = record.to_string();
            assert_eq!(line.matches('\n').count(), 1);
            assert_eq!(Record::parse(line.trim_end_matches('\n')), Some(record));
        }
        assert_eq!(Record::parse("nonsense"), None);
    }

    #[test]
    fn a_half_written_record_is_left_out() {
        assert_eq!(RankLog::parse("begin 0\npass 1").passed, 0);
        assert_eq!(RankLog::parse("begin 0\npass 1\n").passed, 1);
    }

    #[test]
    fn a_failure_takes_the_words_of_the_panic() {
        let panic = Record::Panic { message: "panicked at a.rs:1".into() };
        let fail = Record::Fail { offset: 3, message: String::new() };
        let log = log(&[Record::Begin { offset: 0 }, panic, fail, Record::Exit]);
        assert_eq!(log.trouble, Some(Trouble::Failed("panicked at a.rs:1".into())));
    }

    #[test]
    fn a_panic_that_was_caught_is_forgotten_with_its_test() {
        let panic = Record::Panic { message: "caught".into() };
        let begin = Record::Begin { offset: 0 };
        let log =
            log(&[begin.clone(), panic, Record::Pass { offset: 0 }, begin, Record::Signal { number: 6 }]);
        assert_eq!(log.trouble, Some(Trouble::Signal(6, None)));
    }
}
