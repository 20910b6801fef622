//! Keys, and the internal functions (FIPS 205, 9): algorithms 18 and 19.

use super::hash::{Backend, Node, Seed};
use super::parameters::{Adrs, MAX_DIGEST, Parameters, Type};
use super::trees::Maker;
use super::{sha2, shake};
use adamant_base::{Secret, Wipe, ct};

/// M′ in its parts.
pub(super) type Message<'a> = [&'a [u8]; 3];

/// A public key.
#[derive(Clone)]
pub(super) struct Public {
    pub(super) p: &'static Parameters,
    pub(super) backend: Backend,
    pub(super) seed: Seed,
    pub(super) root: Node,
}

/// A private key.
#[derive(Clone)]
pub(super) struct Private {
    pub(super) public: Public,
    secrets: Secret<Secrets>,
}

/// SK.seed and SK.prf.
#[derive(Clone)]
struct Secrets {
    seed: Node,
    prf: Node,
}

impl Wipe for Secrets {
    fn wipe(&mut self) {
        self.seed.wipe();
        self.prf.wipe();
    }
}

/// What a message chooses (algorithm 19, steps 6 to 10): secrets of FORS, and the key of the
/// hypertree that signs them.
pub(super) struct Digest {
    md: [u8; MAX_DIGEST],
    pub(super) tree: u64,
    pub(super) leaf: u32,
}

impl Digest {
    fn new(p: &Parameters, bytes: &[u8; MAX_DIGEST]) -> Self {
        let number = |bytes: &[u8]| bytes.iter().fold(0u64, |x, b| x << 8 | u64::from(*b));
        let (tree, leaf) = bytes[p.md_len()..p.digest_len()].split_at(p.tree_bits().div_ceil(8));
        Digest {
            md: *bytes,
            tree: number(tree) & (u64::MAX >> (64 - p.tree_bits())),
            leaf: number(leaf) as u32 & ((1 << p.h_prime) - 1),
        }
    }

    /// Algorithm 4 (base_2b): the leaf of each FORS tree.
    pub(super) fn indices(&self, p: &Parameters) -> impl Iterator<Item = usize> {
        (0..p.k).map(|i| {
            let bit = |at: usize| usize::from(self.md[at / 8] >> (7 - at % 8) & 1);
            (i * p.a..(i + 1) * p.a).fold(0, |x, at| x << 1 | bit(at))
        })
    }

    /// To the next layer of the hypertree (algorithm 12, steps 7 and 8).
    pub(super) fn ascend(&mut self, p: &Parameters) {
        self.leaf = self.tree as u32 & ((1 << p.h_prime) - 1);
        self.tree >>= p.h_prime;
    }
}

impl Public {
    /// Reads PK.seed and PK.root, which are all there is.
    pub(super) fn from_bytes(p: &'static Parameters, bytes: &[u8], backend: Backend) -> Self {
        let (seed, root_bytes) = bytes.split_at(p.n);
        let mut root = [0; 32];
        root[..p.n].copy_from_slice(root_bytes);
        Public {
            p,
            backend,
            seed: Seed::new(p, seed),
            root,
        }
    }

    pub(super) fn write(&self, to: &mut [u8]) {
        let (seed, root) = to.split_at_mut(self.p.n);
        seed.copy_from_slice(&self.seed.bytes[..self.p.n]);
        root.copy_from_slice(&self.root[..self.p.n]);
    }

    /// H_msg under this key, for the signature's R.
    pub(super) fn digest(&self, r: &[u8], message: Message) -> Digest {
        let p = self.p;
        let mut bytes = [0; MAX_DIGEST];
        let out = &mut bytes[..p.digest_len()];
        let head = [r, &self.seed.bytes[..p.n], &self.root[..p.n]];
        if p.shake {
            shake::h_msg(head, message, out);
        } else {
            sha2::h_msg(p, head, message, out);
        }
        Digest::new(p, &bytes)
    }
}

impl Private {
    /// Algorithm 18 (slh_keygen_internal) from SK.seed, SK.prf and PK.seed in a row.
    pub(super) fn from_seed(p: &'static Parameters, seed: &[u8], backend: Backend) -> Self {
        let (secrets, public) = seed.split_at(2 * p.n);
        let mut key = Self::new(p, secrets, public, backend);
        key.public.root = key.root();
        key
    }

    /// Reads SK.seed, SK.prf, PK.seed and PK.root, which are all there is.
    pub(super) fn from_bytes(p: &'static Parameters, bytes: &[u8], backend: Backend) -> Self {
        let (secrets, public) = bytes.split_at(2 * p.n);
        let (seed, root) = public.split_at(p.n);
        let mut key = Self::new(p, secrets, seed, backend);
        key.public.root[..p.n].copy_from_slice(root);
        ct::mark_public_value(&mut key.public.root);
        key
    }

    /// The key without its root.
    fn new(p: &'static Parameters, secrets: &[u8], seed: &[u8], backend: Backend) -> Self {
        let mut both = Secret::new(Secrets {
            seed: [0; 32],
            prf: [0; 32],
        });
        both.seed[..p.n].copy_from_slice(&secrets[..p.n]);
        both.prf[..p.n].copy_from_slice(&secrets[p.n..]);
        let mut public = [0; 32];
        public[..p.n].copy_from_slice(seed);
        // PK.seed goes into the public key.
        ct::mark_public_value(&mut public);
        Private {
            public: Public {
                p,
                backend,
                seed: Seed::new(p, &public[..p.n]),
                root: [0; 32],
            },
            secrets: both,
        }
    }

    pub(super) fn write(&self, to: &mut [u8]) {
        let n = self.public.p.n;
        to[..n].copy_from_slice(&self.secrets.seed[..n]);
        to[n..2 * n].copy_from_slice(&self.secrets.prf[..n]);
        self.public.write(&mut to[2 * n..]);
    }

    fn maker(&self) -> Maker<'_> {
        Maker {
            p: self.public.p,
            hashes: self.public.backend.hashes(),
            seed: &self.public.seed,
            sk_seed: &self.secrets.seed,
        }
    }

    /// The root of the highest tree.
    pub(super) fn root(&self) -> Node {
        self.maker().xmss(self.public.p.d - 1, 0, None)
    }

    /// Algorithm 19 (slh_sign_internal) with n bytes of randomness, or PK.seed where there are
    /// none.
    pub(super) fn sign(&self, message: Message, opt_rand: Option<&[u8]>, signature: &mut [u8]) {
        let (p, maker) = (self.public.p, self.maker());
        let (r, rest) = signature.split_at_mut(p.n);
        let (fors, mut hypertree) = rest.split_at_mut(p.fors_len());
        let opt_rand = opt_rand.unwrap_or(&self.public.seed.bytes[..p.n]);
        let [head, context, message] = message;
        let parts = [opt_rand, head, context, message];
        let mut full_r = if p.shake {
            shake::prf_msg(p, &self.secrets.prf, parts)
        } else {
            sha2::prf_msg(p, &self.secrets.prf, parts)
        };
        // R goes into the signature.
        ct::mark_public_value(&mut full_r);
        r.copy_from_slice(&full_r[..p.n]);
        let mut digest = self.public.digest(r, [head, context, message]);
        let mut indices = [0; 35];
        for (to, index) in indices.iter_mut().zip(digest.indices(p)) {
            *to = index;
        }
        let mut node = maker.fors(digest.tree, digest.leaf, &indices[..p.k], fors);
        // Algorithm 12 (ht_sign).
        for layer in 0..p.d {
            let (now, later) = hypertree.split_at_mut(p.xmss_len());
            let sign = Some((digest.leaf as usize, &node, now));
            node = maker.xmss(layer, digest.tree, sign);
            digest.ascend(p);
            hypertree = later;
        }
        // What was secret of it is given away.
        ct::mark_public(signature);
    }
}

// What the standard's tables 1 and 2 have: addresses hold every index.
const _: () = assert!(size_of::<Type>() == 1 && size_of::<Adrs>() <= 32);
