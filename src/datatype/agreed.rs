//! That the derives of one type have seen the same fields.

use super::Datatype;
use std::marker::PhantomData;

/// Says that what `FromBits` or `AnyBits` was derived from has the fields of which `Datatype` says that they travel.
///
/// Each derive gets the type as the attributes between it and the other have left it: one of them may have taken a
/// `#[mpi(skip)]` away. Whoever receives into memory that is not initialized looks at it ([`see`](Agreed::see)).
#[doc(hidden)]
#[derive(Debug)]
pub struct Agreed<T>(PhantomData<fn() -> T>);

impl<T> Agreed<T> {
    /// Of a type that is not derived.
    pub(crate) const fn underived() -> Self {
        Agreed(PhantomData)
    }

    /// Has the compiler look at it.
    pub const fn see(&self) {}
}

impl<T: Datatype> Agreed<T> {
    /// Of the offsets of the fields that travel.
    pub const fn with(offsets: &[usize]) -> Self {
        let fields = T::FIELDS;
        let (mut agree, mut i) = (fields.len() == offsets.len(), 0);
        while agree && i < offsets.len() {
            agree = fields[i].offset == offsets[i];
            i += 1;
        }
        assert!(
            agree,
            "an attribute between two derives of MPI has changed which fields travel: put it before both"
        );
        Agreed(PhantomData)
    }
}
