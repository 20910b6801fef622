//! The blocks that an emulator runs, one after the other.

use super::state::State;
use crate::functions::{Function, functions_of};
use crate::shadow::Leak;
use object::Object;

use std::collections::BTreeSet;
use std::path::Path;

/// What is secret in a running program.
pub struct Follower {
    state: State,
    blocks: Vec<Block>,
    /// The block that runs, and its instructions' accesses so far, in order.
    running: Option<usize>,
    accesses: Vec<(usize, u64)>,
    leaks: BTreeSet<(u64, Leak)>,
    found: Vec<(u64, Leak)>,
    functions: Vec<Function>,
    moved: u64,
    count: u64,
}

struct Block {
    /// Addresses of instructions, and themselves.
    steps: Vec<(u64, u32)>,
    /// Which of them secrets went through.
    secret: Vec<bool>,
}

impl core::fmt::Debug for Follower {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Follower")
            .field("leaks", &self.leaks)
            .finish_non_exhaustive()
    }
}

impl Follower {
    /// Of a program whose first instruction is at `entry`; none where the system does not give the
    /// address space.
    #[must_use]
    pub fn new(program: &Path, entry: u64) -> Option<Self> {
        let mut moved = 0;
        let functions = functions_of(program, |file| {
            moved = entry.wrapping_sub(file.entry());
            moved
        });
        Some(Follower {
            state: State::new()?,
            blocks: vec![],
            running: None,
            accesses: vec![],
            leaks: BTreeSet::new(),
            found: vec![],
            functions,
            moved,
            count: 0,
        })
    }

    /// The number of a block of instructions with these addresses.
    pub fn block(&mut self, steps: Vec<(u64, u32)>) -> usize {
        let secret = vec![false; steps.len()];
        self.blocks.push(Block { steps, secret });
        self.blocks.len() - 1
    }

    /// A block runs: the one before it is over. Returns what was found in that one.
    pub fn run(&mut self, block: Option<usize>) -> Vec<(u64, Leak)> {
        if let Some(last) = core::mem::replace(&mut self.running, block) {
            self.follow(last);
            self.accesses.clear();
        }
        core::mem::take(&mut self.found)
    }

    /// An instruction of the block that runs uses an address.
    pub fn accessed(&mut self, step: usize, address: u64) {
        self.accesses.push((step, address));
    }

    fn follow(&mut self, block: usize) {
        let block = &mut self.blocks[block];
        let mut accesses = self.accesses.iter().peekable();
        for (n, (&(at, word), secret)) in block.steps.iter().zip(&mut block.secret).enumerate() {
            let state = &mut self.state;
            state.place = None;
            while let Some((_, address)) = accesses.next_if(|(step, _)| *step == n) {
                state.place = Some(state.place.map_or(*address, |place| place.min(*address)));
            }
            (state.touched, state.accessed) = (false, false);
            state.step(word);
            if state.place.is_some() && !state.accessed {
                state.unknown();
            }
            *secret |= state.touched;
            if let Some(leak) = state.leak.take()
                && self.leaks.insert((at, leak))
            {
                self.found.push((at, leak));
            }
            if word == BEGINS {
                self.leaks.clear();
            }
        }
        self.count += block.steps.len() as u64;
    }

    /// The function that an instruction is in, and its address in the program's file.
    #[must_use]
    pub fn name(&self, at: u64) -> String {
        let after = self.functions.partition_point(|f| f.address <= at);
        let function = after.checked_sub(1).map(|n| &self.functions[n]);
        let name = function.map_or("?", |f| &f.name);
        format!("{:x} in {name}", at.wrapping_sub(self.moved))
    }

    /// The functions, each with the number of its instructions that secrets went through.
    #[must_use]
    pub fn followed(&self) -> Vec<(usize, &str)> {
        let steps = self
            .blocks
            .iter()
            .flat_map(|b| b.steps.iter().zip(&b.secret));
        let secret: BTreeSet<u64> = steps
            .filter(|(_, secret)| **secret)
            .map(|(s, _)| s.0)
            .collect();
        let seen = |f: &Function| secret.range(f.address..f.address + f.size).count();
        let counted = self.functions.iter().map(|f| (seen(f), &*f.name));
        counted.filter(|(seen, _)| *seen > 0).collect()
    }

    /// How many instructions were followed.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// The hint that says that an operation begins: leaks are reported anew.
const BEGINS: u32 = 0xd503_2e5f;
