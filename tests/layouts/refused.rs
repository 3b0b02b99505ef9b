//! What is refused, before MPI hears of it: no MPI runs here.

use mpi::datatype::{Distribution, Layout, Order};
use mpi::{ErrorClass, Result};

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T>, class: ErrorClass, text: &str) {
    let error = result.expect_err(text);
    assert_eq!(error.to_string(), text);
    assert_eq!((error.class(), error.code()), (class, None));
}

const MAX: usize = usize::MAX;
const FAR: isize = isize::MAX;

#[test]
fn extents_that_wrap() {
    let one = Layout::<u64>::element();
    let far = |call: &str| {
        format!(
            "{call}: the layout, of elements of 8 bytes, reaches farther than 4611686018427387903 bytes, or wraps around"
        )
    };
    for count in [1 << 59, 1 << 60, 1 << 61, 1 << 62, 1 << 63, MAX] {
        refused(one.contiguous(count), ErrorClass::ARG, &far("MPI_Type_contiguous"));
        refused(one.vector(count, 1, 1), ErrorClass::ARG, &far("MPI_Type_vector"));
        refused(one.vector(1, count, 1), ErrorClass::ARG, &far("MPI_Type_vector"));
        refused(one.indexed(&[(count, 0)]), ErrorClass::ARG, &far("MPI_Type_indexed"));
        refused(one.subarray(&[(count, 0..1)], Order::C), ErrorClass::ARG, &far("MPI_Type_create_subarray"));
        refused(
            one.subarray(&[(1 << 40, 0..1), (count, 0..1)], Order::Fortran),
            ErrorClass::ARG,
            &far("MPI_Type_create_subarray"),
        );
    }
    for place in [FAR, FAR - 7, isize::MIN, isize::MIN + 1, 1 << 60, -(1 << 60)] {
        refused(one.vector(2, 1, place), ErrorClass::ARG, &far("MPI_Type_vector"));
        refused(one.vector(MAX, 1, place), ErrorClass::ARG, &far("MPI_Type_vector"));
        refused(one.indexed_block(1, &[0, place]), ErrorClass::ARG, &far("MPI_Type_create_indexed_block"));
        refused(one.indexed(&[(1, place), (0, 3)]), ErrorClass::ARG, &far("MPI_Type_indexed"));
    }
    // What would wrap to something small in 64 bits.
    refused(one.vector(1 << 32, 1 << 31, 1 << 32), ErrorClass::ARG, &far("MPI_Type_vector"));
    let wide = one.resized(0, 1 << 40).unwrap();
    refused(wide.vector(1 << 20, 1, 1 << 20), ErrorClass::ARG, &far("MPI_Type_vector"));
    refused(wide.contiguous(1 << 24), ErrorClass::ARG, &far("MPI_Type_contiguous"));
    refused(one.resized(0, MAX), ErrorClass::ARG, &far("MPI_Type_create_resized"));
    refused(one.resized(isize::MIN, 8), ErrorClass::ARG, &far("MPI_Type_create_resized"));
    // As many elements as no memory has, all at one place.
    refused(one.vector(MAX, MAX, 0), ErrorClass::ARG, &far("MPI_Type_vector"));
    refused(one.vector(1 << 60, 1, 0), ErrorClass::ARG, &far("MPI_Type_vector"));
    let pile = one.vector(1 << 59, 1, 0).unwrap();
    assert_eq!((pile.len(), pile.true_extent()), (1 << 59, (0, 8)));
    assert!(pile.of(&[1]).is_ok());
    refused(
        pile.of_mut(&mut [1]).map(drop),
        ErrorClass::BUFFER,
        "MPI_Type_commit: the layout names elements twice (576460752303423488 in 1 places), so it cannot be received into",
    );
}

#[test]
fn torn_elements() {
    let one = Layout::<[u16; 3]>::element();
    let torn = |call: &str, bytes: isize| {
        format!(
            "{call}: {bytes} bytes are no whole number of elements of 6 bytes, and no element may be torn"
        )
    };
    for bytes in [1, 2, 5, 7, -1, -7, FAR] {
        refused(one.hvector(2, 1, bytes), ErrorClass::ARG, &torn("MPI_Type_create_hvector", bytes));
        refused(
            one.hindexed(&[(1, 0), (1, bytes)]),
            ErrorClass::ARG,
            &torn("MPI_Type_create_hindexed", bytes),
        );
        refused(
            one.hindexed_block(1, &[bytes]),
            ErrorClass::ARG,
            &torn("MPI_Type_create_hindexed_block", bytes),
        );
        refused(
            Layout::structure(&[(1, bytes, &one)]),
            ErrorClass::ARG,
            &torn("MPI_Type_create_struct", bytes),
        );
        refused(one.resized(bytes, 6), ErrorClass::ARG, &torn("MPI_Type_create_resized", bytes));
        if bytes > 0 {
            refused(one.resized(0, bytes as usize), ErrorClass::ARG, &torn("MPI_Type_create_resized", bytes));
        }
    }
    assert_eq!(one.hvector(2, 1, -12).unwrap().places(), [0, -2]);
    // Of what has no bytes there is no distance.
    let nothing = Layout::<[u8; 0]>::element();
    assert!(nothing.hvector(2, 1, 0).is_ok());
    refused(
        nothing.hvector(2, 1, 1),
        ErrorClass::ARG,
        "MPI_Type_create_hvector: 1 bytes are no whole number of elements of 0 bytes, and no element may be torn",
    );
}

#[test]
fn slices_that_do_not_hold_it() {
    let column = Layout::<u32>::element().vector(3, 1, 4).unwrap();
    refused(
        column.of(&[0; 8]),
        ErrorClass::BUFFER,
        "MPI_Type_commit: the view reaches element 9, but the slice has 8",
    );
    refused(
        column.of_mut(&mut [0; 8]),
        ErrorClass::BUFFER,
        "MPI_Type_commit: the view reaches element 9, but the slice has 8",
    );
    refused(
        column.of_at(&[0; 12], 4),
        ErrorClass::BUFFER,
        "MPI_Type_commit: the view reaches element 13, but the slice has 12",
    );
    assert!(column.of_at(&[0; 12], 3).is_ok());
    for origin in [MAX, MAX - 8, FAR as usize] {
        assert_eq!(column.of_at(&[0; 12], origin).unwrap_err().class(), ErrorClass::BUFFER);
        assert_eq!(column.of_at_mut(&mut [0; 12], origin).unwrap_err().class(), ErrorClass::BUFFER);
    }
    let back = Layout::<u32>::element().vector(3, 1, -4).unwrap();
    refused(
        back.of(&[0; 9]),
        ErrorClass::BUFFER,
        "MPI_Type_commit: the layout starts 8 elements before element 0, before the slice",
    );
    refused(
        back.of_at(&[0; 9], 7),
        ErrorClass::BUFFER,
        "MPI_Type_commit: the layout starts 8 elements before element 7, before the slice",
    );
    assert!(back.of_at(&[0; 9], 8).is_ok());
    assert_eq!(back.of_at(&[0; 9], 9).unwrap_err().class(), ErrorClass::BUFFER);
    // A layout far behind its origin covers a slice that the origin is not in.
    let behind = Layout::<u32>::element().indexed(&[(2, -100)]).unwrap();
    let view = behind.of_at(&[5, 6], 100).unwrap();
    assert_eq!(format!("{view:?}"), "[5, 6]");
    // Nothing fits anywhere.
    let nothing = Layout::<u32>::element().vector(0, 3, FAR).unwrap();
    assert!(nothing.of(&[]).is_ok() && nothing.of_at_mut(&mut [], 7).is_ok());
}

#[test]
fn arrays_and_grids() {
    let one = Layout::<u8>::element();
    refused(
        one.subarray(&[(4, 2..5)], Order::C),
        ErrorClass::ARG,
        "MPI_Type_create_subarray: a range reaches index 5, but 4 is the end",
    );
    #[expect(clippy::reversed_empty_ranges, reason = "that is the mistake")]
    let backwards = 3..2;
    refused(
        one.subarray(&[(4, backwards)], Order::C),
        ErrorClass::ARG,
        "MPI_Type_create_subarray: a range reaches index 3, but 2 is the end",
    );
    let share = |value, size| {
        format!(
            "MPI_Type_create_darray: {value} is no way to deal out a dimension of {size} indices: see `darray`"
        )
    };
    refused(
        one.darray(2, 0, &[(7, Distribution::Block(Some(3)), 2)], Order::C),
        ErrorClass::ARG,
        &share(3, 7),
    );
    refused(
        one.darray(2, 0, &[(7, Distribution::Cyclic(Some(0)), 2)], Order::C),
        ErrorClass::ARG,
        &share(0, 7),
    );
    refused(one.darray(2, 0, &[(7, Distribution::Undivided, 2)], Order::C), ErrorClass::ARG, &share(2, 7));
    refused(
        one.darray(3, 0, &[(7, Distribution::Block(None), 2)], Order::C),
        ErrorClass::DIMS,
        "MPI_Type_create_darray: 3 ranks cannot be laid out: the fixed dimensions multiply to 2",
    );
    let rank = "MPI_Type_create_darray: rank 2 is not a rank of this communicator, which has 2 (0 to 1)";
    refused(one.darray(2, 2, &[(7, Distribution::Block(None), 2)], Order::C), ErrorClass::RANK, rank);
    assert_eq!(
        one.darray(0, 0, &[(7, Distribution::Block(None), 0)], Order::C).unwrap_err().class(),
        ErrorClass::RANK
    );
    // Blocks as large as numbers are.
    let cyclic = one.darray(2, 1, &[(7, Distribution::Cyclic(Some(MAX)), 2)], Order::C).unwrap();
    assert!(cyclic.is_empty());
}

#[test]
fn nested_too_deep() {
    let mut layout = Layout::<u8>::element();
    let depth = (0..).find_map(|depth| match layout.indexed(&[(1, 0)]) {
        Ok(deeper) => {
            layout = deeper;
            None
        }
        Err(error) => Some((depth, error.to_string())),
    });
    assert_eq!(depth.unwrap(), (64, "MPI_Type_indexed: layouts are nested 65 deep; 64 is the limit".into()));
}

/// What takes no time although it stands for very much.
#[test]
fn doubled_again_and_again() {
    let mut layout = Layout::<u8>::element().indexed(&[(1, 0), (1, 2)]).unwrap();
    for _ in 0..40 {
        layout = layout.indexed_block(1, &[0, 1]).unwrap();
    }
    assert_eq!(layout.len(), 1 << 41);
    let error = layout.of(&[0]).unwrap_err();
    assert_eq!(error.class(), ErrorClass::BUFFER);
}
