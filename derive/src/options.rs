//! What stands between the parentheses of an attribute: `name = value` pairs.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, ExprLit, Lit, LitStr, Path, Result, Token, parse_quote};

/// One `name = value`.
pub(crate) struct Setting {
    pub(crate) name: Ident,
    pub(crate) value: Expr,
}

/// Splits the attribute's tokens into settings; `example` completes the message when that fails.
pub(crate) fn parse(tokens: TokenStream, example: &str) -> Result<Vec<Setting>> {
    let settings = |input: ParseStream<'_>| {
        let mut found: Vec<Setting> = Vec::new();
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            if found.iter().any(|setting| setting.name == name) {
                return Err(Error::new(name.span(), format!("`{name}` is given twice: keep one of them")));
            }
            if !input.peek(Token![=]) {
                let message = format!("`{name}` needs a value, as in `{example}`");
                return Err(Error::new(name.span(), message));
            }
            input.parse::<Token![=]>()?;
            found.push(Setting { name, value: input.parse()? });
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(found)
    };
    settings.parse2(tokens)
}

/// The error for a setting that the attribute does not have.
pub(crate) fn unknown(name: &Ident, attribute: &str, known: &str) -> Error {
    Error::new(name.span(), format!("`#[mpi::{attribute}]` has no option `{name}`: it takes {known}"))
}

/// The path that `crate = "…"` names.
pub(crate) fn crate_path(value: &Expr) -> Result<Path> {
    let message = "`crate` takes the path of the `mpi` crate in quotes, as in `crate = \"my_prelude::mpi\"`";
    let text = string(value).ok_or_else(|| Error::new_spanned(value, message))?;
    text.parse().map_err(|_| Error::new_spanned(value, message))
}

/// Where the `mpi` crate is found unless `crate = "…"` says otherwise.
pub(crate) fn default_crate_path() -> Path {
    parse_quote!(::mpi)
}

/// The value as a string literal.
pub(crate) fn string(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn message(tokens: TokenStream) -> String {
        parse(tokens, "ranks = 2").err().map(|e| e.to_string()).unwrap_or_default()
    }

    #[test]
    fn keywords_and_a_trailing_comma_are_fine() {
        let settings = parse(quote!(crate = "a::b", timeout = 3,), "").unwrap();
        assert_eq!(settings.len(), 2);
        assert_eq!(settings[0].name, "crate");
    }

    #[test]
    fn a_name_alone_or_twice_is_refused() {
        assert!(message(quote!(ranks)).contains("needs a value, as in `ranks = 2`"));
        assert!(message(quote!(ranks = 1, ranks = 2)).contains("given twice"));
    }

    #[test]
    fn a_crate_path_must_be_a_quoted_path() {
        assert!(crate_path(&parse_quote!("my::mpi")).is_ok());
        assert!(crate_path(&parse_quote!("not a path")).is_err());
        assert!(crate_path(&parse_quote!(my::mpi)).is_err());
    }
}
