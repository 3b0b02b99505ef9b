//! A request is what keeps MPI live to the end. One test: MPI starts once.

use mpi::test_support::handles;

#[test]
fn a_message_of_unknown_length_is_the_last_handle() {
    let world = mpi::init().unwrap();
    let outgoing = world.isend(vec![3u16; 5], 0, 1).unwrap();
    let awaited = world.irecv_vec::<u16>(0, 1).unwrap();
    let pair = async { (awaited.await, outgoing.await) };
    drop(world);
    assert_eq!(handles(), 1);
    let mut pair = std::pin::pin!(pair);
    let cx = &mut std::task::Context::from_waker(std::task::Waker::noop());
    let (got, sent) = loop {
        if let std::task::Poll::Ready(both) = pair.as_mut().poll(cx) {
            break both;
        }
    };
    let got = got.unwrap();
    // MPI has ended: nobody can ask it for the length any more.
    assert_eq!((got.data, got.status.count::<u16>(), handles()), (vec![3; 5], None, 0));
    assert_eq!(sent.unwrap(), [3; 5]);
}
