//! Which tests the harness was asked to run: its arguments, read as it reads them.
//!
//! A wrong guess here costs time, never a result: a test that was not foreseen gets a launch of its own.

/// The arguments of libtest that choose tests.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Selection {
    filters: Vec<String>,
    skips: Vec<String>,
    exact: bool,
    ignored: Ignored,
}

#[derive(Debug, Default, PartialEq)]
enum Ignored {
    #[default]
    No,
    Only,
    Too,
}

/// Options of libtest whose value is the next argument.
const WITH_VALUE: [&str; 6] = ["--test-threads", "--logfile", "--color", "--format", "--shuffle-seed", "-Z"];

impl Selection {
    /// Reads arguments, the program's name left out.
    pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Self {
        let mut selection = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--exact" => selection.exact = true,
                "--ignored" => selection.ignored = Ignored::Only,
                "--include-ignored" => selection.ignored = Ignored::Too,
                "--skip" => selection.skips.extend(arguments.next()),
                option if WITH_VALUE.contains(&option) => {
                    arguments.next();
                }
                option if option.starts_with("--skip=") => {
                    selection.skips.push(option["--skip=".len()..].to_owned());
                }
                option if option.starts_with('-') => {}
                _ => selection.filters.push(argument),
            }
        }
        selection
    }

    /// Whether the harness will run the test of that name.
    pub(crate) fn includes(&self, name: &str, ignored: bool) -> bool {
        let matches = |pattern: &String| if self.exact { name == pattern } else { name.contains(pattern) };
        let chosen = self.filters.is_empty() || self.filters.iter().any(matches);
        let ignored_fits = match self.ignored {
            Ignored::No => !ignored,
            Ignored::Only => ignored,
            Ignored::Too => true,
        };
        chosen && ignored_fits && !self.skips.iter().any(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(arguments: &str) -> Selection {
        Selection::parse(arguments.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn without_arguments_all_but_the_ignored_run() {
        assert!(selection("").includes("a::b", false));
        assert!(!selection("").includes("a::b", true));
    }

    #[test]
    fn filters_are_parts_of_names_unless_exact() {
        assert!(selection("halo ring").includes("p2p::ring_of_four", false));
        assert!(!selection("halo").includes("ring", false));
        assert!(selection("--exact ring --nocapture").includes("ring", false));
        assert!(!selection("ring --exact").includes("ring_of_four", false));
    }

    #[test]
    fn skipped_tests_do_not_run() {
        assert!(!selection("ring --skip of_four").includes("ring_of_four", false));
        assert!(!selection("--skip=of_four").includes("ring_of_four", false));
    }

    #[test]
    fn ignored_tests_run_alone_or_too() {
        assert!(selection("--ignored").includes("a", true));
        assert!(!selection("--ignored").includes("a", false));
        assert!(selection("--include-ignored").includes("a", false));
    }

    #[test]
    fn values_of_options_are_not_filters() {
        assert_eq!(
            selection("--test-threads 1 --color always --format pretty -q -Z x"),
            Selection::default()
        );
        assert_eq!(selection("--test-threads=1 --show-output"), Selection::default());
    }
}
