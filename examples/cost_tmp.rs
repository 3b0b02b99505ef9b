//! tmp
use mpi::op::Sum;
fn main() {
    let world = mpi::init().unwrap();
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[2].parse().unwrap();
    let d: i32 = a[3].parse().unwrap();
    let dest: Option<usize> = if d < 0 { None } else { Some(d as usize) };
    let tag: i32 = a[4].parse().unwrap();
    let len: usize = a[5].parse().unwrap();
    let mut buf = vec![0f64; len];
    let mut out = vec![0f64; len];
    match &a[1][..] {
        "s" => for _ in 0..n { world.send(&buf[..], dest, tag).unwrap() },
        "r" => for _ in 0..n { world.recv_into(&mut buf[..], dest, tag).unwrap(); },
        "a" => for _ in 0..n { world.allreduce_into(&buf[..], &mut out[..], Sum).unwrap() },
        "i" => for _ in 0..n { world.scope(|s| { s.isend(&buf[..], dest, tag)?.wait()?; Ok(()) }).unwrap() },
        "j" => world.scope(|s| { for _ in 0..n { s.isend(&buf[..], dest, tag)?.wait()?; } Ok(()) }).unwrap(),
        "l" => for _ in 0..n { world.scope(|s| { s.iallreduce(&buf[..], &mut out[..], Sum)?.wait()?; Ok(()) }).unwrap() },
        "w" => { let mut outs: [Vec<f64>; 8] = std::array::from_fn(|_| vec![0f64; len]);
            for _ in 0..n { world.scope(|s| {
                let [o0,o1,o2,o3,o4,o5,o6,o7] = &mut outs;
                let r = [s.irecv(&mut o0[..], dest, tag)?, s.irecv(&mut o1[..], dest, tag)?, s.irecv(&mut o2[..], dest, tag)?, s.irecv(&mut o3[..], dest, tag)?,
                 s.irecv(&mut o4[..], dest, tag)?, s.irecv(&mut o5[..], dest, tag)?, s.irecv(&mut o6[..], dest, tag)?, s.irecv(&mut o7[..], dest, tag)?];
                let t = [s.isend(&buf[..], dest, tag)?, s.isend(&buf[..], dest, tag)?, s.isend(&buf[..], dest, tag)?, s.isend(&buf[..], dest, tag)?,
                 s.isend(&buf[..], dest, tag)?, s.isend(&buf[..], dest, tag)?, s.isend(&buf[..], dest, tag)?, s.isend(&buf[..], dest, tag)?];
                mpi::wait_all(r)?; mpi::wait_all(t)?; Ok(()) }).unwrap() } }
        _ => panic!(),
    }
}
