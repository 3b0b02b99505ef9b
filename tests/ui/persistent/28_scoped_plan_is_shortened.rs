//@ expect: lifetime may not live long enough
//@ fix s/Lent<'short>/Lent<'long>/
//! A plan taken for one of a shorter life could be lent what does not live until the scope ends.
#![allow(unused_imports)]
use mpi::persistent::{Lent, Plan, ScopedPlan};
fn shorten<'long: 'short, 'short>(plan: ScopedPlan<'long>, _: &'short u8) -> Plan<'short, Lent<'short>> {
    plan
}
fn main() {}
