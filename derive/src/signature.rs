//! The shape that both attributes ask of a function: `fn name(world: Communicator) -> …`, and nothing fancier.

use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Result, Type};

/// Checks the shape, reporting everything that is wrong at once, and returns the type of the one parameter.
pub(crate) fn check<'f>(function: &'f ItemFn, attribute: &str) -> Result<&'f Type> {
    let signature = &function.sig;
    let mut problems = Vec::new();
    let mut refuse = |span, message: String| problems.push(Error::new(span, message));

    if let Some(keyword) = &signature.asyncness {
        refuse(
            keyword.span(),
            format!(
                "`#[mpi::{attribute}]` takes a plain `fn`: remove `async`. MPI's own nonblocking calls live in `world.scope(…)`"
            ),
        );
    }
    if let Some(keyword) = &signature.unsafety {
        refuse(
            keyword.span(),
            format!("`#[mpi::{attribute}]` calls this function from safe code: remove `unsafe`"),
        );
    }
    if let Some(keyword) = &signature.constness {
        refuse(
            keyword.span(),
            format!("MPI cannot be called in a `const fn`: remove `const` under `#[mpi::{attribute}]`"),
        );
    }
    if let Some(abi) = &signature.abi {
        refuse(abi.span(), format!("`#[mpi::{attribute}]` takes a plain Rust function: remove `extern`"));
    }
    if !signature.generics.params.is_empty() {
        refuse(
            signature.generics.span(),
            format!(
                "nobody can choose the generic parameters of a function under `#[mpi::{attribute}]`: write concrete types"
            ),
        );
    } else if let Some(clause) = &signature.generics.where_clause {
        refuse(
            clause.span(),
            format!("a `where` clause has nothing to constrain under `#[mpi::{attribute}]`: remove it"),
        );
    }

    let expected = format!(
        "`#[mpi::{attribute}]` hands the function one value, the world communicator: write `fn {}(world: Communicator)`",
        signature.ident
    );
    let mut world = None;
    let parameters: Vec<&FnArg> = signature.inputs.iter().collect();
    match parameters[..] {
        [FnArg::Typed(parameter)] => world = Some(&*parameter.ty),
        [] => refuse(signature.paren_token.span.join(), expected),
        [FnArg::Receiver(receiver)] => refuse(receiver.span(), expected),
        [_, extra, ..] => refuse(extra.span(), expected),
    }

    match problems.into_iter().reduce(|mut all, next| {
        all.combine(next);
        all
    }) {
        Some(problems) => Err(problems),
        None => world.ok_or_else(|| Error::new(signature.span(), "expected one parameter")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn messages(function: &ItemFn) -> Vec<String> {
        match check(function, "main") {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|problem| problem.to_string()).collect(),
        }
    }

    #[test]
    fn one_typed_parameter_is_right() {
        assert!(
            messages(&parse_quote!(
                fn main(_: Communicator) {}
            ))
            .is_empty()
        );
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let found = messages(&parse_quote!(
            async unsafe fn main<T>() {}
        ));
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[3].contains("write `fn main(world: Communicator)`"));
    }

    #[test]
    fn a_second_parameter_is_refused() {
        assert_eq!(
            messages(&parse_quote!(
                fn main(world: Communicator, n: usize) {}
            ))
            .len(),
            1
        );
    }
}
