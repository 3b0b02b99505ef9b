//! A crate that calls itself `core`. What the derives generate says nothing else for that.
#![forbid(unsafe_code)]

extern crate self as core;

pub use std::{clone, default, fmt, marker, ops, option, prelude, primitive};

/// What `offset_of!` would be here.
pub mod mem {
    macro_rules! nothing {
        ($ty:ty, $member:tt) => {
            0
        };
    }
    pub(crate) use nothing as offset_of;
}

#[allow(non_camel_case_types, dead_code, reason = "another name that derives must not trust")]
type usize = u8;

#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::FromBits)]
#[repr(C)]
struct Named {
    large: [u8; 300],
    flag: bool,
    #[mpi(skip)]
    note: u16,
    number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, mpi::Datatype, mpi::AnyBits)]
#[repr(C)]
struct Numbered<T>(u8, T);

#[test]
fn offsets_are_the_languages() {
    assert_eq!(mem::offset_of!(Named, number), 0);
    assert_eq!(std::mem::offset_of!(Named, number), 304);
    let offsets =
        |map: mpi::datatype::Typemap| map.entries().iter().map(|entry| entry.offset).collect::<Vec<_>>();
    assert_eq!(offsets(mpi::datatype::typemap::<Named>()), [0, 300, 304]);
    assert_eq!(offsets(mpi::datatype::typemap::<Numbered<u64>>()), [0, 8]);
}

#[mpi::test(ranks = 2)]
fn values_arrive_whole(world: mpi::Communicator) -> mpi::Result<()> {
    let sent = Named { large: [7; 300], flag: true, note: 9, number: 11 };
    let pair = Numbered(1, 5.5f64);
    if world.rank() == 0 {
        world.send(&[sent; 3], 1, 0)?;
        world.send(&[pair; 3], 1, 0)
    } else {
        assert_eq!(world.recv_vec::<Named>(0, 0)?.data, [Named { note: 0, ..sent }; 3]);
        assert_eq!(world.recv_vec::<Numbered<f64>>(0, 0)?.data, [pair; 3]);
        Ok(())
    }
}
