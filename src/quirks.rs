//! Faults of the loaded library, and their remedies.
pub(crate) fn before_init(_allow: bool, _attaching: bool) -> crate::error::Result<()> { Ok(()) }
