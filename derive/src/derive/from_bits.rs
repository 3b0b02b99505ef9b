//! `#[derive(mpi::FromBits)]`.

use super::input::{Input, Kind};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, parse_quote};

pub(super) fn items(input: &Input) -> TokenStream {
    match &input.kind {
        Kind::Struct(_) => structure(input),
        Kind::Enum(integer, variants) => enumeration(input, integer, variants),
    }
}

/// A struct is checked field by field.
fn structure(input: &Input) -> TokenStream {
    let Input { name, mpi, .. } = input;
    let bound = parse_quote!(#mpi::datatype::FromBits);
    let mut generics = input.generics_with(&bound);
    let check = input.check(&bound, &generics);
    if !input.generics.params.is_empty() {
        for field in input.fields().iter().filter(|field| field.skip) {
            let ty = &field.ty;
            let predicate = parse_quote!(#ty: ::core::default::Default);
            generics.make_where_clause().predicates.push(predicate);
        }
    }
    let agrees = input.agrees();
    let (declared, given, clause) = generics.split_for_impl();
    let valid = input.travelling().map(|field| {
        let (ty, offset) = (&field.ty, input.offset_of(field));
        quote!(unsafe { bits.is_valid::<#ty>(#offset) })
    });
    let complete = input.fields().iter().map(|field| {
        let (ty, offset) = (&field.ty, input.offset_of(field));
        match field.skip {
            false => quote!(unsafe { bits.complete::<#ty>(#offset) };),
            true => quote! {
                unsafe { bits.put::<#ty>(#offset, <#ty as ::core::default::Default>::default()) };
            },
        }
    });
    quote! {
        #check
        #[automatically_derived]
        unsafe impl #declared #mpi::datatype::FromBits for #name #given #clause {
            type Bits = #mpi::datatype::Unchecked<Self>;
            #agrees
            #[inline]
            fn valid(bits: &Self::Bits) -> ::core::primitive::bool {
                <Self as #mpi::datatype::FromBits>::is_unchecked(::core::marker::PhantomData::<Self::Bits>);
                let _ = bits;
                true #(&& #valid)*
            }
            #[inline]
            fn complete(bits: &mut Self::Bits) {
                let _ = &bits;
                #(#complete)*
            }
        }
    }
}

/// The bits of an enum are one of its discriminants.
fn enumeration(input: &Input, integer: &Ident, variants: &[Ident]) -> TokenStream {
    let Input { name, mpi, .. } = input;
    let (declared, given, clause) = input.generics.split_for_impl();
    let integer = quote!(::core::primitive::#integer);
    quote! {
        #[automatically_derived]
        unsafe impl #declared #mpi::datatype::FromBits for #name #given #clause {
            type Bits = #integer;
            #[inline]
            fn valid(bits: &#integer) -> ::core::primitive::bool {
                false #(|| *bits == Self::#variants {} as #integer)*
            }
        }
    }
}
