//! Attributes of types: each layout has its own, of each key its own, for as long as it lives.

use crate::recipe::{Element, recipes};
use mpi::datatype::{Key, Layout};
use mpi::{Communicator, ErrorClass, Result};

fn column() -> Result<Layout<Element>> {
    Layout::element().vector(3, 1, 3)
}

#[mpi::test(ranks = [1, 2])]
fn set_replaced_and_deleted(world: Communicator) -> Result<()> {
    let (rank, unit) = (Key::<[u64; 4]>::new()?, Key::<&'static str>::new()?);
    let column = column()?;
    assert_eq!((column.get_attr(&rank)?, column.get_attr(&unit)?), (None, None));
    column.set_attr(&rank, [world.rank() as u64, 2, 3, 4])?;
    column.set_attr(&unit, "kelvin")?;
    assert_eq!(
        (column.get_attr(&rank)?, column.get_attr(&unit)?),
        (Some([world.rank() as u64, 2, 3, 4]), Some("kelvin"))
    );
    column.set_attr(&unit, "metre")?;
    let (clone, dup) = (column.clone(), column.dup());
    assert_eq!((clone.get_attr(&unit)?, dup.get_attr(&unit)?), (Some("metre"), None));
    assert!(column.delete_attr(&unit)? && !column.delete_attr(&unit)? && !dup.delete_attr(&unit)?);
    assert_eq!((clone.get_attr(&rank)?.map(|four| four[1]), clone.get_attr(&unit)?), (Some(2), None));
    // It is used as ever, and goes with what stands on it.
    let (mine, mut got) = ([Element::default(); 9], [Element::default(); 3]);
    world.sendrecv(&column.of(&mine)?, world.rank(), 0, &mut got, world.rank(), 0)?;
    Ok(())
}

/// A number that MPI gave out again while something stands under it would be read as another type.
#[mpi::test(ranks = 1)]
fn a_key_that_is_gone_is_no_other(_: Communicator) -> Result<()> {
    let column = column()?;
    column.set_attr(&Key::<u8>::new()?, 1)?;
    for _ in 0..100 {
        let other = Key::<[u64; 100]>::new()?;
        assert_eq!(column.get_attr(&other)?, None);
        column.set_attr(&other, [7; 100])?;
        assert_eq!(column.get_attr(&other)?, Some([7; 100]));
    }
    Ok(())
}

#[mpi::test(ranks = 1)]
fn each_random_layout_has_its_own(_: Communicator) -> Result<()> {
    let (key, nothing) = (Key::<usize>::new()?, Key::<()>::new()?);
    let mut all = Vec::new();
    for (number, (recipe, _)) in recipes(1000).enumerate() {
        let layout = recipe.layout()?;
        assert_eq!((layout.get_attr(&key)?, layout.get_attr(&nothing)?), (None, None), "{recipe:?}");
        match layout.set_attr(&key, number) {
            Ok(()) => {
                layout.set_attr(&nothing, ())?;
                all.push((layout, number));
            }
            Err(error) => assert_eq!(error.class(), ErrorClass::TYPE, "{recipe:?}: {error}"),
        }
    }
    assert!(all.len() > 100, "{}", all.len());
    for (layout, number) in &all {
        assert_eq!((layout.get_attr(&key)?, layout.get_attr(&nothing)?), (Some(*number), Some(())));
    }
    Ok(())
}

#[mpi::test(ranks = 1)]
fn a_layout_without_a_type(_: Communicator) -> Result<()> {
    let (key, row) = (Key::new()?, Layout::<f64>::element().contiguous(4)?);
    let error = row.set_attr(&key, 1).expect_err("no type");
    assert_eq!(
        error.to_string(),
        "MPI_Type_set_attr: the 4 elements of the layout follow one another, so it has no type of its own"
    );
    assert_eq!((row.get_attr(&key)?, row.delete_attr(&key)?), (None, false));
    Ok(())
}
