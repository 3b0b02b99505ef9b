//@ expect: lifetime may not live long enough
//@ fix s/RequestSet<'long, ()>) -> RequestSet<'short, ()>/RequestSet<'long, ()>) -> RequestSet<'long, ()>/
//! A set that could be shortened could adopt a request of an inner scope.
use mpi::request::RequestSet;
fn shorten<'long: 'short, 'short>(set: RequestSet<'long, ()>) -> RequestSet<'short, ()> {
    set
}
fn main() {
    let _ = shorten;
}
