//! `#[mpi::main]`.

use crate::{options, signature};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, ItemFn, Path, Result, parse2};

const OPTIONS: &str = "`threads = \"multiple\"` and `crate = \"path\"`";

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let function: ItemFn = match parse2(item.clone()) {
        Ok(function) => function,
        Err(_) => {
            return Error::new_spanned(item, "`#[mpi::main]` belongs on `fn main(world: Communicator)`")
                .into_compile_error();
        }
    };
    program(options, &function).unwrap_or_else(|problem| with_stand_in(problem, &function))
}

/// The error alone would be followed by "`main` function not found", which teaches nothing.
fn with_stand_in(problem: Error, function: &ItemFn) -> TokenStream {
    let message = problem.into_compile_error();
    if function.sig.ident == "main" { quote!(#message fn main() {}) } else { quote!(#message #function) }
}

fn program(options: TokenStream, function: &ItemFn) -> Result<TokenStream> {
    if function.sig.ident != "main" {
        let message = "`#[mpi::main]` starts the program: it belongs on `fn main`, once";
        return Err(Error::new(function.sig.ident.span(), message));
    }
    let settings = Settings::parse(options)?;
    let world = signature::check(function, "main")?;
    let mpi = &settings.mpi;
    // Located at the parameter, so that a parameter of another type is what the compiler points at.
    let run = match &settings.threads {
        None => quote_spanned!(world.span()=> #mpi::environment::run(main)),
        Some(level) => quote_spanned! {world.span()=>
            #mpi::environment::Builder::new().threads(#mpi::ThreadLevel::#level).run(main)
        },
    };
    let visibility = &function.vis;
    let mut body = function.clone();
    body.vis = syn::Visibility::Inherited;
    Ok(quote! {
        #visibility fn main() -> ::std::process::ExitCode {
            #body
            #run
        }
    })
}

struct Settings {
    mpi: Path,
    threads: Option<Ident>,
}

impl Settings {
    fn parse(tokens: TokenStream) -> Result<Self> {
        let mut settings = Self { mpi: options::default_crate_path(), threads: None };
        for setting in options::parse(tokens, "threads = \"multiple\"")? {
            match setting.name.to_string().as_str() {
                "threads" => settings.threads = Some(thread_level(&setting.value)?),
                "crate" => settings.mpi = options::crate_path(&setting.value)?,
                _ => return Err(options::unknown(&setting.name, "main", OPTIONS)),
            }
        }
        Ok(settings)
    }
}

/// The variant of `ThreadLevel` that the text names.
fn thread_level(value: &Expr) -> Result<Ident> {
    let text = options::string(value);
    let variant = match text.map(|text| text.value()).as_deref() {
        Some("single") => "Single",
        Some("funneled") => "Funneled",
        Some("serialized") => "Serialized",
        Some("multiple") => "Multiple",
        _ => {
            let message = format!(
                "no thread level {}: write \"single\", \"funneled\", \"serialized\" or \"multiple\", in quotes",
                value.to_token_stream()
            );
            return Err(Error::new_spanned(value, message));
        }
    };
    Ok(Ident::new(variant, value.span()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(options: TokenStream, item: TokenStream) -> String {
        expand(options, item).to_string()
    }

    #[test]
    fn the_body_is_handed_to_run() {
        let text = expanded(
            quote!(),
            quote!(
                fn main(world: Communicator) {}
            ),
        );
        let expected = quote! {
            fn main() -> ::std::process::ExitCode {
                fn main(world: Communicator) {}
                ::mpi::environment::run(main)
            }
        };
        assert_eq!(text, expected.to_string());
    }

    #[test]
    fn options_choose_the_thread_level_and_the_crate() {
        let text = expanded(
            quote!(threads = "multiple", crate = "a::mpi"),
            quote!(
                fn main(w: C) {}
            ),
        );
        let call =
            quote!(a::mpi::environment::Builder::new().threads(a::mpi::ThreadLevel::Multiple).run(main));
        assert!(text.contains(&call.to_string()), "{text}");
    }

    #[test]
    fn an_error_brings_a_stand_in_for_main() {
        let text = expanded(
            quote!(),
            quote!(
                fn main() {}
            ),
        );
        assert!(text.contains("compile_error") && text.ends_with("fn main () { }"), "{text}");
    }

    #[test]
    fn another_function_an_unknown_option_or_level_is_refused() {
        assert!(
            expanded(
                quote!(),
                quote!(
                    fn start(w: C) {}
                )
            )
            .contains("belongs on `fn main`")
        );
        assert!(
            expanded(
                quote!(),
                quote!(
                    struct S;
                )
            )
            .contains("belongs on `fn main")
        );
        assert!(
            expanded(
                quote!(ranks = 2),
                quote!(
                    fn main(w: C) {}
                )
            )
            .contains("has no option `ranks`")
        );
        assert!(
            expanded(
                quote!(threads = "all"),
                quote!(
                    fn main(w: C) {}
                )
            )
            .contains("no thread level")
        );
    }
}
