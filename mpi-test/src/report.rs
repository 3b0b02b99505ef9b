//! The text a failed test shows.

use crate::folder::Folder;
use crate::launch::Launch;
use crate::record::RankLog;
use crate::verdict::Failure;
use std::fs;
use std::path::Path;

/// Lines of output shown of each rank of a failed test.
const TAIL: usize = 60;

/// "1 rank", "2 ranks".
pub(crate) fn ranks(count: usize) -> String {
    format!("{count} rank{}", if count == 1 { "" } else { "s" })
}

/// The report on the test at `index` of a launch.
pub(crate) fn failure(name: &str, failure: &Failure, launch: &Launch, index: usize) -> String {
    let ranks = launch.logs.len();
    let mut text = format!("{name} on {}: {}", self::ranks(ranks), failure.headline);
    for (rank, line) in failure.ranks.iter().enumerate() {
        text += &format!("\n  rank {rank} of {ranks}: {}", line.trim_end().replace('\n', "\n    "));
    }
    let output = output(&launch.folder, &launch.logs, index, TAIL);
    if !output.is_empty() {
        text += &format!("\noutput of the ranks:\n{}", output.trim_end());
    }
    // Before a rank redirects its output, the harness has announced it there.
    let launcher = read(&launch.folder.launcher_output(), 0, None).replace("\nrunning 1 test\n", "");
    if !failure.explained && !launcher.trim().is_empty() {
        text += &format!("\noutput of the launcher:\n{}", prefixed(&launcher, "  ", TAIL).trim_end());
    }
    text
}

/// What the ranks printed during one test, each line after its rank; at most the last `tail` lines of each.
pub(crate) fn output(folder: &Folder, logs: &[RankLog], index: usize, tail: usize) -> String {
    let mut text = String::new();
    for (rank, log) in logs.iter().enumerate() {
        let (begin, end) = log.tests.get(index).copied().unwrap_or_default();
        // What a rank printed before its first test is about MPI's start, and shown if there is no test to show.
        if log.tests.len() > index || log.tests.is_empty() {
            text += &prefixed(&read(&folder.output(rank), begin, end), &format!("[{rank}] "), tail);
        }
    }
    text
}

fn read(path: &Path, begin: u64, end: Option<u64>) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let part = index(begin)..end.map_or(bytes.len(), index);
    String::from_utf8_lossy(bytes.get(part).unwrap_or_default()).into_owned()
}

fn prefixed(text: &str, prefix: &str, tail: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let left_out = lines.len().saturating_sub(tail);
    let note = (left_out > 0).then(|| format!("{prefix}… {left_out} lines left out\n"));
    let shown = lines[left_out..].iter().map(|line| format!("{prefix}{line}\n"));
    note.into_iter().chain(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_long_output_is_shown() {
        assert_eq!(prefixed("a\nb\nc\n", "[0] ", 2), "[0] … 1 lines left out\n[0] b\n[0] c\n");
        assert_eq!(prefixed("", "[0] ", 2), "");
    }

    #[test]
    fn output_is_that_of_the_test_asked_for() {
        let folder = Folder::create().unwrap();
        fs::write(folder.output(0), "start\none\ntwo\n").unwrap();
        let logs = [RankLog::parse("begin 6\npass 10\nbegin 10\n")];
        assert_eq!(output(&folder, &logs, 0, 9), "[0] one\n");
        assert_eq!(output(&folder, &logs, 1, 9), "[0] two\n");
        assert_eq!(output(&folder, &logs, 2, 9), "");
    }
}
