//! The hashes of the sets with SHA-2 (FIPS 205, 11.2): F and PRF by SHA-256, the others by it or,
//! with nodes of more than 16 bytes, by SHA-512.
//!
//! PK.seed is filled up to a block, so that a key keeps the state after it.

use super::hash::{Call, Chain, Hashes, Node, Seed};
use super::parameters::Parameters;
use adamant_base::{Secret, Wipe};
use adamant_hash::hazmat::sha256::{self, chains};
use adamant_hash::hazmat::sha512;
use adamant_hash::{Hmac, Sha256, Sha512};
use alloc::vec::Vec;

/// The most chains that are run at once.
const MANY: usize = 32;

/// The lists that kernels take.
struct Lists {
    prefixes: [[u32; 8]; MANY],
    addresses: [[u32; 6]; MANY],
    nodes: [[u32; 8]; MANY],
    keep: [u32; MANY],
    kept: [[u32; 8]; MANY],
}

impl Wipe for Lists {
    fn wipe(&mut self) {
        self.nodes.wipe();
        self.kept.wipe();
    }
}

impl Lists {
    fn new() -> Secret<Self> {
        Secret::new(Lists {
            prefixes: [[0; 8]; MANY],
            addresses: [[0; 6]; MANY],
            nodes: [[0; 8]; MANY],
            keep: [0; MANY],
            kept: [[0; 8]; MANY],
        })
    }

    /// On few chains the narrower implementations are quicker.
    fn run(&mut self, backend: chains::Backend, p: &Parameters, count: usize, steps: u32) {
        let mut narrow = chains::Backend::available().skip_while(|row| *row != backend);
        let fits = |row: &chains::Backend| row.break_even() <= count;
        let chains = chains::Chains {
            prefixes: &self.prefixes[..count],
            addresses: &self.addresses[..count],
            nodes: &mut self.nodes[..count],
            keep: &self.keep[..count],
            kept: &mut self.kept[..count],
        };
        narrow
            .find(fits)
            .unwrap_or(backend)
            .run(chains, p.n / 4, steps);
    }
}

#[inline(always)]
fn words(node: &Node) -> [u32; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(node.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

/// The first n bytes.
#[inline(always)]
fn node(p: &Parameters, words: &[u32; 8]) -> Node {
    let mut node = [0; 32];
    for (bytes, word) in node.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_be_bytes();
    }
    for bytes in &mut node.as_chunks_mut::<8>().0[p.n / 8..] {
        *bytes = [0; 8];
    }
    node
}

/// `steps` in each chain, which starts from a secret or from its node.
pub(super) fn chains(
    hashes: &Hashes,
    p: &Parameters,
    sk_seed: Option<&Node>,
    chains: &mut [Chain],
    steps: u32,
) {
    let mut lists = Lists::new();
    for chains in chains.chunks_mut(MANY) {
        run(&mut lists, hashes, p, sk_seed, chains, steps);
    }
}

/// The same for up to [`MANY`] chains.
fn run(
    lists: &mut Lists,
    hashes: &Hashes,
    p: &Parameters,
    sk_seed: Option<&Node>,
    chains: &mut [Chain],
    steps: u32,
) {
    let count = chains.len();
    for (i, chain) in chains.iter().enumerate() {
        lists.prefixes[i] = chain.seed.sha256;
        lists.addresses[i] = chain.adrs.compressed();
    }
    if let Some(sk_seed) = sk_seed {
        // The type of the address is in its third word.
        let change = |lists: &mut Lists| {
            for (address, chain) in lists.addresses.iter_mut().zip(&*chains) {
                let kind = chain.adrs.kind;
                address[2] ^= (kind as u32 ^ kind.prf() as u32) << 16;
            }
        };
        change(lists);
        lists.keep.fill(u32::MAX);
        lists.nodes[..count].fill(words(sk_seed));
        lists.run(hashes.chains256, p, count, 1);
        change(lists);
    } else {
        for (to, chain) in lists.nodes.iter_mut().zip(&*chains) {
            *to = words(&chain.node);
        }
    }
    for (to, chain) in lists.keep.iter_mut().zip(&*chains) {
        *to = chain.keep;
    }
    lists.run(hashes.chains256, p, count, steps);
    for (i, chain) in chains.iter_mut().enumerate() {
        chain.node = node(p, &lists.nodes[i]);
        if chain.keep <= steps {
            chain.kept = node(p, &lists.kept[i]);
        }
    }
}

/// `keep` steps in each chain, longest first.
pub(super) fn chains_of_lengths(hashes: &Hashes, p: &Parameters, mut rest: &mut [Chain]) {
    let mut lists = Lists::new();
    let wide = hashes.chains256;
    while let Some(longest) = rest.first().map(|chain| chain.keep as usize) {
        let mut count = wide.lanes().min(16).min(rest.len());
        // A lane waits for the longest: where many would, fewer at once are quicker.
        let sum: usize = rest[..count].iter().map(|chain| chain.keep as usize).sum();
        if sum < longest * wide.break_even() {
            count = count.min(2);
        }
        let (now, later) = rest.split_at_mut(count);
        run(&mut lists, hashes, p, None, now, longest as u32);
        rest = later;
    }
}

/// The states after PK.seed and zeros up to a block.
pub(super) fn absorb_seed(seed: &mut Seed) {
    let mut block = [0; 128];
    block[..32].copy_from_slice(&seed.bytes);
    (seed.sha256, seed.sha512) = (sha256::IV, sha512::IV);
    sha256::Backend::best().compress(&mut seed.sha256, &block.as_chunks().0[..1]);
    sha512::Backend::best().compress(&mut seed.sha512, &[block]);
}

/// Makes T_l of a hash: the message after the block of PK.seed and ADRSᶜ.
macro_rules! t {
    ($name:ident, $hash:ident, $block:literal, $length:ty) => {
        pub(super) fn $name(hashes: &Hashes, p: &Parameters, calls: &mut [Call]) {
            const LENGTH: usize = size_of::<$length>();
            let Some(len) = calls.first().map(|call| 22 + call.message.len()) else {
                return;
            };
            let blocks = (len + 1 + LENGTH).div_ceil($block);
            let many = calls.len().min(MANY);
            // Zeros and lengths after the messages stay from one to the next. Where few are done
            // often, towards a root, allocating would take longest.
            let (mut small, mut large) = ([[0u8; $block]; 2], Vec::new());
            let room = match small.get_mut(..many * blocks) {
                Some(room) => room,
                None => {
                    large.resize(many * blocks, [0; $block]);
                    &mut large[..]
                }
            };
            for message in room.chunks_exact_mut(blocks) {
                let bytes = message.as_flattened_mut();
                bytes[len] = 0x80;
                let bits = 8 * ($block + len) as $length;
                bytes[blocks * $block - LENGTH..].copy_from_slice(&bits.to_be_bytes());
            }
            for calls in calls.chunks_mut(MANY) {
                let mut states = [[0; 8]; MANY];
                for ((call, message), state) in calls
                    .iter()
                    .zip(room.chunks_exact_mut(blocks))
                    .zip(&mut states)
                {
                    *state = call.seed.$hash;
                    let bytes = message.as_flattened_mut();
                    let words = call.adrs.compressed().map(u32::to_be_bytes);
                    bytes[..24].copy_from_slice(words.as_flattened());
                    bytes[22..len].copy_from_slice(call.message);
                }
                let mut messages: [&[[u8; $block]]; MANY] = [&[]; MANY];
                for (to, message) in messages.iter_mut().zip(room.chunks_exact(blocks)) {
                    *to = message;
                }
                let count = calls.len();
                let kernel = $hash::lanes::Backend::available()
                    .skip_while(|row| *row != hashes.$hash)
                    .find(|row| row.break_even() <= count);
                if let Some(kernel) = kernel {
                    kernel.compress(&mut states[..count], &messages[..count]);
                } else if hashes.$hash == $hash::lanes::Backend::portable() {
                    hashes
                        .$hash
                        .compress(&mut states[..count], &messages[..count]);
                } else {
                    for (state, message) in states[..count].iter_mut().zip(messages) {
                        $hash::Backend::best().compress(state, message);
                    }
                }
                for (call, state) in calls.iter_mut().zip(states) {
                    let bytes = state.map(|word| word.to_be_bytes());
                    call.out[..p.n].copy_from_slice(&bytes.as_flattened()[..p.n]);
                }
            }
        }
    };
}
t!(t256, sha256, 64, u64);
t!(t512, sha512, 128, u128);

/// PRF_msg: HMAC under SK.prf.
pub(super) fn prf_msg(p: &Parameters, sk_prf: &Node, parts: [&[u8]; 4]) -> Node {
    let mut r = [0; 32];
    let key = &sk_prf[..p.n];
    if p.n == 16 {
        r[..16].copy_from_slice(&Hmac::<Sha256>::new(key).tag(&parts)[..16]);
    } else {
        r[..p.n].copy_from_slice(&Hmac::<Sha512>::new(key).tag(&parts)[..p.n]);
    }
    r
}

/// H_msg: MGF1 of R ‖ PK.seed ‖ hash(R ‖ PK.seed ‖ PK.root ‖ M).
pub(super) fn h_msg(
    p: &Parameters,
    [r, seed, root]: [&[u8]; 3],
    message: [&[u8]; 3],
    out: &mut [u8],
) {
    macro_rules! mgf1 {
        ($hash:ident) => {{
            let mut hash = $hash::new();
            for part in [r, seed, root].into_iter().chain(message) {
                hash.update(part);
            }
            let inner = hash.finalize();
            for (i, out) in out.chunks_mut(inner.len()).enumerate() {
                let mut hash = $hash::new();
                for part in [r, seed, &inner, &(i as u32).to_be_bytes()] {
                    hash.update(part);
                }
                out.copy_from_slice(&hash.finalize()[..out.len()]);
            }
        }};
    }
    if p.n == 16 {
        mgf1!(Sha256);
    } else {
        mgf1!(Sha512);
    }
}
