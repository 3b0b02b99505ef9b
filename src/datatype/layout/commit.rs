//! How MPI learns of a layout: a derived type, made when it is first needed and kept with the layout.
//!
//! Four constructors are enough, and what each of them returns is compared with the measures of the node it is for: a
//! library that counts another way, or wraps around, is found out before any memory is touched.
#![allow(unsafe_code)]
#![allow(clippy::unnecessary_cast, reason = "`MPI_Aint` is an `isize` with one library and not with another")]

use super::node::{Kind, Node, Piece};
use crate::buffer::INT_MAX;
use crate::datatype::repeat::{Vector, free};
use crate::datatype::{Datatype, RawDatatype};
use crate::environment::{enter, hold, usable_here};
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Aint, MPI_Count, MPI_Datatype, check};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::os::raw::c_int;
use std::rc::{Rc, Weak};

const COMMIT: Call = &"MPI_Type_commit";

/// A layout as MPI takes it: `count` elements of a committed type, `offset` elements of `T` from the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description {
    pub offset: i64,
    pub count: usize,
    pub datatype: RawDatatype,
}

/// The type of a layout, once there is one.
#[derive(Default)]
pub(super) struct Cached {
    made: Cell<Option<Description>>,
}

thread_local! {
    /// This thread's layouts that have a type.
    static MADE: RefCell<Vec<Weak<Cached>>> = const { RefCell::new(Vec::new()) };
}

/// Frees this thread's types. MPI is live; called before it ends. Other threads' types end with MPI.
pub(crate) fn clear() {
    // A thread that ends has no list any more: its types end with MPI.
    let all = MADE.try_with(RefCell::take).unwrap_or_default();
    let types = all.iter().filter_map(Weak::upgrade).filter_map(|cached| cached.made.take());
    types.for_each(|made| free(made.datatype.0));
}

impl Cached {
    #[inline]
    pub(super) fn get_or_make(self: &Rc<Self>, node: &Node, element: fn() -> Element) -> Result<Description> {
        match self.made.get() {
            Some(made) => Ok(made),
            None => self.make(node, element, INT_MAX as c_int),
        }
    }

    #[cold]
    fn make(self: &Rc<Self>, node: &Node, element: fn() -> Element, limit: c_int) -> Result<Description> {
        let _mpi = hold(COMMIT)?;
        let made = Lowering::new(element(), limit).committed(node)?;
        self.made.set(Some(made));
        let _ = MADE.try_with(|all| {
            let mut all = all.borrow_mut();
            if all.len() == all.capacity() {
                all.retain(|cached| cached.strong_count() > 0);
            }
            all.push(Rc::downgrade(self));
        });
        Ok(made)
    }
}

impl Drop for Cached {
    fn drop(&mut self) {
        let Some(made) = self.made.take() else { return };
        if !usable_here() {
            return; // it ended with MPI
        }
        // Another thread may have ended MPI since.
        if let Ok(_mpi) = enter(&"MPI_Type_free") {
            free(made.datatype.0);
        }
    }
}

/// A type that is made at once, with a limit for all numbers in it.
pub(super) fn within(node: &Node, element: fn() -> Element, limit: c_int) -> Result<Rc<Cached>> {
    let cached = Rc::new(Cached::default());
    if !node.is_run {
        cached.make(node, element, limit.max(2))?;
    }
    Ok(cached)
}

/// What layouts of `T` are made of.
#[derive(Clone, Copy)]
pub(super) struct Element {
    unit: MPI_Datatype,
    units: usize,
    size: usize,
}

impl Element {
    pub(super) fn of<T: Datatype>() -> Element {
        Element { unit: T::unit().0, units: T::UNITS, size: size_of::<T>() }
    }
}

/// Some copies of a type, one after the other.
#[derive(Clone, Copy)]
struct Copies {
    datatype: MPI_Datatype,
    count: usize,
}

impl Copies {
    fn one(datatype: MPI_Datatype) -> Self {
        Copies { datatype, count: 1 }
    }
}

/// Types that are made on the way to one; they are freed with this.
struct Lowering {
    element: Element,
    limit: c_int,
    made: Vec<MPI_Datatype>,
    /// What is part of a layout several times is made once.
    known: HashMap<*const Node, Copies>,
}

impl Drop for Lowering {
    fn drop(&mut self) {
        self.made.drain(..).for_each(free);
    }
}

impl Lowering {
    fn new(element: Element, limit: c_int) -> Self {
        Lowering { element, limit, made: Vec::new(), known: HashMap::new() }
    }

    /// The type of a node that is no run.
    fn committed(mut self, node: &Node) -> Result<Description> {
        let (offset, node) = core(node);
        let Copies { mut datatype, count } = self.lower(node)?;
        // SAFETY: a type that was made here: what needs none is a run.
        check(COMMIT, unsafe { ffi::MPI_Type_commit(&raw mut datatype) })?;
        self.made.retain(|&made| made != datatype);
        Ok(Description { offset, count, datatype: RawDatatype(datatype) })
    }

    fn lower(&mut self, node: &Node) -> Result<Copies> {
        if let Some(&copies) = self.known.get(&std::ptr::from_ref(node)) {
            return Ok(copies);
        }
        let copies = match &node.kind {
            Kind::Element => Copies { datatype: self.element.unit, count: self.element.units },
            Kind::Repeat { count, stride, of } if *stride == of.extent() || *count == 1 => {
                self.row(of, *count)?
            }
            Kind::Repeat { count, stride, of } => {
                let copies = self.lower(of)?;
                let datatype = self.vector(*count, i128::from(*stride), copies)?;
                Copies::one(self.measured(node, datatype)?)
            }
            Kind::Pieces(pieces) => {
                let datatype = self.pieces(pieces)?;
                Copies::one(self.measured(node, datatype)?)
            }
            Kind::Bounds(of) => {
                let copies = self.lower(of)?;
                let datatype = self.single(copies)?;
                Copies::one(self.measured(node, datatype)?)
            }
        };
        self.known.insert(node, copies);
        Ok(copies)
    }

    /// `count` copies of a node, one extent apart.
    fn row(&mut self, of: &Node, count: usize) -> Result<Copies> {
        let Copies { datatype, count: each } = self.lower(of)?;
        let too_many = || Error::length(COMMIT, Argument::Count, count, usize::MAX / each.max(1));
        Ok(Copies { datatype, count: each.checked_mul(count).ok_or_else(too_many)? })
    }

    /// The same as one type.
    fn single(&mut self, copies: Copies) -> Result<MPI_Datatype> {
        match copies.count {
            1 => Ok(copies.datatype),
            _ => self.vector(1, 0, copies),
        }
    }

    /// As many copies as an `int` counts.
    fn countable(&mut self, copies: Copies) -> Result<Copies> {
        if copies.count <= self.limit as usize { Ok(copies) } else { self.single(copies).map(Copies::one) }
    }

    /// Elements in bytes. No overflow: `Node::measured` has looked at the farthest.
    fn bytes(&self, elements: i128) -> MPI_Aint {
        (elements * self.element.size as i128) as MPI_Aint
    }

    /// `count` times these copies, `stride` elements apart.
    fn vector(&mut self, count: usize, stride: i128, copies: Copies) -> Result<MPI_Datatype> {
        let (stride, base) = (self.bytes(stride) as isize, copies.datatype);
        let vector = Vector { blocks: count, block: copies.count, stride, base };
        let datatype = vector.create(self.limit as usize)?;
        self.made.push(datatype);
        Ok(datatype)
    }

    fn pieces(&mut self, pieces: &[Piece]) -> Result<MPI_Datatype> {
        if pieces.len() > self.limit as usize {
            let parts = pieces.chunks(self.limit as usize).map(|part| self.pieces(part));
            let parts = parts.collect::<Result<Vec<_>>>()?;
            return self.joined(&parts);
        }
        // What has bounds and no elements is told by the bounds of the whole.
        let pieces: Vec<&Piece> = pieces.iter().filter(|piece| piece.of.len > 0).collect();
        let (mut lengths, mut places, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for piece in pieces {
            let copies = self.row(&piece.of, piece.count)?;
            let copies = self.countable(copies)?;
            lengths.push(copies.count as c_int);
            places.push(self.bytes(piece.at.into()));
            types.push(copies.datatype);
        }
        match types.first() {
            Some(&first) if types.iter().all(|&datatype| datatype == first) => {
                self.hindexed(&lengths, &places, first)
            }
            _ => self.structure(&lengths, &places, &types),
        }
    }

    /// Types at one place, however many.
    fn joined(&mut self, parts: &[MPI_Datatype]) -> Result<MPI_Datatype> {
        if parts.len() <= self.limit as usize {
            return self.structure(&vec![1; parts.len()], &vec![0; parts.len()], parts);
        }
        let some = parts.chunks(self.limit as usize).map(|part| self.joined(part));
        let some = some.collect::<Result<Vec<_>>>()?;
        self.joined(&some)
    }

    fn hindexed(&mut self, lengths: &[c_int], places: &[MPI_Aint], of: MPI_Datatype) -> Result<MPI_Datatype> {
        let mut datatype = ffi::MPI_DATATYPE_NULL;
        let count = lengths.len() as c_int; // within the limit
        // SAFETY: two arrays of `count` entries, which MPI reads, and a valid type.
        let code = unsafe {
            ffi::MPI_Type_create_hindexed(count, lengths.as_ptr(), places.as_ptr(), of, &raw mut datatype)
        };
        check(&"MPI_Type_create_hindexed", code)?;
        self.made.push(datatype);
        Ok(datatype)
    }

    fn structure(
        &mut self,
        lengths: &[c_int],
        places: &[MPI_Aint],
        types: &[MPI_Datatype],
    ) -> Result<MPI_Datatype> {
        let mut datatype = ffi::MPI_DATATYPE_NULL;
        let count = lengths.len() as c_int; // within the limit
        let (lengths, places, types) = (lengths.as_ptr(), places.as_ptr(), types.as_ptr());
        // SAFETY: three arrays of `count` entries, which MPI reads, of valid types.
        let code = unsafe { ffi::MPI_Type_create_struct(count, lengths, places, types, &raw mut datatype) };
        check(&"MPI_Type_create_struct", code)?;
        self.made.push(datatype);
        Ok(datatype)
    }

    /// A type for a node, with the node's bounds.
    ///
    /// # Errors
    /// The type has other elements than the node.
    fn measured(&mut self, node: &Node, mut datatype: MPI_Datatype) -> Result<MPI_Datatype> {
        let (lower, extent) = (self.bytes(node.lower.into()), self.bytes(node.extent().into()));
        if asked(&"MPI_Type_get_extent", datatype, ffi::MPI_Type_get_extent)? != (lower, extent) {
            let old = datatype;
            // SAFETY: a valid type; any bounds are allowed.
            let code = unsafe { ffi::MPI_Type_create_resized(old, lower, extent, &raw mut datatype) };
            check(&"MPI_Type_create_resized", code)?;
            self.made.push(datatype);
        }
        let (first, spread) = asked(&"MPI_Type_get_true_extent", datatype, ffi::MPI_Type_get_true_extent)?;
        let (start, end) = (self.bytes(node.first.into()), self.bytes(node.last.into()));
        let is_inside = first >= start && first.checked_add(spread).is_some_and(|last| last <= end);
        let elements = size(self.element.unit)? as i128 * self.element.units as i128 * node.len as i128;
        if is_inside && size(datatype)? as i128 == elements {
            return Ok(datatype);
        }
        Err(Error::from_code(&"MPI_Type_get_true_extent", ffi::MPI_ERR_INTERN, ffi::MPI_ERR_INTERN))
    }
}

/// What a node comes down to if its bounds do not matter: a place, and what is there.
fn core(mut node: &Node) -> (i64, &Node) {
    let mut offset = 0;
    loop {
        match &node.kind {
            Kind::Bounds(of) => node = of,
            Kind::Pieces(pieces) if pieces.len() == 1 && pieces[0].count == 1 => {
                offset += pieces[0].at; // as far from the origin as the node's own first element, or nearer
                node = &pieces[0].of;
            }
            _ => return (offset, node),
        }
    }
}

pub(in crate::datatype) type Ask = unsafe extern "C" fn(MPI_Datatype, *mut MPI_Aint, *mut MPI_Aint) -> c_int;

/// Two measures of a type.
pub(in crate::datatype) fn asked(
    call: Call,
    datatype: MPI_Datatype,
    ask: Ask,
) -> Result<(MPI_Aint, MPI_Aint)> {
    let (mut lower, mut extent) = (0, 0);
    // SAFETY: one of MPI's functions of this signature, given a valid type; the out-arguments are ours.
    check(call, unsafe { ask(datatype, &raw mut lower, &raw mut extent) })?;
    Ok((lower, extent))
}

/// How many bytes a type has.
pub(in crate::datatype) fn size(datatype: MPI_Datatype) -> Result<MPI_Count> {
    let mut size = 0;
    // SAFETY: a valid type; the out-argument is ours.
    check(&"MPI_Type_size_x", unsafe { ffi::MPI_Type_size_x(datatype, &raw mut size) })?;
    Ok(size)
}
