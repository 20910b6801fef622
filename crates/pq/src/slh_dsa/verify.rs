//! Verification (FIPS 205, algorithm 20), of many signatures side by side. Nothing is secret here.

use super::core::{Digest, Message, Public};
use super::hash::{Call, Chain, Hashes, Node, Seed, digits, in_a_row};
use super::parameters::{Adrs, Parameters, Type, W};
use adamant_base::{Error, same_length};
use alloc::vec;
use alloc::vec::Vec;

/// Signatures that are verified side by side.
const MANY: usize = 16;

/// A signature, of the right length, to be checked.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) key: &'a Public,
    pub(super) message: Message<'a>,
    pub(super) signature: &'a [u8],
}

/// A node with the way from it to a root.
struct Path<'a> {
    seed: &'a Seed,
    adrs: Adrs,
    index: usize,
    node: Node,
    siblings: &'a [u8],
}

/// What each of `count` signatures gives; `item` is the one of a number.
///
/// # Errors
/// [`Error::BadLength`] when `out` has another length; it is then untouched.
#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn verify_batch<'a>(
    count: usize,
    item: &dyn Fn(usize) -> Item<'a>,
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    same_length(count, out.len())?;
    for (group, out) in out.chunks_mut(MANY).enumerate() {
        let first = group * MANY;
        let items: Vec<_> = (first..first + out.len()).map(item).collect();
        for (result, valid) in out.iter_mut().zip(verify(&items)) {
            *result = valid.then_some(()).ok_or(Error::BadSignature);
        }
    }
    Ok(())
}

/// Which of the items are valid; their keys are of one parameter set.
pub(super) fn verify(items: &[Item]) -> Vec<bool> {
    let Some(first) = items.first() else {
        return Vec::new();
    };
    let (p, hashes) = (first.key.p, first.key.backend.hashes());
    let n = p.n;
    let mut digests: Vec<Digest> = items
        .iter()
        .map(|item| item.key.digest(&item.signature[..n], item.message))
        .collect();
    let mut nodes = fors_pk_from_sig(&hashes, p, items, &digests);
    for layer in 0..p.d {
        let at = n + p.fors_len() + layer * p.xmss_len();
        let (wots, paths): (Vec<_>, Vec<_>) = items
            .iter()
            .map(|item| item.signature[at..at + p.xmss_len()].split_at(p.len() * n))
            .unzip();
        let leaves = wots_pk_from_sig(&hashes, p, items, &digests, layer, &wots, &nodes);
        let mut paths: Vec<_> = items
            .iter()
            .zip(&digests)
            .zip(leaves.iter().zip(paths))
            .map(|((item, digest), (leaf, siblings))| Path {
                seed: &item.key.seed,
                adrs: Adrs::new(layer, digest.tree, Type::Tree),
                index: digest.leaf as usize,
                node: *leaf,
                siblings,
            })
            .collect();
        climb(&hashes, p, &mut paths, p.h_prime);
        nodes = paths.iter().map(|path| path.node).collect();
        for digest in &mut digests {
            digest.ascend(p);
        }
    }
    let roots = items.iter().map(|item| item.key.root);
    nodes
        .iter()
        .zip(roots)
        .map(|(node, root)| *node == root)
        .collect()
}

/// Goes each way to its root (algorithms 11 and 17).
fn climb(hashes: &Hashes, p: &Parameters, paths: &mut [Path], height: usize) {
    let n = p.n;
    let mut pairs = vec![0; paths.len() * 2 * n];
    for z in 0..height {
        for (pair, path) in pairs.chunks_exact_mut(2 * n).zip(&*paths) {
            let (left, right) = pair.split_at_mut(n);
            let (own, other) = if path.index >> z & 1 == 0 {
                (left, right)
            } else {
                (right, left)
            };
            own.copy_from_slice(&path.node[..n]);
            other.copy_from_slice(&path.siblings[z * n..][..n]);
        }
        let calls = pairs.chunks_exact(2 * n).zip(&*paths).map(|(pair, path)| {
            let mut adrs = path.adrs;
            adrs.chain_or_height = z as u32 + 1;
            adrs.hash_or_index = (path.index >> (z + 1)) as u32;
            call(path.seed, adrs, pair)
        });
        let mut calls: Vec<_> = calls.collect();
        hashes.t(p, &mut calls);
        for (path, call) in paths.iter_mut().zip(calls) {
            path.node = call.out;
        }
    }
}

fn call<'a>(seed: &'a Seed, adrs: Adrs, message: &'a [u8]) -> Call<'a> {
    Call {
        seed,
        adrs,
        message,
        out: [0; 32],
    }
}

/// Algorithm 17 (fors_pkFromSig).
fn fors_pk_from_sig(
    hashes: &Hashes,
    p: &Parameters,
    items: &[Item],
    digests: &[Digest],
) -> Vec<Node> {
    let n = p.n;
    let (mut chains, mut paths) = (Vec::new(), Vec::new());
    for (item, digest) in items.iter().zip(digests) {
        let parts = item.signature[n..].chunks_exact((1 + p.a) * n);
        for (i, (part, leaf)) in parts.zip(digest.indices(p)).enumerate() {
            let mut adrs = Adrs::new(0, digest.tree, Type::ForsTree);
            let index = (i << p.a) + leaf;
            (adrs.key_pair, adrs.hash_or_index) = (digest.leaf, index as u32);
            let (secret, siblings) = part.split_at(n);
            let mut node = [0; 32];
            node[..n].copy_from_slice(secret);
            let seed = &item.key.seed;
            chains.push(Chain {
                seed,
                adrs,
                node,
                keep: 1,
                kept: [0; 32],
            });
            paths.push(Path {
                seed,
                adrs,
                index,
                node,
                siblings,
            });
        }
    }
    hashes.chains_of_nodes(p, &mut chains);
    for (path, chain) in paths.iter_mut().zip(chains) {
        path.node = chain.kept;
    }
    climb(hashes, p, &mut paths, p.a);
    let roots = in_a_row(p, paths.iter().map(|path| &path.node));
    let calls = items.iter().zip(digests).zip(roots.chunks_exact(p.k * n));
    let calls = calls.map(|((item, digest), roots)| {
        let mut adrs = Adrs::new(0, digest.tree, Type::ForsRoots);
        adrs.key_pair = digest.leaf;
        call(&item.key.seed, adrs, roots)
    });
    let mut calls: Vec<_> = calls.collect();
    hashes.t(p, &mut calls);
    calls.iter().map(|call| call.out).collect()
}

/// Algorithm 8 (wots_pkFromSig) of each item's signature of its node in a layer. Chains are sorted
/// by what is left of them, so that lanes end together.
fn wots_pk_from_sig(
    hashes: &Hashes,
    p: &Parameters,
    items: &[Item],
    digests: &[Digest],
    layer: usize,
    signatures: &[&[u8]],
    messages: &[Node],
) -> Vec<Node> {
    let (n, len) = (p.n, p.len());
    let mut steps = Vec::with_capacity(items.len() * len);
    for message in messages {
        steps.extend(digits(p, message));
    }
    // Where the chains with each digit go.
    let mut places = [0; W as usize + 1];
    for digit in &steps {
        places[*digit as usize + 1] += 1;
    }
    for i in 0..W as usize {
        places[i + 1] += places[i];
    }
    let mut order = vec![0; steps.len()];
    for (i, digit) in steps.iter().enumerate() {
        let place = &mut places[*digit as usize];
        order[*place] = i;
        *place += 1;
    }
    let chains = order.iter().map(|&i| {
        let (item, chain) = (i / len, i % len);
        let mut adrs = Adrs::new(layer, digests[item].tree, Type::WotsHash);
        adrs.key_pair = digests[item].leaf;
        (adrs.chain_or_height, adrs.hash_or_index) = (chain as u32, steps[i]);
        let mut node = [0; 32];
        node[..n].copy_from_slice(&signatures[item][chain * n..][..n]);
        Chain {
            seed: &items[item].key.seed,
            adrs,
            node,
            keep: W - 1 - steps[i],
            kept: [0; 32],
        }
    });
    let mut chains: Vec<_> = chains.collect();
    hashes.chains_of_nodes(p, &mut chains);
    let mut ends = vec![0; steps.len() * n];
    for (i, chain) in order.iter().zip(chains) {
        ends[i * n..][..n].copy_from_slice(&chain.kept[..n]);
    }
    let calls = items.iter().zip(digests).zip(ends.chunks_exact(len * n));
    let calls = calls.map(|((item, digest), ends)| {
        let mut adrs = Adrs::new(layer, digest.tree, Type::WotsPk);
        adrs.key_pair = digest.leaf;
        call(&item.key.seed, adrs, ends)
    });
    let mut calls: Vec<_> = calls.collect();
    hashes.t(p, &mut calls);
    calls.iter().map(|call| call.out).collect()
}
