//! What the derives make of a type.

use super::{Derived, expand};
use proc_macro2::TokenStream;
use quote::quote;

/// The output, without the function that checks the fields: it is the same for all.
fn expanded(item: TokenStream, derived: Derived) -> String {
    let text = expand(item, derived).to_string();
    match text.split_once("# [automatically_derived]") {
        Some((_, rest)) => format!("# [automatically_derived] {}", rest.trim()),
        None => text,
    }
}

/// The messages of the errors in the output.
fn errors(item: TokenStream, derived: Derived) -> Vec<String> {
    let text = expand(item, derived).to_string();
    let messages = text.split("compile_error ! { \"").skip(1);
    messages.filter_map(|rest| rest.split("\" }").next()).map(str::to_owned).collect()
}

#[track_caller]
fn is(item: TokenStream, derived: Derived, expected: &TokenStream) {
    assert_eq!(expanded(item, derived), format!("{expected} }} ;"));
}

/// The offset of a field, from the language alone.
fn offset(member: &TokenStream) -> TokenStream {
    quote! {
        const {
            let space = <Self as ::mpi::datatype::Datatype>::SPACE;
            let start = &raw const space as *const Self;
            unsafe { (&raw const (*start).#member).byte_offset_from(start).cast_unsigned() }
        }
    }
}

#[test]
fn a_struct_is_its_fields_at_the_compilers_offsets() {
    let (a, c) = (offset(&quote!(a)), offset(&quote!(c)));
    let expected = quote! {
        #[automatically_derived]
        unsafe impl ::mpi::datatype::Datatype for S {
            const FIELDS: &'static [::mpi::datatype::Field] = &[
                ::mpi::datatype::Field::of::<u8>(#a),
                ::mpi::datatype::Field::of::<f64>(#c)
            ];
            const PARTS: ::mpi::datatype::Parts = ::mpi::datatype::Parts::structure::<Self>();
            const UNITS: ::core::primitive::usize =
                ::mpi::datatype::Parts::units(&<Self as ::mpi::datatype::Datatype>::PARTS);
            #[inline]
            fn unit() -> ::mpi::datatype::RawDatatype {
                static SLOT: ::mpi::datatype::Slot = ::mpi::datatype::Slot::new();
                <Self as ::mpi::datatype::Datatype>::unit_in(&SLOT)
            }
        }
        #[automatically_derived]
        unsafe impl ::mpi::datatype::Scalar for S {
            const SCALAR: () = ();
        }
    };
    is(
        quote!(
            struct S {
                a: u8,
                #[mpi(skip)]
                b: Vec<u8>,
                c: f64,
            }
        ),
        Derived::Datatype,
        &expected,
    );
}

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
fn a_checked_struct_asks_its_fields() {
    let (first, second) = (offset(&quote!(0)), offset(&quote!(1)));
    let expected = quote! {
        #[automatically_derived]
        unsafe impl ::mpi::datatype::FromBits for S {
            type Bits = ::mpi::datatype::Unchecked<Self>;
            const AGREES: ::mpi::datatype::Agreed<Self> = {
                <bool as ::mpi::datatype::FromBits>::AGREES.see();
                ::mpi::datatype::Agreed::with(&[#first])
            };
            #[inline]
            fn valid(bits: &Self::Bits) -> ::core::primitive::bool {
                <Self as ::mpi::datatype::FromBits>::is_unchecked(::core::marker::PhantomData::<Self::Bits>);
                let _ = bits;
                true && unsafe { bits.is_valid::<bool>(#first) }
            }
            #[inline]
            fn complete(bits: &mut Self::Bits) {
                let _ = &bits;
                unsafe { bits.complete::<bool>(#first) };
                unsafe { bits.put::<u8>(#second, <u8 as ::core::default::Default>::default()) };
            }
        }
    };
    is(
        quote!(
            struct S(bool, #[mpi(skip)] u8);
        ),
        Derived::FromBits,
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

/// Bounds are on what the fields are, not on the parameters.
#[test]
fn generic_types_have_bounds_of_their_fields() {
    let item = quote!(
        struct S<T, const N: usize> {
            a: [T; N],
            b: u8,
            c: PhantomData<T>,
        }
    );
    let text = expanded(item, Derived::AnyBits);
    let expected = quote! {
        unsafe impl<T: 'static, const N: usize> ::mpi::datatype::AnyBits for S<T, N>
        where
            Self: ::core::marker::Copy,
            [T; N]: ::mpi::datatype::AnyBits,
            PhantomData<T>: ::mpi::datatype::AnyBits
        {}
    };
    assert!(text.ends_with(&format!("{expected} }} ;")), "{text}");
}

#[test]
fn a_generic_type_has_no_static() {
    let text = expanded(
        quote!(
            struct S<T>(T);
        ),
        Derived::Datatype,
    );
    assert!(text.contains("generic_unit ()") && !text.contains("static SLOT"), "{text}");
}

#[test]
fn all_errors_come_at_once() {
    let item = quote! {
        #[mpi(bytes, nothing, crate = 3, else(1, 2))]
        #[mpi(skip)]
        struct S<'a> { #[mpi(skip, other = 1, skip 2)] a: &'a u8, #[mpi(other, another)] b: u8 }
    };
    let found = errors(item, Derived::AnyBits);
    let expected = [
        "`#[mpi(nothing)]` means nothing here",
        "expected string literal",
        "`#[mpi(else)]` means nothing here",
        "`#[mpi(skip)]` belongs on a field",
        "a type with a lifetime",
        "`#[mpi(other)]` means nothing here",
        "expected `,`",
        "derive `mpi::FromBits`",
        "a field cannot be skipped",
        "`#[mpi(other)]` means nothing here",
        "`#[mpi(another)]` means nothing here",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{found} is not {expected}");
    }
}

/// The compiler checks the fields all the same, but for those of which nobody knows whether they travel.
#[test]
fn errors_come_with_those_of_the_fields() {
    let item = quote! {
        #[mpi(nothing)]
        struct S { a: &'static str, #[mpi(ignore)] b: Vec<u8> }
    };
    let text = expand(item, Derived::Datatype).to_string();
    let expected = quote! {
        fn has_it<T: ::mpi::datatype::Datatype>() {}
        has_it::<&'static str>();
        let S { a: field_a, b: field_b } = value;
    };
    assert!(text.contains(&expected.to_string()) && !text.contains("impl"), "{text}");
}

#[test]
fn the_crate_may_be_elsewhere() {
    let text = expanded(
        quote!(
            #[mpi(crate = "a::b")]
            struct S(u8);
        ),
        Derived::AnyBits,
    );
    assert!(text.contains("a :: b :: datatype :: AnyBits") && !text.contains(":: mpi ::"), "{text}");
}
