//! What makes views buffers: the same for those of two dimensions, of three, and of layouts.

use std::fmt;
use std::marker::PhantomData;

/// An exclusive view in flight: where its elements lie. A view holds pointers, not references, so it may be kept.
#[doc(hidden)]
pub struct RawView<'s, T, P>(pub(super) P, PhantomData<&'s mut [T]>);

impl<T, P> RawView<'_, T, P> {
    pub(super) fn new(place: P) -> Self {
        RawView(place, PhantomData)
    }
}
impl<T, P: Copy> Clone for RawView<'_, T, P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, P: Copy> Copy for RawView<'_, T, P> {}
impl<T, P> fmt::Debug for RawView<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawView").finish_non_exhaustive()
    }
}

/// Makes buffers of a shared and of an exclusive view, `{ $place: $Place, borrow: PhantomData }` both.
///
/// Whoever invokes it promises that the place, which is `Copy`, describes elements that are borrowed with the view
/// (`region`), none of them twice if the view is exclusive, and that it holds no reference to them.
macro_rules! view {
    ($Shared:ident, $Exclusive:ident, $place:ident: $Place:ty) => {
        impl<T> Clone for $Shared<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $Shared<'_, T> {}

        // SAFETY: the view borrows exactly these elements.
        unsafe impl<T: Datatype> SendBuf for $Shared<'_, T> {
            type Elem = T;
            fn region(&self) -> Result<Region> {
                self.$place.region()
            }
        }
        // SAFETY: the view borrows exactly these elements.
        unsafe impl<T: Datatype> SendBuf for $Exclusive<'_, T> {
            type Elem = T;
            fn region(&self) -> Result<Region> {
                self.$place.region()
            }
        }
        // SAFETY: the view exclusively borrows exactly these elements; none is named twice.
        unsafe impl<'v, T: AnyBits> RecvBuf for $Exclusive<'v, T> {
            type Elem = T;
            type Filled<'a>
                = &'a mut $Exclusive<'v, T>
            where
                Self: 'a;
            fn region(&mut self) -> Result<Region> {
                self.$place.region()
            }
            unsafe fn filled<'a>(mut this: NonNull<Self>, _: usize) -> Self::Filled<'a>
            where
                Self: 'a,
            {
                // SAFETY: exclusively borrowed for `'a`, by this function's contract.
                unsafe { this.as_mut() }
            }
        }

        // SAFETY: the view is a shared borrow for `'s`.
        unsafe impl<'s, T: Datatype> LendSend<'s> for $Shared<'s, T> {
            type Elem = T;
            type Raw = Self;
            #[inline(always)]
            fn lend(self) -> Result<(Region, Self)> {
                Ok((self.$place.region()?, self))
            }
            #[inline(always)]
            unsafe fn reclaim(raw: Self) -> Self {
                raw
            }
        }
        // SAFETY: the view is an exclusive borrow for `'s`, and holds a pointer.
        unsafe impl<'s, T: Datatype> LendSend<'s> for $Exclusive<'s, T> {
            type Elem = T;
            type Raw = RawView<'s, T, $Place>;
            #[inline(always)]
            fn lend(self) -> Result<(Region, Self::Raw)> {
                Ok((self.$place.region()?, RawView::new(self.$place)))
            }
            #[inline(always)]
            unsafe fn reclaim(raw: Self::Raw) -> Self {
                // The place of the view that was lent; `raw` is reclaimed once, so it is the only one again.
                $Exclusive { $place: raw.0, borrow: PhantomData }
            }
        }
        // SAFETY: the view is an exclusive borrow for `'s`, and holds a pointer.
        unsafe impl<'s, T: AnyBits> LendRecv<'s> for $Exclusive<'s, T> {
            type Elem = T;
            type Raw = RawView<'s, T, $Place>;
            type Output = $Exclusive<'s, T>;
            const COUNTS: bool = false;
            #[inline(always)]
            fn lend(self) -> Result<(Region, Self::Raw)> {
                LendSend::lend(self)
            }
            #[inline(always)]
            unsafe fn reclaim(raw: Self::Raw, _: usize) -> Self {
                // SAFETY: this function's contract.
                unsafe { <Self as LendSend<'s>>::reclaim(raw) }
            }
        }
    };
}
pub(super) use view;

/// Views of elements alone go where borrows of these go.
macro_rules! borrows {
    ($Shared:ident, $Exclusive:ident) => {
        // SAFETY: a shared view is a shared borrow.
        unsafe impl<T: Sync> Send for $Shared<'_, T> {}
        // SAFETY: a shared view is a shared borrow.
        unsafe impl<T: Sync> Sync for $Shared<'_, T> {}
        // SAFETY: an exclusive view is an exclusive borrow.
        unsafe impl<T: Send> Send for $Exclusive<'_, T> {}
        // SAFETY: a borrowed exclusive view gives out shared borrows alone.
        unsafe impl<T: Sync> Sync for $Exclusive<'_, T> {}
    };
}
pub(super) use borrows;
