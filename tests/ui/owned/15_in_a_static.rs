//@ expect E0277
//@ expect: cannot be shared between threads safely
//@ fix s/^static KEPT: std::sync::OnceLock<\(.*\)> = std::sync::OnceLock::new();/thread_local!(static KEPT: std::cell::OnceCell<\1> = const { std::cell::OnceCell::new() });/
//! A static is every thread's; a thread's own place will do.
static KEPT: std::sync::OnceLock<mpi::request::Pending<Vec<u8>>> = std::sync::OnceLock::new();
fn main() {
    println!("{:?}", KEPT);
}
