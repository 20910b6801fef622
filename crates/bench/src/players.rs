//! Those who play in a row: our operation, in this process or in one of its own, and engines'.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use adamant_engine::stopwatch::Stopwatch;
use adamant_ops::{Evictor, Item, Operation, Prepared, Size};

use crate::client::Failure;
use crate::plan::Planned;
use crate::rival::Rival;
use crate::rounds::{Player, Runner};

/// An operation and its inputs.
pub(crate) struct Job<'a> {
    pub(crate) op: &'a dyn Operation,
    pub(crate) size: Size,
    /// The inputs, kept where making them takes long.
    kept: Option<Rc<[Item]>>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(op: &'a dyn Operation, size: Size) -> Self {
        Job {
            op,
            size,
            kept: None,
        }
    }

    pub(crate) fn inputs(&mut self) -> Rc<[Item]> {
        const LONG: Duration = Duration::from_millis(10);
        if let Some(kept) = &self.kept {
            return kept.clone();
        }
        let start = Instant::now();
        let inputs: Rc<[Item]> = self.op.inputs(self.size).into();
        self.kept = (start.elapsed() > LONG).then(|| inputs.clone());
        inputs
    }
}

/// An engine's operation.
pub(crate) struct Remote<'a> {
    rival: &'a mut Rival,
    op: String,
    size: Size,
}

impl<'a> Remote<'a> {
    /// The rival with the operation ready; and what it gives.
    pub(crate) fn new(
        rival: &'a mut Rival,
        job: &Job<'_>,
        inputs: &[Item],
    ) -> Result<(Self, Vec<Item>), Failure> {
        let (op, size) = (job.op.name().to_owned(), job.size);
        let remote = Remote { rival, op, size };
        let client = remote.rival.client()?;
        let outputs = client.check(&remote.op, size, inputs);
        let outputs = remote.rival.settle(outputs)?;
        Ok((remote, outputs))
    }

    /// The same as one that takes part, in the first pass only if it gives what is right.
    pub(crate) fn player(
        rival: &'a mut Rival,
        job: &Job<'_>,
        inputs: &[Item],
        pass: usize,
    ) -> Player<'a> {
        let (remote, outputs) = Self::new(rival, job, inputs)?;
        if pass == 0 {
            job.op
                .judge(job.size, inputs, &outputs)
                .map_err(Failure::Wrong)?;
        }
        Ok(Box::new(remote))
    }
}

impl Drop for Remote<'_> {
    fn drop(&mut self) {
        self.rival.rest();
    }
}

impl Runner for Remote<'_> {
    fn run(&mut self, iterations: u64, expected: Duration) -> Result<Duration, Failure> {
        let client = self.rival.client()?;
        let taken = client.run(&self.op, self.size, iterations, expected);
        self.rival.settle(taken)
    }
}

/// Our side: in a process of its own where it can be, or in this one.
pub(crate) fn ours<'a>(
    own: Option<&'a mut Rival>,
    row: &Planned<'_>,
    job: &Job<'_>,
    inputs: &[Item],
) -> Player<'a> {
    if let Some(Ok((own, _))) = own.map(|own| Remote::new(own, job, inputs)) {
        return Ok(Box::new(own));
    }
    let prepared = row.op.prepare(row.size, inputs, row.forced);
    let mut prepared = prepared.map_err(Failure::Refused)?;
    prepared.run(1);
    Ok(Box::new(Here(prepared)))
}

/// Our operation in this process.
struct Here(Box<dyn Prepared>);

impl Runner for Here {
    fn run(&mut self, iterations: u64, _: Duration) -> Result<Duration, Failure> {
        let watch = Stopwatch::start();
        self.0.run(iterations);
        Ok(watch.elapsed())
    }
}

/// One that finds nothing of its own in the caches.
pub(crate) struct Cold<'a> {
    pub(crate) runner: Box<dyn Runner + 'a>,
    pub(crate) evictor: &'a RefCell<Evictor>,
}

impl Runner for Cold<'_> {
    fn run(&mut self, iterations: u64, expected: Duration) -> Result<Duration, Failure> {
        self.evictor.borrow_mut().evict();
        self.runner.run(iterations, expected)
    }
}
