//! The value of a handle, read from what its macro expands to.
//!
//! `((MPI_Comm)0x44000000)` becomes a Rust constant, `((MPI_Comm)((void *)&(ompi_mpi_comm_world)))` the address
//! of a symbol. Both cost at run time what they cost in C, where reading a variable of the shim would cost two
//! loads. What is neither is left to the shim.

/// A value that Rust can name itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number, cast to the handle's type.
    Integer(i64),
    /// The address of a variable the library exports.
    Address(String),
}

impl Value {
    /// Understands numbers and addresses in any number of parentheses and casts; anything else is `None`.
    pub fn parse(expansion: &str) -> Option<Value> {
        expression(&tokens(expansion))
    }

    /// The library's symbol it is the address of.
    pub fn symbol(&self) -> Option<&str> {
        match self {
            Value::Address(symbol) => Some(symbol),
            Value::Integer(_) => None,
        }
    }
}

fn expression(tokens: &[&str]) -> Option<Value> {
    match tokens {
        ["(", rest @ ..] => {
            let close = closing(rest)?;
            match (&rest[..close], &rest[close + 1..]) {
                (inside, []) => expression(inside),
                (inside, after) if is_type(inside) => expression(after),
                _ => None,
            }
        }
        ["-", number] => Some(Value::Integer(-integer(number)?)),
        ["&", operand @ ..] => identifier(operand).map(Value::Address),
        [number] => Some(Value::Integer(integer(number)?)),
        _ => None,
    }
}

/// The index of the parenthesis that closes one opened just before.
fn closing(tokens: &[&str]) -> Option<usize> {
    let mut depth = 1;
    tokens.iter().position(|token| {
        match *token {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Words and stars, which in parentheses before an expression are a cast.
fn is_type(tokens: &[&str]) -> bool {
    !tokens.is_empty() && tokens.iter().all(|token| *token == "*" || is_word(token))
}

fn identifier(tokens: &[&str]) -> Option<String> {
    match tokens {
        ["(", inside @ .., ")"] => identifier(inside),
        [name] if is_word(name) => Some((*name).to_owned()),
        _ => None,
    }
}

fn integer(token: &str) -> Option<i64> {
    let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        // A leading zero would make it octal.
        None if digits.len() > 1 && digits.starts_with('0') => None,
        None => digits.parse().ok(),
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}
