//! Values that live as long as a scope, so that what a loop computes can be sent.

use super::Scope;

/// The head of a kept value; the value follows it in a [`Node`].
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Kept {
    next: *mut Kept,
    free: unsafe fn(*mut Kept),
}

#[repr(C)]
struct Node<T> {
    head: Kept,
    value: T,
}

impl<'s, 'env> Scope<'s, 'env> {
    /// Stores a value in the scope, so that it can be lent: a value that a loop's body owns would die with the body.
    ///
    /// The value is dropped at the end of the scope, after MPI has given everything back; the last one kept first.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// world.scope(|s| {
    ///     for peer in 0..world.size() {
    ///         let message = s.keep(vec![peer; 3]);
    ///         s.isend(&*message, peer, 0)?.defer();
    ///     }
    ///     # Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    // `T: 'env`, not `'s`: a value that refers to another kept value could see it dropped.
    pub fn keep<T: 'env>(self, value: T) -> &'s mut T {
        let head = Kept { next: self.arena.kept().get(), free: free::<T> };
        let node = Box::into_raw(Box::new(Node { head, value }));
        self.arena.kept().set(node.cast());
        // SAFETY: made a line above, and freed only when the arena drops, which is after `'s`. Nobody else refers to
        // the value: the arena looks at the head alone.
        unsafe { &mut (*node).value }
    }
}

/// # Safety
/// `kept` was made by `keep::<T>`, and is freed once.
unsafe fn free<T>(kept: *mut Kept) {
    // SAFETY: the head of a `Box<Node<T>>`, by this function's contract.
    drop(unsafe { Box::from_raw(kept.cast::<Node<T>>()) });
}

/// Drops the kept values, the last one first.
pub(super) fn drop_all(mut kept: *mut Kept) {
    while !kept.is_null() {
        // SAFETY: a node that `keep` made and nobody has freed.
        let head = unsafe { *kept };
        // SAFETY: the function that was made for this node's type; called once.
        unsafe { (head.free)(kept) };
        kept = head.next;
    }
}
