//! Where the bytes of a datatype lie, and memory that was lent in such a shape.

use std::os::raw::c_void;

/// Bytes that follow one another, at an offset from the buffer's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    offset: isize,
    len: usize,
    /// How many bytes come before it, in the order in which they travel.
    before: usize,
}

/// The typemap of a datatype.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    runs: Vec<Run>,
    /// The sizes of its basic elements, in the order in which they travel.
    basics: Vec<usize>,
    lower: isize,
    upper: isize,
    committed: bool,
}

impl Layout {
    pub(super) fn basic(size: usize) -> Self {
        Layout {
            basics: vec![size],
            runs: vec![Run { offset: 0, len: size, before: 0 }],
            lower: 0,
            upper: size as isize,
            committed: true,
        }
    }

    pub(super) fn extent(&self) -> isize {
        self.upper - self.lower
    }

    pub(super) fn size(&self) -> usize {
        self.runs.last().map_or(0, |run| run.before + run.len)
    }

    /// The same with other bounds.
    pub(super) fn resized(self, lower: isize, extent: isize) -> Self {
        Layout { lower, upper: lower + extent, committed: false, ..self }
    }

    /// First byte and end of the last.
    pub(super) fn reach(&self) -> (isize, isize) {
        let first = self.runs.iter().map(|run| run.offset).min();
        let last = self.runs.iter().map(|run| run.offset + run.len as isize).max();
        (first.unwrap_or(0), last.unwrap_or(0))
    }

    /// Copies of layouts, each at a displacement.
    pub(super) fn assembled<'a>(parts: impl Iterator<Item = (isize, &'a Layout)>) -> Self {
        let mut all = Layout { runs: Vec::new(), basics: Vec::new(), lower: 0, upper: 0, committed: false };
        for (i, (at, part)) in parts.enumerate() {
            let (lower, upper) = (at + part.lower, at + part.upper);
            (all.lower, all.upper) =
                if i == 0 { (lower, upper) } else { (all.lower.min(lower), all.upper.max(upper)) };
            part.runs.iter().for_each(|run| all.append(at + run.offset, run.len));
            all.basics.extend(&part.basics);
        }
        all
    }

    /// Adds bytes, joined to the last run where they follow it.
    fn append(&mut self, offset: isize, len: usize) {
        let before = self.size();
        match self.runs.last_mut() {
            Some(last) if last.offset + last.len as isize == offset => last.len += len,
            _ => self.runs.push(Run { offset, len, before }),
        }
    }

    /// `count` elements, one extent apart.
    pub(super) fn repeated(&self, count: usize) -> Self {
        let extent = self.extent();
        match self.runs[..] {
            [run] if run.offset == 0 && run.len as isize == extent => {
                let basics = self.basics.repeat(count);
                Layout { committed: self.committed, basics, ..Layout::basic(run.len * count) }
            }
            _ => Self::assembled((0..count as isize).map(|i| (i * extent, self))),
        }
    }
}

/// Elements of a type at a distance, in bytes, from the address of a buffer.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub at: isize,
    pub count: usize,
    pub layout: Layout,
}

/// Memory that a call lent, in the order in which its bytes travel.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    base: *mut u8,
    runs: Vec<Run>,
    len: usize,
}

impl Memory {
    pub(super) const NONE: Memory = Memory { base: std::ptr::null_mut(), runs: Vec::new(), len: 0 };

    /// `count` elements of a type at an address.
    ///
    /// # Safety
    /// The memory may be read, and written if it is given for writing, until the operation is complete.
    #[track_caller]
    pub(super) unsafe fn new(base: *const c_void, count: i32, layout: &Layout) -> Self {
        let count = usize::try_from(count).expect("fake MPI: a negative count");
        let block = Block { at: 0, count, layout: layout.clone() };
        // SAFETY: this function's contract.
        unsafe { Self::joined(base, [&block].into_iter()) }
    }

    /// Several blocks at distances from one address, in this order.
    ///
    /// # Safety
    /// As `new`.
    #[track_caller]
    pub(super) unsafe fn joined<'a>(base: *const c_void, blocks: impl Iterator<Item = &'a Block>) -> Self {
        let whole = |block: &Block| {
            assert!(block.layout.committed, "fake MPI: a datatype that was not committed");
            (block.at, block.layout.repeated(block.count))
        };
        let blocks: Vec<_> = blocks.map(whole).collect();
        let all = Layout::assembled(blocks.iter().map(|(at, layout)| (*at, layout)));
        let len = all.size();
        assert!(len == 0 || !base.is_null(), "fake MPI: a null buffer");
        Memory { base: base.cast_mut().cast(), runs: all.runs, len }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn at(&self, byte: usize) -> *mut u8 {
        // Mostly it is one, and an interpreter is slow to search.
        let run = match &self.runs[..] {
            [run] => run,
            runs => &runs[runs.partition_point(|run| run.before <= byte) - 1],
        };
        self.base.wrapping_byte_offset(run.offset + (byte - run.before) as isize)
    }

    pub(super) fn read(&self, byte: usize) -> u8 {
        // SAFETY: inside memory that was lent (`new`), whose operation is not complete.
        unsafe { self.at(byte).read() }
    }

    pub(super) fn write(&self, byte: usize, value: u8) {
        // SAFETY: inside memory that was lent for writing (`new`), whose operation is not complete.
        unsafe { self.at(byte).write(value) }
    }
}

/// `MPI_Type_*`.
pub(super) mod functions {
    use super::super::abi::*;
    use super::super::attributes::Removed;
    use super::super::process::{enter, fresh_name};
    use super::Layout;
    use std::os::raw::c_int;
    use std::slice;

    /// # Safety
    /// `new` may be written.
    pub(in super::super) unsafe fn put(layout: Layout, call: &str, new: *mut MPI_Datatype) -> c_int {
        let name = fresh_name();
        enter(call).types.insert(name, layout);
        // SAFETY: an out-argument.
        unsafe { new.write(handle(name)) };
        MPI_SUCCESS
    }

    pub unsafe extern "C" fn MPI_Type_create_hvector(
        count: c_int,
        block: c_int,
        stride: MPI_Aint,
        old: MPI_Datatype,
        new: *mut MPI_Datatype,
    ) -> c_int {
        assert!(count >= 0 && block >= 0, "fake MPI: a negative count");
        let old = enter("MPI_Type_create_hvector").layout(old);
        let block = old.repeated(block as usize);
        let layout = Layout::assembled((0..count as isize).map(|i| (i * stride, &block)));
        // SAFETY: an out-argument.
        unsafe { put(layout, "MPI_Type_create_hvector", new) }
    }

    pub unsafe extern "C" fn MPI_Type_create_hindexed_block(
        count: c_int,
        block: c_int,
        places: *const MPI_Aint,
        old: MPI_Datatype,
        new: *mut MPI_Datatype,
    ) -> c_int {
        // SAFETY: an array of `count` entries.
        let places = unsafe { slice::from_raw_parts(places, count as usize) };
        let block = enter("MPI_Type_create_hindexed_block").layout(old).repeated(block as usize);
        let layout = Layout::assembled(places.iter().map(|&place| (place, &block)));
        // SAFETY: an out-argument.
        unsafe { put(layout, "MPI_Type_create_hindexed_block", new) }
    }

    pub unsafe extern "C" fn MPI_Type_create_struct(
        count: c_int,
        lengths: *const c_int,
        places: *const MPI_Aint,
        types: *const MPI_Datatype,
        new: *mut MPI_Datatype,
    ) -> c_int {
        let n = count as usize;
        // SAFETY: an array of `count` entries.
        let lengths = unsafe { slice::from_raw_parts(lengths, n) };
        // SAFETY: an array of `count` entries.
        let places = unsafe { slice::from_raw_parts(places, n) };
        // SAFETY: an array of `count` entries.
        let types = unsafe { slice::from_raw_parts(types, n) };
        let process = enter("MPI_Type_create_struct");
        let parts: Vec<Layout> =
            types.iter().zip(lengths).map(|(&t, &len)| process.layout(t).repeated(len as usize)).collect();
        drop(process);
        let layout = Layout::assembled(places.iter().copied().zip(&parts));
        // SAFETY: an out-argument.
        unsafe { put(layout, "MPI_Type_create_struct", new) }
    }

    pub unsafe extern "C" fn MPI_Type_create_resized(
        old: MPI_Datatype,
        lower: MPI_Aint,
        extent: MPI_Aint,
        new: *mut MPI_Datatype,
    ) -> c_int {
        let layout = enter("MPI_Type_create_resized").layout(old).resized(lower, extent);
        // SAFETY: an out-argument.
        unsafe { put(layout, "MPI_Type_create_resized", new) }
    }

    pub unsafe extern "C" fn MPI_Type_commit(datatype: *mut MPI_Datatype) -> c_int {
        // SAFETY: an in-out-argument.
        let name = unsafe { datatype.read() }.addr();
        enter("MPI_Type_commit").types.get_mut(&name).expect("fake MPI: not a derived datatype").committed =
            true;
        MPI_SUCCESS
    }

    pub unsafe extern "C" fn MPI_Type_free(datatype: *mut MPI_Datatype) -> c_int {
        // SAFETY: an in-out-argument.
        let old = unsafe { datatype.read() };
        let mut process = enter("MPI_Type_free");
        // Operations in flight have copied what they need: they may go on.
        process.types.remove(&old.addr()).expect("fake MPI: a datatype freed twice");
        let attributes = process.attributes.remove_all(old);
        drop(process);
        attributes.into_iter().for_each(Removed::delete);
        // SAFETY: an in-out-argument.
        unsafe { datatype.write(MPI_DATATYPE_NULL) };
        MPI_SUCCESS
    }

    pub unsafe extern "C" fn MPI_Type_get_extent(
        datatype: MPI_Datatype,
        lower: *mut MPI_Aint,
        extent: *mut MPI_Aint,
    ) -> c_int {
        let layout = enter("MPI_Type_get_extent").layout(datatype);
        // SAFETY: an out-argument.
        unsafe { lower.write(layout.lower) };
        // SAFETY: an out-argument.
        unsafe { extent.write(layout.extent()) };
        MPI_SUCCESS
    }

    pub unsafe extern "C" fn MPI_Type_size_x(datatype: MPI_Datatype, size: *mut MPI_Count) -> c_int {
        let bytes = enter("MPI_Type_size_x").layout(datatype).size();
        // SAFETY: an out-argument.
        unsafe { size.write(bytes as MPI_Count) };
        MPI_SUCCESS
    }

    /// How many elements of a type so many bytes are.
    fn elements(bytes: usize, size: usize) -> Option<usize> {
        match bytes.checked_rem(size) {
            None => (bytes == 0).then_some(0),
            Some(0) => Some(bytes / size),
            Some(_) => None,
        }
    }

    pub unsafe extern "C" fn MPI_Get_count(
        status: *const MPI_Status,
        datatype: MPI_Datatype,
        count: *mut c_int,
    ) -> c_int {
        // SAFETY: a status that a call has written.
        let bytes = unsafe { status.read() }.bytes;
        let size = enter("MPI_Get_count").layout(datatype).size();
        let answer = elements(bytes, size).and_then(|n| c_int::try_from(n).ok()).unwrap_or(MPI_UNDEFINED);
        // SAFETY: an out-argument.
        unsafe { count.write(answer) };
        MPI_SUCCESS
    }

    /// How many basic elements so many bytes are, the last of them whole.
    fn basics(mut bytes: usize, basics: &[usize]) -> Option<usize> {
        let size: usize = basics.iter().sum();
        let whole = bytes.checked_div(size)? * basics.len();
        bytes %= size;
        let rest = basics.iter().take_while(|&&size| {
            let fits = size <= bytes;
            bytes -= if fits { size } else { 0 };
            fits
        });
        let rest = rest.count();
        (bytes == 0).then_some(whole + rest)
    }

    /// Of elements that need not be whole, without the limit of an `int`.
    pub unsafe extern "C" fn MPI_Get_elements_x(
        status: *const MPI_Status,
        datatype: MPI_Datatype,
        count: *mut MPI_Count,
    ) -> c_int {
        // SAFETY: a status that a call has written.
        let bytes = unsafe { status.read() }.bytes;
        let layout = enter("MPI_Get_elements_x").layout(datatype);
        let answer = basics(bytes, &layout.basics).map_or(MPI_UNDEFINED.into(), |n| n as MPI_Count);
        // SAFETY: an out-argument.
        unsafe { count.write(answer) };
        MPI_SUCCESS
    }
}
