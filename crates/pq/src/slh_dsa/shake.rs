//! The hashes of the sets with SHAKE256 (FIPS 205, 11.1): each of PK.seed, the address and what
//! else there is, in a row.

use super::hash::{Call, Chain, Hashes, Node};
use super::parameters::Parameters;
use crate::sponge::{self, Job, SHAKE256};
use adamant_base::{Secret, Wipe};
use adamant_hash::Shake256;
use adamant_hash::hazmat::keccak::lanes::{self, States};

/// Chains that run side by side.
pub(super) const LANES: usize = 8;

/// Lanes of a state that a block fills.
const RATE: usize = 136 / 8;

/// What the kernels work on, aligned for their loads.
#[repr(align(64))]
struct Room {
    blocks: States,
    kept: [[u64; LANES]; 4],
}

impl Wipe for Room {
    fn wipe(&mut self) {
        self.blocks.wipe();
        self.kept.wipe();
    }
}

/// `steps` in each chain, which starts from a secret or from its node.
pub(super) fn chains(
    hashes: &Hashes,
    p: &Parameters,
    sk_seed: Option<&Node>,
    chains: &mut [Chain],
    steps: u32,
) {
    let words = p.n / 8;
    let at = words + 4;
    let shape = |steps: u32| lanes::Chain {
        at,
        words,
        steps: steps.into(),
    };
    let mut room = Secret::new(Room {
        blocks: [[0; LANES]; 25],
        kept: [[0; LANES]; 4],
    });
    let Room { blocks, kept } = &mut *room;
    blocks[at + words] = [0x1f; LANES];
    blocks[RATE - 1] = [1 << 63; LANES];
    for chains in chains.chunks_mut(LANES) {
        let mut keep = [u64::MAX; LANES];
        let put = |blocks: &mut States, row: usize, i: usize, bytes: &[u8]| {
            for (row, word) in blocks[row..].iter_mut().zip(bytes.as_chunks().0) {
                row[i] = u64::from_le_bytes(*word);
            }
        };
        for (i, chain) in chains.iter().enumerate() {
            keep[i] = chain.keep.into();
            put(blocks, 0, i, &chain.seed.bytes[..p.n]);
            let mut adrs = chain.adrs;
            if sk_seed.is_some() {
                adrs.kind = adrs.kind.prf();
            }
            put(blocks, words, i, &adrs.to_bytes());
            put(blocks, at, i, &sk_seed.unwrap_or(&chain.node)[..p.n]);
        }
        if sk_seed.is_some() {
            hashes.keccak.eight.chain(blocks, kept, &keep, shape(1));
            for (i, chain) in chains.iter().enumerate() {
                put(blocks, words, i, &chain.adrs.to_bytes());
            }
        }
        hashes.keccak.eight.chain(blocks, kept, &keep, shape(steps));
        let take = |rows: &[[u64; LANES]], i: usize| {
            let mut node = [0; 32];
            for (bytes, row) in node.as_chunks_mut().0.iter_mut().zip(&rows[..words]) {
                *bytes = row[i].to_le_bytes();
            }
            node
        };
        for (i, chain) in chains.iter_mut().enumerate() {
            chain.node = take(&blocks[at..], i);
            chain.kept = take(kept, i);
        }
    }
}

/// T_l.
pub(super) fn t(hashes: &Hashes, p: &Parameters, calls: &mut [Call]) {
    for calls in calls.chunks_mut(64) {
        let mut addresses = [[0; 32]; 64];
        for (bytes, call) in addresses.iter_mut().zip(&*calls) {
            *bytes = call.adrs.to_bytes();
        }
        let jobs = calls.iter_mut().zip(&addresses).map(|(call, adrs)| {
            let seed = &call.seed.bytes[..p.n];
            Job::new(SHAKE256, [seed, adrs, call.message], &mut call.out[..p.n])
        });
        sponge::run(hashes.keccak, jobs);
    }
}

/// SHAKE256 of the parts.
fn shake256<'a>(parts: impl IntoIterator<Item = &'a [u8]>, out: &mut [u8]) {
    let mut hash = Shake256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize_xof().read(out);
}

/// PRF_msg.
pub(super) fn prf_msg(p: &Parameters, sk_prf: &Node, parts: [&[u8]; 4]) -> Node {
    let mut r = [0; 32];
    shake256([&sk_prf[..p.n]].into_iter().chain(parts), &mut r[..p.n]);
    r
}

/// H_msg.
pub(super) fn h_msg(head: [&[u8]; 3], message: [&[u8]; 3], out: &mut [u8]) {
    shake256(head.into_iter().chain(message), out);
}
