//! How the engines judge one operation, kind by kind.

use std::collections::BTreeMap;

use adamant_engine::Item;
use adamant_ops::Operation;

use super::Cell;
use super::check::{Check, Votes};
use crate::client::printable;
use crate::unbuilt::{Keys, Kind, Stream, Unbuilt};

/// Items of a batch.
const BATCH: usize = 4;

impl Check {
    /// An operation that we have: our inputs, our judgement.
    pub(super) fn built(&mut self, op: &dyn Operation) {
        let sizes = op.sizes(None, &[BATCH]);
        let size = sizes[sizes.len() / 2];
        let inputs = op.inputs(size);
        let mut cells = BTreeMap::new();
        for engine in self.offering(op.name()) {
            let outputs = self.ask(engine, op.name(), size, &inputs);
            let cell = match outputs.map(|outputs| op.judge(size, &inputs, &outputs)) {
                Ok(Ok(())) => Cell::Agrees(1),
                Ok(Err(sentence)) => {
                    self.finding(
                        op.name(),
                        size.bytes,
                        engine,
                        &format!("by ours, {sentence}"),
                    );
                    Cell::Differs
                }
                Err(sentence) => {
                    self.finding(op.name(), size.bytes, engine, &sentence);
                    Cell::Failed
                }
            };
            cells.insert(engine, cell);
        }
        self.row(op.name(), size.bytes, cells);
    }

    pub(super) fn unbuilt(&mut self, name: &str) {
        let engines = self.offering(name);
        let Some(op) = Unbuilt::named(name) else {
            let failed = engines
                .iter()
                .map(|&engine| (engine, Cell::Unknown))
                .collect();
            let sentence = format!("{name}: nothing is known of its inputs");
            self.result.findings.push(sentence);
            return self.row(name, 0, failed);
        };
        for bytes in op.lengths() {
            let inputs = match self.inputs(&op, name, bytes) {
                Ok(inputs) => inputs,
                Err(sentence) => {
                    self.result.findings.push(format!("{name}: {sentence}"));
                    let failed = engines
                        .iter()
                        .map(|&engine| (engine, Cell::Unknown))
                        .collect();
                    self.row(name, bytes, failed);
                    continue;
                }
            };
            let cells = match &op.kind {
                Kind::Same => self.same(name, bytes, &engines, &inputs),
                Kind::Random { inverse } => {
                    let inverse = op.sibling(inverse);
                    self.random(&op, name, bytes, &engines, &inputs, &inverse)
                }
                Kind::Inverse { forward, .. } => {
                    let forward = op.sibling(forward);
                    self.inverse(&op, name, bytes, &engines, &inputs, &forward)
                }
                Kind::Keygen => self.keygen(&op, name, &engines, inputs.len()),
            };
            self.row(name, bytes, cells);
        }
    }

    /// The inputs, with keys that one of the engines makes.
    fn inputs(&mut self, op: &Unbuilt, name: &str, bytes: usize) -> Result<Vec<Item>, String> {
        let count = if op.is_batch { BATCH } else { 1 };
        let mut inputs = Vec::new();
        for i in 0..count {
            let mut item = op.input(&mut Stream::new(&format!("{name} {i}")), bytes);
            if op.keys != Keys::Stream {
                let pairs = self.pairs(op)?;
                let (own, peer) = (&pairs[i % pairs.len()], &pairs[(i + 1) % pairs.len()]);
                match op.keys {
                    Keys::Stream => {}
                    Keys::Pair => item.extend(own.clone()),
                    Keys::Peers => {
                        item.extend(own.clone());
                        item.insert("peer_public_key".into(), public(peer)?);
                    }
                    Keys::Point => drop(item.insert("point".into(), public(peer)?)),
                }
            }
            inputs.push(item);
        }
        Ok(inputs)
    }

    /// Two pairs of keys for an operation, made by the engine that tells most of them: some give
    /// the seed beside a private key, and some need it.
    fn pairs(&mut self, op: &Unbuilt) -> Result<Vec<Item>, String> {
        let keygens = op.keygens();
        let wanted = keygens.join(", ");
        if let Some(known) = self.keys.get(&wanted) {
            return known.clone();
        }
        let mut pairs: Result<Vec<Item>, _> = Err(format!("no engine makes its keys ({wanted})"));
        for keygen in keygens {
            for engine in self.offering(&keygen) {
                let made = self.outputs(engine, &keygen, 0, &[Item::new(), Item::new()]);
                let fields = |pairs: &Vec<Item>| pairs[0].len();
                let known = pairs.as_ref().map_or(0, fields);
                if made.as_ref().is_ok_and(|made| fields(made) > known) {
                    pairs = made;
                }
            }
        }
        self.keys.insert(wanted, pairs.clone());
        pairs
    }

    /// Determined outputs: everyone votes for those that have the same, on a batch also those that
    /// do one item after another.
    fn same(
        &mut self,
        name: &str,
        bytes: usize,
        engines: &[usize],
        inputs: &[Item],
    ) -> BTreeMap<usize, Cell> {
        let mut cells = BTreeMap::new();
        let mut all: Vec<(usize, Vec<Item>)> = Vec::new();
        for &engine in engines {
            match self.outputs(engine, name, bytes, inputs) {
                Ok(outputs) => all.push((engine, outputs)),
                Err(sentence) => {
                    self.finding(name, bytes, engine, &sentence);
                    cells.insert(engine, Cell::Failed);
                }
            }
        }
        let mut voters = all.clone();
        if let Some(single) = name.strip_suffix("_batch") {
            for engine in self.offering(single) {
                if !engines.contains(&engine)
                    && let Ok(outputs) = self.outputs(engine, single, bytes, inputs)
                {
                    voters.push((engine, outputs));
                }
            }
        }
        for (engine, outputs) in &all {
            let mut votes = Votes::default();
            for (other, theirs) in voters.iter().filter(|(other, _)| other != engine) {
                match difference(outputs, theirs) {
                    None => votes.agree += 1,
                    Some(what) => {
                        let other = self.name(*other);
                        votes
                            .against
                            .push(format!("{what} differs from that of {other}"));
                    }
                }
            }
            let cell = self.judged(name, bytes, *engine, &votes);
            cells.insert(*engine, cell);
        }
        cells
    }

    /// Random outputs: everyone else that can undo or verify them does.
    fn random(
        &mut self,
        op: &Unbuilt,
        name: &str,
        bytes: usize,
        engines: &[usize],
        inputs: &[Item],
        inverse: &str,
    ) -> BTreeMap<usize, Cell> {
        let judges = self.offering(inverse);
        let mut cells = BTreeMap::new();
        for &engine in engines {
            let cell = match self.outputs(engine, name, bytes, inputs) {
                Ok(outputs) => {
                    let mut votes = Votes::default();
                    for judge in others_or_itself(&judges, engine) {
                        let undone = self.undoes(op, judge, inverse, bytes, inputs, &outputs);
                        let name = self.name(judge);
                        votes.count(judge != engine, undone, |why| {
                            format!("{name} refuses it: {why}")
                        });
                    }
                    self.judged(name, bytes, engine, &votes)
                }
                Err(sentence) => {
                    self.finding(name, bytes, engine, &sentence);
                    Cell::Failed
                }
            };
            cells.insert(engine, cell);
        }
        cells
    }

    /// Whether the engine's `inverse` gets back what `outputs` were made from.
    fn undoes(
        &mut self,
        op: &Unbuilt,
        engine: usize,
        inverse: &str,
        bytes: usize,
        inputs: &[Item],
        outputs: &[Item],
    ) -> Result<(), String> {
        let field = match Unbuilt::named(inverse).map(|inverse| inverse.kind) {
            Some(Kind::Inverse { field, .. }) => field,
            _ => return Err(format!("{} cannot be undone", op.algorithm)),
        };
        let mut given = Vec::new();
        let mut expected = Vec::new();
        for (input, output) in inputs.iter().zip(outputs) {
            let mut both = input.clone();
            both.extend(output.clone());
            expected.push(match field {
                "valid" => vec![1],
                _ => both.remove(field).ok_or(format!("{field} is missing"))?,
            });
            given.push(both);
        }
        let found = self.outputs(engine, inverse, bytes, &given)?;
        let fields = found.iter().map(|item| item.get(field));
        if fields.eq(expected.iter().map(Some)) {
            Ok(())
        } else {
            Err(format!("{field} is wrong"))
        }
    }

    /// Operations that undo or verify: everyone else's work is put before them, and a forgery.
    fn inverse(
        &mut self,
        op: &Unbuilt,
        name: &str,
        bytes: usize,
        engines: &[usize],
        inputs: &[Item],
        forward: &str,
    ) -> BTreeMap<usize, Cell> {
        let mut works = Vec::new();
        for maker in self.offering(forward) {
            // Those that fail are told of where the forward operation is checked.
            if let Ok(outputs) = self.outputs(maker, forward, bytes, inputs) {
                works.push((maker, outputs));
            }
        }
        let mut cells = BTreeMap::new();
        for &engine in engines {
            let mut votes = Votes::default();
            let makers: Vec<_> = works.iter().map(|(maker, _)| *maker).collect();
            let makers = others_or_itself(&makers, engine);
            for (maker, outputs) in works.iter().filter(|(maker, _)| makers.contains(maker)) {
                let undone = self.undoes(op, engine, name, bytes, inputs, outputs);
                let maker_name = self.name(*maker);
                votes.count(*maker != engine, undone, |why| {
                    format!("it refuses what {maker_name} made: {why}")
                });
            }
            let mut cell = self.judged(name, bytes, engine, &votes);
            let forged = works
                .iter()
                .find_map(|(_, outputs)| forged(op, inputs, outputs));
            if let (Some((inputs, outputs)), Cell::Agrees(_) | Cell::Alone) = (forged, cell)
                && self
                    .undoes(op, engine, name, bytes, &inputs, &outputs)
                    .is_ok()
            {
                self.finding(name, bytes, engine, "it accepts a forgery");
                cell = Cell::Differs;
            }
            if works.is_empty() {
                self.finding(name, bytes, engine, "no engine makes what it takes");
                cell = Cell::Unknown;
            }
            cells.insert(engine, cell);
        }
        cells
    }

    /// Keys: everyone else puts them to use.
    fn keygen(
        &mut self,
        op: &Unbuilt,
        name: &str,
        engines: &[usize],
        count: usize,
    ) -> BTreeMap<usize, Cell> {
        let mut cells = BTreeMap::new();
        for &engine in engines {
            let cell = match self.outputs(engine, name, 0, &vec![Item::new(); count]) {
                Ok(pairs) => {
                    let mut votes = Votes::default();
                    for user in 0..self.rivals.len() {
                        let Some(worked) = self.works(op, user, &pairs) else {
                            continue;
                        };
                        let name = self.name(user);
                        votes.count(user != engine, worked, |why| {
                            format!("{name} cannot work with its keys: {why}")
                        });
                    }
                    self.judged(name, 0, engine, &votes)
                }
                Err(sentence) => {
                    self.finding(name, 0, engine, &sentence);
                    Cell::Failed
                }
            };
            cells.insert(engine, cell);
        }
        cells
    }

    /// Whether the engine can work with these pairs; `None` where it has nothing to do with them.
    fn works(&mut self, op: &Unbuilt, engine: usize, pairs: &[Item]) -> Option<Result<(), String>> {
        for (forward, inverse) in op.uses() {
            let able = [&forward, &inverse].map(|name| self.offering(name).contains(&engine));
            if able != [true; 2] {
                continue;
            }
            let Some(forward_op) = Unbuilt::named(&forward) else {
                continue;
            };
            let bytes = forward_op.lengths()[0];
            let inputs = pairs.iter().map(|pair| {
                let mut input = forward_op.input(&mut Stream::new(&forward), bytes);
                input.extend(pair.clone());
                input
            });
            let inputs: Vec<_> = inputs.collect();
            let outputs = self.outputs(engine, &forward, bytes, &inputs);
            let undone = outputs
                .and_then(|outputs| self.undoes(op, engine, &inverse, bytes, &inputs, &outputs));
            // Some libraries know only the seed, others only the expanded key.
            let whole = |pair: &Item| {
                ["seed", "private_key"]
                    .iter()
                    .all(|f| pair.contains_key(*f))
            };
            let partial = op.algorithm.starts_with("ml-") && !pairs.iter().all(whole);
            return Some(undone).filter(|undone| undone.is_ok() || !partial);
        }
        let derive = op.sibling("derive");
        if !self.offering(&derive).contains(&engine) {
            return None;
        }
        Some(self.agree(op, engine, &derive, &pairs[0]))
    }

    /// Whether both sides of an agreement, done by this engine, get the same.
    fn agree(
        &mut self,
        op: &Unbuilt,
        engine: usize,
        derive: &str,
        pair: &Item,
    ) -> Result<(), String> {
        let derive_op = Unbuilt::named(derive).ok_or("nothing is known of its inputs")?;
        debug_assert_eq!(derive_op.algorithm, op.algorithm);
        let own = self.pairs(&derive_op)?.swap_remove(0);
        let side = |pair: &Item, peer: &Item| {
            let mut input = pair.clone();
            input.insert("peer_public_key".into(), public(peer)?);
            Ok::<_, String>(input)
        };
        let inputs = [side(pair, &own)?, side(&own, pair)?];
        let secrets = self.outputs(engine, derive, 0, &inputs)?;
        let secret = |i: usize| secrets[i].get("shared_secret");
        match secret(0) {
            Some(found) if Some(found) == secret(1) => Ok(()),
            _ => Err("the sides of an agreement differ".into()),
        }
    }
}

/// The engines but this one, or this one where there is no other.
fn others_or_itself(engines: &[usize], itself: usize) -> Vec<usize> {
    let others = engines.iter().copied().filter(|&engine| engine != itself);
    let others: Vec<_> = others.collect();
    if others.is_empty() {
        engines.to_vec()
    } else {
        others
    }
}

fn public(pair: &Item) -> Result<Vec<u8>, String> {
    let found = pair.get("public_key").cloned();
    found.ok_or_else(|| "a pair of keys has no public_key".into())
}

/// The field in which outputs differ.
fn difference(ours: &[Item], theirs: &[Item]) -> Option<String> {
    let pairs = ours.iter().zip(theirs);
    { pairs }.find_map(|(ours, theirs)| {
        let fields = ours.iter().chain(theirs);
        { fields }
            .find(|(name, _)| ours.get(*name) != theirs.get(*name))
            .map(|(name, _)| printable(name))
    })
}

/// Signed messages, sealed tags and wrapped keys with a bit changed; `None` for what cannot tell a forgery.
fn forged(op: &Unbuilt, inputs: &[Item], outputs: &[Item]) -> Option<(Vec<Item>, Vec<Item>)> {
    let (mut inputs, mut outputs) = (inputs.to_vec(), outputs.to_vec());
    let byte = match op.kind {
        Kind::Inverse { field: "valid", .. } => inputs[0].get_mut("message")?.last_mut()?,
        Kind::Inverse {
            forward: "seal", ..
        } => outputs[0].get_mut("tag")?.first_mut()?,
        Kind::Inverse {
            forward: "wrap", ..
        } => outputs[0].get_mut("ciphertext")?.first_mut()?,
        _ => return None,
    };
    *byte ^= 1;
    Some((inputs, outputs))
}
