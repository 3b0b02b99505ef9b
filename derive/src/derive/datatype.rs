//! `#[derive(mpi::Datatype)]`.

use super::input::{Input, Kind};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, parse_quote};

pub(super) fn items(input: &Input) -> TokenStream {
    match &input.kind {
        Kind::Struct(_) => structure(input),
        Kind::Enum(integer, variants) => enumeration(input, integer, variants),
    }
}

/// Offsets come from the compiler, and what is made of them is a constant: the choice between a row of one primitive and a
/// struct type.
fn structure(input: &Input) -> TokenStream {
    let Input { name, mpi, .. } = input;
    let bound = parse_quote!(#mpi::datatype::Datatype);
    let generics = input.generics_with(&bound);
    let check = input.check(&bound, &generics);
    let (declared, given, clause) = generics.split_for_impl();
    let fields = input.travelling().map(|field| {
        let (ty, offset) = (&field.ty, input.offset_of(field));
        quote_spanned!(ty.span()=> #mpi::datatype::Field::of::<#ty>(#offset))
    });
    let parts = match input.bytes {
        true => bytes(input),
        false => quote!(#mpi::datatype::Parts::structure::<Self>()),
    };
    // By functions of the trait: another name might lead to what is not this crate's.
    let unit = match input.generics.params.is_empty() {
        true => quote! {
            static SLOT: #mpi::datatype::Slot = #mpi::datatype::Slot::new();
            <Self as #mpi::datatype::Datatype>::unit_in(&SLOT)
        },
        // A static would be shared by all instances.
        false => quote!(<Self as #mpi::datatype::Datatype>::generic_unit()),
    };
    quote! {
        #check
        #[automatically_derived]
        unsafe impl #declared #mpi::datatype::Datatype for #name #given #clause {
            const FIELDS: &'static [#mpi::datatype::Field] = &[#(#fields),*];
            const PARTS: #mpi::datatype::Parts = #parts;
            const UNITS: ::core::primitive::usize =
                #mpi::datatype::Parts::units(&<Self as #mpi::datatype::Datatype>::PARTS);
            #[inline]
            fn unit() -> #mpi::datatype::RawDatatype {
                #unit
            }
        }
        #[automatically_derived]
        unsafe impl #declared #mpi::datatype::Scalar for #name #given #clause {
            const SCALAR: () = ();
        }
    }
}

/// An enum without fields is the integer of its `repr`.
fn enumeration(input: &Input, integer: &Ident, variants: &[Ident]) -> TokenStream {
    let Input { name, mpi, .. } = input;
    let (declared, given, clause) = input.generics.split_for_impl();
    let bits = quote!(::core::primitive::#integer);
    let integer = quote!(<#bits as #mpi::datatype::Datatype>);
    quote! {
        // Nobody calls it: it is still an enum of these variants, without fields, even if an attribute has changed it since.
        #[allow(dead_code, deprecated, unreachable_code, clippy::all)]
        fn variants #declared (value: #name #given) #clause {
            match value {
                #(#name::#variants {} => { let _ = #name::#variants {} as #bits; })*
            }
        }
        #[automatically_derived]
        unsafe impl #declared #mpi::datatype::Datatype for #name #given #clause {
            const PARTS: #mpi::datatype::Parts = #mpi::datatype::Parts::integer::<Self, #bits>();
            const UNITS: ::core::primitive::usize =
                #mpi::datatype::Parts::units(&<Self as #mpi::datatype::Datatype>::PARTS);
            #[inline]
            fn unit() -> #mpi::datatype::RawDatatype {
                #integer::unit()
            }
        }
        #[automatically_derived]
        unsafe impl #declared #mpi::datatype::Scalar for #name #given #clause {
            const SCALAR: () = ();
        }
    }
}

/// The bytes of a struct, of which padding is found at the field where it is.
fn bytes(input: &Input) -> TokenStream {
    let Input { name, mpi, .. } = input;
    let unpadded = input.travelling().enumerate().map(|(number, field)| {
        let call = match input.generics.params.is_empty() {
            // Constants of their own: the compiler looks at all of them, however many are wrong.
            true => quote! {
                { const UNPADDED: () = #mpi::datatype::Parts::unpadded::<#name>(#number); UNPADDED }
            },
            false => quote!(#mpi::datatype::Parts::unpadded::<Self>(#number);),
        };
        placed(call, field.member.span())
    });
    quote!({ #(#unpadded)* #mpi::datatype::Parts::bytes::<Self>() })
}

/// The same, as if all of it stood there: what the compiler says of it has one place only then.
fn placed(tokens: TokenStream, place: Span) -> TokenStream {
    let each = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), placed(group.stream(), place));
            moved.set_span(place);
            TokenTree::Group(moved)
        }
        mut token => {
            token.set_span(place);
            token
        }
    });
    each.collect()
}
