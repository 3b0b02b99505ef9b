//! `#[derive(mpi::Datatype)]`, `#[derive(mpi::AnyBits)]`, `#[derive(mpi::FromBits)]`.
//!
//! Each trait is implemented if all fields have it. The text of a type tells little: the compiler checks the rest, by
//! bounds that point at the fields.

mod any_bits;
mod bounds;
mod datatype;
mod from_bits;
mod input;
#[cfg(test)]
mod tests;

pub(crate) use input::Derived;

use input::Input;
use proc_macro2::TokenStream;
use quote::quote;

/// The implementation, or errors.
pub(crate) fn expand(tokens: TokenStream, derived: Derived) -> TokenStream {
    let input = match Input::parse(tokens, derived) {
        Ok(input) => input,
        Err(problems) => return problems.into_compile_error(),
    };
    let items = match derived {
        Derived::Datatype => datatype::items(&input),
        Derived::AnyBits => any_bits::items(&input),
        Derived::FromBits => from_bits::items(&input),
    };
    quote!(const _: () = { #items };)
}
