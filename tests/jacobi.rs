//! The example `jacobi` as a user runs it: under the launcher, on several numbers of ranks, with good and bad input.

#[path = "common/example.rs"]
mod example;

use mpi::test_support::{FAMILY, IMPL_VERSION, LIBDIRS, MPIEXEC, PREFIX};
use mpi_config::launch::{Ending, Launcher, Options, Output};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// One job at a time: two on the same cores take much longer than one after the other.
static TURN: Mutex<()> = Mutex::new(());

fn data(name: &str) -> String {
    format!("{}/examples/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

static EXAMPLE: LazyLock<PathBuf> = LazyLock::new(|| example::build("jacobi"));

/// The numbers of ranks to try, within what this run of the tests allows (`MPI_TEST_MAX_RANKS`).
fn allowed(ranks: &[usize]) -> Vec<usize> {
    let limit = std::env::var("MPI_TEST_MAX_RANKS").ok().and_then(|n| n.parse().ok()).unwrap_or(usize::MAX);
    ranks.iter().copied().filter(|&n| n <= limit).collect()
}

/// What a run left behind.
#[derive(Debug)]
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
    /// The files in the folder that it ran for, which was empty before.
    files: Vec<String>,
    picture: Option<Vec<u8>>,
}

impl Run {
    /// The words after `key` at the beginning of a line.
    #[track_caller]
    fn value(&self, key: &str) -> String {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut lines =
            self.stdout.lines().map(words).filter(|words| words.first().is_some_and(|w| w == key));
        lines.next().unwrap_or_else(|| panic!("no line `{key}` in {self:#?}"))[1..].join(" ")
    }
}

/// Runs the example; in `args`, `{}` stands for an empty folder, and the picture goes there if nothing else is said.
fn run(ranks: usize, args: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let mut args: Vec<String> = args.iter().map(|arg| arg.replace("{}", place)).collect();
    if !args.iter().any(|arg| arg == "--output") {
        args.extend(["--output".into(), format!("{place}/heat.png")]);
    }
    let ending = launch(ranks, &args);
    assert!(!ending.timed_out, "hangs: {ending:#?}");
    let files = std::fs::read_dir(folder.path()).unwrap();
    Run {
        code: ending.exit_code(),
        stdout: String::from_utf8_lossy(&ending.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&ending.stderr).into_owned(),
        files: files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect(),
        picture: std::fs::read(folder.path().join("heat.png")).ok(),
    }
}

fn launch(ranks: usize, args: &[String]) -> Ending {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let launcher = Launcher::from_parts(FAMILY, IMPL_VERSION, MPIEXEC, LIBDIRS, PREFIX);
    let options = Options { ranks, timeout: Some(Duration::from_secs(60)), ..Options::default() };
    let args: Vec<_> = args.iter().map(Into::into).collect();
    launcher.unwrap().start(&options, &EXAMPLE, &args, Output::Capture).unwrap().wait().unwrap()
}

#[track_caller]
fn succeeds(ranks: usize, args: &[&str]) -> Run {
    let run = run(ranks, args);
    assert_eq!(run.code, 0, "{run:#?}");
    run
}

/// The run fails, says why (once), and leaves nothing behind.
#[track_caller]
fn fails(ranks: usize, args: &[&str], message: &str) {
    let run = run(ranks, args);
    assert_ne!(run.code, 0, "{run:#?}");
    assert_eq!(run.stderr.matches(message).count(), 1, "{message:?} is not said, once, in {run:#?}");
    assert_eq!(run.files, [""; 0], "{run:#?}");
}

// ---- good input ----

#[test]
fn the_same_image_gives_the_same_bits_on_any_number_of_ranks() {
    for image in ["small.png", "wedge.pgm"] {
        let result = |ranks| {
            let run = succeeds(ranks, &["--image", &data(image), "--tolerance", "1e-5"]);
            assert_eq!(run.files, ["heat.png"]);
            assert!(run.value("ranks").starts_with(&ranks.to_string()), "{run:#?}");
            let numbers = ["iterations", "residual", "fingerprint"].map(|key| run.value(key));
            assert!(numbers[1].ends_with("reached)") && !numbers[1].contains("NOT"), "{run:#?}");
            (numbers, run.picture)
        };
        let alone = result(1);
        for ranks in allowed(&[2, 3, 4, 6]) {
            assert_eq!(result(ranks), alone, "{image} on {ranks} ranks");
        }
    }
}

#[test]
fn the_iteration_limit_ends_the_run() {
    let run = succeeds(2, &["--image", &data("small.png"), "--max-iterations", "7", "--tolerance", "0"]);
    assert_eq!(run.value("iterations"), "7");
    assert!(run.value("residual").ends_with("NOT reached)"), "{run:#?}");
}

#[test]
fn the_analytic_case_is_right_to_its_discretization_error() {
    let error = |ranks: usize, n: &str| {
        let run = succeeds(ranks, &["--analytic", n]);
        let words: Vec<String> = run.value("error").split([' ', ',']).map(str::to_owned).collect();
        let [error, bound] = [&words[0], &words[words.len() - 1]].map(|word| word.parse::<f64>().unwrap());
        assert!(error <= bound, "{run:#?}");
        error
    };
    // Half the distance between cells, a quarter of the error.
    let ratio = error(1, "15") / error(2, "31");
    assert!((3.7..4.3).contains(&ratio), "{ratio}");
}

#[test]
fn the_baseline_is_the_same_computation_on_one_rank() {
    let run = succeeds(2, &["--image", &data("small.png"), "--baseline"]);
    assert!(run.value("one").ends_with("the same result to the last bit"), "{run:#?}");
    assert!(run.value("efficiency").ends_with(" %"), "{run:#?}");
}

#[test]
fn help_is_given_once() {
    let run = succeeds(2, &["--help"]);
    assert_eq!(run.stdout.matches("Usage:").count(), 1, "{run:#?}");
}

#[test]
fn a_picture_that_is_there_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("heat.png");
    std::fs::write(&picture, "an older picture").unwrap();
    succeeds(1, &["--image", &data("small.png"), "--output", picture.to_str().unwrap()]);
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
}

// ---- bad input ----

/// A PGM file outside of the folder that is checked for leftovers.
fn image(rows: usize, cols: usize) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, format!("P2 {cols} {rows} 255\n{}", "0 ".repeat(rows * cols))).unwrap();
    file
}

fn name(file: &tempfile::NamedTempFile) -> &str {
    file.path().to_str().unwrap()
}

#[test]
fn what_is_no_image_is_refused() {
    fails(2, &["--image", file!()], "it is neither a PNG nor a PGM");
    fails(2, &["--image", &data("nothing.png")], "cannot read");
    fails(2, &["--image", &data(".")], "cannot read");
}

#[test]
fn an_image_of_one_pixel_is_refused() {
    fails(2, &["--image", name(&image(1, 1))], "it must be at least 3 × 3");
}

#[test]
fn more_ranks_than_rows_are_refused() {
    for ranks in allowed(&[2, 4]) {
        fails(ranks, &["--image", name(&image(3, 3))], "ranks are too many for this image");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_anything_is_computed() {
    let endless = ["--image", &data("plate.png"), "--tolerance", "0", "--max-iterations", "1000000000"];
    for output in ["{}", "{}/no/such/folder/heat.png", "/dev/null", "/proc/heat.png"] {
        let args: Vec<&str> = endless.iter().copied().chain(["--output", output]).collect();
        fails(2, &args, "cannot write the picture");
    }
    assert!(Path::new("/dev/null").metadata().is_ok_and(|device| !device.is_file()));
}

#[test]
fn a_mistake_on_the_command_line_is_explained() {
    fails(2, &["--tolerance", "-1"], "it must be a number, and not negative");
    fails(2, &["--max-iterations", "0"], "0 is not in 1..");
    fails(2, &["--analytic", "9", "--image", "x.png"], "cannot be used with");
}
