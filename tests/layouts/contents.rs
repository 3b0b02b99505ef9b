//! What MPI says of types, against what this crate computes.

use crate::recipe::{Element, recipes};
use mpi::datatype::{Combiner, Contents, Layout, TypeClass};
use mpi::{Communicator, ErrorClass, Result};

#[mpi::test(ranks = 1)]
fn of_a_vector(_: Communicator) -> Result<()> {
    let contents = Contents::of::<f64>()?;
    assert_eq!(
        (contents.combiner, contents.name.as_str(), contents.size),
        (Combiner::Named, "MPI_DOUBLE", 8)
    );
    assert_eq!((contents.extent, contents.true_extent), ((0, 8), (0, 8)));

    let column = Layout::<f64>::element().vector(3, 2, -5)?;
    let contents = column.contents()?;
    assert_eq!((contents.combiner, contents.size), (Combiner::Hvector, 48));
    assert_eq!((&contents.integers[..], &contents.addresses[..]), (&[3, 2][..], &[-40][..]));
    assert_eq!(contents.parts, [Contents::of::<f64>()?]);
    assert_eq!((contents.extent, contents.true_extent), (column.extent(), column.true_extent()));

    // Two blocks, and what needs no type at all.
    let blocks = Layout::<f64>::element().indexed(&[(1, 3), (2, 0)])?.contents()?;
    assert_eq!((blocks.combiner, &blocks.addresses[..]), (Combiner::Hindexed, &[24, 0][..]));
    assert_eq!(Layout::<f64>::element().contiguous(7)?.contents()?, Contents::of::<f64>()?);
    Ok(())
}

/// The type of each random layout has its elements and its true extent, and one without a shift its extent.
#[mpi::test(ranks = 1)]
fn of_random_layouts(_: Communicator) -> Result<()> {
    let mut compared = 0;
    for (recipe, _) in recipes(1000) {
        let layout = recipe.layout()?;
        let contents = layout.contents()?;
        if layout.is_empty() || contents.size != layout.size() {
            // None, or copies of what the type is of.
            assert_eq!(layout.size() % contents.size, 0, "{recipe:?}");
            continue;
        }
        compared += 1;
        let (own, told) = (layout.true_extent(), contents.true_extent);
        assert_eq!(own.1, told.1, "{recipe:?}");
        if contents.combiner == Combiner::Resized && own == told {
            assert!(contents.parts.len() == 1 && contents.integers.is_empty(), "{contents:?}");
        }
    }
    assert!(compared > 200, "{compared}");
    Ok(())
}

#[mpi::test(ranks = 1)]
fn names(_: Communicator) -> Result<()> {
    let column = Layout::<Element>::element().vector(3, 1, 3)?;
    column.set_name("a column")?;
    assert_eq!(column.contents()?.name, "a column");
    assert_eq!(column.clone().contents()?.name, "a column");
    assert_ne!(column.dup().contents()?.name, "a column");
    // MPI's own types keep their names.
    Layout::<f64>::element().set_name("mine")?;
    assert_eq!(Contents::of::<f64>()?.name, "MPI_DOUBLE");
    for name in ["x".repeat(5000), "a\0b".into()] {
        let error = column.set_name(&name).unwrap_err();
        assert_eq!((error.class(), error.call()), (ErrorClass::ARG, "MPI_Type_set_name"));
    }
    assert_eq!(column.contents()?.name, "a column");
    Ok(())
}

/// A library that was built without Fortran may know nothing of it: then it says so.
#[track_caller]
fn of_size(contents: Result<Contents>, size: usize) {
    match contents {
        Ok(contents) => assert_eq!(contents.size, size, "{contents:?}"),
        Err(error) => assert!(error.code().is_some(), "{error}"),
    }
}

#[mpi::test(ranks = 1)]
fn types_of_fortran(_: Communicator) -> Result<()> {
    of_size(Contents::f90_real(Some(6), Some(30)), 4);
    of_size(Contents::f90_real(Some(15), Some(307)), 8);
    of_size(Contents::f90_real(Some(15), None), 8);
    of_size(Contents::f90_complex(Some(6), Some(30)), 8);
    of_size(Contents::f90_complex(Some(15), Some(307)), 16);
    of_size(Contents::f90_integer(9), 4);
    of_size(Contents::f90_integer(18), 8);
    of_size(Contents::match_size(TypeClass::Real, 4), 4);
    of_size(Contents::match_size(TypeClass::Real, 8), 8);
    of_size(Contents::match_size(TypeClass::Integer, 2), 2);
    of_size(Contents::match_size(TypeClass::Integer, 8), 8);
    of_size(Contents::match_size(TypeClass::Complex, 16), 16);
    for nonsense in [
        Contents::f90_real(Some(1000), Some(1_000_000)),
        Contents::f90_integer(1000),
        Contents::match_size(TypeClass::Real, 3),
        Contents::match_size(TypeClass::Integer, usize::MAX),
    ] {
        nonsense.unwrap_err();
    }
    Ok(())
}
