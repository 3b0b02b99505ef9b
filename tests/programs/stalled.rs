//! A rank returns early with messages in flight that never match. What is received for is cancelled, so that the error is
//! heard at once; what is sent is polled up to the stall limit, and then one line says what the job ends for.

use crate::case::{Case, Ended};
use mpi::request::{Outgoing, PendingSet, RequestSet};
use mpi::{Builder, Communicator, Result};
use std::mem;
use std::process::ExitCode;
use std::time::Duration;

pub const CASES: &[Case] = &[
    Case::new("a_scope_with_receives", 2, scope_with_receives, heard_at_once),
    Case::new("a_scope_with_a_forgotten_set_of_receives", 2, scope_with_a_set, heard_at_once),
    Case::new("a_scope_with_a_synchronous_send", 2, scope_with_issend, |ended| {
        ended_by(ended, "MPI_Issend to rank 1 with tag 17", SCOPE);
    }),
    Case::new("a_scope_with_an_exchange", 2, scope_with_an_exchange, |ended| {
        ended_by(ended, "MPI_Isend to rank 1 with tag 17", SCOPE);
    }),
    Case::new("a_scope_with_a_set_of_sends", 2, scope_with_sends, |ended| {
        ended_by(ended, "MPI_Issend to rank 1 with tag 2", SCOPE);
    }),
    Case::new("owned_receives", 2, owned_receives, heard_at_once),
    Case::new("an_owned_set_of_receives", 2, owned_set_of_receives, heard_at_once),
    Case::new("an_owned_send_past_the_eager_limit", 2, owned_send, |ended| {
        ended_by(ended, "MPI_Isend to rank 1 with tag 17", DROPPED);
    }),
    Case::new("an_owned_set_of_sends", 2, owned_set_of_sends, |ended| {
        ended_by(ended, "MPI_Issend to rank 1 with tag ", DROPPED);
    }),
];

const LIMIT: Duration = Duration::from_millis(400);
const SCOPE: &str = "is still in flight 400ms after its scope ended with an error; ending the job";
const DROPPED: &str = "is still in flight 400ms after it was dropped because of an error; ending the job";
/// What no library sends before somebody receives it.
const LARGE: usize = 1 << 20;

/// Rank 0 runs `body`, which fails early. Rank 1 stays away, for longer than the limit, and then waits for ever.
fn one_returns_early(body: fn(&Communicator) -> Result<()>) -> ExitCode {
    Builder::new().stall_limit(LIMIT).run(move |world| {
        if world.rank() == 0 {
            return body(&world);
        }
        // Not in MPI: Intel's would take the messages in while it waits for the barrier.
        std::thread::sleep(5 * LIMIT);
        world.barrier()
    })
}

fn early(world: &Communicator) -> Result<()> {
    world.send(&1u8, 9, 0)
}

fn heard_at_once(ended: &Ended) {
    ended.failed();
    ended.said_once(&["[rank 0 of 2 on ", "] MPI_Send: destination 9 is not a rank"]);
    assert_eq!(ended.count("still in flight"), 0);
}

fn ended_by(ended: &Ended, what: &str, why: &str) {
    ended.failed();
    assert!(ended.took >= LIMIT, "the stall limit was not waited for");
    ended.said_once(&["[rank 0 of 2 on ", what, why]);
    assert_eq!(ended.count("still in flight"), 1);
}

fn scope_with_receives() -> ExitCode {
    one_returns_early(|world| {
        let (mut a, mut b, mut c) = ([0u8; 4], [0u8; 4], vec![0u8; LARGE]);
        world.scope(|s| {
            s.irecv(&mut a, 1, 1)?.defer();
            let _forgotten = Box::leak(Box::new(s.irecv(&mut b, mpi::Source::ANY, mpi::Tag::ANY)?));
            let _kept = s.irecv(&mut c, 1, 3)?;
            early(world)
        })
    })
}

fn scope_with_a_set() -> ExitCode {
    one_returns_early(|world| {
        let mut parts = [[0u8; 4]; 20];
        world.scope(|s| {
            let mut set = RequestSet::new(s);
            for (part, tag) in parts.iter_mut().zip(0..) {
                set.push(s.irecv(part, 1, tag)?);
            }
            mem::forget(set);
            early(world)
        })
    })
}

fn scope_with_issend() -> ExitCode {
    one_returns_early(|world| {
        world.scope(|s| {
            s.issend(&[1u8], 1, 17)?.defer();
            early(world)
        })
    })
}

/// Its receive is cancelled, its send cannot be.
fn scope_with_an_exchange() -> ExitCode {
    one_returns_early(|world| {
        let (mine, mut theirs) = (vec![1u8; LARGE], [0u8; 4]);
        world.scope(|s| {
            let _exchange = s.isendrecv(&mine, 1, 17, &mut theirs, 1, 18)?;
            early(world)
        })
    })
}

fn scope_with_sends() -> ExitCode {
    one_returns_early(|world| {
        world.scope(|s| {
            let mut set = RequestSet::new(s);
            for tag in 0..3 {
                set.push(s.issend(&[1u8], 1, tag)?);
            }
            early(world)
        })
    })
}

fn owned_receives() -> ExitCode {
    one_returns_early(|world| {
        let _never =
            (world.irecv(vec![0u8; LARGE], 1, 1)?, world.irecv(Box::new(0u64), mpi::Source::ANY, 2)?);
        let _awaited = world.irecv_vec::<f64>(1, 3)?;
        early(world)
    })
}

fn owned_set_of_receives() -> ExitCode {
    one_returns_early(|world| {
        let posts = (0..20).map(|tag| world.irecv(vec![0u8; 4], 1, tag));
        let _set = posts.collect::<Result<PendingSet<_>, _>>()?;
        early(world)
    })
}

fn owned_send() -> ExitCode {
    one_returns_early(|world| {
        let _never = world.isend(vec![1u8; LARGE], 1, 17)?;
        early(world)
    })
}

fn owned_set_of_sends() -> ExitCode {
    one_returns_early(|world| {
        let posts = (0..3).map(|tag| world.issend(vec![1u8; 4], 1, tag));
        let _set = posts.collect::<Result<PendingSet<_, Outgoing>, _>>()?;
        early(world)
    })
}
