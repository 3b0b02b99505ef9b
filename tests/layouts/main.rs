//! Layouts against a model: an interpreter of typemaps as the standard writes them, which knows of no tree and no MPI.

mod attributes;
mod backwards;
mod contents;
mod limits;
mod model;
mod recipe;
mod refused;
mod travel;
