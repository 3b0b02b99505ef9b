//! Finding out what a build needs and this machine lacks, and installing it.

mod distribution;
mod libclang;
mod machine;
mod missing;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail};
use mpi_config::Family;
use mpi_config::find::find;

use crate::choice;
pub use libclang::find as find_libclang;
pub use machine::Machine;
use missing::missing;
pub use missing::{Piece, find_compiler};

/// Installs what is missing for the MPI asked for, if this process may; otherwise says how to, as an error.
pub fn install_missing(machine: &Machine, wanted: Option<&str>) -> Result<()> {
    let asked = wanted.and_then(choice::family);
    let named =
        wanted.filter(|_| asked.is_none()).map(|name| choice::resolve(name, &machine.env)).transpose()?;
    let machine = &machine.with_mpi(named.as_ref());
    let lacking = missing(&machine.env, asked);
    if lacking.is_empty() {
        return Ok(());
    }
    if machine.env.get("MPICC").is_some()
        && lacking.contains(&Piece::Mpi)
        && !lacking.contains(&Piece::CCompiler)
    {
        // Installing another one would not be what MPICC asks for.
        find(&machine.env)?;
    }
    eprintln!("{}", list(&lacking));
    let family = asked.unwrap_or(Family::OpenMpi);
    if lacking.contains(&Piece::Mpi) && !matches!(family, Family::OpenMpi | Family::Mpich) {
        bail!(
            "{family} is in no distribution's packages: install it by its maker's means, then give --mpi its folder"
        );
    }
    let commands = machine.distribution().install(&lacking, family);
    if commands.is_empty() {
        bail!(NO_PACKAGE_MANAGER);
    }
    let Some(prefix) = machine.right_to_install() else {
        bail!("installing needs the administrator's rights; run\n  {}", as_line(&commands, machine));
    };
    for words in &commands {
        let words: Vec<&str> = prefix.iter().copied().chain(words.iter().map(String::as_str)).collect();
        run(machine, &words)?;
    }
    match missing(&machine.env, asked)[..] {
        [] => Ok(()),
        ref lacking => bail!("the package manager is done, but {}; see `cargo mpi doctor`", list(lacking)),
    }
}

/// After a failed build: what may be the reason, and the command that mends it.
pub fn tell_what_is_missing(machine: &Machine) {
    let lacking = missing(&machine.env, None);
    if !lacking.is_empty() {
        let remedy = remedy(machine, &lacking);
        eprintln!("\n{}; to install it, run `cargo mpi setup` or\n  {remedy}", list(&lacking));
    }
}

/// The one command that installs these pieces here.
pub fn remedy(machine: &Machine, lacking: &[Piece]) -> String {
    let commands = machine.distribution().install(lacking, Family::OpenMpi);
    if commands.is_empty() { NO_PACKAGE_MANAGER.to_owned() } else { as_line(&commands, machine) }
}

const NO_PACKAGE_MANAGER: &str = "this system's package manager is not known here: install an MPI with its headers \
                                  (Open MPI or MPICH), libclang and a C compiler by its own means";

fn list(lacking: &[Piece]) -> String {
    let names: Vec<_> = lacking.iter().map(|piece| piece.name()).collect();
    format!("missing on this machine: {}", names.join(", "))
}

/// As one line for a shell.
fn as_line(commands: &[Vec<String>], machine: &Machine) -> String {
    let sudo = if machine.distribution().needs_root() && !machine.root { "sudo " } else { "" };
    let lines: Vec<_> = commands.iter().map(|words| format!("{sudo}{}", words.join(" "))).collect();
    lines.join(" && ")
}

/// Runs one command of the package manager after showing it.
fn run(machine: &Machine, words: &[&str]) -> Result<()> {
    let [program, args @ ..] = words else { return Ok(()) };
    eprintln!("+ {}", words.join(" "));
    let file = machine.env.which(program).with_context(|| format!("{program} is not on PATH"))?;
    // Debian's packages ask questions otherwise, and there may be nobody to answer.
    let status = machine.env.command(&file).args(args).env("DEBIAN_FRONTEND", "noninteractive").status();
    let status = status.with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("`{}` failed ({status}): mend what it complains about, then try again", words.join(" "));
    }
    Ok(())
}
