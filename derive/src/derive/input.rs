//! A type as the derives see it: parsed once, all that is wrong with it reported at once.

use crate::options;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, Expr, Fields, GenericParam, Generics, Ident, Index,
    LitStr, Member, Path, Result, Token, Type, parse2,
};

/// Which trait is derived.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Derived {
    Datatype,
    AnyBits,
    FromBits,
}

/// A type as its own text tells of it.
pub(crate) struct Input {
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) mpi: Path,
    /// `#[mpi(bytes)]`.
    pub(crate) bytes: bool,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Struct(Vec<Field>),
    /// The type of the discriminants, and the variants.
    Enum(Ident, Vec<Ident>),
}

pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// `#[mpi(skip)]`, or something in its place that means nothing.
    pub(crate) skip: bool,
}

impl Field {
    /// A name for the field's value.
    pub(crate) fn binding(&self) -> Ident {
        match &self.member {
            Member::Named(name) => format_ident!("field_{}", name),
            Member::Unnamed(index) => format_ident!("field_{}", index.index),
        }
    }
}

/// Errors, joined into one that the compiler reports one by one.
#[derive(Default)]
pub(crate) struct Problems(Option<Error>);

impl Problems {
    fn add(&mut self, problem: Error) {
        match &mut self.0 {
            Some(all) => all.combine(problem),
            None => self.0 = Some(problem),
        }
    }

    fn say(&mut self, place: &impl Spanned, message: impl std::fmt::Display) {
        self.add(Error::new(place.span(), message));
    }

    pub(crate) fn into_error(self) -> Option<Error> {
        self.0
    }
}

impl Input {
    /// The type, as far as it can be made out, and all that is wrong with it.
    pub(crate) fn parse(tokens: TokenStream, derived: Derived) -> Result<(Option<Self>, Problems)> {
        let DeriveInput { attrs, ident: name, generics, data, .. } = parse2(tokens)?;
        let mut problems = Problems::default();
        let of_type = TypeAttributes::parse(&attrs, &mut problems);
        for parameter in &generics.params {
            if let GenericParam::Lifetime(lifetime) = parameter {
                problems.say(
                    lifetime,
                    "a type with a lifetime holds a borrow, which means nothing in another process: send what it refers to",
                );
            }
        }
        let kind = match data {
            Data::Struct(data) => Some(Kind::Struct(fields(&data.fields, derived, &of_type, &mut problems))),
            Data::Enum(data) => variants(&name, &attrs, &data, derived, &of_type, &mut problems),
            Data::Union(data) => {
                problems.say(
                    &data.union_token,
                    "nobody knows which bytes of a union are initialized: send a struct, or one of its fields",
                );
                None
            }
        };
        let TypeAttributes { mpi, bytes } = of_type;
        let input =
            kind.zip(mpi).map(|(kind, mpi)| Input { name, generics, mpi, bytes: bytes.is_some(), kind });
        Ok((input, problems))
    }

    /// The fields that travel.
    pub(crate) fn travelling(&self) -> impl Iterator<Item = &Field> {
        self.fields().iter().filter(|field| !field.skip)
    }

    pub(crate) fn fields(&self) -> &[Field] {
        match &self.kind {
            Kind::Struct(fields) => fields,
            Kind::Enum(..) => &[],
        }
    }
}

fn fields(
    fields: &Fields,
    derived: Derived,
    of_type: &TypeAttributes,
    problems: &mut Problems,
) -> Vec<Field> {
    let one = |(i, field): (usize, &syn::Field)| {
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(Index { index: i as u32, span: field.ty.span() }),
        };
        let FieldAttributes { skip, unknown } = FieldAttributes::parse(&field.attrs, problems);
        if let (Some(span), Derived::AnyBits) = (skip, derived) {
            problems.add(Error::new(
                span,
                "a buffer's elements are all that MPI writes, and it writes no skipped field: derive `mpi::FromBits` instead of `mpi::AnyBits`, and receive by value or into a new `Vec`",
            ));
        }
        if let (Some(span), Some(_)) = (skip, of_type.bytes) {
            problems.add(Error::new(span, "`#[mpi(bytes)]` sends every byte: a field cannot be skipped"));
        }
        Field { member, ty: field.ty.clone(), skip: skip.is_some() || unknown }
    };
    fields.iter().enumerate().map(one).collect()
}

/// The integers that `repr` may name.
const INTEGERS: [&str; 10] = ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];

fn variants(
    name: &Ident,
    attrs: &[Attribute],
    data: &DataEnum,
    derived: Derived,
    of_type: &TypeAttributes,
    problems: &mut Problems,
) -> Option<Kind> {
    if derived == Derived::AnyBits {
        problems.say(
            &data.enum_token,
            "a peer's bytes may be no variant: derive `mpi::FromBits` instead of `mpi::AnyBits`, and receive by value or into a new `Vec`, which check what arrived",
        );
    }
    if let Some(span) = of_type.bytes {
        problems.add(Error::new(
            span,
            "`#[mpi(bytes)]` is for structs: an enum is sent as the integer of its `repr`",
        ));
    }
    if data.variants.is_empty() {
        problems.say(name, "an enum without variants has no values to send");
    }
    for variant in &data.variants {
        if !variant.fields.is_empty() {
            problems.say(
                &variant.fields,
                "a variant with fields cannot be sent: its size differs from that of others. Send a struct with a field-less enum and the data",
            );
        }
        if let Some(attribute) = variant.attrs.iter().find(|attribute| attribute.path().is_ident("mpi")) {
            problems.say(attribute, "`#[mpi(…)]` belongs on a field or on the type, not on a variant");
        }
    }
    let integer = repr(attrs, problems);
    if integer.is_none() {
        problems.say(
            name,
            "the size of this enum is the compiler's choice: say which integer it is, as in `#[repr(u8)]`",
        );
    }
    Some(Kind::Enum(integer?, data.variants.iter().map(|variant| variant.ident.clone()).collect()))
}

/// The integer in `#[repr(…)]`.
fn repr(attrs: &[Attribute], problems: &mut Problems) -> Option<Ident> {
    let mut found = None;
    for attribute in attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        let each = attribute.parse_nested_meta(|meta| {
            if let Some(name) = meta.path.get_ident()
                && INTEGERS.contains(&name.to_string().as_str())
            {
                found = Some(name.clone());
            }
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<TokenStream>()?;
            }
            Ok(())
        });
        each.unwrap_or_else(|problem| problems.add(problem));
    }
    found
}

/// `#[mpi(…)]` on the type.
struct TypeAttributes {
    /// None if it is said wrongly.
    mpi: Option<Path>,
    bytes: Option<Span>,
}

impl TypeAttributes {
    fn parse(attrs: &[Attribute], problems: &mut Problems) -> Self {
        let mut found = TypeAttributes { mpi: Some(options::default_crate_path()), bytes: None };
        settings(attrs, problems, |meta| {
            if meta.path.is_ident("bytes") {
                found.bytes = Some(meta.path.span());
            } else if meta.path.is_ident("crate") {
                found.mpi = None;
                let path: LitStr = meta.value()?.parse()?;
                let path = Expr::from(syn::ExprLit { attrs: Vec::new(), lit: path.into() });
                found.mpi = Some(options::crate_path(&path)?);
            } else if meta.path.is_ident("skip") {
                return Err(meta.error("`#[mpi(skip)]` belongs on a field"));
            } else {
                return Err(unknown(meta, "`bytes` and `crate = \"path\"` on a type"));
            }
            Ok(())
        });
        found
    }
}

/// `#[mpi(…)]` on a field.
#[derive(Default)]
struct FieldAttributes {
    /// Where `#[mpi(skip)]` stands, if it does.
    skip: Option<Span>,
    /// Whether there is something else: nobody knows what was meant to become of the field.
    unknown: bool,
}

impl FieldAttributes {
    fn parse(attrs: &[Attribute], problems: &mut Problems) -> Self {
        let mut found = FieldAttributes::default();
        settings(attrs, problems, |meta| {
            if !meta.path.is_ident("skip") {
                found.unknown = true;
                return Err(unknown(meta, "`skip` on a field"));
            }
            found.skip = Some(meta.path.span());
            Ok(())
        });
        found
    }
}

/// Goes through all that stands in all `#[mpi(…)]`, whatever is wrong with some of it.
fn settings(
    attrs: &[Attribute],
    problems: &mut Problems,
    mut each: impl FnMut(&ParseNestedMeta<'_>) -> Result<()>,
) {
    for attribute in attrs.iter().filter(|attribute| attribute.path().is_ident("mpi")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if let Err(problem) = each(&meta).and_then(|()| ends(meta.input)) {
                problems.add(problem);
            }
            pass_over(meta.input)
        });
        parsed.unwrap_or_else(|problem| problems.add(problem));
    }
}

/// Whether nothing more is said of one thing.
fn ends(input: ParseStream<'_>) -> Result<()> {
    match input.is_empty() || input.peek(Token![,]) {
        true => Ok(()),
        false => Err(input.error("expected `,`")),
    }
}

fn pass_over(input: ParseStream<'_>) -> Result<()> {
    while ends(input).is_err() {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

fn unknown(meta: &ParseNestedMeta<'_>, known: &str) -> Error {
    let name = meta.path.to_token_stream();
    meta.error(format!("`#[mpi({name})]` means nothing here: there is {known}"))
}
