//! Derived types in flight: nothing but their fields is read and written, and what is received is checked before it is a
//! value.

use mpi::{AnyBits, Datatype, FromBits, Result, wait_all};
use mpi_miri::world;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZero;

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C)]
struct Padded {
    a: u8,
    b: u64,
    c: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, AnyBits)]
#[repr(C, packed)]
struct Packed<T> {
    a: u8,
    b: [T; 2],
    c: PhantomData<T>,
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, FromBits)]
#[repr(i16)]
enum Side {
    Left = -1,
    Right = 1,
}

#[derive(Clone, Copy, Debug, PartialEq, Datatype, FromBits)]
struct Checked {
    side: Side,
    #[mpi(skip)]
    cached: Option<NonZero<u64>>,
    sure: [bool; 2],
    inner: Padded,
}

const PADDED: [Padded; 3] =
    [Padded { a: 1, b: 2, c: 3 }, Padded { a: 4, b: 5, c: 6 }, Padded { a: 7, b: 8, c: 9 }];

fn checked() -> Checked {
    Checked { side: Side::Left, cached: None, sure: [true, false], inner: PADDED[1] }
}

#[test]
fn padding_is_neither_read_nor_written() {
    let world = world();
    // A copy of a value need not copy its padding, which then is not initialized.
    let values = [PADDED[0]; 3].map(|Padded { a, b, c }| Padded { a, b, c });
    let (mut room, mut packed) =
        ([MaybeUninit::<Padded>::uninit(); 4], [Packed { a: 0, b: [PADDED[2]; 2], c: PhantomData }; 2]);
    world
        .scope(|s| {
            let receives = (s.irecv(&mut room[..], 0, 1)?, s.irecv(&mut packed, 0, 2)?);
            s.isend(&values, 0, 1)?.defer();
            s.isend(&[Packed { a: 9, b: [PADDED[0]; 2], c: PhantomData }; 2], 0, 2)?.defer();
            let (arrived, packed) = wait_all(receives)?;
            assert_eq!(arrived.data.0, [PADDED[0]; 3]);
            assert_eq!((arrived.data.1.len(), packed.data[1].a), (1, 9));
            assert_eq!({ packed.data[1].b }, [PADDED[0]; 2]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn values_are_checked_field_by_field() -> Result<()> {
    let world = world();
    let sent = Checked { cached: NonZero::new(7), ..checked() };
    for _ in 0..2 {
        world.send(&[sent; 3], 0, 1)?;
    }
    assert_eq!(world.recv_vec::<Checked>(0, 1)?.data, [checked(); 3]);
    assert_eq!(world.irecv_vec::<Checked>(0, 1)?.wait()?.data, [checked(); 3]);
    assert_eq!(world.allgather(&sent)?, [checked()]);
    assert_eq!(world.allgather(&[[sent; 2]; 2])?, [[checked(); 2]; 2]);
    world.send(&sent, 0, 2)?;
    assert_eq!(world.recv::<Checked>(0, 2)?.data, checked());
    world.send(&0i16, 0, 3)?;
    assert!(world.recv::<Side>(0, 3).is_err());
    Ok(())
}

#[test]
fn part_of_a_value_is_none() -> Result<()> {
    let world = world();
    world.send(&[1u8; 11 + 9], 0, 1)?;
    let status = world.probe(0, 1)?;
    assert_eq!((status.count::<Padded>(), status.elements::<Padded>()), (None, Some(5)));
    let mut room = [MaybeUninit::<Padded>::uninit(); 2];
    let (arrived, rest) = world.recv_into(&mut room[..], 0, 1)?.data;
    assert_eq!((arrived.len(), rest.len()), (1, 1));
    assert_eq!(arrived[0].c, 0x0101);
    Ok(())
}
