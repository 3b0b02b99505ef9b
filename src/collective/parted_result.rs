//! Results of the w forms: a vector of what came from each rank, or neighbour.

use super::lengths::counts;
use super::result::room;
use crate::buffer::zeroed::vec_from_bits;
use crate::buffer::{FARTHEST, LendSend, Region, Table};
use crate::datatype::FromBits;
use crate::error::{Error, Result};
use crate::ffi::Call;

/// Sends the parts, one to each of `dests` ranks, after `tell` has said how long they are and heard how long those are
/// that come. `exchange` is given what is sent, and the memory to fill.
pub(super) fn exchanged<'a, B>(
    call: Call,
    (parts, dests): (impl IntoIterator<Item = B>, usize),
    tell: impl FnOnce(&Vec<u64>) -> Result<Vec<u64>>,
    exchange: impl FnOnce(&Table, &Table) -> Result<()>,
) -> Result<Vec<Vec<B::Elem>>>
where
    B: LendSend<'a, Elem: FromBits>,
{
    let (mut send, mut lengths) = (Table::new(FARTHEST)?, Vec::new());
    for part in parts {
        let (region, _) = part.lend()?;
        lengths.push(region.len as u64);
        send.push::<B::Elem>(region)?;
    }
    send.arrays(call, dests)?; // one for each, or MPI is not called
    let coming = counts(tell(&lengths)?.into_iter())?;
    let room = |rank| room::<B::Elem>(call, coming.get(rank));
    let mut all = (0..coming.len()).map(room).collect::<Result<Vec<_>>>()?;
    let mut recv = Table::new(FARTHEST)?;
    for bits in &mut all {
        recv.push::<B::Elem>(Region::contiguous::<B::Elem>(bits.as_mut_ptr().cast(), bits.len()))?;
    }
    exchange(&send, &recv)?;
    let values = |bits| vec_from_bits(bits).map_err(|index| Error::invalid(call, index));
    all.into_iter().map(values).collect()
}
