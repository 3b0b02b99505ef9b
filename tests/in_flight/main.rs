//! Operations in flight: scopes and requests, on a real MPI.

mod cancel;
mod collective;
mod corners;
mod ends;
mod failures;
mod forms;
mod halo;
mod halo3;
mod mistakes;
#[path = "../common/one_too_long.rs"]
mod one_too_long;
mod requests;
#[path = "../common/sample.rs"]
mod sample;
mod sets;
