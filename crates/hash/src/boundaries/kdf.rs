//! Keys from passwords, nonces, and SipHash.

use crate::argon2::{Argon2, Variant};
use crate::hmac_drbg::NonceHash;
use crate::reference::kdf::Hash as Reference;
use crate::reference::{MD5, SHA1, SHA256, SHA384, SHA512, kdf, passwords};
use crate::siphash::SipHash;
use crate::{Md5, Sha1, Sha256, Sha384, Sha512, argon2, hmac_drbg, pbkdf2, scrypt};
use adamant_base::family::Hash;
use adamant_testkit::boundaries::{self, Cover, counts, lengths, pieces};
use adamant_testkit::{TestRng, table};

boundaries::tests! { pbkdf2_batches mixing scrypt_rows scrypt_batches argon2_blocks argon2_shapes nonces siphashes }

/// Runs `derive` on this many passwords and salts with places for this many bytes each.
fn many(
    (count, output): (usize, usize),
    unit: usize,
    derive: &dyn Fn(&[(&[u8], &[u8])], &mut [&mut [u8]]),
    expected: &dyn Fn(&[u8], &[u8], usize) -> Vec<u8>,
) {
    let data = TestRng::new(1).bytes(400);
    // Passwords of all lengths up to beyond a block, outputs that differ.
    let inputs: Vec<(&[u8], &[u8])> = (0..count)
        .map(|i| (&data[i..][..i * 37 % 150], &data[..8 + i % 9]))
        .collect();
    let length = |i: usize| match output {
        usize::MAX => i * 53 % (4 * unit),
        output => output,
    };
    let mut out: Vec<Vec<u8>> = (0..count).map(|i| vec![0; length(i)]).collect();
    let mut places: Vec<&mut [u8]> = out.iter_mut().map(|out| &mut out[..]).collect();
    derive(&inputs, &mut places);
    for (i, (out, (password, salt))) in out.iter().zip(&inputs).enumerate() {
        assert!(
            *out == expected(password, salt, out.len()),
            "{i} of {count}, {output} bytes"
        );
    }
}

/// Every number of chains around the lanes, from one password or from many.
fn pbkdf2_batches(cover: Cover) {
    fn check<H: Hash>(cover: Cover, hash: Reference, mut counts: Vec<usize>) {
        // They are run 32 at a time.
        counts.retain(|count| *count <= 34);
        let size = H::OUTPUT_LEN;
        let outputs = [
            0,
            1,
            size - 1,
            size,
            size + 1,
            9 * size,
            33 * size + 1,
            usize::MAX,
        ];
        for [count, output, iterations] in cover.cases([&counts, &outputs, &[1, 2, 3]]) {
            let iterations = iterations as u32;
            many(
                (count, output),
                size,
                &|inputs, out| pbkdf2::derive_batch_into::<H>(inputs, iterations, out).unwrap(),
                &|password, salt, len| hash.pbkdf2(password, salt, iterations, len),
            );
        }
    }
    let counts_of = [
        counts(crate::md5::lanes::Backend::implementations()),
        counts(crate::sha1::lanes::Backend::implementations()),
        counts(crate::sha256::lanes::Backend::implementations()),
        counts(crate::sha512::lanes::Backend::implementations()),
    ];
    let [of_md5, of_sha1, of_sha256, of_sha512] = counts_of;
    check::<Md5>(
        cover,
        Reference {
            digest: &|m| MD5.digest(m),
            block: 64,
        },
        of_md5,
    );
    check::<Sha1>(
        cover,
        Reference {
            digest: &|m| SHA1.digest(m),
            block: 64,
        },
        of_sha1,
    );
    check::<Sha256>(
        cover,
        Reference {
            digest: &|m| SHA256.digest(m),
            block: 64,
        },
        of_sha256,
    );
    check::<Sha384>(
        cover,
        Reference {
            digest: &|m| SHA384.digest(m),
            block: 128,
        },
        of_sha512,
    );
}

/// scryptROMix of one block and of as many as there are lanes, with junk where the copies go.
fn mixing(cover: Cover) {
    let mut rng = TestRng::new(2);
    for [n, r] in cover.cases([&[2, 4, 16, 64], &[1, 2, 3, 8, 17]]) {
        let mut block = || core::array::from_fn(|_| rng.next_u64() as u32);
        let b: Vec<scrypt::Block> = (0..2 * r * 8).map(|_| block()).collect();
        let junk = vec![block(); 2 * r * 8 * n];
        let expected: Vec<scrypt::Block> = b
            .chunks(2 * r)
            .flat_map(|b| passwords::ro_mix(b, n))
            .collect();
        table!(scrypt::Backend).for_each(|backend| {
            let (mut mixed, mut v, mut x) = (b.clone(), junk.clone(), junk.clone());
            let each = mixed.chunks_mut(2 * r).zip(v.chunks_mut(2 * r * n));
            each.for_each(|(b, v)| backend.ro_mix(b, v, &mut x[..2 * r]));
            assert!(mixed == expected, "N = {n}, r = {r}");
        });
        table!(scrypt::lanes::Backend).for_each(|backend| {
            let lanes = backend.implementation().lanes;
            assert!(lanes.contains(&backend.vector()) && lanes.contains(&backend.lanes()));
            for count in lanes {
                let len = 2 * r * count;
                let (mut mixed, mut v, mut x) = (b.clone(), junk.clone(), junk.clone());
                backend.ro_mix(&mut mixed[..len], &mut v[..len * n], &mut x[..len], *count);
                assert!(
                    mixed[..len] == expected[..len],
                    "N = {n}, r = {r}, {count} lanes"
                );
                assert!(mixed[len..] == b[len..], "beyond {count} lanes");
            }
        });
    }
}

fn scrypt_rows(cover: Cover) {
    let lengths = [1, 31, 32, 33, 64, 100];
    for [n, r, p, len] in cover.cases([&[2, 8, 32], &[1, 2, 5, 8], &[1, 2, 3, 7, 9], &lengths]) {
        let params = scrypt::Params::new(n as u64, r as u32, p as u32).unwrap();
        let expected = passwords::scrypt(b"password", b"salt", [n, r, p], len);
        let mut out = vec![0; len];
        params.derive(b"password", b"salt", &mut out).unwrap();
        assert!(out == expected, "{params:?}, {len} bytes");
        table!(scrypt::Backend).for_each(|backend| {
            let mut out = vec![0; len];
            let params = params.with_backend(backend);
            params.derive(b"password", b"salt", &mut out).unwrap();
            assert!(out == expected, "{params:?}, {len} bytes");
        });
    }
}

/// Every number of passwords around the lanes, with one block each or more.
fn scrypt_batches(cover: Cover) {
    let counts = counts(scrypt::lanes::Backend::implementations());
    let outputs = [32, 40, usize::MAX];
    for [count, p, n, r, output] in
        cover.cases([&counts, &[1, 2, 3, 4, 5, 8, 9], &[2, 8], &[1, 3], &outputs])
    {
        let params = scrypt::Params::new(n as u64, r as u32, p as u32).unwrap();
        table!(scrypt::lanes::Backend).for_each(|backend| {
            let params = params.with_lanes(backend);
            many(
                (count, output),
                32,
                &|inputs, out| params.derive_batch_into(inputs, out).unwrap(),
                &|password, salt, len| passwords::scrypt(password, salt, [n, r, p], len),
            );
        });
    }
}

/// G, over words of all kinds.
fn argon2_blocks(cover: Cover) {
    let mut rng = TestRng::new(3);
    for [xor, _] in cover.cases([&[0, 1], &[0; 30]]) {
        let (x, y, old): (argon2::Block, argon2::Block, argon2::Block) =
            (rng.words(), rng.words(), rng.words());
        let mut expected = passwords::g(&x, &y);
        if xor == 1 {
            expected
                .iter_mut()
                .zip(old)
                .for_each(|(new, old)| *new ^= old);
        }
        table!(argon2::Backend).for_each(|backend| {
            let [mut x, mut y, mut out] = [x, y, old];
            for block in [&mut x, &mut y, &mut out] {
                backend.arrange(block);
            }
            backend.compress(&x, &y, &mut out, xor == 1);
            backend.restore(&mut out);
            assert_eq!(out, expected);
        });
    }
}

/// Memory from the least on, segments of one block more than a batch of addresses and fewer, odd
/// memory, outputs around those of one hash.
fn argon2_shapes(cover: Cover) {
    let variants = [Variant::D, Variant::I, Variant::Id];
    let memory = [8, 9, 11, 12, 13, 4 * 127, 4 * 128, 4 * 129];
    let outputs = [4, 32, 63, 64, 65, 95, 96, 97, 128, 200];
    for [variant, memory, passes, lanes, len] in
        cover.cases([&[0, 1, 2], &memory, &[1, 2, 3], &[1, 2, 3, 5], &outputs])
    {
        let (memory, lanes) = ((memory * lanes) as u32, lanes as u32);
        let own = Argon2::new(variants[variant], memory, passes as u32, lanes).unwrap();
        let own = own.with_secret(b"secret").with_associated_data(&[4; 12]);
        let reference = passwords::Argon2 {
            variant: variant as u32,
            memory,
            passes: passes as u32,
            lanes,
            secret: b"secret",
            associated_data: &[4; 12],
        };
        let expected = reference.derive(b"password", b"some salt", len);
        table!(argon2::Backend).for_each(|backend| {
            let mut out = vec![0; len];
            own.with_backend(backend)
                .derive(b"password", b"some salt", &mut out)
                .unwrap();
            let variant = variants[variant];
            assert!(
                out == expected,
                "{variant:?} {memory} {passes} {lanes}, {len} bytes"
            );
        });
    }
}

/// Generators in step, as many as lanes and one beside, some of whose candidates are refused.
fn nonces(cover: Cover) {
    fn check<H: NonceHash>(cover: Cover, hash: Reference) {
        let counts = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65];
        // Keys up to where the message of the first step takes more blocks than lanes have.
        let most = 4 * hash.block - 17 - (hash.digest)(&[]).len() - 1;
        let digests = [1, 20, 32, 33, 66, 73];
        let mut keys = digests.to_vec();
        keys.extend([2, 3, 4].map(|blocks| blocks * hash.block - 1));
        keys.extend([2, 3, 4].map(|blocks| blocks * hash.block));
        keys.extend(
            digests
                .iter()
                .flat_map(|digest| [most - digest, most - digest + 1]),
        );
        for [count, key, digest, len, bound] in
            cover.cases([&counts, &keys, &digests, &[1, 32, 66], &[0xff, 0x90, 0x20]])
        {
            let data = TestRng::new(count as u64).bytes(count + key + digest);
            let item = |i: usize| (&data[i..][..key], &data[i + key..][..digest]);
            let items: Vec<(&[u8], &[u8])> = (0..count).map(item).collect();
            let accept = |k: &[u8]| usize::from(k[0]) <= bound;
            let mut out = vec![vec![0; len]; count];
            hmac_drbg::accepted_candidates::<H, _>(&items, &mut out, accept).unwrap();
            for ((x, h1), out) in items.iter().zip(out) {
                assert!(
                    out == hash.rfc6979(x, h1, len, &accept),
                    "{count} of {key} and {digest} bytes, candidates of {len}, bound {bound}"
                );
            }
        }
    }
    check::<Sha256>(
        cover,
        Reference {
            digest: &|m| SHA256.digest(m),
            block: 64,
        },
    );
    check::<Sha512>(
        cover,
        Reference {
            digest: &|m| SHA512.digest(m),
            block: 128,
        },
    );
}

fn siphashes(cover: Cover) {
    fn check<const C: usize, const D: usize, const LEN: usize>(cover: Cover) {
        let (lengths, key) = (lengths(8, []), [0x5a; 16]);
        let data = TestRng::new(5).bytes(300);
        // The length counts modulo 256.
        let lengths = [&lengths[..], &[255, 256, 257, 264]].concat();
        for [len, piece] in cover.cases([&lengths, &[0, 1, 3, 7, 8, 9, 16]]) {
            let mut mac = SipHash::<C, D, LEN>::new(&key);
            pieces(&data[..len], piece).for_each(|piece| mac.update(piece));
            let expected = kdf::siphash(C, D, &key, &data[..len], LEN);
            assert!(mac.finalize()[..] == expected, "{len} bytes by {piece}");
        }
    }
    check::<2, 4, 8>(cover);
    check::<1, 3, 8>(cover);
    check::<2, 4, 16>(cover);
    check::<1, 3, 16>(cover);
}
