//! What a reduction is given, checked: buffers of equal length, one element type, an operation on it.
#![allow(unsafe_code)]

use super::agree::Terms;
use super::describe::{is_even, is_multiple};
use super::forms::{Described, NO_INFO, Names, needed};
use super::op::Operation;
use super::shapes::{ReduceForms, RootedReduceForms};
use crate::buffer::{INT_MAX, Region, apart};
use crate::comm::Communicator;
use crate::datatype::{Datatype, whole};
use crate::error::{Argument, Error, Needs, Result};
use crate::ffi::{self, Call, MPI_Comm, MPI_Count, MPI_Datatype, MPI_Op, MPI_Request, check};
use crate::quirks;
use std::os::raw::{c_int, c_void};
use std::ptr;

/// Why a function that does not commute cannot be used (docs/faults.md, `reduce-scatter-padding`).
const PADDED: &str = "this library writes past its own memory where the values have padding at an end and the operation \
     does not commute: call `commutative()` on it if it does, or use `reduce` and `scatter`";

/// The operands.
#[derive(Clone, Copy)]
pub(super) struct Operands {
    pub send: *const c_void,
    /// Null where there is no result.
    pub recv: *mut c_void,
    /// Elements of `datatype`.
    count: usize,
    pub datatype: MPI_Datatype,
    pub op: MPI_Op,
    /// The bytes of one element of `datatype`.
    unit_bytes: usize,
    /// Whether a part of the elements may be reduced by itself: not where MPI deals the result out.
    is_divisible: bool,
    /// Whether the operation is a function, which takes an `int` of elements.
    is_function: bool,
}

impl Operands {
    /// What goes in, described as the operation wants it.
    #[inline(always)]
    pub(super) fn new<T: Datatype, O: Operation<T>>(call: Call, send: Region, op: O) -> Result<Self> {
        let (count, datatype, unit_bytes) = match O::WHOLE {
            true => (if T::UNITS == 0 { 0 } else { send.len }, whole::<T>(call)?, size_of::<T>()),
            false => (send.count, send.datatype, unit_bytes::<T>()),
        };
        let (op, datatype) = (op.raw()?.0, datatype.0);
        let (send, recv) = (send.ptr.cast_const(), ptr::null_mut());
        let (is_divisible, is_function) = (true, O::WHOLE);
        Ok(Operands { send, recv, count, datatype, op, unit_bytes, is_divisible, is_function })
    }

    /// The same where MPI deals the result out.
    #[inline(always)]
    pub(super) fn to_deal_out<T: Datatype, O: Operation<T>>(call: Call, send: Region, op: O) -> Result<Self> {
        if O::WHOLE && T::PARTS.is_padded() && quirks::reduce_scatter_padding() && !op.is_commutative()? {
            return Err(Error::unsupported(call, Needs::Fault(&PADDED)));
        }
        Ok(Operands { is_divisible: false, ..Self::new::<T, O>(call, send, op)? })
    }

    #[inline(always)]
    pub(super) fn into(self, call: Call, send: Region, recv: Region) -> Result<Self> {
        if recv.len != send.len {
            return Err(Error::length(call, Argument::ReceiveLength, recv.len, send.len));
        }
        Ok(Operands { recv: recv.ptr, ..self })
    }

    /// The result's memory holds the input: `MPI_IN_PLACE`.
    #[inline(always)]
    pub(super) fn in_place(self) -> Self {
        Operands { send: ffi::MPI_IN_PLACE, recv: self.send.cast_mut(), ..self }
    }

    /// What a persistent call is given: Open MPI takes one address of both sides for a mistake, which two that are empty have.
    fn apart(self) -> Self {
        Operands { recv: apart(self.send.cast_mut(), self.recv), ..self }
    }

    /// Both without their first `n` elements.
    fn skip(&mut self, n: usize) {
        let bytes = n * self.unit_bytes;
        if self.send != ffi::MPI_IN_PLACE.cast_const() {
            self.send = self.send.wrapping_byte_add(bytes);
        }
        if !self.recv.is_null() {
            self.recv = self.recv.wrapping_byte_add(bytes);
        }
        self.count -= n;
    }

    /// Of `n` equal parts that MPI deals the result out in, one.
    #[inline(always)]
    fn part(self, n: usize) -> Self {
        Operands { count: self.count / n.max(1), ..self }
    }

    /// Makes a blocking call for at most `limit` elements at a time. The operations are element-wise, so a reduction
    /// may be cut anywhere; a derived type would not do, since they know only basic types.
    #[cold]
    pub(super) fn in_chunks(
        mut self,
        call: Call,
        limit: c_int,
        mut reduce: impl FnMut(&Self, c_int) -> Result<()>,
    ) -> Result<()> {
        if !self.is_divisible {
            return Err(Error::unsupported(call, Needs::LargeCount));
        }
        while self.count > 0 {
            let count = self.count.min(limit as usize);
            reduce(&self, count as c_int)?;
            self.skip(count);
        }
        Ok(())
    }
}

/// The bytes of one MPI element of `T`; 0 for types without any.
const fn unit_bytes<T: Datatype>() -> usize {
    match size_of::<T>().checked_div(T::UNITS) {
        Some(bytes) => bytes,
        None => 0,
    }
}

/// Makes the calls of a reduction: the arguments are those of its C functions. Above the `int`, by the functions for large
/// counts, which a user's function does not go with, or else in several calls, which only a blocking call can be.
macro_rules! reduction {
    ($kind:ty, |$d:ident, $o:ident, $count:ident| $($argument:expr),* $(; root $root:expr)?) => {
        impl Described for $kind {
            #[inline(always)]
            fn names(&self) -> &'static Names {
                &self.forms.names
            }
            #[inline(always)]
            unsafe fn now(&self, comm: MPI_Comm) -> Result<()> {
                let ($d, $o, call) = (self, &self.operands, self.forms.names.now());
                let wide = $d.forms.wide.filter(|_| !$o.is_function);
                match ($o.is_narrow(wide.is_some() || $o.is_divisible), wide) {
                    (Some($count), _) => {
                        // SAFETY: this function's contract.
                        check(call, unsafe { ($d.forms.now)($($argument,)* comm) })
                    }
                    (None, None) => {
                        let copied = *self; // whose address is taken, so that `self` can stay in registers
                        let $d = &copied;
                        $d.operands.in_chunks(call, INT_MAX as c_int, |$o, $count| {
                            // SAFETY: this function's contract.
                            check(call, unsafe { ($d.forms.now)($($argument,)* comm) })
                        })
                    }
                    (None, Some(wide)) => {
                        let $count = $o.count as MPI_Count;
                        // SAFETY: this function's contract.
                        check(call, unsafe { (wide.now)($($argument,)* comm) })
                    }
                }
            }
            #[inline(always)]
            unsafe fn start(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
                let ($d, $o, call) = (self, &self.operands, self.forms.names.start());
                let wide = $d.forms.wide.filter(|_| !$o.is_function);
                match ($o.is_narrow(wide.is_some()), wide) {
                    (Some($count), _) => {
                        // SAFETY: this function's contract.
                        check(call, unsafe { ($d.forms.start)($($argument,)* comm, request) })
                    }
                    (None, None) => Err(Error::unsupported(call, Needs::LargeCount)),
                    (None, Some(wide)) => {
                        let $count = $o.count as MPI_Count;
                        // SAFETY: this function's contract.
                        check(call, unsafe { (wide.start)($($argument,)* comm, request) })
                    }
                }
            }
            #[inline(always)]
            fn terms(&self) -> Terms {
                let $d = self;
                Terms::elements($d.operands.count, $d.operands.datatype)$(.root($root))?
            }
            unsafe fn init(&self, comm: MPI_Comm, request: *mut MPI_Request) -> Result<()> {
                let ($d, $o) = (self, &self.operands.apart());
                let wide = $d.forms.wide.filter(|_| !$o.is_function).and_then(|wide| wide.init);
                let code = match ($o.is_narrow(wide.is_some()), wide) {
                    (Some($count), _) => {
                        let init = needed(&$d.forms.names, $d.forms.init)?;
                        // SAFETY: this function's contract.
                        unsafe { init($($argument,)* comm, NO_INFO, request) }
                    }
                    (None, None) => return Err(Error::unsupported(&$d.forms.names.init.call, Needs::LargeCount)),
                    (None, Some(init)) => {
                        let $count = $o.count as MPI_Count;
                        // SAFETY: this function's contract.
                        unsafe { init($($argument,)* comm, NO_INFO, request) }
                    }
                };
                check(&$d.forms.names.init.call, code)
            }
        }
    };
}

impl Operands {
    /// The count as an `int`, if it is one; where there is another way, only up to the limit that tests lower.
    #[inline(always)]
    fn is_narrow(&self, has_other_way: bool) -> Option<c_int> {
        let limit = if has_other_way { INT_MAX } else { c_int::MAX as usize };
        (self.count <= limit).then_some(self.count as c_int)
    }
}

/// Every rank gets a result: `MPI_Allreduce`, `MPI_Scan`, `MPI_Exscan`, or its part: `MPI_Reduce_scatter_block`.
#[derive(Clone, Copy)]
pub(crate) struct Reduction {
    forms: &'static ReduceForms,
    operands: Operands,
}
reduction!(Reduction, |d, o, count| o.send, o.recv, count, o.datatype, o.op);

impl Reduction {
    #[inline(always)]
    pub(crate) fn new<T: Datatype, O: Operation<T>>(
        forms: &'static ReduceForms,
        send: Region,
        recv: Region,
        op: O,
    ) -> Result<Self> {
        let call = forms.names.now();
        let operands = Operands::new::<T, O>(call, send, op)?.into(call, send, recv)?;
        Ok(Reduction { forms, operands })
    }

    #[inline(always)]
    pub(crate) fn in_place<T: Datatype, O: Operation<T>>(
        forms: &'static ReduceForms,
        both: Region,
        op: O,
    ) -> Result<Self> {
        let operands = Operands::new::<T, O>(forms.names.now(), both, op)?.in_place();
        Ok(Reduction { forms, operands })
    }

    /// Each of `ranks` gets in `recv` its part of the result, of equal lengths.
    #[inline(always)]
    pub(crate) fn dealt_out<T: Datatype, O: Operation<T>>(
        forms: &'static ReduceForms,
        send: Region,
        recv: Region,
        op: O,
        ranks: usize,
    ) -> Result<Self> {
        let call = forms.names.now();
        is_multiple(call, Argument::SendLength, send, recv, ranks)?;
        let operands =
            Operands { recv: recv.ptr, ..Operands::to_deal_out::<T, O>(call, send, op)?.part(ranks) };
        Ok(Reduction { forms, operands })
    }

    /// The same, where each gets its part in front in `both`.
    #[inline(always)]
    pub(crate) fn dealt_out_in_place<T: Datatype, O: Operation<T>>(
        forms: &'static ReduceForms,
        both: Region,
        op: O,
        ranks: usize,
    ) -> Result<Self> {
        let call = forms.names.now();
        is_even(call, both, ranks)?;
        let operands = Operands::to_deal_out::<T, O>(call, both, op)?.part(ranks).in_place();
        Ok(Reduction { forms, operands })
    }
}

/// The root gets a result: `MPI_Reduce`.
#[derive(Clone, Copy)]
pub(crate) struct RootedReduction {
    forms: &'static RootedReduceForms,
    operands: Operands,
    root: c_int,
}
reduction!(RootedReduction, |d, o, count| o.send, o.recv, count, o.datatype, o.op, d.root; root d.root);

impl RootedReduction {
    /// The root, and it alone, has `recv`.
    #[inline(always)]
    pub(crate) fn new<T: Datatype, O: Operation<T>>(
        forms: &'static RootedReduceForms,
        send: Region,
        recv: Option<Region>,
        op: O,
        (root, comm): (usize, &Communicator),
    ) -> Result<Self> {
        let call = forms.names.now();
        let operands = Operands::new::<T, O>(call, send, op)?;
        let operands = match comm.for_root(call, recv, root)? {
            Some(recv) => operands.into(call, send, recv)?,
            None => operands,
        };
        Ok(RootedReduction { forms, operands, root: root as c_int })
    }

    /// The root's result takes the place of its input.
    #[inline(always)]
    pub(crate) fn in_place<T: Datatype, O: Operation<T>>(
        forms: &'static RootedReduceForms,
        buf: Region,
        op: O,
        (root, comm): (usize, &Communicator),
    ) -> Result<Self> {
        let call = forms.names.now();
        let operands = Operands::new::<T, O>(call, buf, op)?;
        let operands = if comm.is_root(call, root)? { operands.in_place() } else { operands };
        Ok(RootedReduction { forms, operands, root: root as c_int })
    }
}
