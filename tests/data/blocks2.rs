//! Grids in two dimensions: that their parts are disjoint and all of them, whoever owns the cells; what is refused.

use mpi::buffer::{Grid, Grid3, Grid3Mut, GridMut, Halo, StridedMut};
use mpi::{ErrorClass, Result, Returned};
use proptest::prelude::*;

/// On which side of the interior an index is: before it, in it, after it.
fn side(at: usize, ghost: usize, n: usize) -> usize {
    usize::from(at >= ghost) + usize::from(at >= ghost + n)
}

/// Counts a part's number into each of its cells, by both ways to write.
fn mark(mut part: StridedMut<'_, u32>, number: u32) {
    let (rows, cols) = (part.rows(), part.cols());
    for r in 0..rows {
        if number.is_multiple_of(2) {
            part.row_mut(r).iter_mut().for_each(|cell| *cell += number);
        } else {
            (0..cols).for_each(|c| part[(r, c)] += number);
        }
    }
}

fn mark_all(parts: [[StridedMut<'_, u32>; 3]; 3]) {
    parts.into_iter().flatten().zip(1..).for_each(|(part, number)| mark(part, number));
}

fn mark_sides(halo: Halo<'_, u32>) {
    let Halo { north, south, west, east, core, .. } = halo;
    [(north, 2), (west, 4), (core, 5), (east, 6), (south, 8)]
        .into_iter()
        .for_each(|(part, number)| mark(part, number));
}

proptest! {
    /// Two parts that shared a cell would leave the sum of their numbers, and a cell of none 0. Borders wider than the interior
    /// are among them, and axes of nothing.
    #[test]
    fn each_cell_is_in_the_one_part_of_its_sides(
        (n_rows, n_cols) in (0..5usize, 0..5usize),
        ghosts in prop::array::uniform2(0..4usize),
    ) {
        let mut all = Grid::with_ghosts(n_rows, n_cols, ghosts, 0u32).unwrap();
        let mut sides = all.clone();
        mark_all(all.split_all());
        mark_sides(sides.split());

        prop_assert_eq!((all.core_dims(), all.ghosts()), ((n_rows, n_cols), ghosts));
        let (rows, cols) = all.dims();
        prop_assert_eq!((rows, cols), (n_rows + 2 * ghosts[0], n_cols + 2 * ghosts[1]));
        prop_assert_eq!(all.as_slice().len(), rows * cols);
        for r in 0..rows {
            prop_assert_eq!(all.row(r).len(), cols);
            for c in 0..cols {
                let (i, j) = (side(r, ghosts[0], n_rows), side(c, ghosts[1], n_cols));
                let number = (3 * i + j + 1) as u32;
                prop_assert_eq!(all[(r, c)], number);
                prop_assert_eq!(sides[(r, c)], if i == 1 || j == 1 { number } else { 0 });
            }
        }

        let mut lent = vec![0; rows * cols];
        mark_all(GridMut::new(&mut lent, n_rows, n_cols, ghosts).unwrap().split_all());
        prop_assert_eq!(&lent, all.as_slice());
        lent.fill(0);
        mark_sides(GridMut::new(&mut lent, n_rows, n_cols, ghosts).unwrap().split());
        prop_assert_eq!(&lent, sides.as_slice());
    }

    #[test]
    fn a_vector_is_taken_as_it_is_or_refused(
        len in 0..80usize,
        core in prop::array::uniform3(0..4usize),
        ghost in prop::array::uniform3(0..3usize),
    ) {
        let cells: Vec<usize> = (0..len).collect();
        let [planes, rows, cols] = [0, 1, 2].map(|axis| core[axis] + 2 * ghost[axis]);
        let (two, three) = ([ghost[1], ghost[2]], planes * rows * cols);
        for len in [len, rows * cols] {
            let made = Grid::from_vec((0..len).collect(), core[1], core[2], two);
            let lent = GridMut::new(&mut vec![0; len], core[1], core[2], two).map(drop);
            prop_assert_eq!((made.is_ok(), lent.is_ok()), (len == rows * cols, len == rows * cols));
            let Ok(grid) = made else { continue };
            prop_assert_eq!((grid.dims(), grid.core_dims()), ((rows, cols), (core[1], core[2])));
            (0..rows).for_each(|r| (0..cols).for_each(|c| assert_eq!(grid[(r, c)], r * cols + c)));
            prop_assert_eq!(grid.into_vec(), (0..len).collect::<Vec<_>>());
        }
        prop_assert_eq!(Grid3::from_vec(cells, core, ghost).is_ok(), len == three);
        let mut cells: Vec<usize> = (0..three).collect();
        let mut grid = Grid3::from_vec(cells.clone(), core, ghost).unwrap();
        let number = |[p, r, c]: [usize; 3]| ((ghost[0] + p) * rows + ghost[1] + r) * cols + ghost[2] + c;
        let mine: Vec<usize> = grid.split().core.as_shared().iter().copied().collect();
        let inner = (0..core[0]).flat_map(|p| (0..core[1]).map(move |r| (p, r)));
        prop_assert_eq!(&mine, &inner.flat_map(|(p, r)| (0..core[2]).map(move |c| [p, r, c])).map(number).collect::<Vec<_>>());
        let lent = Grid3Mut::new(&mut cells, core, ghost).unwrap().split_all();
        let sizes = lent.iter().flatten().flatten().map(|part| part.dims().iter().product::<usize>());
        prop_assert_eq!(sizes.sum::<usize>(), three);
        prop_assert_eq!(lent[1][1][1].as_shared().iter().copied().collect::<Vec<_>>(), mine);
        prop_assert_eq!(grid.into_vec(), cells);
    }
}

/// The vector stays where it is: nothing is copied.
#[test]
fn a_vector_keeps_its_place() -> Result<()> {
    let cells = vec![7u8; 30];
    let place = cells.as_ptr();
    let grid = Grid::from_vec(cells, 3, 2, [1, 2])?;
    assert_eq!(grid.as_slice().as_ptr(), place);
    let cells = grid.into_vec();
    assert_eq!(cells.as_ptr(), place);
    Ok(())
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    const MAX: usize = usize::MAX;
    let refused = |got: Result<()>, text: &str| {
        let error = got.expect_err(text);
        assert_eq!((error.to_string().as_str(), error.class()), (text, ErrorClass::BUFFER));
    };
    let (mut flat, mut cube) = ([0u8; 19], [0u8; 61]);
    let come_back = |refused: Returned<Vec<u8>>, len: usize| {
        assert_eq!(refused.data.len(), len);
        refused.error
    };
    refused(
        Grid::from_vec(flat.to_vec(), 2, 3, [1, 1]).map(drop).map_err(|it| come_back(it, 19)),
        "Grid::from_vec: the shape is of 20 elements, but the array has 19",
    );
    refused(
        GridMut::new(&mut flat, 2, 3, [1, 1]).map(drop),
        "GridMut::new: the shape is of 20 elements, but the array has 19",
    );
    refused(
        Grid3::from_vec(cube.to_vec(), [1, 2, 3], [1; 3]).map(drop).map_err(|it| come_back(it, 61)),
        "Grid3::from_vec: the shape is of 60 elements, but the array has 61",
    );
    refused(
        Grid3Mut::new(&mut cube, [1, 2, 3], [1; 3]).map(drop),
        "Grid3Mut::new: the shape is of 60 elements, but the array has 61",
    );
    // Products and sums that wrap around to what is there: 0, 0, 2 and 0 cells.
    for (rows, cols, ghosts) in
        [(1 << 63, 2, [0, 0]), (0, 0, [1 << 63, 0]), (MAX, 2, [1, 0]), (0, 1 << 63, [1 << 62, 1 << 62])]
    {
        for len in [0, 2] {
            assert!(Grid::from_vec(vec![0u8; len], rows, cols, ghosts).is_err());
            assert!(GridMut::new(&mut vec![0u8; len], rows, cols, ghosts).is_err());
        }
        assert!(Grid::with_ghosts(rows, cols, ghosts, 0u8).is_err());
    }
    assert!(Grid3::from_vec(Vec::<u8>::new(), [0, 1 << 32, 1 << 32], [0; 3]).is_err());
    assert!(Grid3Mut::new(&mut [0u8; 0], [1 << 63, 2, 1], [0; 3]).is_err());
    // Of what has no bytes there may be as many as there are numbers, if they exist.
    let many = Grid::from_vec(vec![(); 1 << 25], 1 << 24, 2, [0, 0]).unwrap();
    assert_eq!(many.core_dims(), (1 << 24, 2));
    assert!(Grid::with_ghosts(1 << 24, 2, [0, 0], ()).is_err());
}

#[test]
fn widths_of_the_border() {
    assert_eq!(Grid::new(2, 3, 4, 0u8).unwrap().ghosts(), [4, 4]);
    assert_eq!(Grid::with_ghosts(2, 3, [4, 1], 0u8).unwrap().ghosts(), [4, 1]);
}
