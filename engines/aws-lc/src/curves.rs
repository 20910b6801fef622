//! ECDSA, ECDH, the groups themselves; Ed25519 and X25519; the arithmetic of large numbers.

use std::ptr;

use adamant_engine::Item;
use adamant_engine::serve::{Engine, Single};

use crate::ffi;
use crate::hashes::{Digest, MAX_DIGEST};
use crate::op::{Owned, exactly, failure, field, item, of_length, ok, op, valid};

/// A curve: its name, its number there, the bytes of a coordinate, what ECDSA hashes with.
#[derive(Clone, Copy)]
struct Curve {
    name: &'static str,
    nid: i32,
    size: usize,
    digest: &'static str,
}

const fn curve(name: &'static str, nid: i32, size: usize, digest: &'static str) -> Curve {
    Curve {
        name,
        nid,
        size,
        digest,
    }
}

const CURVES: [Curve; 8] = [
    curve("p224", 713, 28, "sha224"),
    curve("p256", 415, 32, "sha256"),
    curve("p384", 715, 48, "sha384"),
    curve("p521", 716, 66, "sha512"),
    curve("secp256k1", 714, 32, "sha256"),
    curve("brainpoolp256r1", 927, 32, "sha256"),
    curve("brainpoolp384r1", 931, 48, "sha384"),
    curve("brainpoolp512r1", 933, 64, "sha512"),
];

/// The longest coordinate.
const MAX_SIZE: usize = 66;

pub(crate) fn register(engine: &mut Engine) {
    for curve in CURVES {
        if curve.group().is_ok() {
            ecdsa(engine, curve);
            ecdh(engine, curve);
            multiplication(engine, curve);
        }
    }
    ed25519(engine);
    x25519(engine);
    arithmetic(engine);
}

pub(crate) struct Number(Owned<ffi::BIGNUM>);

impl Number {
    pub(crate) fn zero() -> Result<Self, String> {
        // SAFETY: it takes nothing.
        let bn = unsafe { ffi::BN_new() };
        Owned::new(bn, ffi::BN_clear_free, "BN_new").map(Number)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        // SAFETY: it reads the slice; null asks for a new number.
        let bn = unsafe { ffi::BN_bin2bn(bytes.as_ptr(), bytes.len() as _, ptr::null_mut()) };
        Owned::new(bn, ffi::BN_clear_free, "BN_bin2bn").map(Number)
    }

    pub(crate) fn get(&self) -> *mut ffi::BIGNUM {
        self.0.get()
    }

    /// Big-endian, with zeros in front.
    ///
    /// # Safety
    /// The number is valid.
    pub(crate) unsafe fn bytes_of(bn: *const ffi::BIGNUM, len: usize) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; len];
        // SAFETY: the number is valid; there is room for the stated length.
        let result = unsafe { ffi::BN_bn2bin_padded(bytes.as_mut_ptr(), len, bn) };
        ok("BN_bn2bin_padded", result)?;
        Ok(bytes)
    }

    fn to_bytes(&self, len: usize) -> Result<Vec<u8>, String> {
        // SAFETY: the number is valid.
        unsafe { Self::bytes_of(self.get(), len) }
    }
}

struct Point(Owned<ffi::EC_POINT>);

impl Curve {
    fn group(self) -> Result<*mut ffi::EC_GROUP, String> {
        // SAFETY: it takes any number; named groups live as long as the program.
        let group = unsafe { ffi::EC_GROUP_new_by_curve_name(self.nid) };
        if group.is_null() {
            return Err(failure("EC_GROUP_new_by_curve_name"));
        }
        Ok(group)
    }

    fn empty_key(self) -> Result<Owned<ffi::EC_KEY>, String> {
        // SAFETY: it takes any number.
        let key = unsafe { ffi::EC_KEY_new_by_curve_name(self.nid) };
        Owned::new(key, ffi::EC_KEY_free, "EC_KEY_new_by_curve_name")
    }

    fn private(self, input: &Item) -> Result<Owned<ffi::EC_KEY>, String> {
        let scalar = of_length(input, "private_key", self.size)?;
        let (key, scalar) = (self.empty_key()?, Number::from_bytes(&scalar)?);
        // SAFETY: both are valid.
        let result = unsafe { ffi::EC_KEY_set_private_key(key.get(), scalar.get()) };
        ok("EC_KEY_set_private_key", result)?;
        Ok(key)
    }

    fn public(self, bytes: &[u8]) -> Result<Owned<ffi::EC_KEY>, String> {
        let (key, point) = (self.empty_key()?, self.point(bytes)?);
        // SAFETY: both are valid.
        let result = unsafe { ffi::EC_KEY_set_public_key(key.get(), point.0.get()) };
        ok("EC_KEY_set_public_key", result)?;
        Ok(key)
    }

    fn empty_point(self) -> Result<Point, String> {
        // SAFETY: the group is valid.
        let point = unsafe { ffi::EC_POINT_new(self.group()?) };
        Owned::new(point, ffi::EC_POINT_free, "EC_POINT_new").map(Point)
    }

    /// A point, which is checked to be on the curve.
    fn point(self, bytes: &[u8]) -> Result<Point, String> {
        let (group, point) = (self.group()?, self.empty_point()?);
        let (start, len) = (bytes.as_ptr(), bytes.len());
        // SAFETY: group and point are valid; it reads the slice.
        let result =
            unsafe { ffi::EC_POINT_oct2point(group, point.0.get(), start, len, ptr::null_mut()) };
        ok("EC_POINT_oct2point", result)?;
        Ok(point)
    }

    fn register_keygen(self, engine: &mut Engine, name: &str) {
        engine.single(&format!("{name}/keygen"), move |_, _| {
            op(
                self.empty_key()?,
                move |key| {
                    *key = self.empty_key()?;
                    // SAFETY: the key is valid and has a group.
                    ok("EC_KEY_generate_key", unsafe {
                        ffi::EC_KEY_generate_key(key.get())
                    })
                },
                move |key| {
                    let mut public = vec![0; 2 * self.size + 1];
                    let (start, len) = (public.as_mut_ptr(), public.len());
                    let form = ffi::point_conversion_form_t::POINT_CONVERSION_UNCOMPRESSED;
                    // SAFETY: the key is valid and has both halves; there is room for the point.
                    let private = unsafe {
                        let point = ffi::EC_KEY_get0_public_key(key.get());
                        let none = ptr::null_mut();
                        ffi::EC_POINT_point2oct(self.group()?, point, form, start, len, none);
                        Number::bytes_of(ffi::EC_KEY_get0_private_key(key.get()), self.size)?
                    };
                    item([("private_key", &private), ("public_key", &public)])
                },
            )
        });
    }
}

/// A digest, a message, and what becomes of them.
struct Signing {
    digest: Digest,
    message: Vec<u8>,
    signature: Vec<u8>,
    valid: bool,
}

fn sign(s: &mut Signing, key: &Owned<ffi::EC_KEY>) -> Result<(), String> {
    let mut digest = [0; MAX_DIGEST];
    let len = s.digest.digest(&s.message, &mut digest)?;
    s.signature.resize(160, 0);
    let (start, mut written) = (s.signature.as_mut_ptr(), 0);
    // SAFETY: the key is valid; a signature has fewer than 160 bytes on these curves.
    let result =
        unsafe { ffi::ECDSA_sign(0, digest.as_ptr(), len as _, start, &mut written, key.get()) };
    s.signature.truncate(written as usize);
    ok("ECDSA_sign", result)
}

fn verify(s: &mut Signing, key: &Owned<ffi::EC_KEY>) -> Result<(), String> {
    let mut digest = [0; MAX_DIGEST];
    let len = s.digest.digest(&s.message, &mut digest)?;
    let (start, signature_len) = (s.signature.as_ptr(), s.signature.len());
    // SAFETY: the key is valid; it reads the slices.
    let result = unsafe {
        ffi::ECDSA_verify(
            0,
            digest.as_ptr(),
            len as _,
            start,
            signature_len as _,
            key.get(),
        )
    };
    s.valid = result == 1;
    if !s.valid {
        failure("ECDSA_verify");
    }
    Ok(())
}

fn ecdsa(engine: &mut Engine, curve: Curve) {
    let name = format!("ecdsa-{}", curve.name);
    curve.register_keygen(engine, &name);
    let signing = move |input: &Item, signature| {
        Ok::<_, String>(Signing {
            digest: Digest::new(curve.digest)?,
            message: field(input, "message")?,
            signature,
            valid: false,
        })
    };
    engine.single(&format!("{name}/sign"), move |_, input| {
        op(
            (curve.private(input)?, signing(input, Vec::new())?),
            |(key, s)| sign(s, key),
            |(_, s)| item([("signature", &s.signature)]),
        )
    });
    engine.single(&format!("{name}/verify"), move |_, input| {
        let key = curve.public(&field(input, "public_key")?)?;
        op(
            (key, signing(input, field(input, "signature")?)?),
            |(key, s)| verify(s, key),
            |(_, s)| valid(s.valid),
        )
    });
    engine.single(&format!("{name}/verify-encoded"), move |_, input| {
        let key = field(input, "public_key")?;
        op(
            (key, signing(input, field(input, "signature")?)?),
            move |(key, s)| verify(s, &curve.public(key)?),
            |(_, s)| valid(s.valid),
        )
    });
}

fn agree(key: &Owned<ffi::EC_KEY>, peer: &Point, out: &mut [u8]) -> Result<(), String> {
    let (start, len) = (out.as_mut_ptr().cast(), out.len());
    // SAFETY: the keys are valid; the secret has the stated room.
    let written = unsafe { ffi::ECDH_compute_key(start, len as _, peer.0.get(), key.get(), None) };
    ok("ECDH_compute_key", i32::from(written as usize == len))
}

fn ecdh(engine: &mut Engine, curve: Curve) {
    let name = format!("ecdh-{}", curve.name);
    curve.register_keygen(engine, &name);
    engine.single(&format!("{name}/derive"), move |_, input| {
        let key = curve.private(input)?;
        let peer = curve.point(&field(input, "peer_public_key")?)?;
        op(
            (key, peer, [0; MAX_SIZE]),
            move |(key, peer, secret)| agree(key, peer, &mut secret[..curve.size]),
            move |(_, _, secret)| item([("shared_secret", &secret[..curve.size])]),
        )
    });
    engine.single(&format!("{name}/derive-encoded"), move |_, input| {
        let key = curve.private(input)?;
        op(
            (key, field(input, "peer_public_key")?, [0; MAX_SIZE]),
            move |(key, peer, secret)| agree(key, &curve.point(peer)?, &mut secret[..curve.size]),
            move |(_, _, secret)| item([("shared_secret", &secret[..curve.size])]),
        )
    });
}

/// A scalar times a point, or the base point, with affine coordinates as the result.
fn multiplication(engine: &mut Engine, curve: Curve) {
    struct Product {
        group: *mut ffi::EC_GROUP,
        scalar: Number,
        point: Option<Point>,
        result: Point,
        x: Number,
        y: Number,
    }
    fn run(p: &mut Product) -> Result<(), String> {
        let (null, none) = (ptr::null(), ptr::null_mut());
        let (scalar, result) = (p.scalar.get(), p.result.0.get());
        let (x, y) = (p.x.get(), p.y.get());
        // SAFETY: everything is valid; the base point's scalar comes first, a point's last.
        let done = unsafe {
            let multiplied = match &p.point {
                None => ffi::EC_POINT_mul(p.group, result, scalar, null, ptr::null(), none),
                Some(point) => {
                    ffi::EC_POINT_mul(p.group, result, ptr::null(), point.0.get(), scalar, none)
                }
            };
            multiplied == 1
                && ffi::EC_POINT_get_affine_coordinates_GFp(p.group, result, x, y, none) == 1
        };
        ok("EC_POINT_mul", i32::from(done))
    }
    let prepare = move |input: &Item, point: Option<Point>| -> Result<_, String> {
        let product = Product {
            group: curve.group()?,
            scalar: Number::from_bytes(&field(input, "scalar")?)?,
            point,
            result: curve.empty_point()?,
            x: Number::zero()?,
            y: Number::zero()?,
        };
        op(product, run, move |p| {
            let [x, y] = [&p.x, &p.y].map(|number| number.to_bytes(curve.size));
            item([("point", &[vec![4], x?, y?].concat())])
        })
    };
    engine.single(&format!("{}/mul-base", curve.name), move |_, input| {
        prepare(input, None)
    });
    engine.single(&format!("{}/mul", curve.name), move |_, input| {
        prepare(input, Some(curve.point(&field(input, "point")?)?))
    });
}

fn ed25519(engine: &mut Engine) {
    engine.single("ed25519/keygen", |_, _| {
        op(
            ([0; 32], [0; 64]),
            |(public, private)| {
                // SAFETY: both have the lengths that it writes.
                unsafe { ffi::ED25519_keypair(public.as_mut_ptr(), private.as_mut_ptr()) };
                Ok(())
            },
            |(public, private)| {
                // The seed is the first half there.
                item([("private_key", &private[..32]), ("public_key", public)])
            },
        )
    });
    engine.single("ed25519/sign", |_, input| {
        let seed: [u8; 32] = exactly(input, "private_key")?;
        let (mut public, mut private) = ([0_u8; 32], [0_u8; 64]);
        let (to, private_to) = (public.as_mut_ptr(), private.as_mut_ptr());
        // SAFETY: all have the lengths that it reads and writes.
        unsafe { ffi::ED25519_keypair_from_seed(to, private_to, seed.as_ptr()) };
        op(
            (private, field(input, "message")?, [0; 64]),
            |(private, message, signature)| {
                let (start, len) = (message.as_ptr(), message.len());
                // SAFETY: it reads the message and the key, and writes 64 bytes.
                let result = unsafe {
                    ffi::ED25519_sign(signature.as_mut_ptr(), start, len, private.as_ptr())
                };
                ok("ED25519_sign", result)
            },
            |(_, _, signature)| item([("signature", signature)]),
        )
    });
    for name in ["ed25519/verify", "ed25519/verify-encoded"] {
        engine.single(name, |_, input| {
            let public: [u8; 32] = exactly(input, "public_key")?;
            let signature: [u8; 64] = exactly(input, "signature")?;
            op(
                (public, signature, field(input, "message")?, false),
                |(public, signature, message, valid)| {
                    let (start, len) = (message.as_ptr(), message.len());
                    // SAFETY: it reads the message, 64 bytes and 32 bytes.
                    let result = unsafe {
                        ffi::ED25519_verify(start, len, signature.as_ptr(), public.as_ptr())
                    };
                    *valid = result == 1;
                    Ok(())
                },
                |(_, _, _, v)| valid(*v),
            )
        });
    }
}

fn x25519(engine: &mut Engine) {
    engine.single("x25519/keygen", |_, _| {
        op(
            ([0; 32], [0; 32]),
            |(public, private)| {
                // SAFETY: both have the lengths that it writes.
                unsafe { ffi::X25519_keypair(public.as_mut_ptr(), private.as_mut_ptr()) };
                Ok(())
            },
            |(public, private)| item([("private_key", private), ("public_key", public)]),
        )
    });
    for name in ["x25519/derive", "x25519/derive-encoded"] {
        engine.single(name, |_, input| {
            let private: [u8; 32] = exactly(input, "private_key")?;
            let peer: [u8; 32] = exactly(input, "peer_public_key")?;
            op(
                (private, peer, [0; 32]),
                |(private, peer, secret)| {
                    let to = secret.as_mut_ptr();
                    // SAFETY: all have 32 bytes.
                    ok("X25519", unsafe {
                        ffi::X25519(to, private.as_ptr(), peer.as_ptr())
                    })
                },
                |(_, _, secret)| item([("shared_secret", secret)]),
            )
        });
    }
}

fn arithmetic(engine: &mut Engine) {
    /// Two operands, the result, and what multiplication needs on the way.
    type State = (Number, Number, Number, Owned<ffi::BN_CTX>);
    fn prepare(
        input: &Item,
        run: fn(&mut State) -> Result<(), String>,
        name: &'static str,
        len: usize,
    ) -> Result<impl Single + use<>, String> {
        let a = Number::from_bytes(&field(input, "a")?)?;
        let b = Number::from_bytes(&field(input, "b")?)?;
        // SAFETY: it takes nothing.
        let ctx = unsafe { ffi::BN_CTX_new() };
        let ctx = Owned::new(ctx, ffi::BN_CTX_free, "BN_CTX_new")?;
        op(
            (a, b, Number::zero()?, ctx),
            run,
            move |(_, _, result, _)| item([(name, &result.to_bytes(len)?)]),
        )
    }
    for bits in [256, 512, 1024, 2048, 4096] {
        engine.single(&format!("bignum-{bits}/add"), move |_, input| {
            let add = |(a, b, sum, _): &mut State| {
                // SAFETY: all are valid.
                ok("BN_add", unsafe {
                    ffi::BN_add(sum.get(), a.get(), b.get())
                })
            };
            prepare(input, add, "sum", bits / 8 + 1)
        });
        engine.single(&format!("bignum-{bits}/mul"), move |_, input| {
            let multiply = |(a, b, product, ctx): &mut State| {
                // SAFETY: all are valid.
                ok("BN_mul", unsafe {
                    ffi::BN_mul(product.get(), a.get(), b.get(), ctx.get())
                })
            };
            prepare(input, multiply, "product", bits / 4)
        });
    }
}
