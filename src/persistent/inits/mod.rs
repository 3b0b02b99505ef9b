//! The `…_init` of collectives that own their buffers: plans of one operation.

mod blocks;
mod neighbors;
mod reductions;
mod varied;
