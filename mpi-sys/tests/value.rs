//! Unit tests of a module of the build script, which cargo cannot test in place.

#[path = "../build/value.rs"]
mod value;

use value::Value;

#[test]
fn numbers_in_casts() {
    for (text, number) in [
        ("((MPI_Comm)0x44000000)", 0x4400_0000),
        (" ((MPI_Datatype)0x8c000000U) ", 0x8c00_0000),
        ("(void *) -1", -1),
        ("((struct MPI_ABI_Comm *)((void *)(257)))", 257),
        ("((MPI_File)0)", 0),
        ("3L", 3),
    ] {
        assert_eq!(Value::parse(text), Some(Value::Integer(number)), "{text}");
    }
}

#[test]
fn addresses_in_casts() {
    let value = Value::parse("((MPI_Comm) ((void *) &(ompi_mpi_comm_world)))").expect("an address");
    assert_eq!(value.symbol(), Some("ompi_mpi_comm_world"));
    assert_eq!(Value::parse("&x").and_then(|value| value.symbol().map(str::to_owned)), Some("x".into()));
}

#[test]
fn everything_else_is_left_to_c() {
    for text in
        ["", "017", "1 + 1", "(1) + (2)", "f(3)", "(MPI_Comm)f(3)", "MPIR_Dup_fn", "&x[2]", "((1)", "(T)x"]
    {
        assert_eq!(Value::parse(text), None, "{text}");
    }
}
