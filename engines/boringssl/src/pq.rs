//! ML-KEM, ML-DSA, SLH-DSA and X-Wing, each by the functions of its parameter set. Private keys of
//! the first two are made from their seeds, which is the only way in from outside.

use std::mem::MaybeUninit;
use std::ptr;

use adamant_engine::Item;
use adamant_engine::serve::Engine;

use crate::op::{exactly, field, item, of_length, ok, op, valid};
use crate::{ffi, more};

pub(crate) fn register(engine: &mut Engine) {
    ml_kem_768(engine);
    ml_kem_1024(engine);
    ml_dsa_44(engine);
    ml_dsa_65(engine);
    ml_dsa_87(engine);
    slh_dsa_sha2_128s(engine);
    slh_dsa_shake_256f(engine);
    x_wing(engine);
}

/// A value that the library fills, in a place of its own.
fn filled<T>(call: &str, fill: impl FnOnce(*mut T) -> i32) -> Result<Box<T>, String> {
    let mut place = Box::<T>::new_uninit();
    ok(call, fill(place.as_mut_ptr()))?;
    // SAFETY: the call filled it.
    Ok(unsafe { place.assume_init() })
}

/// The public key in these bytes.
fn parsed<K>(
    bytes: &[u8],
    parse: unsafe extern "C" fn(*mut K, *mut ffi::CBS) -> i32,
) -> Result<Box<K>, String> {
    let mut reader = ffi::cbs_init(bytes);
    // SAFETY: it reads the slice and fills the key.
    filled("*_parse_public_key", |key| unsafe {
        parse(key, &mut reader)
    })
}

/// The private key of the seed that travels.
fn seeded<K, const SEED: usize>(
    input: &Item,
    make: unsafe extern "C" fn(*mut K, *const u8, usize) -> i32,
) -> Result<Box<K>, String> {
    let seed: [u8; SEED] = exactly(input, "seed")?;
    // SAFETY: it reads the seed and fills the key.
    filled("*_private_key_from_seed", |key| unsafe {
        make(key, seed.as_ptr(), SEED)
    })
}

/// `keygen`, which fills a pair with private keys of `PRIVATE` bytes.
fn keygen<K: 'static, const PUBLIC: usize, const SEED: usize, const PRIVATE: usize>(
    engine: &mut Engine,
    name: &str,
    generate: fn(*mut u8, *mut u8, *mut K) -> i32,
    marshal: Marshal<K>,
) {
    engine.single(&format!("{name}/keygen"), move |_, _| {
        op(
            Pair::<K, PUBLIC, SEED>::new(),
            move |pair| {
                let (to, seed) = (pair.public.as_mut_ptr(), pair.seed.as_mut_ptr());
                // All places have the lengths that it writes.
                let done = generate(to, seed, pair.private.as_mut_ptr());
                ok("*_generate_key", done)
            },
            move |pair| pair.expanded::<PRIVATE>(marshal),
        )
    });
}

/// Writes the bytes of a private key.
type Marshal<K> = unsafe extern "C" fn(*mut ffi::CBB, *const K) -> i32;

/// What a key generation fills.
struct Pair<K, const PUBLIC: usize, const SEED: usize> {
    public: [u8; PUBLIC],
    seed: [u8; SEED],
    private: Box<MaybeUninit<K>>,
}

impl<K, const PUBLIC: usize, const SEED: usize> Pair<K, PUBLIC, SEED> {
    fn new() -> Self {
        Pair {
            public: [0; PUBLIC],
            seed: [0; SEED],
            private: Box::new_uninit(),
        }
    }

    /// `LEN` bytes of the private key by what marshals it.
    fn marshal<const LEN: usize>(
        &self,
        call: &str,
        marshal: Marshal<K>,
    ) -> Result<[u8; LEN], String> {
        let mut bytes = [0; LEN];
        let mut writer = ffi::CBB::default();
        // SAFETY: the writer keeps to the room of the bytes; the key was generated.
        let written = unsafe {
            ffi::CBB_init_fixed(&mut writer, bytes.as_mut_ptr(), LEN);
            marshal(&mut writer, self.private.as_ptr());
            ffi::CBB_len(&writer)
        };
        ok(call, i32::from(written == LEN))?;
        Ok(bytes)
    }

    /// With the expanded private key of this many bytes.
    fn expanded<const LEN: usize>(&mut self, marshal: Marshal<K>) -> Result<Item, String> {
        let private: [u8; LEN] = self.marshal("BCM_*_marshal_private_key", marshal)?;
        item([
            ("private_key", &private),
            ("seed", &self.seed),
            ("public_key", &self.public),
        ])
    }
}

/// What an encapsulation fills.
struct Encapsulated<const N: usize> {
    ciphertext: [u8; N],
    secret: [u8; 32],
}

impl<const N: usize> Encapsulated<N> {
    fn new() -> Self {
        Encapsulated {
            ciphertext: [0; N],
            secret: [0; 32],
        }
    }

    fn tell(&mut self) -> Result<Item, String> {
        item([
            ("ciphertext", &self.ciphertext),
            ("shared_secret", &self.secret),
        ])
    }
}

macro_rules! ml_kem {
    (
        $register:ident, $name:literal, $public:ident, $private:ident, $generate:ident,
        $from_seed:ident, $parse:ident, $encap:ident, $decap:ident, $marshal:ident,
        $public_len:literal, $private_len:literal, $ciphertext_len:literal
    ) => {
        fn $register(engine: &mut Engine) {
            type Out = Encapsulated<$ciphertext_len>;
            fn public(bytes: &[u8]) -> Result<Box<ffi::$public>, String> {
                parsed(bytes, ffi::$parse)
            }
            fn encapsulate(key: &ffi::$public, out: &mut Out) {
                let (to, secret) = (out.ciphertext.as_mut_ptr(), out.secret.as_mut_ptr());
                // SAFETY: the key is valid; both places have the lengths that it writes.
                unsafe { ffi::$encap(to, secret, key) }
            }
            keygen::<_, $public_len, 64, $private_len>(
                engine,
                $name,
                // SAFETY: `keygen` gives places of the lengths that it writes.
                |public, seed, private| unsafe {
                    ffi::$generate(public, seed, private);
                    1
                },
                more::$marshal,
            );
            engine.single(concat!($name, "/encapsulate"), |_, input| {
                op(
                    (public(&field(input, "public_key")?)?, Out::new()),
                    |(key, out)| {
                        encapsulate(key, out);
                        Ok(())
                    },
                    |(_, out)| out.tell(),
                )
            });
            engine.single(concat!($name, "/encapsulate-encoded"), |_, input| {
                op(
                    (field(input, "public_key")?, Out::new()),
                    |(bytes, out)| {
                        encapsulate(&*public(bytes)?, out);
                        Ok(())
                    },
                    |(_, out)| out.tell(),
                )
            });
            engine.single(concat!($name, "/decapsulate"), |_, input| {
                let key = seeded::<ffi::$private, 64>(input, ffi::$from_seed)?;
                op(
                    (key, field(input, "ciphertext")?, [0; 32]),
                    |(key, ciphertext, secret)| {
                        let (start, len) = (ciphertext.as_ptr(), ciphertext.len());
                        // SAFETY: the key is valid; it reads the slice and writes 32 bytes.
                        ok(stringify!($decap), unsafe {
                            ffi::$decap(secret.as_mut_ptr(), start, len, &**key)
                        })
                    },
                    |(_, _, secret)| item([("shared_secret", secret)]),
                )
            });
        }
    };
}

ml_kem! {
    ml_kem_768, "ml-kem-768", MLKEM768_public_key, MLKEM768_private_key, MLKEM768_generate_key,
    MLKEM768_private_key_from_seed, MLKEM768_parse_public_key, MLKEM768_encap, MLKEM768_decap,
    marshal_ml_kem_768, 1184, 2400, 1088
}
ml_kem! {
    ml_kem_1024, "ml-kem-1024", MLKEM1024_public_key, MLKEM1024_private_key, MLKEM1024_generate_key,
    MLKEM1024_private_key_from_seed, MLKEM1024_parse_public_key, MLKEM1024_encap, MLKEM1024_decap,
    marshal_ml_kem_1024, 1568, 3168, 1568
}

macro_rules! ml_dsa {
    (
        $register:ident, $name:literal, $public:ident, $private:ident, $generate:ident,
        $from_seed:ident, $parse:ident, $sign:ident, $verify:ident, $marshal:ident,
        $public_len:literal, $private_len:literal, $signature_len:literal
    ) => {
        fn $register(engine: &mut Engine) {
            fn public(bytes: &[u8]) -> Result<Box<ffi::$public>, String> {
                parsed(bytes, ffi::$parse)
            }
            fn verify(key: &ffi::$public, message: &[u8], signature: &[u8]) -> bool {
                let (start, len) = (message.as_ptr(), message.len());
                let (given, given_len) = (signature.as_ptr(), signature.len());
                // SAFETY: the key is valid; it reads the slices; there is no context.
                unsafe { ffi::$verify(key, given, given_len, start, len, ptr::null(), 0) == 1 }
            }
            keygen::<_, $public_len, 32, $private_len>(
                engine,
                $name,
                // SAFETY: `keygen` gives places of the lengths that it writes.
                |public, seed, private| unsafe { ffi::$generate(public, seed, private) },
                more::$marshal,
            );
            engine.single(concat!($name, "/sign"), |_, input| {
                let key = seeded::<ffi::$private, 32>(input, ffi::$from_seed)?;
                op(
                    (key, field(input, "message")?, [0; $signature_len]),
                    |(key, message, signature)| {
                        let (to, from, len) =
                            (signature.as_mut_ptr(), message.as_ptr(), message.len());
                        // SAFETY: the key is valid; the signature has its length.
                        ok(stringify!($sign), unsafe {
                            ffi::$sign(to, &**key, from, len, ptr::null(), 0)
                        })
                    },
                    |(_, _, signature)| item([("signature", signature)]),
                )
            });
            verifications(engine, $name, public, |key, message, signature| {
                verify(key, message, signature)
            });
        }
    };
}

ml_dsa! {
    ml_dsa_44, "ml-dsa-44", MLDSA44_public_key, MLDSA44_private_key, MLDSA44_generate_key,
    MLDSA44_private_key_from_seed, MLDSA44_parse_public_key, MLDSA44_sign, MLDSA44_verify,
    marshal_ml_dsa_44, 1312, 2560, 2420
}
ml_dsa! {
    ml_dsa_65, "ml-dsa-65", MLDSA65_public_key, MLDSA65_private_key, MLDSA65_generate_key,
    MLDSA65_private_key_from_seed, MLDSA65_parse_public_key, MLDSA65_sign, MLDSA65_verify,
    marshal_ml_dsa_65, 1952, 4032, 3309
}
ml_dsa! {
    ml_dsa_87, "ml-dsa-87", MLDSA87_public_key, MLDSA87_private_key, MLDSA87_generate_key,
    MLDSA87_private_key_from_seed, MLDSA87_parse_public_key, MLDSA87_sign, MLDSA87_verify,
    marshal_ml_dsa_87, 2592, 4896, 4627
}

/// `verify` with a parsed key, and `verify-encoded`.
fn verifications<K: 'static>(
    engine: &mut Engine,
    name: &str,
    parse: fn(&[u8]) -> Result<K, String>,
    run: fn(&K, &[u8], &[u8]) -> bool,
) {
    engine.single(&format!("{name}/verify"), move |_, input| {
        let key = parse(&field(input, "public_key")?)?;
        let (message, signature) = (field(input, "message")?, field(input, "signature")?);
        op(
            (key, message, signature, false),
            move |(key, message, signature, valid)| {
                *valid = run(key, message, signature);
                Ok(())
            },
            |(.., v)| valid(*v),
        )
    });
    engine.single(&format!("{name}/verify-encoded"), move |_, input| {
        let key = field(input, "public_key")?;
        let (message, signature) = (field(input, "message")?, field(input, "signature")?);
        op(
            (key, message, signature, false),
            move |(key, message, signature, valid)| {
                *valid = run(&parse(key)?, message, signature);
                Ok(())
            },
            |(.., v)| valid(*v),
        )
    });
}

fn slh_dsa_sha2_128s(engine: &mut Engine) {
    slh_dsa(engine, "slh-dsa-sha2-128s", more::SHA2_128S, [32, 64, 7856]);
}

fn slh_dsa_shake_256f(engine: &mut Engine) {
    slh_dsa(
        engine,
        "slh-dsa-shake-256f",
        more::SHAKE_256F,
        [64, 128, 49856],
    );
}

/// With the bytes of public key, private key and signature.
fn slh_dsa(engine: &mut Engine, name: &str, set: more::SlhDsa, lens: [usize; 3]) {
    let [public_len, private_len, signature_len] = lens;
    engine.single(&format!("{name}/keygen"), move |_, _| {
        op(
            (vec![0_u8; public_len], vec![0_u8; private_len]),
            move |(public, private)| {
                // SAFETY: both have the lengths that it writes.
                unsafe { (set.generate)(public.as_mut_ptr(), private.as_mut_ptr()) };
                Ok(())
            },
            |(public, private)| item([("private_key", private), ("public_key", public)]),
        )
    });
    engine.single(&format!("{name}/sign"), move |_, input| {
        let private = of_length(input, "private_key", private_len)?;
        let signature = vec![0; signature_len];
        op(
            (private, field(input, "message")?, signature),
            move |(private, message, signature)| {
                let (to, from, len) = (signature.as_mut_ptr(), message.as_ptr(), message.len());
                // SAFETY: key and signature have their lengths; it reads the message.
                ok("SLHDSA_*_sign", unsafe {
                    (set.sign)(to, private.as_ptr(), from, len, ptr::null(), 0)
                })
            },
            |(_, _, signature)| item([("signature", signature)]),
        )
    });
    for way in ["verify", "verify-encoded"] {
        engine.single(&format!("{name}/{way}"), move |_, input| {
            let public = of_length(input, "public_key", public_len)?;
            let (message, signature) = (field(input, "message")?, field(input, "signature")?);
            op(
                (public, message, signature, false),
                move |(public, message, signature, valid)| {
                    let (given, given_len) = (signature.as_ptr(), signature.len());
                    let (from, len, none) = (message.as_ptr(), message.len(), ptr::null());
                    // SAFETY: the key has its length; it reads the slices.
                    *valid = unsafe {
                        (set.verify)(given, given_len, public.as_ptr(), from, len, none, 0) == 1
                    };
                    Ok(())
                },
                |(.., v)| valid(*v),
            )
        });
    }
}

/// A public key has no parsed form there.
fn x_wing(engine: &mut Engine) {
    engine.single("x-wing/keygen", |_, _| {
        op(
            Pair::<more::XwingPrivateKey, 1216, 32>::new(),
            |pair| {
                let (to, key) = (pair.public.as_mut_ptr(), pair.private.as_mut_ptr());
                // SAFETY: both places have the lengths that it writes.
                ok("XWING_generate_key", unsafe {
                    more::XWING_generate_key(to, key)
                })
            },
            |pair| {
                let private: [u8; 32] =
                    pair.marshal("XWING_marshal_private_key", more::XWING_marshal_private_key)?;
                item([("private_key", &private), ("public_key", &pair.public)])
            },
        )
    });
    for way in ["encapsulate", "encapsulate-encoded"] {
        engine.single(&format!("x-wing/{way}"), |_, input| {
            let public: [u8; 1216] = exactly(input, "public_key")?;
            op(
                (public, Encapsulated::<1120>::new()),
                |(public, out)| {
                    let (to, secret) = (out.ciphertext.as_mut_ptr(), out.secret.as_mut_ptr());
                    // SAFETY: all have the lengths that it reads and writes.
                    ok("XWING_encap", unsafe {
                        more::XWING_encap(to, secret, public.as_ptr())
                    })
                },
                |(_, out)| out.tell(),
            )
        });
    }
    engine.single("x-wing/decapsulate", |_, input| {
        let seed: [u8; 32] = exactly(input, "private_key")?;
        let ciphertext: [u8; 1120] = exactly(input, "ciphertext")?;
        let mut reader = ffi::cbs_init(&seed);
        // SAFETY: it reads the seed and fills the key.
        let key = filled("XWING_parse_private_key", |key| unsafe {
            more::XWING_parse_private_key(key, &mut reader)
        })?;
        op(
            (key, ciphertext, [0; 32]),
            |(key, ciphertext, secret)| {
                // SAFETY: the key is valid; the others have their lengths.
                ok("XWING_decap", unsafe {
                    more::XWING_decap(secret.as_mut_ptr(), ciphertext.as_ptr(), &**key)
                })
            },
            |(_, _, secret)| item([("shared_secret", secret)]),
        )
    });
}
