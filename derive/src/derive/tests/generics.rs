//! Types with parameters.

use super::{Derived, expanded};
use proc_macro2::TokenStream;
use quote::quote;

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

/// The bounds of the user's own, those of what travels, and for a receiver those of what does not.
#[test]
fn generic_types_keep_their_bounds() {
    let item = quote! {
        struct S<T: Clone, U = u8> where U: Send { a: Option<T>, #[mpi(skip)] b: Vec<U>, c: u8 }
    };
    let start = |name: TokenStream, bounds: TokenStream| {
        let head = quote! {
            unsafe impl<T: Clone + 'static, U: 'static> ::mpi::datatype::#name for S<T, U>
            where U: Send, Self: ::core::marker::Copy, Option<T>: ::mpi::datatype::#name #bounds
        };
        format!("{head} {{")
    };
    let sent = start(quote!(Datatype), quote!());
    let text = expanded(item.clone(), Derived::Datatype);
    assert!(text.contains(&sent), "{sent} is not in {text}");
    let received = start(quote!(FromBits), quote!(, Vec<U>: ::core::default::Default));
    let text = expanded(item, Derived::FromBits);
    assert!(text.contains(&received), "{received} is not in {text}");
}

/// The length of an array is a parameter as types are.
#[test]
fn constants_have_bounds_of_their_fields() {
    let text = expanded(
        quote!(
            struct S<const N: usize>([u8; N], [f64; 2]);
        ),
        Derived::Datatype,
    );
    let expected = quote! {
        unsafe impl<const N: usize> ::mpi::datatype::Datatype for S<N>
        where Self: ::core::marker::Copy, [u8; N]: ::mpi::datatype::Datatype
    };
    assert!(text.contains(&format!("{expected} {{")), "{text}");
}

/// A static would be shared by all instances.
#[test]
fn a_generic_type_has_no_static() {
    for item in [
        quote!(
            struct S<T>(T);
        ),
        quote!(
            struct S<const N: usize>([u8; N]);
        ),
    ] {
        let text = expanded(item, Derived::Datatype);
        assert!(text.contains("generic_unit ()") && !text.contains("static SLOT"), "{text}");
    }
}
