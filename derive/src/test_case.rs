//! `#[mpi::test]`.

use crate::{options, signature};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, ItemFn, Lit, LitInt, Meta, Path, Result, Token, parse2};

const OPTIONS: &str = "`ranks = [1, 2]`, `timeout = 30` (seconds) and `crate = \"path\"`";
const RANKS: &str =
    "`ranks` takes a number of ranks or a list of them, as in `ranks = 2` or `ranks = [1, 2, 4]`";

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let function: ItemFn = match parse2(item.clone()) {
        Ok(function) => function,
        Err(_) => {
            return Error::new_spanned(item, "`#[mpi::test]` belongs on `fn name(world: Communicator)`")
                .into_compile_error();
        }
    };
    test(options, function).unwrap_or_else(Error::into_compile_error)
}

fn test(options: TokenStream, mut function: ItemFn) -> Result<TokenStream> {
    let settings = Settings::parse(options)?;
    refuse_attributes(&function.attrs)?;
    let world = signature::check(&function, "test")?.span();
    let Settings { mpi, ranks, timeout } = settings;

    let ignored = ignored(&function.attrs)?;
    // `#[ignore]`, `#[cfg]`, `#[allow]` and the docs belong to what libtest sees.
    let attributes = std::mem::take(&mut function.attrs);
    let visibility = std::mem::replace(&mut function.vis, syn::Visibility::Inherited);
    let name = &function.sig.ident;
    let timeout = match timeout {
        Some(seconds) => quote!(::std::option::Option::Some(#seconds)),
        None => quote!(::std::option::Option::None),
    };
    // Located at the parameter, so that a parameter of another type is what the compiler points at.
    let call = quote_spanned!(world=> #name(#mpi::test_support::world()));
    // Located at the name, so that the panic with the report points at the test.
    let run = quote_spanned!(name.span()=> ::mpi_test::run(&CASE));

    Ok(quote! {
        #(#attributes)*
        #[::core::prelude::v1::test]
        #visibility fn #name() {
            #function
            static CASE: ::mpi_test::TestCase = ::mpi_test::TestCase {
                name: ::std::concat!(::std::module_path!(), "::", ::std::stringify!(#name)),
                file: ::std::file!(),
                ranks: &[#(#ranks),*],
                timeout: #timeout,
                ignored: #ignored,
                body: || ::mpi_test::Outcome::outcome(#call),
                mpi: &::mpi_test::Mpi {
                    family: #mpi::test_support::FAMILY,
                    version: #mpi::test_support::IMPL_VERSION,
                    mpiexec: #mpi::test_support::MPIEXEC,
                    libdirs: #mpi::test_support::LIBDIRS,
                    prefix: #mpi::test_support::PREFIX,
                    session: || ::std::boxed::Box::new(#mpi::test_support::world()),
                    abort: #mpi::test_support::abort,
                },
            };
            ::mpi_test::register!(&CASE);
            #run
        }
    })
}

struct Settings {
    mpi: Path,
    ranks: Vec<LitInt>,
    timeout: Option<f64>,
}

impl Settings {
    fn parse(tokens: TokenStream) -> Result<Self> {
        let default_ranks = ["1", "2"].map(|count| LitInt::new(count, proc_macro2::Span::call_site()));
        let mut settings =
            Self { mpi: options::default_crate_path(), ranks: default_ranks.into(), timeout: None };
        for setting in options::parse(tokens, "ranks = [1, 2]")? {
            match setting.name.to_string().as_str() {
                "ranks" => settings.ranks = rank_counts(&setting.value)?,
                "timeout" => settings.timeout = Some(seconds(&setting.value)?),
                "crate" => settings.mpi = options::crate_path(&setting.value)?,
                _ => return Err(options::unknown(&setting.name, "test", OPTIONS)),
            }
        }
        Ok(settings)
    }
}

/// The rank counts that `ranks = …` lists: at least one, each positive and once.
fn rank_counts(value: &Expr) -> Result<Vec<LitInt>> {
    let elements: Vec<&Expr> = match value {
        Expr::Array(array) => array.elems.iter().collect(),
        single => vec![single],
    };
    if elements.is_empty() {
        return Err(Error::new_spanned(value, RANKS));
    }
    let mut counts: Vec<LitInt> = Vec::new();
    for element in elements {
        let Expr::Lit(ExprLit { lit: Lit::Int(count), .. }) = element else {
            return Err(Error::new_spanned(element, RANKS));
        };
        if count.base10_parse::<usize>()? == 0 {
            return Err(Error::new_spanned(element, "a job has at least one rank"));
        }
        if counts.iter().any(|earlier| earlier.base10_digits() == count.base10_digits()) {
            return Err(Error::new_spanned(element, format!("{count} ranks are listed twice: keep one")));
        }
        counts.push(LitInt::new(count.base10_digits(), count.span()));
    }
    Ok(counts)
}

/// The time limit: a positive number of seconds.
fn seconds(value: &Expr) -> Result<f64> {
    let number = match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse::<f64>().ok(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse::<f64>().ok(),
        _ => None,
    };
    number.filter(|seconds| *seconds > 0.0 && seconds.is_finite()).ok_or_else(|| {
        Error::new_spanned(value, "`timeout` takes a positive number of seconds, as in `timeout = 30`")
    })
}

fn refuse_attributes(attributes: &[Attribute]) -> Result<()> {
    for attribute in attributes {
        let path = attribute.path();
        if path.is_ident("should_panic") {
            let message = "`#[should_panic]` cannot be met on several ranks, where a panic on one ends the job for all: \
                           let the test return, and assert on the `Err`, or on `std::panic::catch_unwind`";
            return Err(Error::new_spanned(attribute, message));
        }
        if path.is_ident("test") {
            return Err(Error::new_spanned(
                attribute,
                "`#[mpi::test]` makes this a test already: remove `#[test]`",
            ));
        }
    }
    Ok(())
}

/// Whether libtest will ignore the test, as an expression: `#[cfg_attr(condition, ignore)]` is not decided here.
fn ignored(attributes: &[Attribute]) -> Result<TokenStream> {
    if attributes.iter().any(|attribute| attribute.path().is_ident("ignore")) {
        return Ok(quote!(true));
    }
    let mut conditions = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("cfg_attr")) {
        let parts =
            attribute.parse_args_with(syn::punctuated::Punctuated::<Meta, Token![,]>::parse_terminated)?;
        let mut parts = parts.iter();
        let condition = parts.next();
        if parts.any(|part| part.path().is_ident("ignore")) {
            conditions.extend(condition.cloned());
        }
    }
    Ok(quote!(false #(|| ::std::cfg!(#conditions))*))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(options: TokenStream, item: TokenStream) -> String {
        expand(options, item).to_string()
    }

    fn plain() -> TokenStream {
        quote!(
            fn t(world: Communicator) {}
        )
    }

    #[test]
    fn one_and_two_ranks_are_the_default() {
        assert!(expanded(quote!(), plain()).contains("ranks : & [1 , 2]"));
    }

    #[test]
    fn ranks_may_be_a_number_or_a_list() {
        assert!(expanded(quote!(ranks = 3), plain()).contains("ranks : & [3]"));
        assert!(expanded(quote!(ranks = [1, 4]), plain()).contains("ranks : & [1 , 4]"));
        for bad in [quote!([]), quote!(0), quote!([1, 1]), quote!(N), quote!("2")] {
            assert!(expanded(quote!(ranks = #bad), plain()).contains("compile_error"), "{bad}");
        }
    }

    #[test]
    fn the_time_limit_is_a_positive_number() {
        assert!(expanded(quote!(timeout = 30), plain()).contains("Some (30f64)"));
        assert!(expanded(quote!(timeout = 0.5), plain()).contains("Some (0.5f64)"));
        assert!(expanded(quote!(timeout = 0), plain()).contains("positive number of seconds"));
        assert!(expanded(quote!(timeout = "30"), plain()).contains("positive number of seconds"));
    }

    #[test]
    fn attributes_are_forwarded_or_refused() {
        let ignored = expanded(
            quote!(),
            quote!(
                #[ignore = "slow"]
                fn t(world: C) {}
            ),
        );
        assert!(ignored.contains("ignored : true") && ignored.contains("# [ignore = \"slow\"]"));
        let maybe = expanded(
            quote!(),
            quote!(
                #[cfg_attr(miri, ignore)]
                fn t(world: C) {}
            ),
        );
        assert!(maybe.contains("ignored : false || :: std :: cfg ! (miri)"), "{maybe}");
        assert!(
            expanded(
                quote!(),
                quote!(
                    #[should_panic]
                    fn t(world: C) {}
                )
            )
            .contains("should_panic")
        );
        assert!(
            expanded(
                quote!(),
                quote!(
                    #[test]
                    fn t(world: C) {}
                )
            )
            .contains("remove `#[test]`")
        );
    }
}
