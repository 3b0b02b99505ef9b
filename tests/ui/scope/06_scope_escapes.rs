//@ expect E0521
//@ fix s/keep = Some(s);/let keep = s; let _ = keep;/;/let mut keep/d
//! The scope leaves its scope.
use mpi::Scope;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut keep: Option<Scope<'_, '_>> = None;
    world.scope(|s| {
        keep = Some(s);
        Ok(())
    })
}
