//! P-256, P-384, P-521 and SM2: key generation, ECDH, signatures.

use std::ffi::c_int;
use std::ptr::null_mut;

use adamant_engine::der;
use adamant_engine::family::{Outcome, pair};
use adamant_engine::op::{field, item, valid};
use adamant_engine::serve::Engine;
use rand::Rng;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::ffi::{self, Ecdh, PublicKey, Sign, Verify};
use crate::lanes::{NONE, batch, bytes, done, is_good, numbers, pointers, words};

/// A curve: bytes and words of its numbers.
#[derive(Clone, Copy)]
struct Curve {
    size: usize,
    words: usize,
    public_key: PublicKey,
}

/// The identity that signatures of SM2 are over.
const IDENTITY: &[u8; 16] = b"1234567812345678";

pub(crate) fn register(engine: &mut Engine) {
    type Hash = fn(&[u8]) -> Vec<u8>;
    let curves: [(&str, usize, PublicKey, Ecdh, Sign, Verify, Hash); 3] = [
        (
            "p256",
            32,
            ffi::mbx_nistp256_ecpublic_key_mb8,
            ffi::mbx_nistp256_ecdh_mb8,
            ffi::mbx_nistp256_ecdsa_sign_mb8,
            ffi::mbx_nistp256_ecdsa_verify_mb8,
            |message| Sha256::digest(message).to_vec(),
        ),
        (
            "p384",
            48,
            ffi::mbx_nistp384_ecpublic_key_mb8,
            ffi::mbx_nistp384_ecdh_mb8,
            ffi::mbx_nistp384_ecdsa_sign_mb8,
            ffi::mbx_nistp384_ecdsa_verify_mb8,
            |message| Sha384::digest(message).to_vec(),
        ),
        (
            "p521",
            66,
            ffi::mbx_nistp521_ecpublic_key_mb8,
            ffi::mbx_nistp521_ecdh_mb8,
            ffi::mbx_nistp521_ecdsa_sign_mb8,
            ffi::mbx_nistp521_ecdsa_verify_mb8,
            // As long as a number of the curve.
            |message| [&[0; 2][..], &Sha512::digest(message)].concat(),
        ),
    ];
    for (name, size, public_key, ecdh, sign, verify, hash) in curves {
        let curve = Curve {
            size,
            words: size.div_ceil(8),
            public_key,
        };
        let (own, theirs) = (format!("ecdsa-{name}"), format!("ecdh-{name}"));
        curve.keygen(engine, &own);
        curve.keygen(engine, &theirs);
        curve.agreement(engine, &theirs, ecdh);
        curve.signatures(engine, &own, sign, verify, hash);
    }
    let sm2 = Curve {
        size: 32,
        words: 4,
        public_key: ffi::mbx_sm2_ecpublic_key_mb8,
    };
    sm2.keygen(engine, "sm2");
    sm2.sm2(engine);
}

/// A private key and its public one.
struct KeyPair {
    scalar: Vec<u64>,
    x: Vec<u64>,
    y: Vec<u64>,
}

struct Signing {
    scalar: Vec<u64>,
    nonce: Vec<u64>,
    x: Vec<u64>,
    y: Vec<u64>,
    message: Vec<u8>,
    hash: Vec<u8>,
    r: [u8; 66],
    s: [u8; 66],
}

struct Verifying {
    x: Vec<u64>,
    y: Vec<u64>,
    message: Vec<u8>,
    hash: Vec<u8>,
    r: Vec<u8>,
    s: Vec<u8>,
    valid: bool,
}

impl Curve {
    /// A number below the order of the curve, but for the few that begin as it does: those are
    /// drawn again.
    fn draw(self, scalar: &mut Vec<u64>) {
        scalar.resize(self.words, 0);
        loop {
            let mut rng = rand::rng();
            scalar.iter_mut().for_each(|word| *word = rng.next_u64());
            let top = scalar.last_mut().expect("a curve has a word");
            let bound = if self.size == 66 {
                *top &= 0x1ff;
                0x1ff
            } else {
                // Below the first words of P-256, P-384 and SM2.
                0xffff_fffe_0000_0000
            };
            let all_ones = scalar[1..self.words - 1]
                .iter()
                .all(|word| *word == u64::MAX);
            let top = scalar[self.words - 1];
            if top < bound || self.size == 66 && !all_ones {
                return;
            }
        }
    }

    fn point(self, encoded: &[u8]) -> Outcome<(Vec<u64>, Vec<u64>)> {
        let Some((4, rest)) = encoded
            .split_first()
            .filter(|_| encoded.len() == 2 * self.size + 1)
        else {
            return Err("the point is not an uncompressed one of this curve".into());
        };
        let (x, y) = rest.split_at(self.size);
        Ok((words(x, self.words)?, words(y, self.words)?))
    }

    fn keygen(self, engine: &mut Engine, name: &str) {
        let new = move |_: &_| {
            let zeros = || vec![0; self.words];
            Ok(KeyPair {
                scalar: zeros(),
                x: zeros(),
                y: zeros(),
            })
        };
        let run = move |keys: &mut [KeyPair]| {
            keys.iter_mut().for_each(|key| self.draw(&mut key.scalar));
            let x = pointers(keys, |key| key.x.as_mut_ptr());
            let y = pointers(keys, |key| key.y.as_mut_ptr());
            let scalar = pointers(keys, |key| key.scalar.as_mut_ptr());
            // SAFETY: all lanes point to as many words as the curve has; Z is left out.
            done(unsafe { (self.public_key)(&x, &y, NONE, &scalar, null_mut()) })
        };
        batch::<8, _>(engine, &format!("{name}/keygen"), new, run, move |key| {
            let point = [&[4], &*bytes(&key.x, self.size), &bytes(&key.y, self.size)].concat();
            pair(&bytes(&key.scalar, self.size), &point)
        });
    }

    fn agreement(self, engine: &mut Engine, name: &str, ecdh: Ecdh) {
        let new = move |input: &_| {
            let scalar = words(&field(input, "private_key")?, self.words)?;
            let (x, y) = self.point(&field(input, "peer_public_key")?)?;
            Ok((KeyPair { scalar, x, y }, [0; 66]))
        };
        let run = move |keys: &mut [(KeyPair, [u8; 66])]| {
            let secret = pointers(keys, |(_, secret)| secret.as_mut_ptr());
            let scalar = pointers(keys, |(key, _)| key.scalar.as_mut_ptr());
            let x = pointers(keys, |(key, _)| key.x.as_mut_ptr());
            let y = pointers(keys, |(key, _)| key.y.as_mut_ptr());
            // SAFETY: as above, and room for a coordinate.
            done(unsafe { ecdh(&secret, &scalar, &x, &y, NONE, null_mut()) })
        };
        batch::<8, _>(
            engine,
            &format!("{name}/derive"),
            new,
            run,
            move |(_, secret)| item([("shared_secret", &secret[..self.size])]),
        );
    }

    fn signing(self, input: &adamant_engine::Item) -> Outcome<Signing> {
        Ok(Signing {
            scalar: words(&field(input, "private_key")?, self.words)?,
            nonce: Vec::new(),
            x: Vec::new(),
            y: Vec::new(),
            message: field(input, "message")?,
            hash: Vec::new(),
            r: [0; 66],
            s: [0; 66],
        })
    }

    fn verifying(self, input: &adamant_engine::Item) -> Outcome<Verifying> {
        let (x, y) = self.point(&field(input, "public_key")?)?;
        let raw = der::raw_signature(&field(input, "signature")?, self.size);
        let raw = raw.ok_or("the signature has another shape")?;
        let (r, s) = raw.split_at(self.size);
        Ok(Verifying {
            x,
            y,
            message: field(input, "message")?,
            hash: Vec::new(),
            r: r.to_vec(),
            s: s.to_vec(),
            valid: false,
        })
    }

    fn encoded(self, signing: &Signing) -> adamant_engine::Item {
        let raw = [&signing.r[..self.size], &signing.s[..self.size]].concat();
        item([("signature", &der::signature(&raw))])
    }

    fn signatures(
        self,
        engine: &mut Engine,
        name: &str,
        sign: Sign,
        verify: Verify,
        hash: fn(&[u8]) -> Vec<u8>,
    ) {
        let run = move |keys: &mut [Signing]| {
            for key in &mut *keys {
                self.draw(&mut key.nonce);
                key.hash = hash(&key.message);
            }
            let r = pointers(keys, |key| key.r.as_mut_ptr());
            let s = pointers(keys, |key| key.s.as_mut_ptr());
            let hash = pointers(keys, |key| key.hash.as_mut_ptr());
            let nonce = pointers(keys, |key| key.nonce.as_mut_ptr());
            let scalar = pointers(keys, |key| key.scalar.as_mut_ptr());
            // SAFETY: as above; hashes are as long as the numbers of the curve.
            done(unsafe { sign(&r, &s, &hash, &nonce, &scalar, null_mut()) })
        };
        let (name_of, new) = (format!("{name}/sign"), move |input: &_| self.signing(input));
        batch::<8, _>(engine, &name_of, new, run, move |key| self.encoded(key));
        let run = move |keys: &mut [Verifying]| {
            keys.iter_mut()
                .for_each(|key| key.hash = hash(&key.message));
            let r = pointers(keys, |key| key.r.as_mut_ptr());
            let s = pointers(keys, |key| key.s.as_mut_ptr());
            let hash = pointers(keys, |key| key.hash.as_mut_ptr());
            let x = pointers(keys, |key| key.x.as_mut_ptr());
            let y = pointers(keys, |key| key.y.as_mut_ptr());
            // SAFETY: as above.
            let status = unsafe { verify(&r, &s, &hash, &x, &y, NONE, null_mut()) };
            judge(keys, status);
            Ok(())
        };
        let (name_of, new) = (format!("{name}/verify"), move |input: &_| {
            self.verifying(input)
        });
        batch::<8, _>(engine, &name_of, new, run, |key| valid(key.valid));
    }

    fn sm2(self, engine: &mut Engine) {
        let identity = [IDENTITY.as_ptr().cast_mut(); 8];
        let id_len = [IDENTITY.len() as c_int; 8];
        let new = move |input: &_| {
            let (x, y) = self.point(&field(input, "public_key")?)?;
            let signing = self.signing(input)?;
            Ok(Signing { x, y, ..signing })
        };
        let run = move |keys: &mut [Signing]| {
            keys.iter_mut().for_each(|key| self.draw(&mut key.nonce));
            let r = pointers(keys, |key| key.r.as_mut_ptr());
            let s = pointers(keys, |key| key.s.as_mut_ptr());
            let message = pointers(keys, |key| key.message.as_mut_ptr());
            let len = numbers(keys, |key| key.message.len() as c_int);
            let nonce = pointers(keys, |key| key.nonce.as_mut_ptr());
            let scalar = pointers(keys, |key| key.scalar.as_mut_ptr());
            let x = pointers(keys, |key| key.x.as_mut_ptr());
            let y = pointers(keys, |key| key.y.as_mut_ptr());
            // SAFETY: as above; messages and identities as long as said.
            done(unsafe {
                ffi::mbx_sm2_ecdsa_sign_mb8(
                    &r,
                    &s,
                    &identity,
                    &id_len,
                    &message,
                    &len,
                    &nonce,
                    &scalar,
                    &x,
                    &y,
                    NONE,
                    null_mut(),
                )
            })
        };
        batch::<8, _>(engine, "sm2/sign", new, run, move |key| self.encoded(key));
        let run = move |keys: &mut [Verifying]| {
            let r = pointers(keys, |key| key.r.as_mut_ptr());
            let s = pointers(keys, |key| key.s.as_mut_ptr());
            let message = pointers(keys, |key| key.message.as_mut_ptr());
            let len = numbers(keys, |key| key.message.len() as c_int);
            let x = pointers(keys, |key| key.x.as_mut_ptr());
            let y = pointers(keys, |key| key.y.as_mut_ptr());
            // SAFETY: as above.
            let status = unsafe {
                ffi::mbx_sm2_ecdsa_verify_mb8(
                    &r,
                    &s,
                    &identity,
                    &id_len,
                    &message,
                    &len,
                    &x,
                    &y,
                    NONE,
                    null_mut(),
                )
            };
            judge(keys, status);
            Ok(())
        };
        let new = move |input: &_| self.verifying(input);
        batch::<8, _>(engine, "sm2/verify", new, run, |key| valid(key.valid));
    }
}

fn judge(keys: &mut [Verifying], status: u32) {
    for (lane, key) in keys.iter_mut().enumerate() {
        key.valid = is_good(status, lane);
    }
}
