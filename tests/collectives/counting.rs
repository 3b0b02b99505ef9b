//! How often Rust's allocator is asked for memory.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// Of this thread alone: the harness has others.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work. The counter is a constant without a destructor, so that to reach it
// allocates nothing; what is not implemented here goes through these two.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: this function's contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: this function's contract.
        unsafe { System.dealloc(block, layout) }
    }
}

/// What `body` returns, and how many blocks of memory it has asked for.
pub fn counted<R>(body: impl FnOnce() -> R) -> (R, usize) {
    let before = ALLOCATIONS.get();
    let result = body();
    (result, ALLOCATIONS.get() - before)
}

#[test]
fn each_block_is_counted() {
    let boxes = |n: usize| (0..n).map(Box::new).for_each(drop);
    assert_eq!((counted(|| boxes(0)).1, counted(|| boxes(3)).1), (0, 3));
    assert_eq!(counted(|| vec![0u8; 10].into_boxed_slice()).1, 1);
}
