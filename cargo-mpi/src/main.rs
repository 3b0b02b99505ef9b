//! `cargo mpi`: builds, launches, tests and diagnoses MPI programs, and installs what they need.
//!
//! In this workspace it is run from source as `cargo xmpi`. It links neither MPI nor the `mpi` crate, so it works
//! where those do not build yet; which MPI a program was linked with it learns from cargo's messages.

mod build;
mod choice;
mod cli;
mod doctor;
mod environment;
mod run;
mod setup;
mod tally;
mod test;

use std::process::ExitCode;

use clap::Parser;
use cli::{Action, Cli};
use setup::Machine;

fn main() -> ExitCode {
    environment::drop_what_cargo_set();
    let cli = Cli::parse_from(cli::without_subcommand_name(std::env::args_os()));
    match act(cli) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn act(cli: Cli) -> anyhow::Result<u8> {
    let machine = Machine::this();
    if cli.setup || matches!(cli.action, Action::Setup) {
        setup::install_missing(&machine, cli.mpi.as_deref())?;
    }
    let choice = cli.mpi.as_deref().map(|name| choice::resolve(name, &machine.env)).transpose()?;
    match cli.action {
        Action::Run(options) => run::run(&options, choice.as_ref(), &machine),
        Action::Test(options) => test::test(&options, choice.as_ref(), &machine),
        Action::Doctor => Ok(doctor::doctor(&machine.with_mpi(choice.as_ref()))),
        Action::Setup => Ok(0),
    }
}
