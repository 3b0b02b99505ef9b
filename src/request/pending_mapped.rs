//! Owned requests of several kinds made into one: mapped to a common output, and boxed.
#![allow(unsafe_code)]

use super::way::sealed::Sealed;
use super::{HasStatus, Pending, Way};
use crate::ffi::{MPI_Request, MPI_Status};
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// A buffer, and the function that what becomes of it goes through. Made by [`Pending::map`].
pub struct MappedBuffer<B, F> {
    buffer: B,
    map: F,
}

/// The way of a request that was mapped: `W`, and then the function.
pub struct Mapped<W>(PhantomData<W>);

impl<W> Sealed for Mapped<W> {}
impl<W: HasStatus> HasStatus for Mapped<W> {}

impl<B, W: Way<B>, O, F: FnOnce(W::Output) -> O> Way<MappedBuffer<B, F>> for Mapped<W> {
    type Output = O;
    const STATUS: bool = W::STATUS;
    #[inline(always)]
    fn output(MappedBuffer { buffer, map }: MappedBuffer<B, F>, status: MPI_Status) -> O {
        map(W::output(buffer, status))
    }
    #[inline(always)]
    unsafe fn abandon(mapped: *const MappedBuffer<B, F>, request: MPI_Request) {
        // SAFETY: points to a `MappedBuffer`, by this function's contract.
        let buffer = unsafe { &raw const (*mapped).buffer };
        // SAFETY: this function's contract.
        unsafe { W::abandon(buffer, request) }
    }
}

/// A buffer of any kind. Made by [`Pending::boxed`]; dropping it drops the buffer.
pub struct BoxedBuffer<'a, O>(Box<dyn Land<O> + 'a>);

/// The way of a request that was boxed.
#[derive(Debug)]
pub enum Boxed {}

impl Sealed for Boxed {}
impl HasStatus for Boxed {}

/// An owned request of any kind with a certain output: what a set of mixed kinds holds.
pub type BoxedPending<'a, O> = Pending<BoxedBuffer<'a, O>, Boxed>;

impl<O> Way<BoxedBuffer<'_, O>> for Boxed {
    type Output = O;
    const STATUS: bool = true;
    fn output(buffer: BoxedBuffer<'_, O>, status: MPI_Status) -> O {
        // Asked for in any case, so also where the way has a status.
        buffer.0.land(status)
    }
    unsafe fn abandon(buffer: *const BoxedBuffer<'_, O>, request: MPI_Request) {
        // SAFETY: points to a box that is initialized, by this function's contract. What MPI uses is not in it.
        let held = unsafe { &(*buffer).0 };
        // SAFETY: this function's contract.
        unsafe { held.abandon(request) }
    }
}

/// A buffer whose type is forgotten.
trait Land<O> {
    /// [`Way::output`].
    fn land(self: Box<Self>, status: MPI_Status) -> O;
    /// # Safety
    /// As [`Way::abandon`].
    unsafe fn abandon(&self, request: MPI_Request);
}

/// What the box holds. Only a flight that is over gives a `BoxedBuffer` out of its `MaybeUninit`, so whoever owns one as
/// such, and drops it, owns the buffer.
struct Held<B, W> {
    /// Initialized until `taken`. `MaybeUninit`, since moving it into the box must say nothing of the memory: see
    /// `Flight`.
    buffer: MaybeUninit<B>,
    taken: bool,
    way: PhantomData<W>,
}

impl<B, W: Way<B>> Land<W::Output> for Held<B, W> {
    fn land(mut self: Box<Self>, status: MPI_Status) -> W::Output {
        self.taken = true;
        // SAFETY: initialized, and read once: `taken` keeps `drop` from it.
        W::output(unsafe { self.buffer.assume_init_read() }, status)
    }
    unsafe fn abandon(&self, request: MPI_Request) {
        // SAFETY: initialized, since `land` consumes `self`; the rest is this function's contract.
        unsafe { W::abandon(self.buffer.as_ptr(), request) }
    }
}

impl<B, W> Drop for Held<B, W> {
    fn drop(&mut self) {
        if !self.taken {
            // SAFETY: initialized, and dropped once; MPI is done with it, since whoever drops this owns it.
            unsafe { self.buffer.assume_init_drop() }
        }
    }
}

impl<B, W: Way<B>> Pending<B, W> {
    /// The same request, which gives back `f` of what it would.
    ///
    /// `f` runs when the request is completed; never, if it is dropped. So requests of several kinds get one output,
    /// and, [boxed](Pending::boxed), one type:
    ///
    /// ```no_run
    /// use mpi::request::PendingSet;
    ///
    /// enum Event {
    ///     Numbers(mpi::Received<Vec<f64>>),
    ///     Sent(Vec<u8>),
    ///     Computed(Option<String>),
    /// }
    /// # let world = mpi::init()?;
    /// let (work, completer) = world.grequest_start::<String>()?;
    /// let mut set = PendingSet::new();
    /// set.push(world.irecv(vec![0.0; 4], 0, 0)?.map(Event::Numbers).boxed());
    /// set.push(world.isend(vec![1u8; 80], 0, 1)?.map(Event::Sent).boxed());
    /// set.push(work.map(|done| Event::Computed(done.data)).boxed());
    /// completer.complete("42".into())?;
    /// while let Some((_, event)) = set.wait_any()? {
    ///     match event {
    ///         Event::Numbers(got) => println!("{:?}", got.data),
    ///         Event::Sent(buffer) => println!("{} bytes are ours again", buffer.len()),
    ///         Event::Computed(answer) => println!("{answer:?}"),
    ///     }
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    pub fn map<O, F: FnOnce(W::Output) -> O>(self, f: F) -> Pending<MappedBuffer<B, F>, Mapped<W>> {
        Pending { flight: self.flight.rehouse(|buffer| mapped(buffer, f)) }
    }

    /// The same request, of a type that says only what it gives back. Allocates.
    ///
    /// If it fails, what comes back is a [`BoxedBuffer`], which is good for nothing but dropping it.
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    pub fn boxed<'a>(self) -> BoxedPending<'a, W::Output>
    where
        B: 'a,
        W: 'a,
    {
        Pending {
            flight: self.flight.rehouse(|buffer| {
                let held: Box<dyn Land<W::Output> + 'a> =
                    Box::new(Held::<B, W> { buffer, taken: false, way: PhantomData });
                MaybeUninit::new(BoxedBuffer(held))
            }),
        }
    }
}

/// Both in one place, without a word about the memory of the buffer.
fn mapped<B, F>(buffer: MaybeUninit<B>, map: F) -> MaybeUninit<MappedBuffer<B, F>> {
    let mut place = MaybeUninit::<MappedBuffer<B, F>>::uninit();
    let fields = place.as_mut_ptr();
    // SAFETY: the fields of a place of ours.
    let buffer_field = unsafe { &raw mut (*fields).buffer };
    // SAFETY: as above.
    let map_field = unsafe { &raw mut (*fields).map };
    // SAFETY: a place of ours; a `MaybeUninit<B>` has the layout of a `B`.
    unsafe { buffer_field.cast::<MaybeUninit<B>>().write(buffer) };
    // SAFETY: a place of ours.
    unsafe { map_field.write(map) };
    place
}

impl<B, F> fmt::Debug for MappedBuffer<B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MappedBuffer")
    }
}
impl<W> fmt::Debug for Mapped<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mapped")
    }
}
impl<O> fmt::Debug for BoxedBuffer<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxedBuffer")
    }
}
