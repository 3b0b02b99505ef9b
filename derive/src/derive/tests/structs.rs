//! Structs, and what is asked of their fields.

use super::{Derived, expand, expanded, is};
use proc_macro2::TokenStream;
use quote::quote;

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

/// A function nobody calls, but the compiler: each field has the trait, is still there, and of its type.
#[test]
fn every_field_is_looked_at() {
    let item = quote!(
        struct S<T>(u8, #[mpi(skip)] Vec<u8>, [T; 2]);
    );
    let expected = quote! {
        #[allow(dead_code, deprecated, non_snake_case, clippy::all)]
        fn fields<T: 'static>(value: S<T>) where [T; 2]: ::mpi::datatype::FromBits, {
            fn has_it<T: ::mpi::datatype::FromBits>() {}
            has_it::<u8>();
            has_it::<[T; 2]>();
            let S { 0: field_0, 1: field_1, 2: field_2 } = value;
            let _: u8 = field_0;
            let _: Vec<u8> = field_1;
            let _: [T; 2] = field_2;
        }
    };
    let text = expand(item, Derived::FromBits).to_string();
    assert!(text.contains(&expected.to_string()), "{expected} is not in {text}");
}

/// Where the fields are is the compiler's to say: nothing is made of what it was told of them.
#[test]
fn representations_change_nothing() {
    for derived in [Derived::Datatype, Derived::AnyBits, Derived::FromBits] {
        let plain = expanded(
            quote!(
                struct S {
                    a: f32,
                }
            ),
            derived,
        );
        for repr in [
            quote!(C),
            quote!(transparent),
            quote!(packed),
            quote!(C, packed(2)),
            quote!(align(16)),
            quote!(C, align(16)),
        ] {
            assert_eq!(
                expanded(
                    quote!(
                        #[repr(#repr)]
                        struct S {
                            a: f32,
                        }
                    ),
                    derived
                ),
                plain,
                "{repr}"
            );
        }
    }
}

#[test]
fn a_struct_without_fields_is_nothing() {
    for item in [
        quote!(
            struct S;
        ),
        quote!(
            struct S();
        ),
        quote!(
            struct S {}
        ),
    ] {
        let text = expanded(item.clone(), Derived::Datatype);
        let fields = quote!(
            const FIELDS: &'static [::mpi::datatype::Field] = &[];
        );
        assert!(text.contains(&fields.to_string()), "{text}");
        let text = expanded(item, Derived::FromBits);
        let valid = quote!({
            <Self as ::mpi::datatype::FromBits>::is_unchecked(::core::marker::PhantomData::<Self::Bits>);
            let _ = bits;
            true
        });
        assert!(text.contains(&valid.to_string()), "{text}");
    }
}

#[test]
fn bytes_are_all_of_a_struct_after_a_look_at_each_field() {
    let parts = |item: TokenStream| {
        let text = expanded(item, Derived::Datatype);
        let (_, parts) = text.split_once("Parts = ").expect("a type has parts");
        parts.split_once(" ; const UNITS").expect("and units").0.to_owned()
    };
    let expected = quote!({
        {
            const UNPADDED: () = ::mpi::datatype::Parts::unpadded::<S>(0usize);
            UNPADDED
        }
        {
            const UNPADDED: () = ::mpi::datatype::Parts::unpadded::<S>(1usize);
            UNPADDED
        }
        ::mpi::datatype::Parts::bytes::<Self>()
    });
    assert_eq!(
        parts(quote!(
            #[mpi(bytes)]
            struct S {
                a: u8,
                b: u8,
            }
        )),
        expected.to_string()
    );
    let expected = quote!({
        ::mpi::datatype::Parts::unpadded::<Self>(0usize);
        ::mpi::datatype::Parts::bytes::<Self>()
    });
    assert_eq!(
        parts(quote!(
            #[mpi(bytes)]
            struct S<T> {
                a: T,
            }
        )),
        expected.to_string()
    );
}

#[test]
fn the_crate_may_be_elsewhere() {
    let items = [
        quote!(
            #[mpi(crate = "a::b")]
            struct S(u8);
        ),
        quote!(
            #[mpi(crate = "a::b", bytes)]
            struct S<T> {
                a: T,
            }
        ),
        quote!(
            #[mpi(crate = "a::b")]
            #[repr(u8)]
            enum S {
                A,
            }
        ),
    ];
    let names =
        [(Derived::Datatype, "Datatype"), (Derived::AnyBits, "AnyBits"), (Derived::FromBits, "FromBits")];
    for (i, item) in items.into_iter().enumerate() {
        // No enum may be any bits.
        for (derived, name) in names.into_iter().filter(|(derived, _)| i < 2 || *derived != Derived::AnyBits)
        {
            let text = expand(item.clone(), derived).to_string();
            assert!(text.contains(&format!("a :: b :: datatype :: {name} for S")), "{text}");
            assert!(!text.contains(":: mpi ::"), "{text}");
        }
    }
}
