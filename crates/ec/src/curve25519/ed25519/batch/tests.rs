//! The equation of a batch, by itself.

use super::heap::COMBINED;
use super::*;
use alloc::collections::BTreeSet;

/// One equation holds for good signatures: where it does not, they are checked one by one, to
/// the same verdicts.
#[test]
fn one_equation_holds() {
    for backend in Backend::available() {
        let keys = generate_batch(70, &mut adamant_testkit::TestRng::new(9)).unwrap();
        let signed = keys
            .iter()
            .map(|key| (key.public_key(), key.sign(b"message")));
        let signed: Vec<_> = signed.collect();
        let items: Vec<Item> = signed
            .iter()
            .map(|(key, s)| (key, &b"message"[..], s))
            .collect();
        let mut scratch = vec![0; bytes_for(18)];
        for (count, wrong) in [(3, 3), (8, 8), (9, 0), (64, 64), (70, 70), (70, 69)] {
            let (mut checks, mut transcript) = (Vec::new(), Vec::new());
            for items in items[..count].chunks(CHUNK) {
                prepare(Rule::Rfc8032, backend, items, &mut scratch, |i, r, hash| {
                    let (key, _, signature) = items[i];
                    let mut entry = [0; 96];
                    entry[..64].copy_from_slice(hash);
                    entry[64..].copy_from_slice(&signature.0[32..]);
                    transcript.push(entry);
                    checks.push(Check {
                        a: key.point,
                        r,
                        ..Check::NONE
                    });
                });
            }
            assert_eq!(checks.len(), count);
            if let Some(entry) = transcript.get_mut(wrong) {
                entry[70] ^= 1;
            }
            let holds = combined(backend, &mut checks, &transcript, tables(&mut scratch));
            assert_eq!(holds, wrong == count, "{backend:?} {count}");
        }
    }
}

/// Whoever knows the coefficients before the signatures can have errors cancel: they depend on
/// every octet.
#[test]
fn coefficients_depend_on_all() {
    let mut seen = BTreeSet::new();
    for len in [0, 1, 3, CHUNK, COMBINED].map(|count| 96 * count) {
        let mut transcript = vec![0; len];
        assert!(seen.insert(seed(&transcript)), "{len}");
        let step = if len > 3 * 96 { 89 } else { 1 };
        for i in (0..len).rev().step_by(step) {
            transcript[i] ^= 1;
            assert!(seen.insert(seed(&transcript)), "{i} of {len}");
            transcript[i] ^= 1;
        }
    }
    let (mut seen, mut ones, mut zeros) = (BTreeSet::new(), 0, 0);
    let mut one = [0; 64];
    one[63] = 1;
    for seed in [[0; 64], one] {
        for chunk in 0..COMBINED / CHUNK {
            let all = coefficients(&seed, chunk);
            for z in all.as_flattened().as_chunks().0 {
                let z = u128::from_le_bytes(*z);
                assert!(seen.insert(z));
                (ones, zeros) = (ones | z, zeros | !z);
            }
        }
    }
    assert_eq!((ones, zeros), (u128::MAX, u128::MAX));
}
