//! What every batch does: it gives what single calls give, whichever keys meet in it.
//!
//! `key` makes the key of an item, so that the keys of one batch can be prepared for several
//! implementations.

use core::ops::Range;

use adamant_base::family::{Kem, KeyAgreement, Signer, Verifier};
use adamant_base::{Error, Rng};

use crate::TestRng;

/// Items of batches: around the lanes of kernels, and more than a group of them.
pub const COUNTS: &[usize] = &[0, 1, 2, 7, 8, 9, 17, 65];

/// Checks the batches of a signature scheme.
///
/// # Panics
/// At the first breach.
pub fn signatures<K: Signer>(key: impl Fn(usize, &mut TestRng) -> K, counts: &[usize]) {
    let rng = &mut TestRng::new(10);
    for &count in counts {
        let made = K::generate_batch(count, &mut TestRng::new(13)).expect("keys");
        assert_eq!(made.len(), count, "as many keys as are asked for");
        let single = &mut TestRng::new(13);
        for (i, key) in made.iter().enumerate() {
            let alone = K::generate(single).expect("a key");
            let same = signature(&alone, b"key") == signature(key, b"key");
            assert!(same, "key {i} of {count}");
        }
        let keys: Vec<K> = (0..count).map(|i| key(i, rng)).collect();
        let messages: Vec<_> = (0..count).map(|i| rng.bytes(17 * i % 150)).collect();
        let items: Vec<_> = keys
            .iter()
            .zip(&messages)
            .map(|(k, m)| (k, &m[..]))
            .collect();
        let mut signed = K::sign_batch(&items);
        assert_eq!(signed.len(), count, "as many signatures as messages");
        for (i, (key, message)) in items.iter().enumerate() {
            let alone = signature(*key, message);
            assert!(signed[i].as_ref() == alone, "signature {i} of {count}");
        }
        // Some belong to other messages.
        let publics: Vec<_> = keys.iter().map(Signer::verifier).collect();
        for i in (1..count).filter(|_| rng.below(4) == 0).collect::<Vec<_>>() {
            signed.swap(i - 1, i);
        }
        let items: Vec<_> = (0..count)
            .map(|i| (&publics[i], &messages[i][..], &signed[i]))
            .collect();
        let verdicts = K::Verifier::verify_batch(&items);
        let each = items.iter().map(|(key, message, s)| key.verify(message, s));
        check_each(count, &verdicts, &each.collect::<Vec<_>>(), "verdict");
    }
}

fn signature<K: Signer>(key: &K, message: &[u8]) -> Vec<u8> {
    key.sign(message).as_ref().to_vec()
}

/// Checks the results of a batch against those of single calls.
fn check_each<T: PartialEq>(count: usize, batch: &[T], single: &[T], what: &str) {
    assert_eq!(batch.len(), count, "as many results as items");
    for (i, (batch, single)) in batch.iter().zip(single).enumerate() {
        assert!(batch == single, "{what} {i} of {count}");
    }
}

/// Checks that no batch takes two signatures whose errors cancel: of the number in these octets, the
/// least significant first, one has one more, the other one less, so that an equation which weighs
/// all signatures alike would hold.
///
/// # Panics
/// At the first breach.
pub fn errors_that_cancel<K: Signer>(keys: &[K], number: Range<usize>) {
    let messages: Vec<_> = (0..keys.len()).map(|i| vec![i as u8; i]).collect();
    let publics: Vec<_> = keys.iter().map(Signer::verifier).collect();
    let signed = keys.iter().zip(&messages).map(|(k, m)| signature(k, m));
    let signed: Vec<_> = signed.collect();
    let last = keys.len() - 1;
    for (more, less) in [(0, 1), (1, 0), (last, 0), (last - 1, last), (last / 2, 1)] {
        let mut signed = signed.clone();
        for (i, step) in [(more, 1), (less, 0xff)] {
            for byte in &mut signed[i][number.clone()] {
                let before = *byte;
                *byte = before.wrapping_add(step);
                // Unless there is a carry, or a borrow.
                if before != step.wrapping_neg() {
                    break;
                }
            }
        }
        let octets = signed.iter().map(|octets| K::Verifier::signature(octets));
        let signed: Vec<_> = octets.map(|s| s.expect("a signature")).collect();
        let items = publics.iter().zip(&messages).zip(&signed);
        let items: Vec<_> = items.map(|((key, m), s)| (key, &m[..], s)).collect();
        for (i, verdict) in K::Verifier::verify_batch(&items).iter().enumerate() {
            let wrong = [more, less].contains(&i);
            assert_eq!(verdict.is_err(), wrong, "verdict {i}, of {more} and {less}");
        }
    }
}

type Secrets = Vec<Result<Vec<u8>, Error>>;

/// Checks the batches of a key agreement.
///
/// # Panics
/// At the first breach.
pub fn agreements<K: KeyAgreement>(key: impl Fn(usize, &mut TestRng) -> K, counts: &[usize]) {
    let rng = &mut TestRng::new(11);
    for &count in counts {
        let keys: Vec<K> = (0..count).map(|i| key(i, rng)).collect();
        let peers: Vec<_> = (0..count).map(|i| key(i + 1, rng).public_key()).collect();
        let items: Vec<_> = keys.iter().zip(&peers).collect();
        let batch = K::agree_batch(&items).into_iter();
        let batch: Secrets = batch
            .map(|s| Ok(AsRef::<[u8]>::as_ref(&*s?).to_vec()))
            .collect();
        let single = items.iter().map(|(key, peer)| key.agree(peer));
        let single: Secrets = single
            .map(|s| Ok(AsRef::<[u8]>::as_ref(&*s?).to_vec()))
            .collect();
        check_each(count, &batch, &single, "secret");
    }
}

/// Checks the batches of a key encapsulation mechanism.
///
/// # Panics
/// At the first breach.
pub fn kems<K: Kem>(key: impl Fn(usize, &mut TestRng) -> K::DecapsulationKey, counts: &[usize]) {
    let rng = &mut TestRng::new(12);
    for &count in counts {
        let made = K::generate_batch(count, rng).expect("keys");
        assert_eq!(made.len(), count, "as many keys as asked for");
        for (i, key) in made.iter().enumerate() {
            assert_eq!(K::check_pair(key), Ok(()), "the halves of key {i}");
        }
        let keys: Vec<_> = (0..count).map(|i| key(i, rng)).collect();
        let publics: Vec<_> = keys.iter().map(K::encapsulation_key).collect();
        let publics: Vec<_> = publics.iter().collect();
        let made = K::encapsulate_batch(&publics, rng);
        let made: Vec<_> = made
            .into_iter()
            .map(|made| made.expect("encapsulation"))
            .collect();
        assert_eq!(made.len(), count, "as many results as items");
        let mut sent: Vec<K::Ciphertext> = made.iter().map(|(c, _)| c.clone()).collect();
        for (i, (c, secret)) in made.iter().enumerate() {
            let found = K::decapsulate(&keys[i], c).expect("its own ciphertext");
            let same = found.as_ref() == secret.as_ref();
            assert!(same, "what is encapsulated, {i} of {count}");
        }
        // Some are for others.
        for i in (1..count).filter(|_| rng.below(4) == 0).collect::<Vec<_>>() {
            sent.swap(i - 1, i);
        }
        let items: Vec<_> = keys.iter().zip(&sent).collect();
        let batch = K::decapsulate_batch(&items).into_iter();
        let batch: Secrets = batch.map(|s| Ok(s?.as_ref().to_vec())).collect();
        let single = items.iter().map(|(key, c)| K::decapsulate(key, c));
        let single: Secrets = single.map(|s| Ok(s?.as_ref().to_vec())).collect();
        check_each(count, &batch, &single, "secret");
        // A generator that fails once fails one item.
        let failing = &mut FailsOnce(rng.clone(), false);
        let failed = K::encapsulate_batch(&publics, failing)
            .iter()
            .filter(|r| r.is_err())
            .count();
        assert!(
            failed <= 1,
            "{failed} of {count} failed with one failure of the generator"
        );
    }
}

/// Fails when it is first asked.
struct FailsOnce(TestRng, bool);

impl Rng for FailsOnce {
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        if !std::mem::replace(&mut self.1, true) {
            return Err(Error::NoEntropy);
        }
        self.0.fill(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{assert_refuses, toy_digest};
    use adamant_base::Secret;

    const NONE: u8 = 0;
    const FIRST_KEY: u8 = 1;
    const FIRST_VERDICT: u8 = 2;
    const ONE_SHORT: u8 = 3;
    const ALL_FAIL: u8 = 4;
    const OTHER_KEYS: u8 = 5;
    const VERDICTS: u8 = 6;
    const SUMS: u8 = 7;

    /// Signs, agrees and encapsulates by digests under one number, which both halves are.
    #[derive(Clone)]
    struct Toy<const BUG: u8>([u8; 8]);

    impl<const BUG: u8> Toy<BUG> {
        fn drawn(rng: &mut impl Rng) -> Result<Self, Error> {
            let mut key = [0; 8];
            rng.fill(&mut key)?;
            Ok(Toy(key))
        }

        /// Of which item the key is taken.
        fn place(i: usize) -> usize {
            if BUG == FIRST_KEY { 0 } else { i }
        }
    }

    /// What a batch of these results is.
    fn spoiled<const BUG: u8, T: Clone>(mut all: Vec<T>) -> Vec<T> {
        if BUG == ONE_SHORT {
            all.pop();
        }
        if BUG == FIRST_VERDICT && all.len() > 1 {
            let first = all[0].clone();
            all.fill(first);
        }
        all
    }

    impl<const BUG: u8> Signer for Toy<BUG> {
        type Verifier = Self;

        fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
            Self::drawn(rng)
        }
        fn verifier(&self) -> Self {
            self.clone()
        }
        fn sign(&self, message: &[u8]) -> [u8; 8] {
            toy_digest(&[&self.0, message])
        }
        fn generate_batch(count: usize, rng: &mut impl Rng) -> Result<Vec<Self>, Error> {
            let mut all = vec![];
            for _ in 0..count {
                let key = Self::drawn(rng)?;
                all.insert(if BUG == OTHER_KEYS { 0 } else { all.len() }, key);
            }
            Ok(all)
        }
        fn sign_batch(items: &[(&Self, &[u8])]) -> Vec<[u8; 8]> {
            let each = items.iter().enumerate();
            let all = each.map(|(i, (_, message))| Signer::sign(items[Self::place(i)].0, message));
            spoiled::<BUG, _>(all.collect())
        }
    }

    impl<const BUG: u8> Verifier for Toy<BUG> {
        type Signature = [u8; 8];

        fn signature(octets: &[u8]) -> Result<[u8; 8], Error> {
            octets.try_into().map_err(|_| Error::BadSignature)
        }
        fn verify(&self, message: &[u8], signature: &[u8; 8]) -> Result<(), Error> {
            let same = self.sign(message) == *signature;
            same.then_some(()).ok_or(Error::BadSignature)
        }
        fn verify_batch(items: &[(&Self, &[u8], &[u8; 8])]) -> Vec<Result<(), Error>> {
            let number = |octets: &[u8; 8]| u64::from_le_bytes(*octets);
            let less = items.iter().map(|(key, message, signature)| {
                let right = number(&key.sign(message));
                right.wrapping_sub(number(signature))
            });
            let holds = less.fold(0, u64::wrapping_add) == 0;
            let each = items.iter();
            each.map(|(key, message, signature)| match BUG {
                VERDICTS => Ok(()),
                SUMS if holds => Ok(()),
                _ => key.verify(message, signature),
            })
            .collect()
        }
    }

    impl<const BUG: u8> KeyAgreement for Toy<BUG> {
        type PublicKey = Self;
        type SharedSecret = [u8; 8];

        fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
            Self::drawn(rng)
        }
        fn public_key(&self) -> Self {
            self.clone()
        }
        fn agree(&self, peer: &Self) -> Result<Secret<[u8; 8]>, Error> {
            Ok(Secret::new(toy_digest(&[&self.0, &peer.0])))
        }
        fn check_pair(&self) -> Result<(), Error> {
            Ok(())
        }
        fn agree_batch(items: &[(&Self, &Self)]) -> Vec<Result<Secret<[u8; 8]>, Error>> {
            let each = items.iter().enumerate();
            let all = each.map(|(i, (_, peer))| items[Self::place(i)].0.agree(peer));
            spoiled::<BUG, _>(all.collect())
        }
    }

    impl<const BUG: u8> Kem for Toy<BUG> {
        type DecapsulationKey = Self;
        type EncapsulationKey = Self;
        type Ciphertext = [u8; 8];
        type SharedSecret = [u8; 8];

        fn generate(rng: &mut impl Rng) -> Result<Self, Error> {
            Self::drawn(rng)
        }
        fn encapsulation_key(key: &Self) -> Self {
            key.clone()
        }
        fn encapsulate(key: &Self, rng: &mut impl Rng) -> Result<([u8; 8], [u8; 8]), Error> {
            let ciphertext = Self::drawn(rng)?.0;
            Ok((ciphertext, toy_digest(&[&key.0, &ciphertext])))
        }
        fn ciphertext(octets: &[u8]) -> Result<[u8; 8], Error> {
            octets.try_into().map_err(|_| Error::BadSignature)
        }
        fn decapsulate(key: &Self, ciphertext: &[u8; 8]) -> Result<[u8; 8], Error> {
            Ok(toy_digest(&[&key.0, ciphertext]))
        }
        fn check_pair(_: &Self) -> Result<(), Error> {
            match BUG {
                OTHER_KEYS => Err(Error::BadPrivateKey),
                _ => Ok(()),
            }
        }
        fn encapsulate_batch(
            keys: &[&Self],
            rng: &mut impl Rng,
        ) -> Vec<Result<([u8; 8], [u8; 8]), Error>> {
            let each = (0..keys.len()).map(|i| Self::encapsulate(keys[Self::place(i)], rng));
            let all: Vec<_> = each.collect();
            if BUG == ALL_FAIL && all.contains(&Err(Error::NoEntropy)) {
                return keys.iter().map(|_| Err(Error::NoEntropy)).collect();
            }
            all
        }
        fn decapsulate_batch(items: &[(&Self, &[u8; 8])]) -> Vec<Result<[u8; 8], Error>> {
            let each = items.iter().map(|(key, c)| Self::decapsulate(key, c));
            spoiled::<BUG, _>(each.collect())
        }
    }

    fn signing<const BUG: u8>() {
        signatures::<Toy<BUG>>(|_, rng| Toy::drawn(rng).unwrap(), COUNTS);
    }

    fn agreeing<const BUG: u8>() {
        agreements::<Toy<BUG>>(|_, rng| Toy::drawn(rng).unwrap(), COUNTS);
    }

    fn encapsulating<const BUG: u8>() {
        kems::<Toy<BUG>>(|_, rng| Toy::drawn(rng).unwrap(), COUNTS);
    }

    fn cancelling<const BUG: u8>() {
        let mut rng = TestRng::new(3);
        let keys: Vec<_> = (0..9)
            .map(|_| Toy::<BUG>::drawn(&mut rng).unwrap())
            .collect();
        errors_that_cancel(&keys, 0..8);
    }

    #[test]
    fn sound_batches_pass() {
        signing::<NONE>();
        cancelling::<NONE>();
        agreeing::<NONE>();
        encapsulating::<NONE>();
    }

    #[test]
    fn broken_batches_do_not() {
        assert_refuses("signature 1 of 2", signing::<FIRST_KEY>);
        assert_refuses("signature 1 of 2", signing::<FIRST_VERDICT>);
        assert_refuses("verdict", signing::<VERDICTS>);
        assert_refuses("as many signatures", signing::<ONE_SHORT>);
        assert_refuses("verdict 0, of 0 and 1", cancelling::<SUMS>);
        assert_refuses("key 0 of 2", signing::<OTHER_KEYS>);
        assert_refuses("secret 1 of 2", agreeing::<FIRST_KEY>);
        assert_refuses("as many results", agreeing::<ONE_SHORT>);
        assert_refuses("what is encapsulated, 1 of 2", encapsulating::<FIRST_KEY>);
        assert_refuses("secret 1 of 2", encapsulating::<FIRST_VERDICT>);
        assert_refuses("as many results", encapsulating::<ONE_SHORT>);
        assert_refuses("the halves of key 0", encapsulating::<OTHER_KEYS>);
        assert_refuses("2 of 2 failed", encapsulating::<ALL_FAIL>);
    }
}
