//! RSA and elliptic curves.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};

use adamant_engine::der;
use adamant_engine::family::{self, Outcome, pair};
use adamant_engine::op::{self, field, item};
use adamant_engine::serve::Engine;

use crate::choice::{Choice, Rsa};
use crate::ffi::{self, Context, EcKey, HashClass, Number, RsaPrivate, RsaPublic};
use crate::{done, symmetric};

thread_local! {
    /// The library's generator, seeded by the system.
    static RNG: RefCell<Box<Context>> = RefCell::new(seeded());
}

fn seeded() -> Box<Context> {
    let mut context = Context::new();
    let mut name = std::ptr::null();
    // SAFETY: the context has room for this one; the seeder takes such a generator.
    unsafe {
        ffi::br_hmac_drbg_init(context.place(), &ffi::br_sha256_vtable, [].as_ptr(), 0);
        let seeder = ffi::br_prng_seeder_system(&raw mut name).expect("the system has entropy");
        assert_eq!(seeder(context.place()), 1, "the system gives entropy");
    }
    context
}

fn with_rng<T>(run: impl FnOnce(*mut c_void) -> T) -> T {
    RNG.with_borrow_mut(|rng| run(rng.place()))
}

pub(crate) fn register(engine: &mut Engine, choice: Choice) {
    for bits in [2048, 3072, 4096] {
        rsa(engine, choice, bits);
    }
    // SAFETY: the library's tables are constant.
    let hashes: [&'static HashClass; 3] = unsafe {
        [
            &ffi::br_sha256_vtable,
            &ffi::br_sha384_vtable,
            &ffi::br_sha512_vtable,
        ]
    };
    // Numbers of the registry of TLS.
    for ((name, number, size), hash) in [("p256", 23, 32), ("p384", 24, 48), ("p521", 25, 66)]
        .into_iter()
        .zip(hashes)
    {
        let curve = Curve {
            choice,
            number,
            size,
        };
        curve.arithmetic(engine, name);
        curve.agreement(engine, &format!("ecdh-{name}"));
        curve.signatures(engine, &format!("ecdsa-{name}"), hash);
    }
    let curve = Curve {
        choice,
        number: 29,
        size: 32,
    };
    curve.agreement(engine, "x25519");
}

#[derive(Clone, Copy)]
struct Curve {
    choice: Choice,
    number: c_int,
    size: usize,
}

impl Curve {
    fn key(self, bytes: &[u8]) -> EcKey {
        EcKey {
            curve: self.number,
            start: bytes.as_ptr(),
            len: bytes.len(),
        }
    }

    fn point_len(self) -> usize {
        if self.number == 29 {
            32
        } else {
            2 * self.size + 1
        }
    }

    fn mul(self, scalar: &[u8], point: &mut [u8]) -> Outcome<()> {
        let (start, len) = (point.as_mut_ptr(), point.len());
        let mul = self.choice.ec.mul;
        // SAFETY: as many bytes as said; a point of another length is refused.
        done(unsafe { mul(start, len, scalar.as_ptr(), scalar.len(), self.number) })
    }

    fn public(self, scalar: &[u8]) -> Outcome<[u8; 133]> {
        let mut point = [0; 133];
        let mulgen = self.choice.ec.mulgen;
        // SAFETY: the longest point has 133 bytes.
        let len = unsafe {
            mulgen(
                point.as_mut_ptr(),
                scalar.as_ptr(),
                scalar.len(),
                self.number,
            )
        };
        if len == self.point_len() {
            Ok(point)
        } else {
            Err(format!("the library gives a point of {len} bytes"))
        }
    }

    fn keygen(self, engine: &mut Engine, name: &str) {
        family::keygen(
            engine,
            name,
            move || {
                let (mut scalar, mut key) = ([0; 72], self.key(&[]));
                let len = with_rng(|rng| {
                    let (ec, room) = (self.choice.ec, scalar.as_mut_ptr());
                    // SAFETY: the room is that of the longest scalar.
                    unsafe { ffi::br_ec_keygen(rng, ec, &raw mut key, room, self.number) }
                });
                let point = self.public(&scalar[..len])?;
                Ok((scalar, len, point))
            },
            move |(scalar, len, point)| {
                let scalar = der::padded(&scalar[..*len], self.size);
                let scalar = scalar.ok_or("the scalar is long")?;
                Ok(pair(&scalar, &point[..self.point_len()]))
            },
        );
    }

    fn agreement(self, engine: &mut Engine, name: &str) {
        self.keygen(engine, name);
        let mut len = 0;
        // SAFETY: the curve is one of the library's.
        let start = unsafe { (self.choice.ec.xoff)(self.number, &raw mut len) };
        family::derive(
            engine,
            name,
            move |scalar| Ok(scalar.to_vec()),
            |point| Ok(point.to_vec()),
            move |scalar: &Vec<u8>, point: &Vec<u8>| {
                let mut product = [0; 133];
                let product = product.get_mut(..point.len()).ok_or("the point is long")?;
                product.copy_from_slice(point);
                self.mul(scalar, product)?;
                let x = product
                    .get(start..start + len)
                    .ok_or("the point is short")?;
                let mut secret = [0; 66];
                secret[..len].copy_from_slice(x);
                Ok(Secret(secret, len))
            },
        );
    }

    fn arithmetic(self, engine: &mut Engine, name: &str) {
        engine.single(&format!("{name}/mul"), move |_, input| {
            let (scalar, point) = (field(input, "scalar")?, field(input, "point")?);
            Ok(op::filling(
                point.clone(),
                move |product: &mut Vec<u8>| {
                    product.copy_from_slice(&point);
                    self.mul(&scalar, product)
                },
                |product| item([("point", product)]),
            ))
        });
        engine.single(&format!("{name}/mul-base"), move |_, input| {
            let scalar = field(input, "scalar")?;
            Ok(op::giving(
                move || self.public(&scalar),
                move |point| Ok(item([("point", &point[..self.point_len()])])),
            ))
        });
    }

    fn signatures(self, engine: &mut Engine, name: &str, hash: &'static HashClass) {
        self.keygen(engine, name);
        let (sign, verify) = self.choice.ecdsa;
        let size = digest_len(hash);
        family::sign(
            engine,
            &format!("{name}/sign"),
            |scalar| Ok(scalar.to_vec()),
            move |scalar: &Vec<u8>, message| {
                let (digest, key) = (digest(hash, message), self.key(scalar));
                let mut signature = [0; 150];
                let (ec, out) = (self.choice.ec, signature.as_mut_ptr());
                // SAFETY: the longest signature has 139 bytes.
                let len = unsafe { sign(ec, hash, digest.as_ptr(), &raw const key, out) };
                match len {
                    0 => Err("the library does not sign".to_owned()),
                    len => Ok((signature, len)),
                }
            },
            |(signature, len)| signature[..*len].to_vec(),
        );
        let verify = move |point: &Vec<u8>, message: &[u8], signature: &Vec<u8>| {
            let (digest, key) = (digest(hash, message), self.key(point));
            let (ec, signature, len) = (self.choice.ec, signature.as_ptr(), signature.len());
            // SAFETY: as many bytes as said.
            1 == unsafe { verify(ec, digest.as_ptr(), size, &raw const key, signature, len) }
        };
        let owned = |bytes: &[u8]| Ok(bytes.to_vec());
        family::verify(engine, &format!("{name}/verify"), owned, owned, verify);
        family::verify_encoded(engine, name, move |point, message, signature| {
            Ok(verify(&point.to_vec(), message, &signature.to_vec()))
        });
    }
}

/// A shared secret, and its length.
struct Secret([u8; 66], usize);

impl AsRef<[u8]> for Secret {
    fn as_ref(&self) -> &[u8] {
        &self.0[..self.1]
    }
}

fn digest(hash: &HashClass, message: &[u8]) -> [u8; 64] {
    let (mut context, mut out) = (Context([0; 64]), [0; 64]);
    symmetric::digest(hash, &mut context, message, &mut out);
    out
}

/// As the class says in its `desc`.
fn digest_len(hash: &HashClass) -> usize {
    (hash.desc >> 8 & 0x7f) as usize
}

/// A key as the library takes it, and the bytes that it points to.
struct Key<K> {
    raw: K,
    _bytes: Vec<Vec<u8>>,
}

fn number(bytes: &[u8]) -> Number {
    Number {
        start: bytes.as_ptr(),
        len: bytes.len(),
    }
}

fn numbers(pkcs1: &[u8]) -> Outcome<Vec<Vec<u8>>> {
    let numbers = der::numbers(pkcs1).ok_or("the key is no sequence of numbers")?;
    Ok(numbers.into_iter().map(<[u8]>::to_vec).collect())
}

fn public(pkcs1: &[u8]) -> Outcome<Key<RsaPublic>> {
    let bytes = numbers(pkcs1)?;
    let [n, e] = bytes.as_slice() else {
        return Err("the key has not two numbers".into());
    };
    let raw = RsaPublic {
        numbers: [number(n), number(e)],
    };
    Ok(Key { raw, _bytes: bytes })
}

fn private(pkcs1: &[u8]) -> Outcome<Key<RsaPrivate>> {
    let bytes = numbers(pkcs1)?;
    let [_, n, _, _, p, q, dp, dq, iq] = bytes.as_slice() else {
        return Err("the key has not nine numbers".into());
    };
    let first = n.first().ok_or("the modulus is zero")?;
    let raw = RsaPrivate {
        bits: n.len() as u32 * 8 - first.leading_zeros(),
        numbers: [p, q, dp, dq, iq].map(|bytes| number(bytes)),
    };
    Ok(Key { raw, _bytes: bytes })
}

/// The object identifier of SHA-256 with its length in front.
const SHA256_OID: [u8; 10] = [9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
/// Bytes of the longest modulus.
const MAX: usize = 512;

fn rsa(engine: &mut Engine, choice: Choice, bits: u32) {
    let name = format!("rsa-{bits}");
    // SAFETY: the library's tables are constant.
    let sha256: &'static HashClass = unsafe { &ffi::br_sha256_vtable };
    let rsa = choice.rsa;
    family::keygen(
        engine,
        &name,
        move || generate(rsa, bits),
        |(private, public)| Ok(pair(private, public)),
    );
    family::sign(
        engine,
        &format!("{name}/sign-pkcs1"),
        private,
        move |key, message| {
            let (digest, mut signature) = (digest(sha256, message), [0; MAX]);
            let (oid, out) = (SHA256_OID.as_ptr(), signature.as_mut_ptr());
            // SAFETY: the signature is as long as the modulus, at most 512 bytes.
            done(unsafe { (rsa.sign)(oid, digest.as_ptr(), 32, &raw const key.raw, out) })?;
            Ok((signature, key.raw.bits.div_ceil(8) as usize))
        },
        |(signature, len)| signature[..*len].to_vec(),
    );
    family::verify(
        engine,
        &format!("{name}/verify-pkcs1"),
        public,
        |signature| Ok(signature.to_vec()),
        move |key, message, signature: &Vec<u8>| {
            let (expected, mut found) = (digest(sha256, message), [0; 64]);
            let (oid, out) = (SHA256_OID.as_ptr(), found.as_mut_ptr());
            let (start, len) = (signature.as_ptr(), signature.len());
            // SAFETY: as many bytes as said, room for a digest.
            let result = unsafe { (rsa.verify)(start, len, oid, 32, &raw const key.raw, out) };
            result == 1 && expected[..32] == found[..32]
        },
    );
    family::encrypt_message(
        engine,
        &format!("{name}/encrypt-oaep"),
        public,
        move |key, message| {
            let (mut out, key) = (vec![0; MAX], &raw const key.raw);
            let (room, data) = (
                (out.as_mut_ptr(), out.len()),
                (message.as_ptr(), message.len()),
            );
            let no_label = [].as_ptr();
            // SAFETY: as many bytes as said.
            let len = with_rng(|rng| unsafe {
                (rsa.encrypt)(
                    rng, sha256, no_label, 0, key, room.0, room.1, data.0, data.1,
                )
            });
            out.truncate(len);
            Ok(out)
        },
    );
    family::decrypt_message(
        engine,
        &format!("{name}/decrypt-oaep"),
        private,
        move |key, data| {
            let (mut out, mut len) = (data.to_vec(), data.len());
            let (key, no_label) = (&raw const key.raw, [].as_ptr());
            // SAFETY: as many bytes as said, which become fewer.
            done(unsafe {
                (rsa.decrypt)(sha256, no_label, 0, key, out.as_mut_ptr(), &raw mut len)
            })?;
            out.truncate(len);
            Ok(out)
        },
    );
}

type Encoded = Outcome<(Vec<u8>, Vec<u8>)>;

/// Makes a key, and encodes both halves; that is little beside the making.
fn generate(rsa: Rsa, bits: u32) -> Encoded {
    let mut rooms = ([0; 1280], [0; 516]);
    let mut private = RsaPrivate {
        bits: 0,
        numbers: [Number::NONE; 5],
    };
    let mut public = RsaPublic {
        numbers: [Number::NONE; 2],
    };
    let (private_room, public_room) = (rooms.0.as_mut_ptr(), rooms.1.as_mut_ptr());
    let (sk, pk) = (&raw mut private, &raw mut public);
    // SAFETY: the rooms are those that the library asks for at 4096 bits.
    done(with_rng(|rng| unsafe {
        (rsa.keygen)(rng, sk, private_room, pk, public_room, bits, 65537)
    }))?;
    let mut exponent = [0; MAX];
    // SAFETY: the exponent is at most as long as the modulus.
    let len = unsafe { (rsa.exponent)(exponent.as_mut_ptr(), &raw const private, 65537) };
    // SAFETY: the numbers lie in the rooms.
    let read = |number: &Number| unsafe { std::slice::from_raw_parts(number.start, number.len) };
    let ([n, e], [p, q, dp, dq, iq]) = (
        public.numbers.each_ref().map(read),
        private.numbers.each_ref().map(read),
    );
    let all = [&[], n, e, &exponent[..len], p, q, dp, dq, iq];
    Ok((der::sequence_of(&all), der::sequence_of(&[n, e])))
}
