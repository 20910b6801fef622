//! A context of asymmetric keys, and keys in the encodings in which they travel.

use std::ffi::c_void;
use std::ptr;

use adamant_engine::Item;
use adamant_engine::der;
use adamant_engine::family::pair;

use crate::ffi::{Data, HashBased, Hitls, Material, Owned, Parts, RsaParameters};
use crate::ffi::{RsaPrivate, RsaPublic, ok};

/// Longer than any key.
const ROOM: usize = 8192;
const SET_SM2_USER_ID: i32 = 300;
const GEN_ECC_PUBLIC_KEY: i32 = 311;

/// An algorithm: its number, that of its parameters, how its keys travel.
#[derive(Clone, Copy)]
pub(crate) struct Algorithm {
    pub(crate) id: i32,
    /// Of a curve, group or parameter set; 0 if there is none; the bits of RSA.
    pub(crate) parameters: i32,
    pub(crate) form: Form,
}

/// How keys travel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Private and public keys of this many bytes, with zeros in front.
    Bytes(usize, usize),
    /// As the last; of the identity that is the standard's default.
    Sm2,
    /// PKCS#1.
    Rsa,
    /// FIPS 205: private keys of this many bytes.
    HashBased(usize),
}

pub(crate) struct Key {
    pub(crate) lib: Hitls,
    ctx: Owned,
    algorithm: Algorithm,
}

impl Algorithm {
    /// A context without keys.
    pub(crate) fn empty(self, lib: Hitls) -> Result<Key, String> {
        // SAFETY: it takes any number.
        let ctx = unsafe { (lib.CRYPT_EAL_PkeyNewCtx)(self.id) };
        let ctx = Owned::new(ctx, lib.CRYPT_EAL_PkeyFreeCtx, "such asymmetric algorithm")?;
        let key = Key {
            lib,
            ctx,
            algorithm: self,
        };
        if self.form == Form::Sm2 {
            let mut identity = *b"1234567812345678";
            key.control(SET_SM2_USER_ID, identity.as_mut_ptr().cast(), 16)?;
        } else if self.parameters != 0 && self.form != Form::Rsa {
            // SAFETY: the context is valid.
            ok("CRYPT_EAL_PkeySetParaById", unsafe {
                (lib.CRYPT_EAL_PkeySetParaById)(key.get(), self.parameters)
            })?;
        }
        Ok(key)
    }

    /// Whether the library has it.
    pub(crate) fn exists(self, lib: Hitls) -> bool {
        self.empty(lib).is_ok()
    }

    /// A context that generates keys.
    pub(crate) fn generator(self, lib: Hitls) -> Result<Key, String> {
        let key = self.empty(lib)?;
        if self.form == Form::Rsa {
            // 65537.
            let mut exponent = [1, 0, 1];
            let rsa_parameters = RsaParameters {
                exponent: exponent.as_mut_ptr(),
                exponent_len: 3,
                bits: self.parameters as u32,
            };
            let parameters = self.material(Parts { rsa_parameters });
            // SAFETY: the context is valid; it copies the parameters.
            ok("CRYPT_EAL_PkeySetPara", unsafe {
                (lib.CRYPT_EAL_PkeySetPara)(key.get(), &parameters)
            })?;
        }
        Ok(key)
    }

    fn material(self, parts: Parts) -> Material {
        Material {
            algorithm: self.id,
            parts,
        }
    }

    /// A context with this public key.
    pub(crate) fn public(self, lib: Hitls, bytes: &[u8]) -> Result<Key, String> {
        let key = self.empty(lib)?;
        let mut bytes = bytes.to_vec();
        let parts = match self.form {
            Form::Bytes(..) | Form::Sm2 => whole(&mut bytes),
            Form::Rsa => {
                let mut numbers = rsa_numbers(&bytes, 2)?;
                let (starts, lens) = places(&mut numbers, [1, 0]);
                let rsa_public = RsaPublic { starts, lens };
                return key.set_public(&self.material(Parts { rsa_public }));
            }
            Form::HashBased(_) => {
                let (parts, len) = split(&mut bytes);
                let hash_based_public = HashBased { parts, len };
                Parts { hash_based_public }
            }
        };
        key.set_public(&self.material(parts))
    }

    /// A context with this private key.
    pub(crate) fn private(self, lib: Hitls, bytes: &[u8]) -> Result<Key, String> {
        let key = self.empty(lib)?;
        let mut bytes = bytes.to_vec();
        let parts = match self.form {
            Form::Bytes(..) | Form::Sm2 => whole(&mut bytes),
            Form::Rsa => {
                // The version, n, e, d, p, q, dP, dQ, qInv.
                let mut numbers = rsa_numbers(&bytes, 9)?;
                let (starts, lens) = places(&mut numbers, [3, 1, 4, 5, 6, 7, 8, 2]);
                let rsa_private = RsaPrivate { starts, lens };
                return key.set_private(&self.material(Parts { rsa_private }));
            }
            Form::HashBased(_) => {
                let (parts, len) = split(&mut bytes);
                let hash_based_private = HashBased { parts, len };
                Parts { hash_based_private }
            }
        };
        let key = key.set_private(&self.material(parts))?;
        if self.form == Form::Sm2 {
            // The public half, which goes into what is hashed.
            key.control(GEN_ECC_PUBLIC_KEY, ptr::null_mut(), 0)?;
        }
        Ok(key)
    }
}

fn whole(bytes: &mut [u8]) -> Parts {
    let data = Data {
        start: bytes.as_mut_ptr(),
        len: bytes.len() as u32,
    };
    Parts { data }
}

/// Parts of equal length.
fn split<const N: usize>(bytes: &mut [u8]) -> ([*mut u8; N], u32) {
    let len = bytes.len() / N;
    let start = bytes.as_mut_ptr();
    (
        std::array::from_fn(|i| start.wrapping_add(i * len)),
        len as u32,
    )
}

fn rsa_numbers(encoded: &[u8], count: usize) -> Result<Vec<Vec<u8>>, String> {
    let numbers = der::numbers(encoded).filter(|numbers| numbers.len() == count);
    let numbers = numbers.ok_or("the key is no PKCS#1")?;
    Ok(numbers.into_iter().map(<[u8]>::to_vec).collect())
}

/// Where these of the numbers lie, and how long they are.
fn places<const N: usize>(numbers: &mut [Vec<u8>], order: [usize; N]) -> ([*mut u8; N], [u32; N]) {
    (
        order.map(|i| numbers[i].as_mut_ptr()),
        order.map(|i| numbers[i].len() as u32),
    )
}

impl Key {
    #[inline]
    pub(crate) fn get(&self) -> *mut c_void {
        self.ctx.get()
    }

    pub(crate) fn control(&self, what: i32, data: *mut c_void, len: u32) -> Result<(), String> {
        // SAFETY: the context is valid; the data are what the callers say.
        ok("CRYPT_EAL_PkeyCtrl", unsafe {
            (self.lib.CRYPT_EAL_PkeyCtrl)(self.get(), what, data, len)
        })
    }

    fn set_public(self, material: &Material) -> Result<Self, String> {
        // SAFETY: the context is valid; it copies what the parts point to.
        ok("CRYPT_EAL_PkeySetPub", unsafe {
            (self.lib.CRYPT_EAL_PkeySetPub)(self.get(), material)
        })?;
        Ok(self)
    }

    fn set_private(self, material: &Material) -> Result<Self, String> {
        // SAFETY: the context is valid; it copies what the parts point to.
        ok("CRYPT_EAL_PkeySetPrv", unsafe {
            (self.lib.CRYPT_EAL_PkeySetPrv)(self.get(), material)
        })?;
        Ok(self)
    }

    /// Makes a new key in place of what it holds.
    #[inline]
    pub(crate) fn generate(&self) -> Result<(), String> {
        // SAFETY: the context has its parameters.
        ok("CRYPT_EAL_PkeyGen", unsafe {
            (self.lib.CRYPT_EAL_PkeyGen)(self.get())
        })
    }

    /// Both halves as they travel.
    pub(crate) fn tell(&self) -> Result<Item, String> {
        let algorithm = self.algorithm;
        match algorithm.form {
            Form::Bytes(private, public) => self.tell_bytes(private, public),
            Form::Sm2 => self.tell_bytes(32, 65),
            Form::Rsa => self.tell_rsa(),
            Form::HashBased(len) => {
                let mut bytes = vec![0; len];
                let (parts, part_len) = split(&mut bytes);
                let hash_based_private = HashBased {
                    parts,
                    len: part_len,
                };
                let mut material = algorithm.material(Parts { hash_based_private });
                self.get_private(&mut material)?;
                // The public half is that of the private key.
                Ok(pair(&bytes, &bytes[len / 2..]))
            }
        }
    }

    fn get_private(&self, material: &mut Material) -> Result<(), String> {
        // SAFETY: the context has the key; the parts have the room that they say.
        ok("CRYPT_EAL_PkeyGetPrv", unsafe {
            (self.lib.CRYPT_EAL_PkeyGetPrv)(self.get(), material)
        })
    }

    fn get_public(&self, material: &mut Material) -> Result<(), String> {
        // SAFETY: as above.
        ok("CRYPT_EAL_PkeyGetPub", unsafe {
            (self.lib.CRYPT_EAL_PkeyGetPub)(self.get(), material)
        })
    }

    fn tell_bytes(&self, private_len: usize, public_len: usize) -> Result<Item, String> {
        let (mut private, mut public) = (vec![0; ROOM], vec![0; ROOM]);
        let mut material = self.algorithm.material(whole(&mut private));
        self.get_private(&mut material)?;
        // SAFETY: keys of this form are data.
        let len = unsafe { material.parts.data.len } as usize;
        let private = der::padded(&private[..len], private_len).ok_or("the key is too long")?;
        let mut material = self.algorithm.material(whole(&mut public));
        self.get_public(&mut material)?;
        // SAFETY: as above.
        let len = unsafe { material.parts.data.len } as usize;
        let public = der::padded(&public[..len], public_len).ok_or("the key is too long")?;
        Ok(pair(&private, &public))
    }

    fn tell_rsa(&self) -> Result<Item, String> {
        let mut numbers = vec![vec![0; ROOM]; 8];
        let (starts, lens) = places(&mut numbers, [0, 1, 2, 3, 4, 5, 6, 7]);
        let rsa_private = RsaPrivate { starts, lens };
        let mut material = self.algorithm.material(Parts { rsa_private });
        self.get_private(&mut material)?;
        // SAFETY: keys of this form are numbers.
        let lens = unsafe { material.parts.rsa_private.lens };
        for (number, len) in numbers.iter_mut().zip(lens) {
            number.truncate(len as usize);
        }
        let [d, n, p, q, dp, dq, q_inv, e] = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| &numbers[i][..]);
        Ok(pair(
            &der::sequence_of(&[&[], n, e, d, p, q, dp, dq, q_inv]),
            &der::sequence_of(&[n, e]),
        ))
    }
}
