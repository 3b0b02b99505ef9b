//! What the compiler is asked to check of the fields.

use super::input::{Derived, Field, Input, Kind};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericParam, Generics, Ident, Path, Type, parse_quote, parse_quote_spanned};

/// The check of the fields, for a type that is not given the trait.
pub(super) fn alone(input: &Input, derived: Derived) -> TokenStream {
    let mpi = &input.mpi;
    let bound = match derived {
        Derived::Datatype => parse_quote!(#mpi::datatype::Datatype),
        Derived::AnyBits => parse_quote!(#mpi::datatype::AnyBits),
        Derived::FromBits => parse_quote!(#mpi::datatype::FromBits),
    };
    match input.kind {
        Kind::Struct(_) => input.check(&bound, &input.generics_with(&bound)),
        Kind::Enum(..) => TokenStream::new(),
    }
}

impl Input {
    /// The type's own generics, and for each field whose type depends on them the bound that it has the trait. So a parameter
    /// is bounded by what is made of it, no more.
    pub(super) fn generics_with(&self, bound: &Path) -> Generics {
        let mut generics = self.generics.clone();
        let parameters: Vec<Ident> = generics.params.iter().filter_map(parameter).cloned().collect();
        if parameters.is_empty() {
            return generics;
        }
        for parameter in generics.type_params_mut() {
            parameter.bounds.push(parse_quote!('static));
        }
        let clause = generics.make_where_clause();
        clause.predicates.push(parse_quote!(Self: ::core::marker::Copy));
        for field in self.travelling().filter(|field| mentions(&field.ty, &parameters)) {
            let ty = &field.ty;
            clause.predicates.push(parse_quote_spanned!(ty.span()=> #ty: #bound));
        }
        generics
    }

    /// Where a field is, as a constant. Not by `offset_of!`, whose name a crate can give to a macro of its own
    /// (`extern crate self as core;`): by the language and by what the trait provides, nothing in between.
    pub(super) fn offset_of(&self, field: &Field) -> TokenStream {
        let (mpi, member) = (&self.mpi, &field.member);
        quote! {
            const {
                let space = <Self as #mpi::datatype::Datatype>::SPACE;
                let start = &raw const space as *const Self;
                unsafe { (&raw const (*start).#member).byte_offset_from(start).cast_unsigned() }
            }
        }
    }

    /// The constant of `FromBits` which says that these are the fields of which `Datatype` has been told.
    pub(super) fn agrees(&self) -> TokenStream {
        let mpi = &self.mpi;
        let types = self.travelling().map(|field| &field.ty);
        let offsets = self.travelling().map(|field| self.offset_of(field));
        quote! {
            const AGREES: #mpi::datatype::Agreed<Self> = {
                #(<#types as #mpi::datatype::FromBits>::AGREES.see();)*
                #mpi::datatype::Agreed::with(&[#(#offsets),*])
            };
        }
    }

    /// A function nobody calls, for what must hold of the fields: each has the trait, and there are no others of other types,
    /// even if an attribute has changed the type since.
    pub(super) fn check(&self, bound: &Path, generics: &Generics) -> TokenStream {
        let name = &self.name;
        let (declared, given, clause) = generics.split_for_impl();
        let clause = clause.map(|clause| {
            // `Self` is not known outside of an implementation.
            let predicates = clause.predicates.iter().filter(|one| !is_about_self(one));
            quote!(where #(#predicates,)*)
        });
        let fields = self.fields().iter().map(|field| {
            let (member, binding) = (&field.member, field.binding());
            quote!(#member: #binding)
        });
        let typed = self.fields().iter().map(|field| {
            let (ty, binding) = (&field.ty, field.binding());
            quote!(let _: #ty = #binding;)
        });
        let asserted = self.travelling().map(|field| {
            let ty = &field.ty;
            quote_spanned!(ty.span()=> has_it::<#ty>();)
        });
        quote! {
            #[allow(dead_code, deprecated, non_snake_case, clippy::all)]
            fn fields #declared (value: #name #given) #clause {
                fn has_it<T: #bound>() {}
                #(#asserted)*
                let #name { #(#fields),* } = value;
                #(#typed)*
            }
        }
    }
}

fn parameter(parameter: &GenericParam) -> Option<&Ident> {
    match parameter {
        GenericParam::Type(parameter) => Some(&parameter.ident),
        GenericParam::Const(parameter) => Some(&parameter.ident),
        GenericParam::Lifetime(_) => None,
    }
}

fn is_about_self(predicate: &syn::WherePredicate) -> bool {
    match predicate {
        syn::WherePredicate::Type(one) => one.bounded_ty.to_token_stream().to_string() == "Self",
        _ => false,
    }
}

/// Whether any of the names occurs in the type.
fn mentions(ty: &Type, names: &[Ident]) -> bool {
    fn any(tokens: TokenStream, names: &[Ident]) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => names.contains(&ident),
            TokenTree::Group(group) => any(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    any(ty.to_token_stream(), names)
}
