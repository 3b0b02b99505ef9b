//! Writing a rank's records.

use crate::folder::Folder;
use crate::record::Record;
use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A rank's log. One for the process, because signal handlers and `atexit` have to find it.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) rank: usize,
    file: File,
    /// A test is running, so the end of the process would be news.
    testing: AtomicBool,
}

static RECORDER: OnceLock<Recorder> = OnceLock::new();

impl Recorder {
    pub(super) fn open(folder: &Folder, rank: usize) -> io::Result<&'static Self> {
        let file = File::options().create(true).append(true).open(folder.log(rank))?;
        let recorder = RECORDER.get_or_init(|| Self { rank, file, testing: AtomicBool::new(false) });
        // SAFETY: `record_exit` is a plain function without arguments, and uses a static that is never dropped.
        unsafe { libc::atexit(record_exit) };
        Ok(recorder)
    }

    /// One `write` per record, so that a reader never sees half of one unless it is cut short.
    pub(super) fn write(&self, record: &Record) {
        // A record that cannot be written is missed by the waiting process, which then reports that.
        let _ = (&self.file).write_all(record.to_string().as_bytes());
    }

    pub(super) fn begin(&self, offset: u64) {
        self.write(&Record::Begin { offset });
        self.testing.store(true, Ordering::SeqCst);
    }

    pub(super) fn pass(&self, offset: u64) {
        self.testing.store(false, Ordering::SeqCst);
        self.write(&Record::Pass { offset });
    }

    pub(super) fn fail(&self, offset: u64, message: String) {
        self.testing.store(false, Ordering::SeqCst);
        self.write(&Record::Fail { offset, message });
    }

    /// Called when the process is about to end.
    fn end(&self) {
        if self.testing.swap(false, Ordering::SeqCst) {
            self.write(&Record::Exit);
        }
    }
}

extern "C" fn record_exit() {
    if let Some(recorder) = RECORDER.get() {
        recorder.end();
    }
}
