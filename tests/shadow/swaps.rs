//! Exchanges around a ring, of which every rank is a part.

use crate::element::{differs, memory, wrong};
use crate::operation::Posted;
use crate::program::{By, Layout, Swap};
use mpi::{Communicator, Result, Scope};

const TAG: i32 = 1000;
/// How many elements more there is room for.
const SPARE: usize = 2;

/// One rank's part in one exchange.
pub struct Ring {
    to: usize,
    from: usize,
    /// The numbers of the message that is sent and of that which is received.
    numbers: (usize, usize),
    len: usize,
    by: By,
}

impl Ring {
    pub fn new(world: &Communicator, round: usize, swap: &Swap) -> Self {
        let (me, size) = (world.rank(), world.size());
        let (to, from) = ((me + swap.distance) % size, (me + size - swap.distance) % size);
        let number = |rank| 1000 + 10 * round + rank;
        Ring { to, from, numbers: (number(me), number(from)), len: swap.len, by: swap.by }
    }

    fn replaces(&self) -> bool {
        matches!(self.by, By::SendrecvReplace | By::IsendrecvReplace)
    }

    pub fn outgoing(&self) -> Vec<f64> {
        memory(Layout::Slice, self.len, self.len, self.numbers.0)
    }

    /// What is received into.
    pub fn room(&self) -> Vec<f64> {
        if self.replaces() { self.outgoing() } else { memory(Layout::Slice, self.len + SPARE, 0, 0) }
    }

    /// What is wrong with it when the scope has ended, if anything.
    pub fn check(&self, room: &[f64]) -> Option<String> {
        let spare = if self.replaces() { 0 } else { SPARE };
        let expected = memory(Layout::Slice, self.len + spare, self.len, self.numbers.1);
        differs(room, &expected, format_args!("{:?} of {}", self.by, self.numbers.1))
    }

    /// Those that are in flight are started when all that is posted is.
    pub fn start<'s>(
        &self,
        s: Scope<'s, '_>,
        outgoing: &'s [f64],
        room: &'s mut [f64],
        swap: &Swap,
    ) -> Result<Option<Posted<'s>>> {
        let (len, to, from) = (self.len, self.to, self.from);
        Ok(match self.by {
            By::Isendrecv => {
                let exchange = s.isendrecv(outgoing, to, TAG, room, from, TAG)?;
                Some(Posted::new(exchange, swap.ends, move |(_, got)| {
                    wrong::<f64>(got.status, len, from, TAG)
                }))
            }
            By::IsendrecvReplace => {
                let exchange = s.isendrecv_replace(room, to, TAG, from, TAG)?;
                Some(Posted::new(exchange, swap.ends, move |got| wrong::<f64>(got.status, len, from, TAG)))
            }
            By::Sendrecv | By::SendrecvReplace => None,
        })
    }

    /// The others wait.
    pub fn wait(&self, comm: &Communicator, outgoing: &[f64], room: &mut [f64]) -> Result<Option<String>> {
        let (to, from) = (self.to, self.from);
        let status = match self.by {
            By::Sendrecv => comm.sendrecv(outgoing, to, TAG, room, from, TAG)?.status,
            By::SendrecvReplace => comm.sendrecv_replace(room, to, TAG, from, TAG)?.status,
            By::Isendrecv | By::IsendrecvReplace => return Ok(None),
        };
        Ok(wrong::<f64>(status, self.len, from, TAG))
    }
}
