//! What happens in a loop besides instructions: allocations, counted here, and calls of MPI, counted by the shim of
//! `ci/cost.py`, which `MPI_Pcontrol` tells which loop runs.
#![allow(unsafe_code)]

use mpi::Result;
use std::alloc::{GlobalAlloc, Layout, System};
use std::os::raw::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: this function's contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: this function's contract.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Runs loops one after the other, each once to warm up and once counted.
pub struct Loops {
    n: usize,
    number: c_int,
}

impl Loops {
    pub fn new(n: usize) -> Self {
        Loops { n, number: 0 }
    }

    /// Prints `name allocations`, the number of the line being what the shim counts calls for.
    pub fn run(&mut self, name: &str, mut body: impl FnMut(usize) -> Result<()>) -> Result<()> {
        body(self.n)?;
        self.number += 1;
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        say(self.number);
        body(self.n)?;
        say(0);
        println!("{name} {}", ALLOCATIONS.load(Ordering::Relaxed) - before);
        Ok(())
    }
}

/// Which loop runs; 0 is none.
fn say(number: c_int) {
    // SAFETY: MPI is live, for a communicator exists; libraries ignore every level (MPI 4.1 §15.2.4).
    unsafe { mpi_sys::MPI_Pcontrol(number) };
}
