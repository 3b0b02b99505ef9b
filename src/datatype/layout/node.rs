//! What a layout says: a tree of repetitions and pieces, measured in elements, in 128-bit arithmetic.
//!
//! All of MPI's constructors come down to four kinds of node. The measures are MPI's own (MPI 4.1 §5.1.7): bounds, which
//! `resized` can set, and the true bounds of what is there.

use std::rc::Rc;

/// How far a layout may reach from its origin, in bytes: differences of two such places fit an address difference.
const FARTHEST: i128 = (isize::MAX / 2) as i128;
/// How deep layouts of layouts may be nested: what walks the tree does so on the stack.
pub(super) const DEEPEST: u8 = 64;

/// Why there is no such layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It reaches farther than addresses do, or has more elements.
    Far,
    /// It is nested deeper than [`DEEPEST`].
    Deep,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// One element.
    Element,
    /// Copies of a layout, `stride` elements apart.
    Repeat { count: usize, stride: i64, of: Rc<Node> },
    /// Rows of copies, each row at a place.
    Pieces(Box<[Piece]>),
    /// A layout with other bounds.
    Bounds(Rc<Node>),
}

/// `count` copies of a layout, one extent apart, the first one at `at`.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub at: i64,
    pub count: usize,
    pub of: Rc<Node>,
}

/// A layout and its measures, in elements.
#[derive(Debug)]
pub(super) struct Node {
    pub kind: Kind,
    /// How many elements.
    pub len: usize,
    pub lower: i64,
    pub upper: i64,
    /// Where the first element begins; 0 if there is none.
    pub first: i64,
    /// Where the last one ends; 0 if there is none.
    pub last: i64,
    /// The bounds were set: they go before those of parts whose bounds were not (MPI 4.1 §5.1.7).
    marked: bool,
    /// Neither elements nor bounds that were set: it has no part in the bounds of what it is in.
    blank: bool,
    /// The elements follow one another without a gap, in the order in which they travel.
    pub is_run: bool,
    pub depth: u8,
}

/// Measures on the way, wide enough for whatever the numbers are.
#[derive(Clone, Copy)]
struct Wide {
    len: i128,
    lower: i128,
    upper: i128,
    first: i128,
    last: i128,
    marked: bool,
    blank: bool,
    is_run: bool,
}

impl Wide {
    const BLANK: Wide =
        Wide { len: 0, lower: 0, upper: 0, first: 0, last: 0, marked: false, blank: true, is_run: true };

    fn of(node: &Node) -> Wide {
        Wide {
            len: node.len as i128,
            lower: node.lower.into(),
            upper: node.upper.into(),
            first: node.first.into(),
            last: node.last.into(),
            marked: node.marked,
            blank: node.blank,
            is_run: node.is_run,
        }
    }

    /// Moved by `at`.
    fn moved(self, at: i128) -> Option<Wide> {
        let (first, last) = match self.len {
            0 => (0, 0),
            _ => (self.first.checked_add(at)?, self.last.checked_add(at)?),
        };
        Some(Wide {
            lower: self.lower.checked_add(at)?,
            upper: self.upper.checked_add(at)?,
            first,
            last,
            ..self
        })
    }

    /// Two of them, one after the other on their way.
    fn joined(self, next: Wide) -> Option<Wide> {
        if self.blank || next.blank {
            return Some(if self.blank { next } else { self });
        }
        let (lower, upper) = match (self.marked, next.marked) {
            (true, false) => (self.lower, self.upper),
            (false, true) => (next.lower, next.upper),
            _ => (self.lower.min(next.lower), self.upper.max(next.upper)),
        };
        let (first, last) = match (self.len, next.len) {
            (_, 0) => (self.first, self.last),
            (0, _) => (next.first, next.last),
            _ => (self.first.min(next.first), self.last.max(next.last)),
        };
        let follows = self.len == 0 || next.len == 0 || self.last == next.first;
        Some(Wide {
            len: self.len.checked_add(next.len)?,
            lower,
            upper,
            first,
            last,
            marked: self.marked || next.marked,
            blank: false,
            is_run: self.is_run && next.is_run && follows,
        })
    }

    /// `count` copies, `stride` apart.
    fn repeated(self, count: usize, stride: i128) -> Option<Wide> {
        if count == 0 || self.blank {
            return Some(Wide::BLANK);
        }
        let far = stride.checked_mul(count as i128 - 1)?;
        let (low, high) = (self.moved(far.min(0))?, self.moved(far.max(0))?);
        let dense = count == 1 || self.len == 0 || stride == self.last - self.first;
        Some(Wide {
            len: self.len.checked_mul(count as i128)?,
            lower: low.lower,
            upper: high.upper,
            first: low.first,
            last: high.last,
            is_run: self.is_run && dense,
            ..self
        })
    }
}

impl Node {
    /// One element.
    pub(super) fn element() -> Node {
        Node {
            kind: Kind::Element,
            len: 1,
            lower: 0,
            upper: 1,
            first: 0,
            last: 1,
            marked: false,
            blank: false,
            is_run: true,
            depth: 0,
        }
    }

    /// `count` copies, `stride` elements apart. `size` is that of an element, in bytes.
    pub(super) fn repeat(
        of: &Rc<Node>,
        count: usize,
        stride: i128,
        size: usize,
    ) -> Result<Rc<Node>, Refusal> {
        // One copy has no stride, whatever is said of it.
        let stride = if count < 2 { 0 } else { stride };
        let wide = Wide::of(of).repeated(count, stride).ok_or(Refusal::Far)?;
        let narrow = i64::try_from(stride).map_err(|_| Refusal::Far)?;
        Node::measured(Kind::Repeat { count, stride: narrow, of: of.clone() }, wide, of.depth, size)
    }

    /// Rows of copies at places that are not known to fit yet.
    pub(super) fn pieces(
        parts: impl Iterator<Item = (i128, usize, Rc<Node>)>,
        size: usize,
    ) -> Result<Rc<Node>, Refusal> {
        let (mut all, mut depth, mut pieces) = (Wide::BLANK, 0, Vec::new());
        for (at, count, of) in parts {
            let piece = Wide::of(&of).repeated(count, of.extent().into()).ok_or(Refusal::Far)?;
            if piece.blank {
                continue;
            }
            all = piece.moved(at).and_then(|piece| all.joined(piece)).ok_or(Refusal::Far)?;
            let at = i64::try_from(at).map_err(|_| Refusal::Far)?;
            depth = depth.max(of.depth);
            pieces.push(Piece { at, count, of });
        }
        Node::measured(Kind::Pieces(pieces.into()), all, depth, size)
    }

    /// The same with other bounds.
    pub(super) fn bounded(of: &Rc<Node>, lower: i128, upper: i128, size: usize) -> Result<Rc<Node>, Refusal> {
        let wide = Wide { lower, upper, marked: true, blank: false, ..Wide::of(of) };
        Node::measured(Kind::Bounds(of.clone()), wide, of.depth, size)
    }

    /// A node that is no farther and no deeper than may be.
    fn measured(kind: Kind, wide: Wide, below: u8, size: usize) -> Result<Rc<Node>, Refusal> {
        if below >= DEEPEST {
            return Err(Refusal::Deep);
        }
        let farthest = FARTHEST / size.max(1) as i128;
        let near = |place: i128| match i64::try_from(place) {
            Ok(near) if place.abs() <= farthest => Ok(near),
            _ => Err(Refusal::Far),
        };
        // In bytes too, however often they are the same ones.
        let most = isize::MAX as usize / size.max(1);
        let len = usize::try_from(wide.len).ok().filter(|&len| len <= most);
        Ok(Rc::new(Node {
            kind,
            len: len.ok_or(Refusal::Far)?,
            lower: near(wide.lower)?,
            upper: near(wide.upper)?,
            first: near(wide.first)?,
            last: near(wide.last)?,
            marked: wide.marked,
            blank: wide.blank,
            is_run: wide.is_run,
            depth: below + 1,
        }))
    }

    /// From bound to bound.
    pub(super) fn extent(&self) -> i64 {
        self.upper - self.lower
    }

    /// From the first element to the end of the last.
    pub(super) fn spread(&self) -> i64 {
        self.last - self.first
    }

    /// Calls `f` with start and length of each run of elements, in the order in which they travel.
    pub(super) fn visit(&self, base: i64, f: &mut dyn FnMut(i64, usize)) {
        if self.len == 0 {
            return;
        }
        if self.is_run {
            return f(base + self.first, self.len);
        }
        match &self.kind {
            Kind::Element => f(base, 1),
            Kind::Bounds(of) => of.visit(base, f),
            Kind::Repeat { count, stride, of } => {
                (0..*count as i64).for_each(|i| of.visit(base + i * stride, f));
            }
            Kind::Pieces(pieces) => {
                for Piece { at, count, of } in pieces {
                    (0..*count as i64).for_each(|i| of.visit(base + at + i * of.extent(), f));
                }
            }
        }
    }
}
