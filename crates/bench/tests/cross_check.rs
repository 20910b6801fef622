//! Engines that check each other: honest ones, and one with each fault.

use adamant::ec::ed25519::{PublicKey, Signature};
use adamant::hash::Sha256;
use adamant_bench::cross_check::{Cell, CrossCheck, cross_check};
use adamant_bench::rival::Rival;
use adamant_engine::Item;
use adamant_engine::serve::{Engine, Single, serve};
use adamant_ops::registry;

use crate::common::piped;

/// What an engine does wrong.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Digest,
    Verify,
    Sign,
    Keys,
    Agreement,
    Dies,
}

struct Op<F>(F, Item);

impl<F: FnMut() -> Result<Item, String>> Single for Op<F> {
    fn once(&mut self) -> Result<(), String> {
        self.1 = (self.0)()?;
        Ok(())
    }
    fn output(&mut self) -> Result<Item, String> {
        Ok(self.1.clone())
    }
}

fn item<const N: usize>(fields: [(&str, Vec<u8>); N]) -> Item {
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}

fn hash(parts: &[&[u8]]) -> Vec<u8> {
    Sha256::digest(&parts.concat()).to_vec()
}

/// A toy of a library: the public key is the private one with all bits changed.
fn engine(name: &str, fault: Fault) -> Engine {
    let mut engine = Engine::new(name, "1", "");
    let mut add = |op: &str, run: fn(&Item, u8, Fault) -> Result<Item, String>| {
        engine.single(op, move |_, input| {
            let (input, mut count) = (input.clone(), 0);
            let once = move || {
                count += 1;
                run(&input, count, fault)
            };
            Ok(Op(once, Item::new()))
        });
    };
    add("toy/digest", |input, _, fault| {
        if fault == Fault::Dies {
            panic!("an engine in a test that has to die");
        }
        let salt: &[u8] = if fault == Fault::Digest { b"x" } else { b"" };
        Ok(item([("digest", hash(&[&input["message"], salt]))]))
    });
    for op in ["toy/keygen", "ecdh-toy/keygen"] {
        add(op, |_, count, fault| {
            let private = vec![count; 32];
            let change = if fault == Fault::Keys { 1 } else { 255 };
            let public = private.iter().map(|byte| byte ^ change).collect();
            Ok(item([("private_key", private), ("public_key", public)]))
        });
    }
    add("toy/sign", |input, count, fault| {
        let public: Vec<u8> = input["private_key"].iter().map(|byte| !byte).collect();
        let mut signature = hash(&[&public, &input["message"], &[count]]);
        signature.push(count + u8::from(fault == Fault::Sign));
        Ok(item([("signature", signature)]))
    });
    add("toy/verify", |input, _, fault| {
        let (nonce, rest) = input["signature"].split_last().ok_or("too short")?;
        let right = rest == hash(&[&input["public_key"], &input["message"], &[*nonce]]);
        let valid = right || fault == Fault::Verify;
        Ok(item([("valid", vec![u8::from(valid)])]))
    });
    add("ecdh-toy/derive", |input, _, fault| {
        let keys = input["private_key"].iter().zip(&input["peer_public_key"]);
        let mut secret: Vec<u8> = keys.map(|(private, public)| private ^ public).collect();
        secret[0] ^= u8::from(fault == Fault::Agreement);
        Ok(item([("shared_secret", secret)]))
    });
    add("sha256/digest", |input, _, fault| {
        let salt: &[u8] = if fault == Fault::Digest { b"x" } else { b"" };
        Ok(item([("digest", hash(&[&input["message"], salt]))]))
    });
    add("ed25519/verify", |input, _, fault| {
        let [key, signature] = ["public_key", "signature"].map(|name| &input[name][..]);
        let key = PublicKey::try_from(key);
        let right = key.is_ok_and(|key| {
            key.verify(&input["message"], &Signature::try_from(signature).unwrap())
                .is_ok()
        });
        let valid = right || fault == Fault::Verify;
        Ok(item([("valid", vec![u8::from(valid)])]))
    });
    add("tea/brew", |_, _, _| Ok(Item::new()));
    engine
}

/// The engines a, b and so on, with these faults.
fn rivals(faults: &[Fault]) -> Vec<Rival> {
    let named = faults.iter().zip(["a", "b", "c", "d"]);
    let rivals = named.map(|(&fault, name)| {
        Rival::new(name, move || {
            piped(move |requests, replies| drop(serve(&engine(name, fault), requests, replies)))
        })
    });
    rivals.collect()
}

fn check(patterns: &[&str], faults: &[Fault]) -> CrossCheck {
    let patterns: Vec<_> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
    cross_check(&patterns, &registry(), rivals(faults), &mut |_| {})
}

fn cells<'a>(result: &'a CrossCheck, op: &str) -> &'a [Cell] {
    let row = result.rows.iter().find(|row| row.op == op);
    &row.unwrap_or_else(|| panic!("{op} in {result:?}")).cells
}

use Cell::{Absent, Agrees, Alone, Differs, Failed, Unknown};

#[test]
fn honest_engines_agree() {
    let result = check(&["toy/*", "ecdh-toy/*", "sha256/*"], &[Fault::None; 3]);
    assert_eq!(result.findings, [""; 0]);
    assert!(result.is_clean());
    for op in [
        "toy/digest",
        "toy/keygen",
        "toy/sign",
        "toy/verify",
        "ecdh-toy/derive",
    ] {
        assert_eq!(cells(&result, op), [Agrees(2); 3], "{op}");
    }
    // Ours judges what ours has, whatever the others say.
    assert_eq!(cells(&result, "sha256/digest"), [Agrees(1); 3]);
    assert!(result.table().contains("toy/verify"));
}

#[test]
fn one_engine_is_its_own_witness() {
    let result = check(&["toy/*"], &[Fault::None]);
    for op in ["toy/digest", "toy/keygen", "toy/sign", "toy/verify"] {
        assert_eq!(cells(&result, op), [Alone], "{op}");
    }
    let result = check(&["toy/sign"], &[Fault::Sign]);
    assert_eq!(cells(&result, "toy/sign"), [Differs]);
}

#[test]
fn the_odd_one_out_is_found() {
    let with = |fault, op: &str| {
        let result = check(&[op], &[Fault::None, fault, Fault::None]);
        assert!(!result.is_clean() && !result.findings.is_empty());
        (cells(&result, op).to_vec(), result.findings)
    };
    for (fault, op, honest) in [
        (Fault::Digest, "sha256/digest", Agrees(1)),
        (Fault::Verify, "toy/verify", Agrees(2)),
    ] {
        let (cells, _) = with(fault, op);
        assert_eq!(cells, [honest, Differs, honest], "{op}");
    }
    let (_, findings) = with(Fault::Verify, "toy/verify");
    assert_eq!(findings, ["toy/verify 32 B: b: it accepts a forgery"]);
    // One of two others disagrees with the honest ones, which leaves them in doubt: the findings
    // tell.
    for (fault, op) in [(Fault::Sign, "toy/sign"), (Fault::Keys, "toy/keygen")] {
        let (cells, findings) = with(fault, op);
        assert_eq!(cells, [Agrees(2), Differs, Agrees(2)], "{op}");
        assert!(
            findings.iter().all(|finding| finding.contains(": b: ")),
            "{findings:?}"
        );
    }
    let faults = [Fault::None, Fault::Agreement, Fault::None, Fault::None];
    let result = check(&["ecdh-toy/derive"], &faults);
    assert_eq!(
        cells(&result, "ecdh-toy/derive"),
        [Agrees(2), Differs, Agrees(2), Agrees(2)]
    );
}

#[test]
fn two_that_differ_are_both_in_doubt() {
    let result = check(&["toy/digest"], &[Fault::None, Fault::Digest]);
    assert_eq!(cells(&result, "toy/digest"), [Differs; 2]);
    assert_eq!(
        result.findings[0],
        "toy/digest 61 B: a: digest differs from that of b"
    );
}

#[test]
fn who_has_nothing_to_say_is_not_asked() {
    let other = Rival::new("other", || {
        piped(|requests, replies| drop(serve(&Engine::new("other", "1", ""), requests, replies)))
    });
    let first = Rival::new("first", || {
        piped(|requests, replies| {
            drop(serve(&engine("first", Fault::None), requests, replies));
        })
    });
    let result = cross_check(
        &["toy/*".into()],
        &registry(),
        vec![first, other],
        &mut |_| {},
    );
    assert_eq!(cells(&result, "toy/sign"), [Alone, Absent]);
}

#[test]
fn engines_that_die_stop_nobody() {
    let result = check(&["toy/*"], &[Fault::None, Fault::Dies, Fault::None]);
    assert_eq!(cells(&result, "toy/digest"), [Agrees(1), Failed, Agrees(1)]);
    assert_eq!(cells(&result, "toy/verify"), [Agrees(2); 3]);
}

#[test]
fn the_unknown_is_told() {
    let result = check(&["tea/*"], &[Fault::None]);
    assert_eq!(cells(&result, "tea/brew"), [Unknown]);
    assert!(result.is_clean());
    assert_eq!(
        result.findings,
        ["tea/brew: nothing is known of its inputs"]
    );

    let absent = Rival::absent("gone", "it is not built");
    let result = cross_check(&[], &registry(), vec![absent], &mut |_| {});
    assert_eq!(result.findings, ["gone is left out: it is not built"]);
    assert!(result.engines.is_empty() && result.rows.is_empty());
}
