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
use syn::Error;

/// The implementation, or errors: with those of the text come those that the compiler finds in the fields.
pub(crate) fn expand(tokens: TokenStream, derived: Derived) -> TokenStream {
    let (input, problems) = match Input::parse(tokens, derived) {
        Ok((input, problems)) => (input, problems.into_error()),
        Err(problem) => (None, Some(problem)),
    };
    let items = input.map(|input| match (&problems, derived) {
        (Some(_), _) => bounds::alone(&input, derived),
        (None, Derived::Datatype) => datatype::items(&input),
        (None, Derived::AnyBits) => any_bits::items(&input),
        (None, Derived::FromBits) => from_bits::items(&input),
    });
    let problems = problems.map(Error::into_compile_error);
    quote!(#problems const _: () = { #items };)
}
