//! Views of `ndarray` against a copy in the order of their indices: axes, strides, turned, reversed, repeated.

use crate::sample::{Sample, same, samples};
use mpi::buffer::{Contiguous, ContiguousMut, OwnedArray, OwnedRecv, OwnedSend};
use mpi::op::{Max, Sum};
use mpi::{AnyBits, Communicator, Error, ErrorClass, Result};
use ndarray::{
    Array, Array2, Array3, ArrayD, ArrayView, ArrayViewMut, Axis, Dimension, IxDyn, Slice, Zip, s,
};

/// All views that a seed leads to: axes are cut, stepped over, reversed and exchanged.
fn view<T, D: Dimension>(mut view: ArrayView<'_, T, D>, seed: usize) -> ArrayView<'_, T, D> {
    for axis in 0..view.ndim() {
        view.slice_axis_inplace(Axis(axis), cut(view.len_of(Axis(axis)), seed >> (2 * axis)));
    }
    if view.ndim() > 1 {
        view.swap_axes(seed % view.ndim(), seed / 3 % view.ndim());
    }
    view
}
fn view_mut<T, D: Dimension>(mut view: ArrayViewMut<'_, T, D>, seed: usize) -> ArrayViewMut<'_, T, D> {
    for axis in 0..view.ndim() {
        view.slice_axis_inplace(Axis(axis), cut(view.len_of(Axis(axis)), seed >> (2 * axis)));
    }
    if view.ndim() > 1 {
        view.swap_axes(seed % view.ndim(), seed / 3 % view.ndim());
    }
    view
}
fn cut(len: usize, seed: usize) -> Slice {
    match seed % 4 {
        0 => Slice::from(..),
        1 => Slice::new(0, None, -1),
        2 => Slice::new((len > 2) as isize, None, 2),
        _ => Slice::new((len > 1) as isize, None, -2),
    }
}

fn in_order<T: Copy, D: Dimension>(view: ArrayView<'_, T, D>) -> Vec<T> {
    view.iter().copied().collect()
}

/// Sent from a view and received as a slice; sent as a slice and received into a view, which nothing else changes of.
fn both_ends<T: Sample + AnyBits>(world: &Communicator, shape: &[usize]) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let len = shape.iter().product();
    let whole = |rank| ArrayD::from_shape_vec(IxDyn(shape), samples::<T>(rank, len)).expect("so many");
    let (mine, theirs) = (whole(me), whole(previous));
    // Alone all of them, which takes no time; with others some.
    for seed in (0..64).step_by(if size == 1 { 1 } else { 7 }) {
        let out = view(mine.view(), seed);
        let mut into = vec![T::sample(999); out.len()];
        world.sendrecv(&out, next, 0, &mut into, previous, 0)?;
        same(&into, &in_order(view(theirs.view(), seed)));

        let mut array = whole(me + 7);
        let mut expected = array.clone();
        let sent = samples::<T>(previous, into.len());
        view_mut(expected.view_mut(), seed).iter_mut().zip(&sent).for_each(|(to, from)| *to = *from);
        let mut place = view_mut(array.view_mut(), seed);
        world.sendrecv(&samples::<T>(me, into.len()), next, 1, &mut place, previous, 1)?;
        same(array.as_slice().expect("whole"), expected.as_slice().expect("whole"));
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2])]
fn any_axes(world: Communicator) -> Result<()> {
    for shape in [&[][..], &[5], &[1], &[0], &[4, 3], &[3, 1, 4], &[2, 0, 3], &[3, 4, 5], &[2, 3, 2, 3, 2]] {
        both_ends::<f64>(&world, shape)?;
    }
    both_ends::<u8>(&world, &[3, 4, 5])?;
    both_ends::<[i32; 3]>(&world, &[4, 5])?;
    both_ends::<i128>(&world, &[4, 5])
}

/// In flight: lent by a scope, arrays of every kind of owner.
#[mpi::test(ranks = [1, 2])]
fn lent(world: Communicator) -> Result<()> {
    let (next, previous) =
        ((world.rank() + 1) % world.size(), (world.rank() + world.size() - 1) % world.size());
    let mine = Array2::from_shape_vec((4, 6), samples::<f64>(world.rank(), 24)).expect("24");
    let theirs = Array2::from_shape_vec((4, 6), samples::<f64>(previous, 24)).expect("24");
    let mut turned = Array2::<f64>::zeros((6, 4)).reversed_axes();
    let mut shared = Array2::<f64>::zeros((4, 3)).into_shared();
    let other = shared.clone();
    let columns = mine.slice(s![.., ..;2]);
    world.scope(|s| {
        let first = s.irecv(&mut turned, previous, 0)?;
        let second = s.irecv(&mut shared, previous, 1)?;
        let sends = (s.isend(&mine, next, 0)?, s.isend(&columns, next, 1)?);
        assert_eq!(first.wait()?.data, &theirs);
        second.wait()?;
        sends.0.wait()?;
        sends.1.wait()?;
        Ok::<_, Error>(())
    })?;
    assert_eq!(shared, theirs.slice(s![.., ..;2]));
    assert_eq!(other, Array2::<f64>::zeros((4, 3)), "who shares the array keeps what it had");
    Ok(())
}

/// A repeated row can be sent; to be received into, places must differ.
#[mpi::test(ranks = 1)]
fn repeated(world: Communicator) -> Result<()> {
    let row = Array::from_vec(vec![1u32, 2, 3]);
    let repeated = row.broadcast((4, 3)).expect("broadcasts");
    let mut got = [0u32; 12];
    world.sendrecv(&repeated, 0, 0, &mut got, 0, 0)?;
    assert_eq!(got, [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
    let same_number = row.slice(s![1]);
    let all = same_number.broadcast((2, 2)).expect("broadcasts");
    let mut got = [0u32; 4];
    world.sendrecv(&all, 0, 0, &mut got, 0, 0)?;
    assert_eq!(got, [2; 4]);
    let endless = row.broadcast((1 << 60, 3)).expect("fits an isize");
    assert_eq!(world.send(&endless, 0, 0).expect_err("too many").class(), ErrorClass::COUNT);
    Ok(())
}

#[mpi::test(ranks = 1)]
fn more_axes_than_can_be(world: Communicator) -> Result<()> {
    let joined = ArrayD::from_shape_vec(IxDyn(&[2; 14]), samples::<u8>(0, 1 << 14)).expect("so many");
    let mut got = vec![0u8; 1 << 14];
    world.sendrecv(&joined, 0, 0, &mut got, 0, 0)?;
    same(&got, &samples(0, 1 << 14));
    let error = world.send(&joined.t(), 0, 0).expect_err("14 axes");
    assert_eq!(error.to_string(), "MPI_Type_create_hvector: 14 axes that cannot be joined are more than 12");
    Ok(())
}

/// More shapes than are kept: each is made anew, and still right.
#[mpi::test(ranks = 1)]
fn many_shapes(world: Communicator) -> Result<()> {
    let all = Array3::from_shape_vec((9, 9, 9), samples::<i16>(0, 729)).expect("729");
    for round in 0..2 {
        for (a, b, c) in (1..9).flat_map(|a| (1..9).flat_map(move |b| (1..9).map(move |c| (a, b, c)))) {
            let part = all.slice(s![..a, ..b, ..c]);
            let mut got = Array3::<i16>::zeros((9, 9, 9));
            let mut place = got.slice_mut(s![9 - a.., ..b, ..c]);
            world.sendrecv(&part, 0, round, &mut place, 0, round)?;
            assert_eq!(place, part);
        }
    }
    Ok(())
}

#[mpi::test(ranks = [1, 2, 3])]
fn contiguous(world: Communicator) -> Result<()> {
    let matrix = Array2::from_elem((3, 4), world.rank() as u64 + 1);
    let mut sums = Array2::<u64>::zeros((3, 4));
    world.allreduce_into(matrix.contiguous()?, sums.contiguous_mut()?, Sum)?;
    let total = (1..=world.size() as u64).sum();
    assert_eq!(sums, Array2::from_elem((3, 4), total));
    let text = "Contiguous::contiguous: the 12 elements do not follow one another in memory in row-major order: copy them, or send the view point to point";
    let error = matrix.t().contiguous().map(drop).expect_err(text);
    assert_eq!((error.to_string().as_str(), error.class()), (text, ErrorClass::BUFFER));
    assert!(sums.view_mut().reversed_axes().contiguous_mut().is_err());
    Ok(())
}

/// What needs slices takes arrays and views of them as such, blocking and in flight: a row for each rank.
#[mpi::test(ranks = [1, 2, 3])]
fn collected(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let row = |rank: usize| Array::from_vec(samples::<i32>(rank, 5));
    let all = Array2::from_shape_vec((size, 5), (0..size).flat_map(|r| row(r).to_vec()).collect())
        .expect("so many");
    // The rows in the middle of a larger array.
    let mut table = Array2::<i32>::zeros((size + 2, 5));
    let middle = s![1..=size, ..];
    world.allgather_into(row(me).contiguous()?, table.slice_mut(middle).contiguous_mut()?)?;
    assert_eq!(table.slice(middle), all);
    table.fill(0);
    let mut room = (me == 0).then(|| table.slice_mut(middle));
    let slice = room.as_mut().map(ContiguousMut::contiguous_mut).transpose()?;
    world.gather_into(&row(me), slice, 0)?;
    assert!(room.is_none_or(|got| got == all));
    let mine = Array::from_vec(world.scatter((me == 0).then_some(all.contiguous()?), 0)?);
    assert_eq!(mine, row(me));
    let (mut first, mut second) = (Array2::<i32>::zeros((size, 5)), Array::<i32, _>::zeros(5));
    let mut sums = second.view_mut();
    world.scope(|s| {
        let exchange = s.ialltoall(all.contiguous()?, first.contiguous_mut()?)?;
        let reduction = s.iallreduce(mine.contiguous()?, sums.contiguous_mut()?, Max)?;
        exchange.wait()?;
        reduction.wait().map(drop)
    })?;
    assert!(first.rows().into_iter().all(|got| got == row(me)));
    assert_eq!(second, all.fold_axis(Axis(0), i32::MIN, |&a, &b| a.max(b)));
    Ok(())
}

/// Arrays that requests own: messages, and a collective; they come back where they were.
#[mpi::test(ranks = [1, 2])]
fn owned(world: Communicator) -> Result<()> {
    let (me, size) = (world.rank(), world.size());
    let (next, previous) = ((me + 1) % size, (me + size - 1) % size);
    let of = |rank| Array3::from_shape_vec((2, 3, 4), samples::<f64>(rank, 24)).expect("24");
    // Rows of a larger array, which stays whole.
    let part = of(me).slice_move(s![1..2, 1.., ..]);
    let place = part.as_ptr();
    let sending = world.isend(OwnedArray::new(part)?, next, 0)?;
    let mut room = OwnedArray::new(Array2::<f64>::zeros((2, 4)).into_dyn())?;
    room.view_mut().fill(7.0);
    assert_eq!(room[[1, 3]], 7.0);
    let receiving = world.irecv(room, previous, 0)?;
    let got = receiving.map(|got| got.data.into_array()).wait()?;
    assert_eq!(got, of(previous).slice(s![1, 1.., ..]).into_dyn());
    let part = sending.wait()?.into_array();
    assert_eq!((part.as_ptr(), &part), (place, &of(me).slice_move(s![1..2, 1.., ..])));

    // Few enough to be reduced in flight where the limit of an `int` is lowered.
    let few = |rank| Array2::from_shape_vec((2, 2), samples::<f64>(rank, 4)).expect("4");
    let (mine, room) = (OwnedArray::new(few(me))?, OwnedArray::new(Array2::zeros((2, 2)))?);
    let (mine, greatest) = world.iallreduce(mine, room, Max)?.wait()?;
    assert_eq!(*mine, few(me));
    let expected = (0..size).map(few).reduce(|a, b| Zip::from(&a).and(&b).map_collect(|&a, &b| a.max(b)));
    assert_eq!(Some(greatest.into_array()), expected);
    Ok(())
}

#[test]
fn an_array_in_another_order_is_not_owned() {
    let turned = Array2::<u8>::zeros((3, 4)).reversed_axes();
    let place = turned.as_ptr();
    let refused = OwnedArray::new(turned).expect_err("turned");
    let text = "OwnedArray::new: the 12 elements do not follow one another in memory in row-major order: copy them, or send the view point to point";
    assert_eq!((refused.error.to_string().as_str(), refused.error.class()), (text, ErrorClass::BUFFER));
    assert_eq!((refused.data.as_ptr(), refused.data.dim()), (place, (4, 3)));
    for steps in [s![..;-1, ..], s![.., 1..], s![..;2, ..]] {
        assert!(OwnedArray::new(Array2::<u8>::zeros((4, 4)).slice_move(steps)).is_err());
    }
    let mut copied = OwnedArray::new(refused.data.as_standard_layout().into_owned()).expect("in order");
    copied.elements_mut()[11] = 5;
    assert_eq!((copied.elements().len(), copied[(3, 2)]), (12, 5));
    // Where no two elements follow one another, any order is theirs.
    let mut none = OwnedArray::new(Array2::<u8>::zeros((0, 4)).reversed_axes()).expect("nothing");
    assert_eq!((none.elements().len(), none.elements_mut().len()), (0, 0));
}

/// Where there is one index, nobody looks how far the next would be.
#[mpi::test(ranks = 1)]
fn an_axis_of_one_index_may_have_any_stride(world: Communicator) -> Result<()> {
    use ndarray::ShapeBuilder;
    let numbers = [1.0f64, 2.0, 3.0];
    let view = ArrayView::from_shape((1, 3).strides((isize::MAX as usize / 2, 1)), &numbers).expect("inside");
    let mut theirs = [0.0; 3];
    world.sendrecv(&view, 0, 0, &mut theirs, 0, 0)?;
    assert_eq!(theirs, numbers);
    Ok(())
}

/// Whoever has a view may ask how MPI would be told of it; MPI itself is asked on its own thread alone.
#[mpi::test(ranks = 1)]
fn other_threads_make_no_types(world: Communicator) -> Result<()> {
    use mpi::buffer::{SendBuf, Strided};
    let numbers: Vec<f64> = (0..60).map(f64::from).collect();
    let strided = Strided::new(&numbers, 1, 4, 3, 7)?;
    let array = ArrayView::from_shape((5, 3, 4), &numbers).expect("so many");
    let turned = array.view().permuted_axes([1, 2, 0]);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            assert!(strided.region().is_err() && turned.region().is_err());
            assert!(SendBuf::region(&array).is_ok(), "a run needs no type");
        });
    });
    let mut theirs = [0.0; 12];
    world.sendrecv(&strided, 0, 0, &mut theirs, 0, 0)?;
    assert!(theirs.iter().eq(strided.iter()));
    Ok(())
}
