//! `cargo mpi test` adds up what the test programs report.

use crate::project::{Project, text};

/// Runs the project's tests with a variable set; the last line, and the exit code.
fn last_line(project: &Project, line: &str, variable: &str) -> (String, Option<i32>) {
    let output = project.command(line).env(variable, "1").output().unwrap();
    let lines = text(&output.stdout);
    (lines.lines().last().unwrap_or_default().to_owned(), output.status.code())
}

#[test]
fn the_last_line_is_the_sum() {
    let project = Project::new(true);
    let sum = |line, variable| last_line(&project, line, variable);
    assert_eq!(sum("test", "GOOD"), ("3 passed, 0 failed".into(), Some(0)));
    assert_eq!(sum("test", "BAD"), ("2 passed, 1 failed".into(), Some(1)));
    assert_eq!(sum("test --test all -- --exact good", "BAD"), ("1 passed, 0 failed".into(), Some(0)));
    let (line, code) = sum("test", "DEAD");
    assert!(line.ends_with(", 1 failed") && code == Some(1), "{line}");
    project.write("tests/all.rs", "does not compile");
    assert_eq!(sum("test", "GOOD"), ("0 passed, 1 failed".into(), Some(101)));
}
