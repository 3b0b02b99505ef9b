//! tmp
use mpi::op::Sum;
use mpi::Communicator;
type D = Option<usize>;
#[inline(never)] fn s(w: &Communicator, n: usize, d: D, t: i32, b: &[f64]) { for _ in 0..n { w.send(b, d, t).unwrap() } }
#[inline(never)] fn r(w: &Communicator, n: usize, d: D, t: i32, b: &mut [f64]) { for _ in 0..n { w.recv_into(b, d, t).unwrap(); } }
#[inline(never)] fn a(w: &Communicator, n: usize, b: &[f64], o: &mut [f64]) { for _ in 0..n { w.allreduce_into(b, o, Sum).unwrap(); } }
#[inline(never)] fn i(w: &Communicator, n: usize, d: D, t: i32, b: &[f64]) { for _ in 0..n { w.scope(|s| { s.isend(b, d, t)?.wait()?; Ok(()) }).unwrap() } }
#[inline(never)] fn j(w: &Communicator, n: usize, d: D, t: i32, b: &[f64]) { w.scope(|s| { for _ in 0..n { s.isend(b, d, t)?.wait()?; } Ok(()) }).unwrap() }
#[inline(never)] fn l(w: &Communicator, n: usize, b: &[f64], o: &mut [f64]) { for _ in 0..n { w.scope(|s| { s.iallreduce(b, &mut *o, Sum)?.wait()?; Ok(()) }).unwrap() } }
#[inline(never)] fn ww(w: &Communicator, n: usize, dest: D, tag: i32, buf: &[f64]) {
    let mut outs: [Vec<f64>; 8] = std::array::from_fn(|_| vec![0f64; buf.len()]);
    for _ in 0..n { w.scope(|s| {
        let [o0,o1,o2,o3,o4,o5,o6,o7] = &mut outs;
        let r = [s.irecv(&mut o0[..], dest, tag)?, s.irecv(&mut o1[..], dest, tag)?, s.irecv(&mut o2[..], dest, tag)?, s.irecv(&mut o3[..], dest, tag)?,
         s.irecv(&mut o4[..], dest, tag)?, s.irecv(&mut o5[..], dest, tag)?, s.irecv(&mut o6[..], dest, tag)?, s.irecv(&mut o7[..], dest, tag)?];
        let t = [s.isend(buf, dest, tag)?, s.isend(buf, dest, tag)?, s.isend(buf, dest, tag)?, s.isend(buf, dest, tag)?,
         s.isend(buf, dest, tag)?, s.isend(buf, dest, tag)?, s.isend(buf, dest, tag)?, s.isend(buf, dest, tag)?];
        mpi::wait_all(r)?; mpi::wait_all(t)?; Ok(()) }).unwrap() } }
fn main() {
    let world = mpi::init().unwrap();
    let a_: Vec<String> = std::env::args().collect();
    let n: usize = a_[2].parse().unwrap();
    let d: i32 = a_[3].parse().unwrap();
    let dest: Option<usize> = if d < 0 { None } else { Some(d as usize) };
    let tag: i32 = a_[4].parse().unwrap();
    let len: usize = a_[5].parse().unwrap();
    let mut buf = vec![0f64; len];
    let mut out = vec![0f64; len];
    match &a_[1][..] {
        "s" => s(&world, n, dest, tag, &buf),
        "r" => r(&world, n, dest, tag, &mut buf),
        "a" => a(&world, n, &buf, &mut out),
        "i" => i(&world, n, dest, tag, &buf),
        "j" => j(&world, n, dest, tag, &buf),
        "l" => l(&world, n, &buf, &mut out),
        "w" => ww(&world, n, dest, tag, &buf),
        _ => panic!(),
    }
}
