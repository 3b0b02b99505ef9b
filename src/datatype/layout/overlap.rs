//! Whether a layout names an element twice, so that nothing may be received into it.
//!
//! Most layouts tell by their measures: more elements than places overlap, parts that lie beside one another do not. What
//! is interleaved is looked at run by run, which costs no more than the elements there are places for.

use super::node::{Kind, Node, Piece};

/// Whether no element is named twice.
///
/// Takes time in proportion to the elements at most, of which there are no more than places from first to last.
pub(super) fn is_disjoint(node: &Node) -> bool {
    if node.len as i128 > i128::from(node.spread()) {
        return false;
    }
    if node.is_run {
        return true; // also: no elements
    }
    match &node.kind {
        Kind::Element => true,
        Kind::Bounds(of) => is_disjoint(of),
        Kind::Repeat { count, stride, of } => {
            is_disjoint(of) && (are_apart(*count, *stride, of) || is_disjoint_run_by_run(node))
        }
        Kind::Pieces(pieces) => {
            pieces.iter().all(|piece| is_disjoint(&piece.of))
                && ((pieces.iter().all(|piece| are_apart(piece.count, piece.of.extent(), &piece.of))
                    && lie_side_by_side(pieces))
                    || is_disjoint_run_by_run(node))
        }
    }
}

/// Whether each copy ends before the next begins.
fn are_apart(count: usize, stride: i64, of: &Node) -> bool {
    count < 2 || of.len == 0 || stride.abs() >= of.spread()
}

/// Whether no piece reaches into another, as far as first and last elements tell.
fn lie_side_by_side(pieces: &[Piece]) -> bool {
    let hulls = pieces.iter().filter(|piece| piece.of.len > 0).map(|piece| {
        let far = (piece.count as i64 - 1) * piece.of.extent();
        (piece.at + piece.of.first, piece.at + piece.of.last + far)
    });
    are_disjoint(hulls.collect())
}

fn is_disjoint_run_by_run(node: &Node) -> bool {
    let mut runs = Vec::new();
    node.visit(0, &mut |start, len| runs.push((start, start + len as i64)));
    are_disjoint(runs)
}

fn are_disjoint(mut ranges: Vec<(i64, i64)>) -> bool {
    if !ranges.is_sorted() {
        ranges.sort_unstable();
    }
    ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0)
}
