//! `#[derive(mpi::AnyBits)]`.

use super::input::Input;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

/// Enums have been refused.
pub(super) fn items(input: &Input) -> TokenStream {
    let Input { name, mpi, .. } = input;
    let bound = parse_quote!(#mpi::datatype::AnyBits);
    let generics = input.generics_with(&bound);
    let check = input.check(&bound, &generics);
    let agrees = input.agrees();
    let (declared, given, clause) = generics.split_for_impl();
    quote! {
        #check
        #[automatically_derived]
        unsafe impl #declared #mpi::datatype::FromBits for #name #given #clause {
            type Bits = Self;
            #agrees
            #[inline(always)]
            fn valid(_: &Self) -> ::core::primitive::bool {
                true
            }
        }
        #[automatically_derived]
        unsafe impl #declared #mpi::datatype::AnyBits for #name #given #clause {}
    }
}
