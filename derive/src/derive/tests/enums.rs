//! Enums.

use super::{Derived, expand, is};
use quote::quote;

#[test]
fn an_enum_is_its_integer() {
    let expected = quote! {
        #[automatically_derived]
        unsafe impl ::mpi::datatype::FromBits for E {
            type Bits = ::core::primitive::u16;
            #[inline]
            fn valid(bits: &::core::primitive::u16) -> ::core::primitive::bool {
                false || *bits == Self::A {} as ::core::primitive::u16
                    || *bits == Self::B {} as ::core::primitive::u16
            }
        }
    };
    is(
        quote!(
            #[repr(u16)]
            enum E {
                A = 3,
                B,
            }
        ),
        Derived::FromBits,
        &expected,
    );
}

#[test]
fn an_enum_is_sent_as_its_integer() {
    let expected = quote! {
        #[automatically_derived]
        unsafe impl ::mpi::datatype::Datatype for E {
            const PARTS: ::mpi::datatype::Parts =
                ::mpi::datatype::Parts::integer::<Self, ::core::primitive::i32>();
            const UNITS: ::core::primitive::usize =
                ::mpi::datatype::Parts::units(&<Self as ::mpi::datatype::Datatype>::PARTS);
            #[inline]
            fn unit() -> ::mpi::datatype::RawDatatype {
                <::core::primitive::i32 as ::mpi::datatype::Datatype>::unit()
            }
        }
        #[automatically_derived]
        unsafe impl ::mpi::datatype::Scalar for E {
            const SCALAR: () = ();
        }
    };
    is(
        quote!(
            #[repr(align(4), i32)]
            enum E {
                A = -1,
                B {},
                C(),
            }
        ),
        Derived::Datatype,
        &expected,
    );
}

/// An attribute that comes after this derive may have made a struct of it.
#[test]
fn an_enum_is_still_one() {
    let text = expand(
        quote!(
            #[repr(u8)]
            enum E {
                A,
                B,
            }
        ),
        Derived::Datatype,
    );
    let expected = quote! {
        fn variants(value: E) {
            match value {
                E::A {} => { let _ = E::A {} as ::core::primitive::u8; }
                E::B {} => { let _ = E::B {} as ::core::primitive::u8; }
            }
        }
    };
    assert!(text.to_string().contains(&expected.to_string()), "{text}");
}
