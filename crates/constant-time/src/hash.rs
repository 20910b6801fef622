//! Hashes, MACs and derivations of keys.

use crate::following::{counts, lengths};
use adamant_base::family::{Hash, Mac};
use adamant_base::{Implementation, ct};
use adamant_hash::argon2::{Argon2, Variant};
use adamant_hash::blake2b::{Blake2b, Blake2b512, Blake2bMac};
use adamant_hash::blake2s::{Blake2s, Blake2s256, Blake2sMac};
use adamant_hash::hazmat::hmac_drbg::Rfc6979;
use adamant_hash::hazmat::keccak::{Rate, Rounds, lanes::Chain};
use adamant_hash::hazmat::{
    argon2, blake2b, blake2s, blake3, keccak, md5, scrypt, sha1, sha256, sha512, sm3,
};
use adamant_hash::hmac::BatchHash;
use adamant_hash::scrypt::Params;
use adamant_hash::siphash::SipHash24;
use adamant_hash::{
    Blake3, Hmac, Kmac128, Md5, Sha1, Sha3_256, Sha256, Sha512, Shake128, Sm3, hkdf, pbkdf2,
    sp800_108, tls_prf, x963,
};
use adamant_testkit::taint::{Operation, public, secret};

/// An operation on each row of a table.
macro_rules! on {
    ($name:literal, $backend:ty, $run:expr) => {
        Operation {
            name: $name,
            run: || rows!($backend).for_each($run),
        }
    };
}

/// A hash.
macro_rules! digests {
    ($name:literal, $hash:ident, $table:ident) => {
        on!($name, $table::Backend, |b| hash(
            $hash::new_on(b),
            b.implementation()
        ))
    };
}

/// The batch calls of a hash; and the chains of PBKDF2.
macro_rules! batches {
    ($name:literal, $hash:ident, $table:ident) => {
        on!($name, $table::lanes::Backend, |b| {
            for count in counts(b.implementation(), 18) {
                let (message, key) = (secret([7u8; 700]), secret([9u8; 200]));
                let messages = prefixes(&message, count, 40);
                let keys = prefixes(&key, count, 10);
                let mut out = vec![$hash::digest(b""); count];
                $hash::digest_batch_on(&messages, &mut out, b).unwrap();
                ct::mark_public(out.as_flattened());
                $hash::hmac_batch_on(&keys, &messages, &mut out, b).unwrap();
                ct::mark_public(out.as_flattened());
                let keyed = Hmac::<$hash>::new(&key);
                $hash::hmac_batch_one_key_on(&keyed, &messages, &mut out, b).unwrap();
                ct::mark_public(out.as_flattened());
                let [inner, outer, mut u, mut sum] = secret([[[7; _]; 99]; 4]);
                let (inner, outer) = (&inner[..count], &outer[..count]);
                b.hmac_chain(inner, outer, &mut u[..count], &mut sum[..count], 4, 2);
                public([u, sum]);
            }
        })
    };
}

/// The batch call of a hash of the BLAKE2 family.
macro_rules! blake2_batch {
    ($name:literal, $hash:ident, $table:ident) => {
        on!($name, $table::lanes::Backend, |b| {
            let message = secret([7u8; 700]);
            for count in counts(b.implementation(), 18) {
                let mut out = vec![[0; 32]; count];
                let messages = prefixes(&message, count, 40);
                $hash::digest_batch_on(&messages, &mut out, b).unwrap();
                ct::mark_public(out.as_flattened());
            }
        })
    };
}

/// So many beginnings of a message, each so much longer than the one before, and again.
fn prefixes(message: &[u8], count: usize, step: usize) -> Vec<&[u8]> {
    (0..count)
        .map(|i| &message[..step * i % message.len()])
        .collect()
}

pub(crate) const OPERATIONS: &[Operation] = &[
    digests!("sha256", Sha256, sha256),
    digests!("sha512", Sha512, sha512),
    digests!("sha3-256", Sha3_256, keccak),
    on!("shake128", keccak::Backend, |b| xof(Shake128::new_on(b))),
    on!("keccak-two", keccak::Backend, |b| {
        let [mut one, mut other] = secret([[7; 25]; 2]);
        b.permute_two(&mut one, &mut other, Rounds::ALL);
        public([one, other]);
    }),
    on!("sha3-256-batch", keccak::lanes::Backend, batch),
    on!("keccak-lanes", keccak::lanes::Backend, permutations),
    batches!("sha256-batch", Sha256, sha256),
    on!("sha256-chains", sha256::chains::Backend, chains),
    batches!("sha512-batch", Sha512, sha512),
    batches!("sm3-batch", Sm3, sm3),
    batches!("sha1-batch", Sha1, sha1),
    batches!("md5-batch", Md5, md5),
    digests!("sm3", Sm3, sm3),
    digests!("sha1", Sha1, sha1),
    digests!("md5", Md5, md5),
    blake2_batch!("blake2b-batch", Blake2b, blake2b),
    on!("blake2b", blake2b::Backend, |b| {
        hash(Blake2b512::new_on(b), b.implementation());
        mac(Blake2bMac::<32>::new_on(&secret([7; 64]), b).unwrap());
    }),
    blake2_batch!("blake2s-batch", Blake2s, blake2s),
    on!("blake2s", blake2s::Backend, |b| {
        hash(Blake2s256::new_on(b), b.implementation());
        mac(Blake2sMac::<32>::new_on(&secret([7; 32]), b).unwrap());
    }),
    on!("blake3", blake3::Backend, |b| {
        hash(Blake3::new_on(b), b.implementation());
        let message = secret([9u8; 70_000]);
        let chunks = counts(b.implementation(), 43)
            .into_iter()
            .map(|n| 1024 * n + 70);
        for len in chunks.chain([700, 5000]) {
            public(Blake3::new_on(b).finish_with(&[&message[..len]]));
        }
        let mut mac = blake3::keyed_on(&secret([7; 32]), b);
        mac.update(&secret([9u8; 5000]));
        public(mac.finalize());
    }),
    on!("hmac-sha256", sha256::Backend, |b| hmac(&Sha256::new_on(b))),
    on!("hmac-sha512", sha512::Backend, |b| hmac(&Sha512::new_on(b))),
    on!("kmac128", keccak::Backend, kmac),
    Operation {
        name: "siphash",
        run: siphash,
    },
    Operation {
        name: "hkdf-sha256",
        run: derive,
    },
    Operation {
        name: "pbkdf2",
        run: || {
            rows!(sha1::Backend).for_each(|b| password(&Sha1::new_on(b)));
            rows!(sha256::Backend).for_each(|b| password(&Sha256::new_on(b)));
            rows!(sha512::Backend).for_each(|b| password(&Sha512::new_on(b)));
            rows!(sm3::Backend).for_each(|b| password(&Sm3::new_on(b)));
            rows!(keccak::Backend).for_each(|b| password(&Sha3_256::new_on(b)));
        },
    },
    // The order of reads, which depends on the password by design, is marked public.
    on!("scrypt", scrypt::Backend, scrypt),
    on!("scrypt-lanes", scrypt::lanes::Backend, scrypt_lanes),
    on!("argon2i", argon2::Backend, |b| argon2(b, Variant::I)),
    // As for scrypt.
    on!("argon2d", argon2::Backend, |b| argon2(b, Variant::D)),
    Operation {
        name: "x963-sha256",
        run: || {
            let mut key = [0; 100];
            x963::derive::<Sha256>(&secret([7u8; 32]), b"info", &mut key).unwrap();
            public(key);
        },
    },
    Operation {
        name: "sp800-108-sha256",
        run: || {
            let (mut key, root) = ([0; 100], secret([7u8; 32]));
            sp800_108::derive::<Sha256>(&root, b"label", b"context", &mut key).unwrap();
            public(key);
        },
    },
    Operation {
        name: "tls12-prf-sha256",
        run: || {
            let (mut key, premaster) = ([0; 100], secret([7u8; 48]));
            tls_prf::derive::<Sha256>(&premaster, b"master secret", &[9; 64], &mut key);
            public(key);
        },
    },
    on!("rfc6979-sha256", sha256::Backend, |b| nonces(
        Sha256::new_on(b)
    )),
];

fn hash<H: Hash>(mut hash: H, row: &Implementation) {
    let message = secret([7u8; 8192]);
    for len in lengths(row, &[0, 55, 64]) {
        public(hash.finish_with(&[&message[..len]]));
    }
    let message = &message[..200];
    hash.update(&message[..70]);
    hash.update(&message[70..]);
    public(hash.finalize());
}

/// Of nodes of each length.
fn chains(backend: sha256::chains::Backend) {
    for count in counts(backend.implementation(), 3) {
        let [prefixes, mut nodes, mut kept] = secret([[[7; 8]; 99]; 3]);
        for words in [4, 6, 8] {
            let chains = sha256::chains::Chains {
                prefixes: &prefixes[..count],
                addresses: &[[0; 6]; 99],
                nodes: &mut nodes[..count],
                keep: &[2; 99],
                kept: &mut kept[..count],
            };
            backend.run(chains, words, 4);
        }
        public([nodes, kept]);
    }
}

fn xof(mut xof: Shake128) {
    xof.update(&secret([7u8; 200]));
    let (mut reader, mut out) = (xof.finalize_xof(), [0; 200]);
    for piece in [0..7, 7..200] {
        reader.read(&mut out[piece]);
    }
    public(out);
}

fn batch(backend: keccak::lanes::Backend) {
    for count in counts(backend.implementation(), 10) {
        let (message, key) = (secret([7u8; 700]), secret([9u8; 200]));
        let messages = prefixes(&message, count, 40);
        let keys = prefixes(&key, count, 20);
        let mut digests = vec![[0; 32]; count];
        Sha3_256::digest_batch_on(&messages, &mut digests, backend).unwrap();
        ct::mark_public(digests.as_flattened());
        Sha3_256::hmac_batch_on(&keys, &messages, &mut digests, backend).unwrap();
        ct::mark_public(digests.as_flattened());
        let keyed = Hmac::<Sha3_256>::new(&key);
        Sha3_256::hmac_batch_one_key_on(&keyed, &messages, &mut digests, backend).unwrap();
        ct::mark_public(digests.as_flattened());
    }
}

/// Of eight states, by each of the calls.
fn permutations(backend: keccak::lanes::Backend) {
    let (mut states, mut blocks) = (secret([[7; 8]; 25]), secret([[9; 192]; 8]));
    backend.permute(&mut states, Rounds::ALL);
    backend.absorb(&mut states, &blocks, Rounds::LAST_12);
    backend.squeeze(&states, &mut blocks);
    let messages = blocks.each_ref().map(|block| &block[..]);
    backend.absorb_messages(&mut states, &messages, Rate::new(72).unwrap(), Rounds::ALL);
    let (at, words, steps) = (4, 2, 3);
    let (mut kept, chain) = ([[0; 8]; 4], Chain { at, words, steps });
    backend.chain(&mut states, &mut kept, &[1; 8], chain);
    public((states, kept));
}

fn hmac<H: Hash>(fresh: &H) {
    for len in [16, 200] {
        let mut mac = Hmac::with_hash(fresh, &secret([7u8; 200])[..len]);
        mac.update(&secret([9u8; 100]));
        let right = public(mac.clone().finalize());
        assert_eq!(mac.clone().verify(right.as_ref()), Ok(()));
        assert!(mac.verify(&right.as_ref()[1..]).is_err());
    }
}

fn kmac(backend: keccak::Backend) {
    let mut mac = Kmac128::<32>::new_on(&secret([7u8; 32]), b"", backend);
    mac.update(&secret([9u8; 100]));
    let right = public(mac.clone().finalize());
    assert_eq!(mac.clone().verify(&right), Ok(()));
    assert!(mac.verify(&right[1..]).is_err());
}

fn mac<M: Mac>(mut mac: M) {
    mac.update(&secret([9u8; 200]));
    public(mac.finalize());
}

fn siphash() {
    mac(SipHash24::new(&secret([7u8; 16])));
    let right = public(SipHash24::mac(&secret([7u8; 16]), b""));
    let keyed = SipHash24::new(&secret([7u8; 16]));
    assert_eq!(keyed.verify(&right), Ok(()));
}

fn derive() {
    let mut key = [0; 100];
    let ikm = secret([7u8; 32]);
    hkdf::derive::<Sha256>(b"salt", &ikm, b"info", &mut key).unwrap();
    public(key);
}

/// One chain, several, and as many as fill lanes.
fn password<H: Hash>(fresh: &H) {
    for len in [20, 100, 700] {
        let (mut key, password) = ([0; 700], secret([7u8; 12]));
        pbkdf2::derive_with_hash(fresh, &password, b"salt", 4, &mut key[..len]).unwrap();
        public(key);
    }
}

fn scrypt(backend: scrypt::Backend) {
    let (mut key, password) = ([0; 32], secret([7u8; 12]));
    let params = Params::new(8, 2, 2).unwrap().with_backend(backend);
    params.derive(&password, b"salt", &mut key).unwrap();
    public(key);
}

fn scrypt_lanes(backend: scrypt::lanes::Backend) {
    for count in counts(backend.implementation(), 7) {
        let (mut keys, password) = (vec![[0; 32]; count], secret([7u8; 12]));
        let inputs: Vec<(&[u8], &[u8])> = (0..count)
            .map(|i| (&password[..i % 12], &b"salt"[..]))
            .collect();
        let mut places: Vec<_> = keys.iter_mut().map(|key| &mut key[..]).collect();
        Params::new(8, 2, 1)
            .unwrap()
            .with_lanes(backend)
            .derive_batch_into(&inputs, &mut places)
            .unwrap();
        ct::mark_public(keys.as_flattened());
    }
}

fn argon2(backend: argon2::Backend, variant: Variant) {
    let (mut key, password, pepper) = ([0; 100], secret([7u8; 12]), secret([9u8; 12]));
    let argon2 = Argon2::new(variant, 35, 2, 2).unwrap().with_secret(&pepper);
    argon2
        .with_backend(backend)
        .derive(&password, b"the salt", &mut key)
        .unwrap();
    public(key);
}

fn nonces<H: Hash>(fresh: H) {
    let (private_key, digest) = (secret([7u8; 32]), secret([9u8; 32]));
    let mut nonces = Rfc6979::with_hash(fresh, &private_key, &digest, &secret([1u8; 32]));
    for _ in 0..2 {
        let mut k = [0; 32];
        nonces.next(&mut k);
        public(k);
    }
}
