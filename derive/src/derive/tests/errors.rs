//! Types that are refused.

use super::{Derived, expand};
use proc_macro2::TokenStream;
use quote::quote;

/// The messages of the errors in the output.
fn errors(item: TokenStream, derived: Derived) -> Vec<String> {
    let text = expand(item, derived).to_string();
    let messages = text.split("compile_error ! { \"").skip(1);
    messages.filter_map(|rest| rest.split("\" }").next()).map(str::to_owned).collect()
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
