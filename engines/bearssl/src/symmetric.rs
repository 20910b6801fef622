//! Hashes, HMAC, key derivation, ciphers and AEADs.

use std::ffi::{CString, c_int};

use adamant_engine::family::{self, Nonced, Outcome};
use adamant_engine::op::{self, exactly, field, item};
use adamant_engine::serve::Engine;

use crate::choice::Choice;
use crate::done;
use crate::ffi::{self, CbcClass, Context, HashClass, Number, Prf};

pub(crate) fn register(engine: &mut Engine, choice: Choice) {
    // SAFETY: the library's tables are constant.
    let hashes: [(&str, &'static HashClass, usize); 6] = unsafe {
        [
            ("md5", &ffi::br_md5_vtable, 16),
            ("sha1", &ffi::br_sha1_vtable, 20),
            ("sha224", &ffi::br_sha224_vtable, 28),
            ("sha256", &ffi::br_sha256_vtable, 32),
            ("sha384", &ffi::br_sha384_vtable, 48),
            ("sha512", &ffi::br_sha512_vtable, 64),
        ]
    };
    for (name, class, size) in hashes {
        engine.single(&format!("{name}/digest"), move |_, input| {
            let message = field(input, "message")?;
            Ok(op::filling(
                (Context::new(), [0; 64]),
                move |(context, out): &mut (Box<Context>, [u8; 64])| {
                    digest(class, context, &message, out);
                    Ok(())
                },
                move |(_, out)| item([("digest", &out[..size])]),
            ))
        });
        hmac(engine, name, class, size);
        family::hkdf(engine, name, move |salt, ikm, info, okm| {
            let mut context = Context::new();
            let context = context.place();
            // SAFETY: the context has room for this one; as many bytes as said everywhere.
            unsafe {
                ffi::br_hkdf_init(context, class, salt.as_ptr(), salt.len());
                ffi::br_hkdf_inject(context, ikm.as_ptr(), ikm.len());
                ffi::br_hkdf_flip(context);
                let (info, out) = ((info.as_ptr(), info.len()), (okm.as_mut_ptr(), okm.len()));
                ffi::br_hkdf_produce(context, info.0, info.1, out.0, out.1);
            }
            Ok(())
        });
    }
    prf(engine, "sha256", ffi::br_tls12_sha256_prf);
    prf(engine, "sha384", ffi::br_tls12_sha384_prf);
    for bits in [128, 192, 256] {
        cbc(engine, &format!("aes-{bits}-cbc"), choice.aes.cbc);
        ctr(engine, &format!("aes-{bits}-ctr"), choice);
        aead::<Gcm>(engine, &format!("aes-{bits}-gcm"), choice);
        aead::<Eax>(engine, &format!("aes-{bits}-eax"), choice);
        aead::<Ccm>(engine, &format!("aes-{bits}-ccm"), choice);
    }
    cbc(engine, "des-cbc", choice.des);
    cbc(engine, "3des-cbc", choice.des);
    aead::<Poly1305>(engine, "chacha20-poly1305", choice);
    let chacha20 = move |key: &mut [u8; 32], nonce: &[u8], data: &mut [u8]| {
        let nonce: [u8; 12] = exactly(nonce)?;
        // SAFETY: 32 bytes of key, 12 of nonce, as many of data as said.
        unsafe {
            (choice.chacha20)(
                key.as_ptr(),
                nonce.as_ptr(),
                0,
                data.as_mut_ptr(),
                data.len(),
            )
        };
        Ok(())
    };
    family::encrypt_in_place(engine, "chacha20", exactly, chacha20);
    family::decrypt_in_place(engine, "chacha20", exactly, chacha20);
    engine.single("ghash/mac", move |_, input| {
        let (key, message) = (
            exactly::<16>(&field(input, "key")?)?,
            field(input, "message")?,
        );
        Ok(op::giving(
            move || {
                let mut sum = [0; 16];
                // SAFETY: 16 bytes of sum and of key, as many of data as said.
                unsafe {
                    let (start, len) = (message.as_ptr(), message.len());
                    (choice.ghash)(sum.as_mut_ptr(), key.as_ptr(), start, len);
                }
                Ok(sum)
            },
            |sum| Ok(item([("tag", sum)])),
        ))
    });
}

/// The digest of a message, in a context that may be used again.
pub(crate) fn digest(class: &HashClass, context: &mut Context, message: &[u8], out: &mut [u8; 64]) {
    let place = context.place();
    // SAFETY: the context has room for this one, and digests have at most 64 bytes.
    unsafe {
        (class.init)(place);
        (class.update)(place, message.as_ptr(), message.len());
        (class.out)(place, out.as_mut_ptr());
    }
}

fn hmac(engine: &mut Engine, name: &str, class: &'static HashClass, size: usize) {
    engine.single(&format!("hmac-{name}/mac"), move |_, input| {
        let (key, message) = (field(input, "key")?, field(input, "message")?);
        let mut prepared = Context::new();
        // SAFETY: the context has room for a key of HMAC.
        unsafe { ffi::br_hmac_key_init(prepared.place(), class, key.as_ptr(), key.len()) };
        Ok(op::filling(
            (Context::new(), [0; 64]),
            move |(context, out): &mut (Box<Context>, [u8; 64])| {
                let context = context.place();
                // SAFETY: as above, and tags have at most 64 bytes.
                unsafe {
                    ffi::br_hmac_init(context, prepared.place(), 0);
                    ffi::br_hmac_update(context, message.as_ptr(), message.len());
                    ffi::br_hmac_out(context, out.as_mut_ptr());
                }
                Ok(())
            },
            move |(_, out)| item([("tag", &out[..size])]),
        ))
    });
}

/// The pseudo-random function of TLS 1.2.
fn prf(engine: &mut Engine, name: &str, prf: Prf) {
    engine.single(&format!("tls12-prf-{name}/derive"), move |bytes, input| {
        let (secret, seed) = (field(input, "secret")?, field(input, "seed")?);
        let label = CString::new(field(input, "label")?);
        let label = label.map_err(|_| "the label has a zero within, which ends it here")?;
        Ok(op::filling(
            vec![0; bytes],
            move |okm: &mut Vec<u8>| {
                let seed = Number {
                    start: seed.as_ptr(),
                    len: seed.len(),
                };
                let (secret, len) = (secret.as_ptr(), secret.len());
                // SAFETY: as many bytes as said, a label ended by a zero, one seed.
                unsafe {
                    prf(
                        okm.as_mut_ptr(),
                        okm.len(),
                        secret,
                        len,
                        label.as_ptr(),
                        1,
                        &raw const seed,
                    )
                };
                Ok(())
            },
            |okm| item([("okm", okm)]),
        ))
    });
}

fn key_len_fits(name: &str, key: &[u8]) -> Outcome<()> {
    let len = match name.split('-').next() {
        Some("des") => 8,
        Some("3des") => 24,
        _ if name.contains("128") => 16,
        _ if name.contains("192") => 24,
        _ => 32,
    };
    match key.len() {
        found if found == len => Ok(()),
        found => Err(format!("{found} bytes of key where {len} belong")),
    }
}

fn cbc(engine: &mut Engine, name: &str, classes: [&'static CbcClass; 2]) {
    let [encrypt, decrypt] = classes;
    let new = |class: &'static CbcClass| {
        let name = name.to_owned();
        move |key: &[u8]| {
            key_len_fits(&name, key)?;
            let mut context = Context::new();
            // SAFETY: the context has room for this one, and the key a length that it has.
            unsafe { (class.init)(context.place(), key.as_ptr(), key.len()) };
            Ok(context)
        }
    };
    let run = |class: &'static CbcClass| {
        move |context: &mut Box<Context>, iv: &[u8], data: &mut [u8]| {
            let block = class.block_size as usize;
            if iv.len() != block || !data.len().is_multiple_of(block) {
                return Err("CBC wants whole blocks and an initialisation vector of one".into());
            }
            let mut chained = [0; 16];
            chained[..block].copy_from_slice(iv);
            let (iv, data, len) = (chained.as_mut_ptr(), data.as_mut_ptr(), data.len());
            // SAFETY: a block of initialisation vector and whole blocks of data.
            unsafe { (class.run)(context.place(), iv, data, len) };
            Ok(())
        }
    };
    family::encrypt_in_place(engine, name, new(encrypt), run(encrypt));
    family::decrypt_in_place(engine, name, new(decrypt), run(decrypt));
}

fn ctr(engine: &mut Engine, name: &str, choice: Choice) {
    let class = choice.aes.ctr;
    let new = || {
        let name = name.to_owned();
        move |key: &[u8]| {
            key_len_fits(&name, key)?;
            let mut context = Context::new();
            // SAFETY: as above.
            unsafe { (class.init)(context.place(), key.as_ptr(), key.len()) };
            Ok(context)
        }
    };
    // The counter has 32 bits.
    let run = move |context: &mut Box<Context>, iv: &[u8], data: &mut [u8]| {
        let iv: [u8; 16] = exactly(iv)?;
        let [.., a, b, c, d] = iv;
        let (start, len) = (data.as_mut_ptr(), data.len());
        let counter = u32::from_be_bytes([a, b, c, d]);
        // SAFETY: 12 bytes of nonce, as many of data as said.
        unsafe { (class.run)(context.place(), iv.as_ptr(), counter, start, len) };
        Ok(())
    };
    family::encrypt_in_place(engine, name, new(), run);
    family::decrypt_in_place(engine, name, new(), run);
}

/// An AEAD with a scheduled key.
trait Aead: Sized + 'static {
    fn new(choice: Choice, key: &[u8]) -> Outcome<Self>;
    /// Works on the data; the tag is given, or checked where there is one.
    fn run(&mut self, nonced: &Nonced, data: &mut [u8], tag: Option<[u8; 16]>)
    -> Outcome<[u8; 16]>;
}

fn aead<A: Aead>(engine: &mut Engine, name: &str, choice: Choice) {
    let new = || {
        let name = name.to_owned();
        move |key: &[u8]| {
            key_len_fits(&name, key)?;
            A::new(choice, key)
        }
    };
    let seal = |aead: &mut A, nonced: &Nonced, data: &mut [u8]| aead.run(nonced, data, None);
    family::seal_in_place(engine, name, new(), seal);
    family::open_in_place(engine, name, new(), |aead: &mut A, nonced, data, len| {
        let (data, tag) = data.split_at_mut(len);
        aead.run(nonced, data, Some(exactly(tag)?)).map(|_| ())
    });
}

/// The mode, and the block cipher that it points to.
struct Mode {
    mode: Box<Context>,
    _block: Box<Context>,
}

/// Nonce and associated data as addresses and lengths.
fn parts(nonced: &Nonced) -> [(*const u8, usize); 2] {
    [&nonced.nonce, &nonced.aad].map(|bytes| (bytes.as_ptr(), bytes.len()))
}

macro_rules! mode {
    ($name:ident, $class:ident, $init:expr, $reset:expr, $aad:ident, $flip:ident, $run:ident,
        $get:ident, $check:ident) => {
        struct $name(Mode);

        impl Aead for $name {
            fn new(choice: Choice, key: &[u8]) -> Outcome<Self> {
                let (mut block, mut mode) = (Context::new(), Context::new());
                let class = choice.aes.$class;
                // SAFETY: the contexts have room for these, and do not move.
                unsafe {
                    (class.init)(block.place(), key.as_ptr(), key.len());
                    $init(mode.place(), block.place(), choice);
                }
                Ok($name(Mode {
                    mode,
                    _block: block,
                }))
            }
            fn run(
                &mut self,
                nonced: &Nonced,
                data: &mut [u8],
                tag: Option<[u8; 16]>,
            ) -> Outcome<[u8; 16]> {
                let mode = self.0.mode.place();
                let ([nonce, aad], mut made) = (parts(nonced), [0; 16]);
                let (start, len) = (data.as_mut_ptr(), data.len());
                // SAFETY: as many bytes as said everywhere, 16 of tag.
                unsafe {
                    $reset(mode, nonce, aad.1, len)?;
                    ffi::$aad(mode, aad.0, aad.1);
                    ffi::$flip(mode);
                    ffi::$run(mode, c_int::from(tag.is_none()), start, len);
                    match tag {
                        Some(tag) => done(ffi::$check(mode, tag.as_ptr()))?,
                        None => drop(ffi::$get(mode, made.as_mut_ptr())),
                    }
                }
                Ok(made)
            }
        }
    };
}

type Place = *mut std::ffi::c_void;

mode! { Gcm, ctr,
    |mode, block, choice: Choice| ffi::br_gcm_init(mode, block, choice.ghash),
    |mode, nonce: (*const u8, usize), _, _| {
        ffi::br_gcm_reset(mode, nonce.0, nonce.1);
        Ok::<_, String>(())
    },
    br_gcm_aad_inject, br_gcm_flip, br_gcm_run, br_gcm_get_tag, br_gcm_check_tag
}
mode! { Eax, ctr_cbc,
    |mode, block, _: Choice| ffi::br_eax_init(mode, block),
    |mode, nonce: (*const u8, usize), _, _| {
        ffi::br_eax_reset(mode, nonce.0, nonce.1);
        Ok::<_, String>(())
    },
    br_eax_aad_inject, br_eax_flip, br_eax_run, br_eax_get_tag, br_eax_check_tag
}
mode! { Ccm, ctr_cbc,
    |mode, block, _: Choice| ffi::br_ccm_init(mode, block),
    |mode: Place, nonce: (*const u8, usize), aad: usize, len: usize| {
        done(ffi::br_ccm_reset(mode, nonce.0, nonce.1, aad as u64, len as u64, 16) as u32)
    },
    br_ccm_aad_inject, br_ccm_flip, br_ccm_run, br_ccm_get_tag, br_ccm_check_tag
}

struct Poly1305([u8; 32], Choice);

impl Aead for Poly1305 {
    fn new(choice: Choice, key: &[u8]) -> Outcome<Self> {
        Ok(Poly1305(exactly(key)?, choice))
    }
    fn run(
        &mut self,
        nonced: &Nonced,
        data: &mut [u8],
        tag: Option<[u8; 16]>,
    ) -> Outcome<[u8; 16]> {
        let nonce: [u8; 12] = exactly(&nonced.nonce)?;
        let ([_, aad], mut made) = (parts(nonced), [0; 16]);
        let (start, len) = (data.as_mut_ptr(), data.len());
        let Poly1305(key, choice) = self;
        let (encrypt, chacha20) = (c_int::from(tag.is_none()), choice.chacha20);
        let (key, nonce, out) = (key.as_ptr(), nonce.as_ptr(), made.as_mut_ptr());
        // SAFETY: 32 bytes of key, 12 of nonce, 16 of tag, as many as said of the others.
        unsafe { (choice.poly1305)(key, nonce, start, len, aad.0, aad.1, out, chacha20, encrypt) };
        // The library leaves the check to its user.
        let differs = |tag: [u8; 16]| tag.iter().zip(&made).fold(0, |sum, (a, b)| sum | (a ^ b));
        match tag.map_or(0, differs) {
            0 => Ok(made),
            _ => Err("the tag is wrong".into()),
        }
    }
}
