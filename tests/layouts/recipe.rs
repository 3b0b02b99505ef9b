//! Random layouts of layouts: each as a program for this crate, and as one for the model.

use crate::model::{Map, Share};
use mpi::Result;
use mpi::datatype::{Distribution, Layout, Order};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::ops::Range;

/// The element of all layouts here: of more than one byte, so that a distance in the wrong unit shows.
pub type Element = u32;
const BYTES: isize = size_of::<Element>() as isize;

/// A constructor and what it is applied to. All distances are in elements or extents.
#[derive(Clone, Debug)]
pub enum Recipe {
    Element,
    Contiguous(usize, Box<Recipe>),
    Vector([usize; 2], isize, bool, Box<Recipe>),
    Indexed(Vec<(usize, isize)>, bool, Box<Recipe>),
    IndexedBlock(usize, Vec<isize>, bool, Box<Recipe>),
    Structure(Vec<(usize, isize, Recipe)>),
    Subarray(Vec<(usize, Range<usize>)>, Order, Box<Recipe>),
    Darray(usize, Vec<(usize, Distribution, usize)>, Order, Box<Recipe>),
    Resized(isize, usize, Box<Recipe>),
    Dup(Box<Recipe>),
}
use Recipe::*;

impl Recipe {
    pub fn layout(&self) -> Result<Layout<Element>> {
        let bytes =
            |blocks: &[(usize, isize)]| blocks.iter().map(|&(n, at)| (n, at * BYTES)).collect::<Vec<_>>();
        match self {
            Element => Ok(Layout::element()),
            Contiguous(n, of) => of.layout()?.contiguous(*n),
            Vector([n, block], stride, false, of) => of.layout()?.vector(*n, *block, *stride),
            Vector([n, block], stride, true, of) => of.layout()?.hvector(*n, *block, *stride * BYTES),
            Indexed(blocks, false, of) => of.layout()?.indexed(blocks),
            Indexed(blocks, true, of) => of.layout()?.hindexed(&bytes(blocks)),
            IndexedBlock(n, places, false, of) => of.layout()?.indexed_block(*n, places),
            IndexedBlock(n, places, true, of) => {
                let places: Vec<isize> = places.iter().map(|at| at * BYTES).collect();
                of.layout()?.hindexed_block(*n, &places)
            }
            Structure(parts) => {
                let layouts = parts.iter().map(|(n, at, of)| Ok((*n, at * BYTES, of.layout()?)));
                let layouts = layouts.collect::<Result<Vec<_>>>()?;
                let parts: Vec<_> = layouts.iter().map(|(n, at, of)| (*n, *at, of)).collect();
                Layout::structure(&parts)
            }
            Subarray(dims, order, of) => of.layout()?.subarray(dims, *order),
            Darray(rank, dims, order, of) => {
                let ranks = dims.iter().map(|(.., ranks)| ranks).product();
                of.layout()?.darray(ranks, *rank, dims, *order)
            }
            Resized(lower, extent, of) => of.layout()?.resized(lower * BYTES, extent * BYTES as usize),
            Dup(of) => of.layout().map(|of| of.dup()),
        }
    }

    pub fn map(&self) -> Map {
        let row = |of: &Map, blocks: &[(usize, isize)], unit: i64| {
            let rows = blocks.iter().map(|&(n, at)| of.row(at as i64 * unit, n));
            rows.fold(Map::default(), Map::and)
        };
        match self {
            Element => Map::element(),
            Contiguous(n, of) => of.map().row(0, *n),
            Vector([n, block], stride, in_bytes, of) => {
                let of = of.map();
                let unit = if *in_bytes { 1 } else { of.extent() };
                of.row(0, *block).at((0..*n as i64).map(|i| i * *stride as i64 * unit))
            }
            Indexed(blocks, in_bytes, of) => {
                let of = of.map();
                row(&of, blocks, if *in_bytes { 1 } else { of.extent() })
            }
            IndexedBlock(n, places, in_bytes, of) => {
                let of = of.map();
                let blocks: Vec<_> = places.iter().map(|&at| (*n, at)).collect();
                row(&of, &blocks, if *in_bytes { 1 } else { of.extent() })
            }
            Structure(parts) => {
                let rows = parts.iter().map(|(n, at, of)| of.map().row(*at as i64, *n));
                rows.fold(Map::default(), Map::and)
            }
            Subarray(dims, order, of) => of.map().subarray(dims, *order),
            Darray(rank, dims, order, of) => {
                of.map().darray(*rank, &dims.iter().map(share).collect::<Vec<_>>(), *order)
            }
            Resized(lower, extent, of) => of.map().resized(*lower as i64, *extent as i64),
            Dup(of) => of.map(),
        }
    }
}

/// A dimension with the block that the standard's defaults mean.
fn share(&(size, distribution, ranks): &(usize, Distribution, usize)) -> Share {
    let block = match distribution {
        Distribution::Block(block) => block.unwrap_or(size.div_ceil(ranks)),
        Distribution::Cyclic(block) => block.unwrap_or(1),
        Distribution::Undivided => size,
    };
    (size, block, ranks)
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::C), Just(Order::Fortran)]
}

fn dimension() -> impl Strategy<Value = (usize, Range<usize>)> {
    (1usize..4, 0usize..4, 0usize..4).prop_map(|(size, a, b)| {
        let (a, b) = (a.min(size), b.min(size));
        (size, a.min(b)..a.max(b))
    })
}

fn dealt() -> impl Strategy<Value = (usize, Distribution, usize)> {
    (1usize..6, 1usize..4, 0usize..4, prop::option::of(1usize..4)).prop_map(|(size, ranks, kind, block)| {
        let enough = block.map(|block| block.max(size.div_ceil(ranks)));
        match kind {
            0 => (size, Distribution::Block(enough), ranks),
            1 => (size, Distribution::Undivided, 1),
            _ => (size, Distribution::Cyclic(block), ranks),
        }
    })
}

fn recipe() -> impl Strategy<Value = Recipe> {
    Just(Element).prop_recursive(3, 12, 3, |inner| {
        let of = || inner.clone().prop_map(Box::new);
        let place = -3isize..6;
        let dealt = (vec(dealt(), 1..4), 0usize..64);
        prop_oneof![
            (0usize..4, of()).prop_map(|(n, of)| Contiguous(n, of)),
            ([0usize..4, 0usize..4], -4isize..5, any::<bool>(), of())
                .prop_map(|(counts, stride, in_bytes, of)| Vector(counts, stride, in_bytes, of)),
            (vec((0usize..3, place.clone()), 0..4), any::<bool>(), of())
                .prop_map(|(blocks, in_bytes, of)| Indexed(blocks, in_bytes, of)),
            (0usize..3, vec(place.clone(), 0..4), any::<bool>(), of())
                .prop_map(|(n, places, in_bytes, of)| IndexedBlock(n, places, in_bytes, of)),
            vec((0usize..3, place.clone(), inner.clone()), 0..4).prop_map(Structure),
            (vec(dimension(), 1..4), order(), of()).prop_map(|(dims, order, of)| Subarray(dims, order, of)),
            (dealt, order(), of()).prop_map(|((dims, rank), order, of)| {
                let ranks: usize = dims.iter().map(|(.., ranks)| ranks).product();
                Darray(rank % ranks, dims, order, of)
            }),
            (place, 0usize..6, of()).prop_map(|(lower, extent, of)| Resized(lower, extent, of)),
            of().prop_map(Dup),
        ]
    })
}

/// `n` layouts that are not too large to look at, the same ones on every rank.
pub fn recipes(n: usize) -> impl Iterator<Item = (Recipe, Map)> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[23; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let drawn = std::iter::repeat_with(move || {
        let recipe = recipe().new_tree(&mut runner).expect("nothing is rejected").current();
        let map = recipe.map();
        (recipe, map)
    });
    drawn.filter(|(_, map)| map.places.len() < 3000).take(n)
}
