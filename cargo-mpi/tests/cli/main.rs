//! The tool as users call it, on small projects that build in a second.

mod doctor;
mod project;
mod run;
mod test;
