//! Timed runs under secrets of every class, in random order.
//!
//! Every sample has a prepared state of its own, made from an item that was put together the same
//! way whatever its class, from secrets that lie in as many places, so that neither caches nor
//! allocators can tell the classes apart. A group of states is prepared, then each runs once; the
//! next group gets new places in memory.

use std::time::{Duration, Instant};

use adamant::Rng;
use adamant::rand::FastRng;

use super::secrets::{exchange, fresh, secrets, weight};
use super::statistics::{Class, Sample};
use crate::{Effort, Item, Operation, Size, time};

/// Different secrets of a class, if memory and time allow.
const DONORS: usize = 2000;

/// Bytes of the secrets that are kept to choose from.
const DONOR_BYTES: usize = 1 << 24;

/// The most states that wait at once, and about how many bytes they may have.
const GROUP: usize = 300;
const GROUP_BYTES: usize = 1 << 20;

/// An operation with the secrets that it will get.
pub(super) struct Subject<'a> {
    op: &'a dyn Operation,
    size: Size,
    backend: Option<&'a str>,
    secrets: Vec<&'static str>,
    fresh: Option<&'static str>,
    base: Vec<Item>,
    /// Each item of the batch, and that again and again.
    fixed: Vec<Item>,
    random: Vec<Item>,
    /// From light to heavy.
    weighed: Vec<Item>,
}

impl<'a> Subject<'a> {
    /// Draws the secrets, in no more than about `limit`.
    pub(super) fn new(
        op: &'a dyn Operation,
        size: Size,
        backend: Option<&'a str>,
        limit: Duration,
    ) -> Result<Self, String> {
        let secrets = secrets(op)?;
        let base = op.inputs(size);
        let fixed = (0..size.batch).map(|i| op.draw(size.bytes, &format!("fixed {i}"), None));
        let fixed: Vec<_> = fixed.collect();
        let most = DONORS.min(DONOR_BYTES / (size.bytes + 256)).max(2);
        let start = Instant::now();
        let (mut random, mut weighed) = (Vec::new(), Vec::new());
        while random.len() < most && (random.len() < 2 || start.elapsed() < limit) {
            let i = random.len();
            // Parts of ones spread evenly over [1/16, 15/16], whatever the number of donors.
            let part = (i as f64 * GOLDEN).fract();
            random.push(op.draw(size.bytes, &format!("random {i}"), None));
            let ones = Some((1.0 + 14.0 * part) / 16.0);
            weighed.push(op.draw(size.bytes, &format!("weighed {i}"), ones));
        }
        weighed.sort_by_cached_key(|donor| weight(donor, &secrets));
        // As many copies: what is always read from one place leaves more of the caches to the rest.
        let copies = random.len().div_ceil(fixed.len());
        let fixed = fixed.iter().cycle().take(copies * fixed.len());
        let fixed = fixed.cloned().collect();
        Ok(Subject {
            op,
            size,
            backend,
            secrets,
            fresh: fresh(op),
            base,
            fixed,
            random,
            weighed,
        })
    }

    /// The names of the secrets.
    pub(super) fn secrets(&self) -> &[&'static str] {
        &self.secrets
    }

    /// Inputs with secrets of this class.
    fn inputs(&self, class: Class, rng: &mut FastRng) -> Result<Vec<Item>, String> {
        // Items of a batch have neighbouring weights, so that weights of batches spread as well.
        let place = below(rng, self.weighed.len())?;
        let mut inputs = Vec::with_capacity(self.base.len());
        for (i, item) in self.base.iter().enumerate() {
            let other = below(rng, self.random.len())?;
            let copy = below(rng, self.fixed.len() / self.base.len())?;
            let donor = match class {
                Class::Fixed => &self.fixed[copy * self.base.len() + i],
                Class::Random => &self.random[other],
                Class::Weighed => &self.weighed[(place + i).min(self.weighed.len() - 1)],
            };
            let mut input = exchange(item, donor, &self.secrets);
            if let Some(field) = self.fresh.and_then(|name| input.get_mut(name)) {
                rng.fill(field).map_err(|e| e.to_string())?;
            }
            inputs.push(input);
        }
        Ok(inputs)
    }

    /// Timed runs: as many as the effort says, or about as long.
    pub(super) fn samples(&self, effort: Effort) -> Result<(Vec<Sample>, &'static str), String> {
        let (most, limit) = match effort {
            Effort::Iterations(samples) => (samples as usize, Duration::MAX),
            Effort::Seconds(seconds) => {
                let seconds = seconds.clamp(1e-3, 1e5);
                (usize::MAX, Duration::from_secs_f64(seconds))
            }
        };
        let bytes = self.size.batch.max(1) * (self.size.bytes + 256);
        let group = (GROUP_BYTES / bytes).clamp(3, GROUP);
        let mut rng = FastRng::new().map_err(|e| e.to_string())?;
        let start = Instant::now();
        // The first states, still cold, are not counted.
        let (_, backend) = self.group(3, &mut rng)?;
        let mut samples = Vec::new();
        while samples.len() < most && (samples.is_empty() || start.elapsed() < limit) {
            // A slow operation must not overrun its time by a whole group.
            let spent = start.elapsed().as_secs_f64() / (samples.len() + 3) as f64;
            let affordable = (limit.as_secs_f64() / 20.0 / spent.max(1e-9)) as usize;
            let count = group.min(affordable.max(3)).min(most - samples.len());
            samples.extend(self.group(count, &mut rng)?.0);
        }
        Ok((samples, backend))
    }

    fn group(
        &self,
        count: usize,
        rng: &mut FastRng,
    ) -> Result<(Vec<Sample>, &'static str), String> {
        let mut states = Vec::with_capacity(count);
        for _ in 0..count {
            let class = [Class::Fixed, Class::Random, Class::Weighed][below(rng, 3)?];
            let inputs = self.inputs(class, rng)?;
            let ones: u32 = inputs.iter().map(|item| weight(item, &self.secrets)).sum();
            let prepared = self.op.prepare(self.size, &inputs, self.backend)?;
            states.push((class, f64::from(ones), prepared));
        }
        let backend = states.first().map_or("", |(_, _, state)| state.backend());
        let sample = |(class, weight, state): &mut (_, _, Box<dyn crate::Prepared>)| Sample {
            class: *class,
            weight: *weight,
            ns: time(state.as_mut(), 1).as_secs_f64() * 1e9,
        };
        Ok((states.iter_mut().map(sample).collect(), backend))
    }
}

/// The golden ratio's fraction: its multiples fill the unit interval evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A random number below `end`.
fn below(rng: &mut FastRng, end: usize) -> Result<usize, String> {
    let mut bytes = [0; 8];
    rng.fill(&mut bytes).map_err(|e| e.to_string())?;
    Ok((u64::from_le_bytes(bytes) % end as u64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    /// Each run signs a message of its own, or seals under a nonce of its own where counters begin at the
    /// tag, and opens or decrypts what it was given.
    #[test]
    fn what_is_public_is_fresh() {
        let registry = registry();
        let mut rng = FastRng::new().unwrap();
        for (name, public, is_fresh) in [
            ("ed25519/sign", "message", true),
            ("ml-dsa-44/sign_batch", "message", true),
            ("aes-256-gcm-siv/seal", "nonce", true),
            ("aes-128-gcm/seal", "nonce", false),
            ("aes-128-ctr/decrypt", "iv", false),
            ("hmac-sha256/mac", "message", false),
        ] {
            let op = registry.iter().find(|op| op.name() == name).unwrap();
            let size = op.sizes(Some(&[64]), &[2])[0];
            let subject = Subject::new(op.as_ref(), size, None, Duration::from_millis(10)).unwrap();
            // The fixed secret is read from as many places as random ones.
            assert!(subject.fixed.len() >= subject.random.len(), "{name}");
            assert_eq!(subject.fixed.len() % subject.base.len(), 0, "{name}");
            let mut seen = |class| subject.inputs(class, &mut rng).unwrap().remove(0);
            let (fixed, again, random) =
                (seen(Class::Fixed), seen(Class::Fixed), seen(Class::Random));
            let secret = subject.secrets()[0];
            assert!(
                fixed[secret] == again[secret] && fixed[secret] != random[secret],
                "{name}"
            );
            for other in [&again, &random] {
                assert_eq!(fixed[public] != other[public], is_fresh, "{name}");
            }
        }
    }
}
