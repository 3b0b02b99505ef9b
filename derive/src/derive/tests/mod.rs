//! What the derives make of a type.

mod enums;
mod errors;
mod generics;
mod structs;

use super::{Derived, expand};
use proc_macro2::TokenStream;

/// The output, without the function that checks the fields: it is the same for all.
fn expanded(item: TokenStream, derived: Derived) -> String {
    let text = expand(item, derived).to_string();
    match text.split_once("# [automatically_derived]") {
        Some((_, rest)) => format!("# [automatically_derived] {}", rest.trim()),
        None => text,
    }
}

#[track_caller]
fn is(item: TokenStream, derived: Derived, expected: &TokenStream) {
    assert_eq!(expanded(item, derived), format!("{expected} }} ;"));
}
