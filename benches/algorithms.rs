//! The small examples against their C twins in `benches/c`: what do counts that nobody gives cost?
//!
//! ```sh
//! cargo bench --bench algorithms                # 20 pairs of each, on 1, 2 and 4 ranks
//! cargo bench --bench algorithms -- --pairs 60
//! cargo bench --bench algorithms -- --only particles
//! ```

#[path = "../tests/common/example.rs"]
mod example;
mod pairs;

use anyhow::Result;
use pairs::{Program, Report, build_c, compare, launcher, print_head, value};

/// Example, size, rounds.
const WORK: [(&str, usize, usize); 9] = [
    ("allgatherv", 100, 20_000),
    ("allgatherv", 100_000, 300),
    ("sample_sort", 1_000, 3_000),
    ("sample_sort", 200_000, 10),
    ("bfs", 200_000, 10),
    ("columns", 10, 5_000),
    ("columns", 400, 20),
    ("particles", 100, 5_000),
    ("particles", 2_000, 20),
];

fn main() -> Result<()> {
    let pairs = pairs::pairs(20)?;
    let (launcher, folder) = (launcher()?, tempfile::tempdir()?);
    print_head(pairs.unwrap_or(1), "an example and its twin");
    let only: Vec<String> = std::env::args().skip_while(|arg| arg != "--only").skip(1).take(1).collect();
    for (name, size, rounds) in WORK.into_iter().filter(|work| only.iter().all(|name| name == work.0)) {
        let rounds = if pairs.is_some() { rounds } else { 2 };
        let args = vec![size.to_string().into(), rounds.to_string().into()];
        let rust = Program { path: example::build(name), args: args.clone() };
        let c = Program { path: build_c(name, folder.path())?, args };
        for ranks in [1, 2, 4] {
            compare(&launcher, (&format!("{name} {size}"), ranks, pairs.unwrap_or(1)), &c, &rust, read)?;
        }
    }
    Ok(())
}

fn read(text: &str) -> Result<Report> {
    let rounds: f64 = value(text, "rounds")?.parse()?;
    Ok(Report {
        step: value(text, "time")?.parse::<f64>()? / rounds,
        result: value(text, "fingerprint")?.into(),
    })
}
