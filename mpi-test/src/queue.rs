//! Which launches are still to be made, and the results of those that were.
//!
//! The test harness calls tests from several threads. Whichever comes first makes the launches for all, while the
//! others wait for their results; when its own are in, the next one goes on.

use crate::environment::Environment;
use crate::selection::Selection;
use crate::{TestCase, batch};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static QUEUE: Mutex<Option<Queue>> = Mutex::new(None);

/// Runs a test on all its rank counts, and with it what shares its launches; returns the reports of its failures.
pub(crate) fn run(case: &'static TestCase) -> Vec<String> {
    let environment = match Environment::read() {
        Ok(environment) => environment,
        Err(message) => return vec![message],
    };
    // A panic in here is a bug that has failed one test already; the queue is as good as before.
    let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
    let queue = queue.get_or_insert_with(|| Queue::of_selected_tests(&environment));
    queue.run(case, &environment)
}

#[derive(Debug, Default)]
struct Queue {
    /// By rank count, the tests to be launched.
    waiting: BTreeMap<usize, Vec<&'static TestCase>>,
    /// By test and rank count: what was printed, or the report.
    results: BTreeMap<(&'static str, usize), Result<String, String>>,
}

impl Queue {
    fn of_selected_tests(environment: &Environment) -> Self {
        let selection = Selection::parse(std::env::args().skip(1));
        let mut queue = Self::default();
        let all = TestCase::all();
        for case in all.into_iter().filter(|case| selection.includes(case.harness_name(), case.ignored)) {
            queue.add(case, environment);
        }
        queue
    }

    fn add(&mut self, case: &'static TestCase, environment: &Environment) {
        for ranks in rank_counts(case, environment) {
            let waiting = self.waiting.entry(ranks).or_default();
            let known = waiting.iter().any(|other| other.name == case.name);
            if !known && !self.results.contains_key(&(case.name, ranks)) {
                waiting.push(case);
            }
        }
    }

    /// Launches until every result of this test is in: smallest rank count first, whoever's turn it is.
    fn run(&mut self, case: &'static TestCase, environment: &Environment) -> Vec<String> {
        self.add(case, environment);
        let wanted: Vec<_> = rank_counts(case, environment).map(|ranks| (case.name, ranks)).collect();
        while wanted.iter().any(|key| !self.results.contains_key(key)) && self.launch(environment) {}
        if wanted.len() < case.ranks.len() {
            println!("only on {} ranks and less: MPI_TEST_MAX_RANKS is set", environment.max_ranks);
        }
        let results = wanted.iter().filter_map(|key| self.results.remove(key));
        results.filter_map(|result| result.map(|output| print!("{output}")).err()).collect()
    }

    /// Makes one launch; `false` if none is left to be made.
    fn launch(&mut self, environment: &Environment) -> bool {
        let Some(mut group) = self.waiting.first_entry() else { return false };
        let ranks = *group.key();
        for result in batch::launch(group.get(), ranks, environment) {
            group.get_mut().retain(|case| case.name != result.case.name);
            self.results.insert((result.case.name, ranks), result.text);
        }
        if group.get().is_empty() {
            group.remove();
        }
        true
    }
}

fn rank_counts(case: &TestCase, environment: &Environment) -> impl Iterator<Item = usize> {
    let max = environment.max_ranks;
    case.ranks.iter().copied().filter(move |ranks| *ranks <= max)
}
