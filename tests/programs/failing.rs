//! One rank fails: the job ends within seconds, not with success, and one line says who and why.

use crate::case::Case;
use mpi::Builder;
use mpi::buffer::{Counts, WithCounts};
use std::fmt;
use std::process::ExitCode;
use std::time::Duration;

pub const CASES: &[Case] = &[
    Case::new("a_panic_on_one_rank", 4, panics, |ended| {
        ended.failed();
        ended.said_once(&["[rank 1 of 4 on ", "] panicked at tests/programs/failing.rs:", ": it broke"]);
        assert_eq!(ended.count("it broke"), 1);
    }),
    Case::new("an_error_from_main_while_others_wait", 4, returns_an_error, |ended| {
        ended.failed();
        ended.said_once(&["[rank 2 of 4 on ", "] the plate cannot be read: no such file"]);
    }),
    Case::new("an_mpi_error_from_main", 2, returns_an_mpi_error, |ended| {
        ended.failed();
        ended.said_once(&["[rank 1 of 2 on ", "] MPI_Send: destination 9 is not a rank"]);
    }),
    Case::new("the_same_error_on_every_rank_ends_the_job_too", 2, fails_everywhere, |ended| {
        ended.failed();
        assert!(ended.count("everybody fails") >= 1);
    }),
    Case::new("an_early_error_with_a_receive_in_flight", 4, early_error_with_a_receive, |ended| {
        ended.failed();
        ended.said_once(&["[rank 3 of 4 on ", "] MPI_Send: destination 9 is not a rank"]);
    }),
    Case::new("an_early_error_with_a_send_nobody_receives", 2, early_error_with_a_send, |ended| {
        ended.failed();
        assert!(ended.took >= Duration::from_secs(1), "the stall limit was not waited for");
        ended.said_once(&[
            "[rank 0 of 2 on ",
            "] MPI_Isend to rank 1 with tag 17 is still in flight 1s after its scope ended with an error; ending the job",
        ]);
    }),
    Case::new("an_early_error_with_a_collective_in_flight", 2, early_error_with_a_collective, |ended| {
        ended.failed();
        ended.said_once(&[
            "[rank 0 of 2 on ",
            "] MPI_Iallreduce is still in flight 1s after its scope ended with an error; ending the job",
        ]);
    }),
    Case::new("a_panic_with_a_receive_in_flight", 2, panic_with_a_receive, |ended| {
        ended.failed();
        assert_eq!(ended.count("lost the thread"), 1);
        ended.said_once(&[
            "MPI_Irecv from rank 1 with tag 5 is in flight while its scope panics; ending the job",
        ]);
        assert_eq!(ended.count("[rank 0 of 2 on "), 2, "the panic, and why the job ends");
    }),
    Case::new("a_panic_with_wildcards_in_flight", 2, panic_with_wildcards, |ended| {
        ended.failed();
        ended.said_once(&[
            "MPI_Irecv from any rank with any tag is in flight while its scope panics; ending the job",
        ]);
    }),
    // By this crate, or by MPICH itself, which from 4.1 on does not ask the error handler.
    Case::new("ranks_that_disagree_on_a_length", 2, disagrees, |ended| {
        ended.failed();
        assert!(ended.count("llgatherv") >= 1, "nobody said which call it was");
        assert_eq!(ended.count("panicked"), 0);
    }),
    Case::new("the_code_of_an_abort", 2, aborts, |ended| {
        ended.failed();
        assert_eq!(ended.code, 7);
    }),
];

fn panics() -> ExitCode {
    mpi::run(|world| {
        assert_ne!(world.rank(), 1, "it broke");
        world.barrier()
    })
}

/// An error with a cause, as `anyhow` and `thiserror` make them.
#[derive(Debug)]
struct Unreadable(std::io::Error);
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the plate cannot be read")
    }
}
impl std::error::Error for Unreadable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn returns_an_error() -> ExitCode {
    mpi::run(|world| -> Result<(), Box<dyn std::error::Error>> {
        if world.rank() == 2 {
            return Err(Unreadable(std::io::Error::other("no such file")).into());
        }
        Ok(world.barrier()?)
    })
}

fn returns_an_mpi_error() -> ExitCode {
    mpi::run(|world| {
        if world.rank() == 1 {
            world.send(&1u8, 9, 0)?;
        }
        world.barrier()
    })
}

/// Rank 1 sends more than rank 0 waits for; what lies behind its blocks stays as it was.
fn disagrees() -> ExitCode {
    mpi::run(|world| {
        let me = world.rank();
        let counts = Counts::new(&[1, if me == 0 { 2 } else { 40 }])?;
        let mut buffer = vec![9u8; counts.span() + 1000];
        let result = world.allgatherv_into(&vec![me as u8; counts.get(me)], buffer.with_counts_mut(&counts));
        assert!(buffer[counts.span()..].iter().all(|x| *x == 9), "written behind the blocks");
        result
    })
}

fn fails_everywhere() -> ExitCode {
    mpi::run(|_| Err::<(), _>("everybody fails"))
}

fn early_error_with_a_receive() -> ExitCode {
    mpi::run(|world| {
        let mut never = [0u64; 1000];
        if world.rank() == 3 {
            world.scope(|s| {
                let _request = s.irecv(&mut never, mpi::Source::ANY, 3)?;
                world.send(&1u8, 9, 0)
            })?;
        }
        world.barrier()
    })
}

fn early_error_with_a_send() -> ExitCode {
    let limit = Duration::from_secs(1);
    Builder::new().stall_limit(limit).run(|world| {
        let large = vec![0u64; 1 << 20];
        if world.rank() == 0 {
            world.scope(|s| {
                s.isend(&large, 1, 17)?.defer();
                world.send(&1u8, 9, 0)
            })?;
        }
        // Not in MPI: Intel's would take the message in while it waits for the barrier, however large.
        std::thread::sleep(5 * limit);
        world.barrier()
    })
}

fn early_error_with_a_collective() -> ExitCode {
    let limit = Duration::from_secs(1);
    Builder::new().stall_limit(limit).run(|world| {
        let mut total = 0u32;
        if world.rank() == 0 {
            world.scope(|s| {
                s.iallreduce(&1u32, &mut total, mpi::op::Sum)?.defer();
                world.send(&1u8, 9, 0)
            })?;
        }
        world.recv::<u8>(0, 0).map(|_| ()) // nobody starts the reduction here
    })
}

fn panic_with_a_receive() -> ExitCode {
    mpi::run(|world| {
        let mut never = 0u64;
        if world.rank() == 0 {
            world.scope(|s| {
                s.irecv(&mut never, 1, 5)?.defer();
                panic!("lost the thread")
            })?;
        }
        world.barrier()
    })
}

fn panic_with_wildcards() -> ExitCode {
    mpi::run(|world| {
        let mut never = vec![0u64; 10];
        world.scope(|s| {
            if world.rank() == 0 {
                s.irecv(&mut never, mpi::Source::ANY, mpi::Tag::ANY)?.defer();
                panic!("lost the thread");
            }
            Ok(())
        })?;
        world.barrier()
    })
}

fn aborts() -> ExitCode {
    mpi::run(|world| {
        if world.rank() == 1 {
            world.abort(7);
        }
        world.barrier()
    })
}
