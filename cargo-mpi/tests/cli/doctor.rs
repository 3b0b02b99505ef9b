//! `cargo mpi doctor` on this machine, well and misled.

use crate::project::{Project, text};

#[test]
fn a_machine_that_can_run_these_tests_is_well() {
    let output = Project::new(false).run("doctor");
    let report = text(&output.stdout);
    assert!(output.status.success(), "{report}");
    for line in [
        "ok      C compiler",
        "ok      libclang",
        "ok      MPI, used",
        "ok      two ranks",
        "Everything works.",
    ] {
        assert!(report.contains(line), "no `{line}` in\n{report}");
    }
}

#[test]
fn each_problem_comes_with_its_remedy() {
    let project = Project::new(false);
    let report = |name, value| {
        let output = project.command("doctor").env(name, value).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        text(&output.stdout)
    };
    let misled = report("MPICC", "gcc");
    assert!(misled.contains("PROBLEM MPI") && misled.contains("unset MPICC"), "{misled}");
    let without = report("LIBCLANG_PATH", "/nowhere");
    assert!(without.contains("PROBLEM libclang") && without.contains("unset LIBCLANG_PATH"), "{without}");
    let without = report("CC", "/nowhere/cc");
    assert!(without.contains("PROBLEM C compiler") && without.contains("unset CC"), "{without}");
}
