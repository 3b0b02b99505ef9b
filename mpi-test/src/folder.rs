//! The folder through which the ranks of one launch and the waiting test binary talk.

use crate::record::RankLog;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io};

/// Tells a process that it is a rank, and where its folder is.
const VARIABLE: &str = "MPI_TEST_RANK_DIR";

/// A launch's folder. Whoever created it removes it when dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    created: bool,
}

/// What every rank has to know.
#[derive(Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) ranks: usize,
    /// Full names of the tests, in order.
    pub(crate) tests: Vec<String>,
}

impl Folder {
    /// On a rank, its launch's folder.
    pub(crate) fn of_this_rank() -> Option<Self> {
        env::var_os(VARIABLE).map(|path| Self { path: path.into(), created: false })
    }

    /// A new folder. Beside the test binary if possible, which every node of a cluster must be able to see.
    pub(crate) fn create() -> io::Result<Self> {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("mpi-test-{}-{number}", std::process::id());
        let beside = env::current_exe()?.parent().map(Path::to_owned);
        let candidates = match env::var_os("MPI_TEST_DIR") {
            // Ranks on other nodes may start in another folder.
            Some(chosen) => vec![std::path::absolute(chosen)?],
            None => beside.into_iter().chain([env::temp_dir()]).collect::<Vec<_>>(),
        };
        let mut failure = io::Error::from(io::ErrorKind::NotFound);
        for parent in candidates {
            let path = parent.join(&name);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path, created: true }),
                Err(error) => failure = io::Error::new(error.kind(), format!("{}: {error}", path.display())),
            }
        }
        Err(failure)
    }

    /// The variable that makes a process a rank of this launch.
    pub(crate) fn variable(&self) -> (String, String) {
        (VARIABLE.to_owned(), self.path.to_string_lossy().into_owned())
    }

    /// The records of a rank.
    pub(crate) fn log(&self, rank: usize) -> PathBuf {
        self.path.join(format!("rank-{rank}.log"))
    }

    /// Standard output and error of a rank.
    pub(crate) fn output(&self, rank: usize) -> PathBuf {
        self.path.join(format!("out-{rank}"))
    }

    /// Where a rank that was asked, or that died, stood.
    pub(crate) fn stack(&self, rank: usize) -> PathBuf {
        self.path.join(format!("where-{rank}"))
    }

    /// Standard output and error of the launcher itself.
    pub(crate) fn launcher_output(&self) -> PathBuf {
        self.path.join("launcher")
    }

    /// What a rank has recorded so far; nothing if it has not come up.
    pub(crate) fn read_log(&self, rank: usize) -> RankLog {
        let bytes = fs::read(self.log(rank)).unwrap_or_default();
        RankLog::parse(&String::from_utf8_lossy(&bytes))
    }

    pub(crate) fn write_plan(&self, plan: &Plan) -> io::Result<()> {
        fs::write(self.path.join("plan"), plan.to_text())
    }

    pub(crate) fn read_plan(&self) -> io::Result<Plan> {
        let path = self.path.join("plan");
        let text = fs::read_to_string(&path)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        Plan::parse(&text).ok_or_else(|| io::Error::other(format!("{}: not a plan", path.display())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.created {
            // A leftover folder is untidy, not wrong.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

impl Plan {
    fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.ranks);
        text.extend(self.tests.iter().flat_map(|name| [name.as_str(), "\n"]));
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let ranks = lines.next()?.parse().ok()?;
        Some(Self { ranks, tests: lines.map(str::to_owned).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_can_be_read_back() {
        let plan = Plan { ranks: 4, tests: vec!["a::b".into(), "a::c".into()] };
        assert_eq!(Plan::parse(&plan.to_text()), Some(plan));
        assert_eq!(Plan::parse(""), None);
    }

    #[test]
    fn a_folder_goes_with_its_creator() {
        let folder = Folder::create().unwrap();
        let path = folder.path.clone();
        folder.write_plan(&Plan { ranks: 1, tests: vec![] }).unwrap();
        assert!(folder.read_plan().is_ok());
        drop(Folder { path: path.clone(), created: false });
        assert!(path.exists());
        drop(folder);
        assert!(!path.exists());
    }
}
