//! Heat in a plate whose shape and held temperatures come from an image, by Jacobi's method on any number of ranks.
//!
//! ```sh
//! cargo xmpi run -n 4 --release --example jacobi
//! cargo xmpi run -n 4 --release --example jacobi -- --image examples/data/rings.png --baseline
//! ```
//!
//! Where to look: [`solver`] has the communication of a time step, [`sweep`] its arithmetic, [`share`] how the plate
//! gets to the ranks and back. The rest is about files and numbers, without MPI.

mod analytic;
mod args;
mod decompose;
mod image;
mod limits;
mod picture;
mod plate;
mod progress;
mod share;
mod solver;
mod summary;
mod sweep;
mod terminal;

use anyhow::{Context, Result, ensure};
use args::Args;
use clap::Parser;
use limits::Limits;
use mpi::{Communicator, topology};
use plate::Plate;
use progress::Progress;
use share::Layout;
use std::time::Duration;
use summary::{Baseline, Course, Summary};

#[mpi::main]
fn main(world: Communicator) -> Result<()> {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(message) => return usage(&world, message),
    };
    let limits = args.limits();
    // What is wrong with the input, rank 0 finds out, before anything is computed: its error ends the job, while the
    // others wait for the broadcast.
    let plate = if world.rank() == 0 { Some(prepare(&args, world.size())?) } else { None };
    let mut interior = plate.as_ref().map_or([0, 0], Plate::interior);
    world.bcast(&mut interior, 0)?;

    let alone = if args.baseline { compute_alone(&world, interior, plate.as_ref(), limits)? } else { None };
    let progress = if plate.is_some() { Progress::new(limits) } else { Progress::none(limits) };
    let (layout, course, field) = compute(&world, interior, plate.as_ref(), progress)?;
    if let (Some(plate), Some(field)) = (plate, field) {
        let baseline = alone.map(|(time, result)| Baseline { time, identical: same_bits(&result, &field) });
        let summary = Summary {
            interior,
            free: plate.free_cells(),
            dims: layout.dims,
            tolerance: limits.tolerance,
            course,
            fingerprint: summary::fingerprint(&field),
            baseline,
        };
        println!("{summary}");
        picture::write(&args.output, &field, plate.shape()[1])?;
        println!("picture        {}", args.output.display());
        ensure!(baseline.is_none_or(|b| b.identical), "the result is not the same as on one rank");
        args.analytic.map_or(Ok(()), |n| check_error(n.into(), &field))?;
    }
    Ok(())
}

/// Says how to use the program, once.
fn usage(world: &Communicator, message: clap::Error) -> Result<()> {
    if world.rank() == 0 {
        ensure!(!message.use_stderr(), "{}", message.render());
        message.print()?;
    }
    // After a mistake, rank 0 ends the job while the others wait here.
    Ok(world.barrier()?)
}

/// The plate, if it can be computed on so many ranks and the result can be written.
fn prepare(args: &Args, ranks: usize) -> Result<Plate> {
    let plate = match args.analytic {
        Some(n) => analytic::plate(n.into())?,
        None => Plate::from_image(&image::Grey::read(&args.image)?)?,
    };
    process_grid(plate.interior(), ranks)?;
    picture::check(&args.output)?;
    Ok(plate)
}

fn process_grid(interior: [usize; 2], ranks: usize) -> Result<[usize; 2]> {
    decompose::fit(interior, topology::dims_create(ranks, [0, 0])?)
}

/// The whole computation on the ranks of `comm`, whose rank 0 has the plate and gets the field.
fn compute(
    comm: &Communicator,
    interior: [usize; 2],
    plate: Option<&Plate>,
    mut progress: Progress,
) -> Result<(Layout, Course, Option<Vec<f64>>)> {
    let layout = Layout { interior, dims: process_grid(interior, comm.size())? };
    // Not reordered: rank 0, which has the plate, stays rank 0.
    let cart = comm
        .cartesian(&layout.dims, &[false, false], false)?
        .context("MPI left this rank out of the process grid")?;
    let mut local = share::deal(&cart, layout, plate)?;
    let limits = progress.limits();
    let course = solver::solve(&cart, &mut local, &limits, |step, residual| progress.step(step, residual))?;
    let field = share::gather(&cart, layout, plate, &mut local)?;
    Ok((layout, course, field))
}

/// The same on rank 0 alone: time and result.
fn compute_alone(
    world: &Communicator,
    interior: [usize; 2],
    plate: Option<&Plate>,
    limits: Limits,
) -> Result<Option<(Duration, Vec<f64>)>> {
    let alone = if plate.is_some() {
        let (_, course, field) =
            compute(&Communicator::this_process()?, interior, plate, Progress::none(limits))?;
        field.map(|field| (course.time, field))
    } else {
        None
    };
    wait_asleep(world)?;
    Ok(alone)
}

/// A barrier that leaves the processor to rank 0, where a blocking one would spin.
fn wait_asleep(world: &Communicator) -> mpi::Result<()> {
    world.scope(|s| {
        let mut barrier = s.ibarrier()?;
        while let mpi::request::Test::Pending(request) = barrier.test()? {
            std::thread::sleep(Duration::from_millis(1));
            barrier = request;
        }
        Ok(())
    })
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

fn check_error(n: usize, field: &[f64]) -> Result<()> {
    let (error, bound) = (analytic::error(n, field), analytic::bound(n));
    println!("error          {error:.3e}, the discretization allows {bound:.3e}");
    ensure!(error <= bound, "the result is not the analytic solution");
    Ok(())
}
