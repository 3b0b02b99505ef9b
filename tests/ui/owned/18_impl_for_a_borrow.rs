//@ expect: lifetime bound not satisfied
//@ fix s/View<'_>/View<'static>/
//! Whatever a request owns is owned for ever.
struct View<'a>(&'a [u8]);
// SAFETY: a lie, if it compiled.
unsafe impl mpi::buffer::OwnedSend for View<'_> {
    type Elem = u8;
    fn elements(&self) -> &'static [u8] {
        &[]
    }
}
fn main() {
    println!("{}", View(&[1]).0.len());
}
