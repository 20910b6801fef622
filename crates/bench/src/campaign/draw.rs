//! The cases: a length, a batch and its inputs, which follow from the seed, the operation's name and
//! the case's number.
//!
//! Lengths lie around the steps of the implementations, at zero and at random, mostly short ones; one
//! that the operation refuses stays as it is now and then, and is another otherwise. Inputs are random
//! bytes, or nearly all zeros or ones; where outputs are determined, a third of the cases is changed: bits
//! of some items, or a field of one in another's place, so that verifications, openings and batches meet
//! forgeries in random places.
//!
//! Keys cost more than what is done with them. So items with keys are drawn for [`EPOCH`] cases
//! together, a few of them, of which each case has some; what is signed is drawn for each case.

use std::collections::BTreeMap;

use adamant::hash::Sha256;
use adamant_engine::{Item, Size};
use adamant_ops::Length;
use adamant_ops::select::is_slow;
use adamant_tool::select::matches;

use super::subject::{Outcome, Subject, has_panicked, outcome, refuses};

/// Items of a batch, at most.
const MOST: usize = 20;
/// The longest message.
const LONGEST: usize = 4200;
/// Longer messages of large batches, and longer keys to be wrapped, are rare.
const LONG: usize = 600;
/// Cases whose keys are drawn together.
const EPOCH: u64 = 32;
/// Of the lengths that an operation refuses, one of so many is a case.
const REFUSED: usize = 8;
/// How often an item of a batch that cannot be read is changed anew: what is refused before it is
/// looked at says nothing of the batch.
const TRIES: usize = 4;

/// What a case of an operation costs: by its name, so that every machine has the same cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    #[default]
    /// Up to about 200 µs on the best implementation of a fast CPU.
    Cheap,
    /// Up to some milliseconds: curves of other primes than 2^255 - 19, batches of public keys.
    Middle,
    /// Up to hundreds of milliseconds.
    Dear,
    /// Seconds, on some implementation or to draw inputs.
    Slow,
}

impl Class {
    pub(super) fn of(name: &str) -> Self {
        const SLOW: &[&str] = &["rsa-*/keygen*", "slh-dsa-*s/*"];
        // Password hashes have a small part of their usual costs.
        const DEAR: &[&str] = &[
            "argon2*",
            "dh-*",
            "ml-dsa-*",
            "pbkdf2-*",
            "rsa-*",
            "slh-dsa-*",
        ];
        const MIDDLE: &[&str] = &[
            "*25519/*_batch",
            "*25519/msm*",
            "*mlkem*",
            "brainpool*",
            "ec*",
            "ed448/*",
            "ml-kem-*_batch",
            "p???/*",
            "pki/*",
            "ristretto255/*_batch",
            "ristretto255/msm*",
            "scrypt/*",
            "secp*",
            "sm2/*",
            "x-wing/*",
            "x448/*",
            "x509/validate*",
        ];
        let is_of = |patterns: &[&str]| patterns.iter().any(|pattern| matches(pattern, name));
        if is_of(SLOW) || is_slow(name) && !name.starts_with("argon2") {
            Class::Slow
        } else if is_of(DEAR) {
            Class::Dear
        } else if is_of(MIDDLE) {
            Class::Middle
        } else {
            Class::Cheap
        }
    }

    /// The items of a batch: up to twenty, mostly few where they are dear.
    fn batch(self, numbers: &mut Numbers) -> usize {
        let (often, few) = match self {
            Class::Cheap => (2, 5),
            Class::Middle => (4, 5),
            Class::Dear => (8, 4),
            Class::Slow => (usize::MAX, 2),
        };
        let most = if numbers.one_in(often) { MOST } else { few };
        1 + numbers.below(most)
    }

    /// How many items with keys there are for the cases of an epoch.
    fn pool(self) -> usize {
        match self {
            Class::Cheap | Class::Middle => 12,
            Class::Dear => 4,
            Class::Slow => 2,
        }
    }
}

/// A size and inputs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Case {
    pub(super) size: Size,
    pub(super) inputs: Vec<Item>,
    /// Whether they were changed.
    pub(super) is_changed: bool,
    /// Whether a public key was, beside its private one: no longer what outputs are judged by.
    pub(super) is_parted: bool,
}

/// Items with keys, for the cases of an epoch.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// Whether the same inputs give the same outputs.
    is_determined: bool,
    /// Whether the operation has keys.
    has_keys: bool,
    epoch: u64,
    bytes: usize,
    items: BTreeMap<usize, Item>,
}

/// Numbers that follow from a name.
pub(super) struct Numbers(u64);

impl Numbers {
    fn new(name: &str) -> Self {
        let digest = Sha256::digest(name.as_bytes());
        let (first, _) = digest.split_first_chunk().expect("32 bytes");
        Numbers(u64::from_be_bytes(*first))
    }

    /// The next one, by SplitMix64 (Steele, Lea and Flood, 2014).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }

    /// A length: at random, around a power of two, or around a step of an implementation.
    fn length(&mut self, steps: &[usize]) -> usize {
        let around = match self.below(8) {
            0 => return self.below(LONGEST),
            1..=3 => return self.below(70),
            4 | 5 if !steps.is_empty() => steps[self.below(steps.len())] * (1 + self.below(3)),
            _ => 1 << self.below(13),
        };
        (around + self.below(3)).saturating_sub(1).min(LONGEST)
    }

    /// The part of ones among the bits of inputs.
    fn ones(&mut self) -> Option<f64> {
        let all = [
            None,
            None,
            None,
            Some(0.0),
            Some(1.0),
            Some(0.02),
            Some(0.98),
        ];
        all[self.below(all.len())]
    }
}

impl Subject<'_> {
    /// The case of this number, and what the best implementation makes of it.
    pub(super) fn draw(&self, seed: u64, number: u64, pool: &mut Pool) -> (Case, Outcome) {
        let mut numbers = Numbers::new(&format!("{} {seed} {number}", self.name()));
        let batch = match self.op.is_batch() {
            true => self.class.batch(&mut numbers),
            false => 1,
        };
        let (case, best) = match pool.has_keys {
            true => self.pooled(seed, number, batch, &mut numbers, pool),
            false => {
                let bytes = self.length(batch, &mut numbers);
                let ones = numbers.ones();
                let is_exact = numbers.one_in(REFUSED);
                let size = Size { bytes, batch };
                self.drawn(size, is_exact, &format!("{seed} {number}"), ones)
            }
        };
        if !pool.is_determined || !numbers.one_in(3) {
            return (case, best);
        }
        let mut changed = case.clone();
        let mut tried = Err(String::new());
        for _ in 0..TRIES {
            changed = case.clone();
            let count = match numbers.one_in(2) {
                true => 1,
                false => 1 + numbers.below(batch),
            };
            (0..count).for_each(|_| changed.change(&mut numbers));
            tried = outcome(self.op, changed.size, &changed.inputs, None);
            if tried.is_ok() || has_panicked(&tried) || batch == 1 || numbers.one_in(4) {
                break;
            }
        }
        match changed.is_changed {
            true => (changed, tried),
            false => (case, best),
        }
    }

    fn length(&self, batch: usize, numbers: &mut Numbers) -> usize {
        let bytes = match self.op.length() {
            Length::None => return 0,
            Length::Message | Length::Output => numbers.length(&self.steps),
        };
        // Keys are wrapped by six passes over them.
        let is_short = batch > 4 || self.name().contains("-kw");
        match is_short && !numbers.one_in(8) {
            true => bytes % LONG,
            false => bytes,
        }
    }

    /// What is known of the operation from one item, which is in the pool of the first epoch.
    pub(super) fn pool(&self, seed: u64) -> Pool {
        let size = self.op.sizes(None, &[1])[0];
        let (case, first) = self.drawn(size, false, &format!("{seed} 0"), None);
        let again = || outcome(self.op, case.size, &case.inputs, None);
        let keys = ["private_key", "public_key", "peer_public_key"];
        Pool {
            is_determined: first.is_ok() && first == again(),
            has_keys: keys.iter().any(|key| case.inputs[0].contains_key(*key)),
            epoch: 0,
            bytes: case.size.bytes,
            items: case.inputs.into_iter().enumerate().collect(),
        }
    }

    /// A case whose items come from those that this epoch has.
    fn pooled(
        &self,
        seed: u64,
        number: u64,
        batch: usize,
        numbers: &mut Numbers,
        pool: &mut Pool,
    ) -> (Case, Outcome) {
        let epoch = number / EPOCH;
        if pool.epoch != epoch {
            let mut common = Numbers::new(&format!("{} {seed} epoch {epoch}", self.name()));
            let bytes = self.length(1, &mut common);
            let is_exact = common.one_in(REFUSED);
            let size = Size { bytes, batch: 1 };
            let (first, _) = self.drawn(size, is_exact, &format!("{seed} {epoch}"), None);
            let Case { size, inputs, .. } = first;
            (pool.epoch, pool.bytes) = (epoch, size.bytes);
            pool.items = inputs.into_iter().enumerate().collect();
        }
        let mut bytes = pool.bytes;
        let mut inputs = Vec::new();
        for _ in 0..batch {
            let place = numbers.below(self.class.pool());
            let item = pool.items.entry(place).or_insert_with(|| {
                let name = format!("{seed} {epoch} {place}");
                let ones = Numbers::new(&format!("{} {name}", self.name())).ones();
                self.op.draw_judged(bytes, &name, ones)
            });
            inputs.push(item.clone());
        }
        let what = self.name().rsplit_once('/').map(|(_, what)| what);
        if what.is_some_and(|what| what.starts_with("sign")) {
            bytes = self.length(batch, numbers);
            for item in &mut inputs {
                item.insert("message".into(), numbers.bytes(bytes));
            }
        }
        let case = Case::new(Size { bytes, batch }, inputs);
        let best = outcome(self.op, case.size, &case.inputs, None);
        (case, best)
    }

    /// Inputs of this size and what the best implementation makes of them; unless the size is exact,
    /// of whole blocks or a short message where it refuses these.
    pub(super) fn drawn(
        &self,
        size: Size,
        is_exact: bool,
        name: &str,
        ones: Option<f64>,
    ) -> (Case, Outcome) {
        let of = |bytes| {
            let size = Size { bytes, ..size };
            let item = |i| self.op.draw_judged(bytes, &format!("{name} {i}"), ones);
            let case = Case::new(size, (0..size.batch).map(item).collect());
            let best = outcome(self.op, size, &case.inputs, None);
            (case, best)
        };
        let mut drawn = of(size.bytes);
        for bytes in [size.bytes / 16 * 16 + 16, size.bytes % 64] {
            if is_exact || has_panicked(&drawn.1) || !refuses(&drawn.1) {
                break;
            }
            drawn = of(bytes);
        }
        drawn
    }
}

/// Fields that are not changed: numbers that say how long to work, and the parts of private keys,
/// which belong together.
fn is_kept(item: &Item, name: &str) -> bool {
    const KEPT: &[&str] = &[
        "private_key",
        "iterations",
        "n",
        "r",
        "p",
        "memory",
        "passes",
        "lanes",
    ];
    KEPT.contains(&name) || name == "seed" && item.contains_key("private_key")
}

impl Pool {
    pub(super) fn is_determined(&self) -> bool {
        self.is_determined
    }
}

impl Case {
    pub(super) fn new(size: Size, inputs: Vec<Item>) -> Self {
        Case {
            size,
            inputs,
            is_changed: false,
            is_parted: false,
        }
    }

    /// Changes a bit of a field of an item, or puts another item's field there.
    fn change(&mut self, numbers: &mut Numbers) {
        let at = numbers.below(self.inputs.len());
        let from = match numbers.one_in(4) {
            true => numbers.below(self.inputs.len()),
            false => at,
        };
        let other = self.inputs[from].clone();
        let item = &mut self.inputs[at];
        let is_open = |(name, value): &(&String, &Vec<u8>)| {
            !is_kept(item, name) && !value.is_empty() && other.contains_key(*name)
        };
        let names: Vec<_> = { item.iter() }
            .filter(is_open)
            .map(|(name, _)| name.clone())
            .collect();
        if names.is_empty() {
            return;
        }
        let name = &names[numbers.below(names.len())];
        let has_private = item.contains_key("private_key");
        let Some(value) = item.get_mut(name) else {
            return;
        };
        if other.get(name).is_some_and(|theirs| theirs != value) {
            value.clone_from(&other[name]);
        } else {
            let byte = numbers.below(value.len());
            value[byte] ^= 1 << numbers.below(8);
        }
        self.is_changed = true;
        self.is_parted |= name == "public_key" && has_private;
    }

    /// The fields of an item that may be other than they are.
    pub(super) fn open_fields(&self, item: usize) -> Vec<String> {
        let item = &self.inputs[item];
        let has_private = item.contains_key("private_key");
        let is_part = |name: &String| has_private && name == "public_key";
        let is_open = |name: &&String| !(is_kept(item, name) || is_part(name));
        item.keys().filter(is_open).cloned().collect()
    }
}
