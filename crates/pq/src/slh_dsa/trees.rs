//! Trees made from secrets: WOTS⁺, XMSS and FORS for whoever has the key (FIPS 205, 5, 6 and 8).
//!
//! The standard makes each node when it is asked for; here a tree is made as a whole, from its
//! leaves up, so that the hashes of a level fill the lanes. What belongs into a signature is put
//! there on the way.

use super::hash::{Call, Chain, Hashes, Node, Seed, digits, in_a_row};
use super::parameters::{Adrs, Parameters, Type, W};
use adamant_base::ct;
use alloc::vec::Vec;

/// Leaves of an XMSS tree made at once: what fits into a cache, and fills every lane.
const LEAVES: usize = 32;

/// Leaves of FORS trees made at once.
const FORS_LEAVES: usize = 512;

/// A chain that keeps nothing.
const NEVER: u32 = u32::MAX;

/// What trees are made of.
#[derive(Clone, Copy)]
pub(super) struct Maker<'a> {
    pub(super) p: &'static Parameters,
    pub(super) hashes: Hashes,
    pub(super) seed: &'a Seed,
    pub(super) sk_seed: &'a Node,
}

/// A leaf of a tree, and the place of its authentication path.
struct Chosen<'s> {
    leaf: usize,
    path: &'s mut [u8],
}

impl<'a> Maker<'a> {
    fn chain(&self, adrs: Adrs, keep: u32) -> Chain<'a> {
        Chain {
            seed: self.seed,
            adrs,
            node: [0; 32],
            keep,
            kept: [0; 32],
        }
    }

    fn call<'m>(&self, adrs: Adrs, message: &'m [u8]) -> Call<'m>
    where
        'a: 'm,
    {
        Call {
            seed: self.seed,
            adrs,
            message,
            out: [0; 32],
        }
    }

    /// The T_l of each call, in a row.
    fn t(&self, mut calls: Vec<Call>) -> Vec<u8> {
        self.hashes.t(self.p, &mut calls);
        in_a_row(self.p, calls.iter().map(|call| &call.out))
    }

    /// From the leaves of trees of a height, which lie in a row, to their roots (algorithms 9 and
    /// 15). `adrs` is that of their nodes, `first` the index of the first leaf; of each tree one
    /// leaf is chosen, or of none.
    fn climb(
        &self,
        mut adrs: Adrs,
        first: usize,
        mut nodes: Vec<u8>,
        height: usize,
        chosen: &mut [Chosen],
    ) -> Vec<u8> {
        let n = self.p.n;
        for z in 0..height {
            for (tree, chosen) in chosen.iter_mut().enumerate() {
                let sibling = (tree << (height - z)) + (chosen.leaf >> z ^ 1);
                chosen.path[z * n..][..n].copy_from_slice(&nodes[sibling * n..][..n]);
            }
            adrs.chain_or_height = z as u32 + 1;
            let calls = nodes.chunks_exact(2 * n).enumerate().map(|(j, pair)| {
                adrs.hash_or_index = ((first >> (z + 1)) + j) as u32;
                self.call(adrs, pair)
            });
            nodes = self.t(calls.collect());
        }
        nodes
    }

    /// Algorithm 10 (xmss_sign): the root of a tree, and the signature of a message under one of
    /// its leaves, if any.
    pub(super) fn xmss(
        &self,
        layer: usize,
        tree: u64,
        mut sign: Option<(usize, &Node, &mut [u8])>,
    ) -> Node {
        let (p, n) = (self.p, self.p.n);
        let (len, leaves) = (p.len(), 1 << p.h_prime);
        let mut nodes = Vec::with_capacity(leaves * n);
        for start in (0..leaves).step_by(LEAVES) {
            let group = start..leaves.min(start + LEAVES);
            let mut adrs = Adrs::new(layer, tree, Type::WotsHash);
            let mut chains = Vec::with_capacity(group.len() * len);
            for leaf in group.clone() {
                adrs.key_pair = leaf as u32;
                let signs = sign.as_ref().filter(|(chosen, ..)| *chosen == leaf);
                let mut digits = signs.map(|(_, message, _)| digits(p, *message));
                for i in 0..len {
                    adrs.chain_or_height = i as u32;
                    let keep = digits.as_mut().and_then(Iterator::next).unwrap_or(NEVER);
                    chains.push(self.chain(adrs, keep));
                }
            }
            self.hashes
                .chains_of_secrets(p, self.sk_seed, &mut chains, W - 1);
            if let Some((leaf, _, signature)) = &mut sign
                && group.contains(leaf)
            {
                let chains = &chains[(*leaf - start) * len..];
                for (to, chain) in signature.chunks_exact_mut(n).zip(&chains[..len]) {
                    to.copy_from_slice(&chain.kept[..n]);
                }
            }
            let ends = in_a_row(p, chains.iter().map(|chain| &chain.node));
            let mut adrs = Adrs::new(layer, tree, Type::WotsPk);
            let calls = group.zip(ends.chunks_exact(len * n)).map(|(leaf, ends)| {
                adrs.key_pair = leaf as u32;
                self.call(adrs, ends)
            });
            nodes.extend_from_slice(&self.t(calls.collect()));
        }
        let mut chosen = sign.map(|(leaf, _, signature)| Chosen {
            leaf,
            path: &mut signature[len * n..],
        });
        let adrs = Adrs::new(layer, tree, Type::Tree);
        let root = self.climb(adrs, 0, nodes, p.h_prime, chosen.as_mut_slice());
        self.public(&root)
    }

    /// Algorithms 16 (fors_sign) and 17 at once: signs the numbers `indices`, one for each tree,
    /// and returns the public key.
    pub(super) fn fors(
        &self,
        tree: u64,
        key_pair: u32,
        indices: &[usize],
        signature: &mut [u8],
    ) -> Node {
        let (p, n) = (self.p, self.p.n);
        let mut adrs = Adrs::new(0, tree, Type::ForsTree);
        adrs.key_pair = key_pair;
        let at_once = (FORS_LEAVES >> p.a).max(1);
        let mut roots = Vec::with_capacity(p.k * n);
        let signatures = signature.chunks_mut(at_once * (1 + p.a) * n);
        for (group, (indices, signature)) in indices.chunks(at_once).zip(signatures).enumerate() {
            let first = (group * at_once) << p.a;
            let mut nodes = Vec::with_capacity((indices.len() << p.a) * n);
            let mut parts: Vec<_> = signature
                .chunks_exact_mut((1 + p.a) * n)
                .map(|part| part.split_at_mut(n))
                .collect();
            for start in (0..indices.len() << p.a).step_by(FORS_LEAVES) {
                let end = (indices.len() << p.a).min(start + FORS_LEAVES);
                let mut chains: Vec<_> = (start..end)
                    .map(|j| {
                        adrs.hash_or_index = (first + j) as u32;
                        let chosen = indices[j >> p.a] == j & ((1 << p.a) - 1);
                        self.chain(adrs, if chosen { 0 } else { NEVER })
                    })
                    .collect();
                self.hashes
                    .chains_of_secrets(p, self.sk_seed, &mut chains, 1);
                for (j, chain) in (start..end).zip(&chains) {
                    if chain.keep == 0 {
                        parts[j >> p.a].0.copy_from_slice(&chain.kept[..n]);
                    }
                    nodes.extend_from_slice(&chain.node[..n]);
                }
            }
            let mut chosen: Vec<_> = parts
                .into_iter()
                .zip(indices)
                .map(|((_, path), leaf)| Chosen { leaf: *leaf, path })
                .collect();
            roots.extend_from_slice(&self.climb(adrs, first, nodes, p.a, &mut chosen));
        }
        adrs = Adrs::new(0, tree, Type::ForsRoots);
        adrs.key_pair = key_pair;
        let key = self.t([self.call(adrs, &roots)].into_iter().collect());
        self.public(&key)
    }

    /// A root, which follows from the signature, and so is public.
    fn public(&self, root: &[u8]) -> Node {
        let mut node = [0; 32];
        node[..self.p.n].copy_from_slice(root);
        ct::mark_public_value(&mut node);
        node
    }
}
