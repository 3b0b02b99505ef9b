//@ expect E0597
//@ fix s/let message = \(.*\);/let message = s.keep(\1);/;s/isend(&message/isend(\&*message/
//! What a loop computes dies with the turn of the loop; `s.keep` stores it in the scope.
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.scope(|s| {
        for peer in 0..world.size() {
            let message = vec![peer; 3];
            s.isend(&message, peer, 0)?.defer();
        }
        Ok(())
    })
}
