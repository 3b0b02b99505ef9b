//! Sets of requests: what a program asks of one in a round, and which request each answer belongs to.

use crate::program::{Finish, Step};
use mpi::Result;
use mpi::request::{Loan, Pending, PendingSet, Request, RequestSet, Test, Way};
use std::collections::BTreeMap;
use std::mem;
use std::task::Poll;

/// The request's index, and what it gives back.
type Indexed<O> = (usize, O);

/// What both kinds of sets can do. `None`: the set is drained. An empty vector: nothing is complete.
pub trait Set {
    type Request;
    type Output;
    fn push(&mut self, request: Self::Request) -> usize;
    fn wait_any(&mut self) -> Result<Option<Indexed<Self::Output>>>;
    fn test_any(&mut self) -> Result<Option<Vec<Indexed<Self::Output>>>>;
    fn wait_some(&mut self) -> Result<Option<Vec<Indexed<Self::Output>>>>;
    fn test_some(&mut self) -> Result<Option<Vec<Indexed<Self::Output>>>>;
    /// Those in the set have these indices.
    fn wait_all(&mut self, indices: Vec<usize>) -> Result<Vec<Indexed<Self::Output>>>;
    fn test_all(&mut self, indices: Vec<usize>) -> Result<Vec<Indexed<Self::Output>>>;
    fn len(&self) -> usize;
}

/// A set, and for each index that is in it the message that the request is one of.
pub struct Shadowed<S> {
    set: S,
    messages: BTreeMap<usize, usize>,
}

impl<S: Set> Shadowed<S> {
    pub fn new(set: S) -> Self {
        Shadowed { set, messages: BTreeMap::new() }
    }

    pub fn push(&mut self, request: S::Request, message: usize) {
        let index = self.set.push(request);
        assert_eq!(self.messages.insert(index, message), None, "an index is used twice at a time");
    }

    /// One step. Gives `check` the message and the output of each that is complete.
    pub fn step(&mut self, step: Step, check: &mut impl FnMut(usize, S::Output)) -> Result<()> {
        let indices = || self.messages.keys().copied().collect::<Vec<_>>();
        let some = match step {
            Step::Nothing => return Ok(()),
            Step::WaitAny(most) => {
                for _ in 0..most {
                    let one = self.set.wait_any()?;
                    self.take(one.map(|one| vec![one]), true, check);
                }
                return Ok(());
            }
            Step::TestAny => self.set.test_any()?,
            Step::WaitSome => self.set.wait_some()?,
            Step::TestSome => self.set.test_some()?,
            Step::WaitAll => {
                let all = self.set.wait_all(indices())?;
                assert_eq!(all.len(), self.messages.len(), "not all");
                Some(all).filter(|all| !all.is_empty())
            }
            Step::TestAll => {
                let all = self.set.test_all(indices())?;
                assert!(all.is_empty() || all.len() == self.messages.len(), "all or none");
                Some(all).filter(|_| !self.messages.is_empty())
            }
        };
        self.take(some, matches!(step, Step::WaitSome | Step::WaitAll), check);
        Ok(())
    }

    /// Takes what is complete off the books. Who waits gets something, unless the set is drained.
    fn take(
        &mut self,
        some: Option<Vec<Indexed<S::Output>>>,
        waited: bool,
        check: &mut impl FnMut(usize, S::Output),
    ) {
        assert_eq!(some.is_none(), self.messages.is_empty(), "`None` says that the set is drained");
        let some = some.unwrap_or_default();
        assert!(!waited || self.messages.is_empty() || !some.is_empty(), "nothing was waited for");
        for (index, output) in some {
            let message = self.messages.remove(&index).expect("a request that is in the set");
            check(message, output);
        }
        assert_eq!(self.set.len(), self.messages.len());
    }

    /// The end of the set.
    pub fn end(mut self, ends: Finish, check: &mut impl FnMut(usize, S::Output)) -> Result<()> {
        match ends {
            Finish::Wait => {
                while !self.messages.is_empty() {
                    self.step(Step::WaitAny(1), check)?;
                }
                self.step(Step::WaitAny(1), check) // a drained set says so
            }
            Finish::Test => {
                while !self.messages.is_empty() {
                    self.step(Step::TestSome, check)?;
                }
                self.step(Step::TestAny, check)
            }
            Finish::Defer => self.step(Step::WaitAll, check),
            Finish::Drop => Ok(()),
            Finish::Forget => {
                mem::forget(self);
                Ok(())
            }
        }
    }
}

impl<'s, L: Loan> Set for RequestSet<'s, L> {
    type Request = Request<'s, L>;
    type Output = L::Output;
    fn push(&mut self, request: Request<'s, L>) -> usize {
        self.push(request)
    }
    fn wait_any(&mut self) -> Result<Option<Indexed<L::Output>>> {
        self.wait_any()
    }
    fn test_any(&mut self) -> Result<Option<Vec<Indexed<L::Output>>>> {
        Ok(match self.test_any()? {
            Poll::Pending => Some(vec![]),
            Poll::Ready(one) => one.map(|one| vec![one]),
        })
    }
    fn wait_some(&mut self) -> Result<Option<Vec<Indexed<L::Output>>>> {
        let mut done = vec![];
        self.wait_some(&mut done)?.map(|_| each(done)).transpose()
    }
    fn test_some(&mut self) -> Result<Option<Vec<Indexed<L::Output>>>> {
        let mut done = vec![];
        self.test_some(&mut done)?.map(|_| each(done)).transpose()
    }
    fn wait_all(&mut self, _: Vec<usize>) -> Result<Vec<Indexed<L::Output>>> {
        self.wait_all().and_then(each)
    }
    fn test_all(&mut self, _: Vec<usize>) -> Result<Vec<Indexed<L::Output>>> {
        match self.test_all()? {
            Poll::Pending => Ok(vec![]),
            Poll::Ready(all) => each(all),
        }
    }
    fn len(&self) -> usize {
        self.len()
    }
}

/// Nothing fails in these programs.
fn each<O>(results: Vec<(usize, Result<O>)>) -> Result<Vec<Indexed<O>>> {
    results.into_iter().map(|(index, result)| Ok((index, result?))).collect()
}

impl<B, W: Way<B>> Set for PendingSet<B, W> {
    type Request = Pending<B, W>;
    type Output = W::Output;
    fn push(&mut self, request: Pending<B, W>) -> usize {
        self.push(request)
    }
    fn wait_any(&mut self) -> Result<Option<Indexed<W::Output>>> {
        Ok(self.wait_any()?)
    }
    fn test_any(&mut self) -> Result<Option<Vec<Indexed<W::Output>>>> {
        Ok(match self.test_any()? {
            Test::Pending(()) => Some(vec![]),
            Test::Done(one) => one.map(|one| vec![one]),
        })
    }
    fn wait_some(&mut self) -> Result<Option<Vec<Indexed<W::Output>>>> {
        Ok(self.wait_some()?)
    }
    fn test_some(&mut self) -> Result<Option<Vec<Indexed<W::Output>>>> {
        Ok(self.test_some()?)
    }
    fn wait_all(&mut self, indices: Vec<usize>) -> Result<Vec<Indexed<W::Output>>> {
        Ok(indices.into_iter().zip(self.wait_all()?).collect())
    }
    fn test_all(&mut self, indices: Vec<usize>) -> Result<Vec<Indexed<W::Output>>> {
        Ok(match self.test_all()? {
            Test::Pending(()) => vec![],
            Test::Done(all) => indices.into_iter().zip(all).collect(),
        })
    }
    fn len(&self) -> usize {
        self.len()
    }
}
