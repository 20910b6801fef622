//! The mechanisms, with the structures of PKCS#11 that they take.

use std::ffi::{c_ulong, c_void};
use std::mem::size_of_val;
use std::ptr::null;

use super::{RawMechanism, len};

/// A mechanism with its parameter.
pub(in crate::nss) struct Mechanism {
    kind: c_ulong,
    parameter: Box<dyn Parameter>,
}

/// What a mechanism takes: a structure of PKCS#11 or plain bytes.
trait Parameter {
    fn place(&self) -> (*const c_void, usize);
}

impl Parameter for Vec<u8> {
    fn place(&self) -> (*const c_void, usize) {
        let start = if self.is_empty() {
            null()
        } else {
            self.as_ptr().cast()
        };
        (start, self.len())
    }
}

/// A structure, and what it points to.
struct Structure<T, K> {
    structure: T,
    _kept: K,
}

impl<T, K> Parameter for Structure<T, K> {
    fn place(&self) -> (*const c_void, usize) {
        (
            (&raw const self.structure).cast(),
            size_of_val(&self.structure),
        )
    }
}

/// `CK_RSA_PKCS_PSS_PARAMS`.
#[repr(C)]
struct Pss(c_ulong, c_ulong, c_ulong);
/// `CK_RSA_PKCS_OAEP_PARAMS`.
#[repr(C)]
struct Oaep(c_ulong, c_ulong, c_ulong, *const u8, c_ulong);
/// `CK_AES_CTR_PARAMS`.
#[repr(C)]
struct Counter(c_ulong, [u8; 16]);
/// `CK_ECDH1_DERIVE_PARAMS`.
#[repr(C)]
struct Ecdh(c_ulong, c_ulong, *const u8, c_ulong, *const u8);
/// `CK_HKDF_PARAMS`.
#[repr(C)]
struct Hkdf {
    extract: u8,
    expand: u8,
    hash: c_ulong,
    salt_type: c_ulong,
    salt: *const u8,
    salt_len: c_ulong,
    salt_key: c_ulong,
    info: *const u8,
    info_len: c_ulong,
}
/// `CK_PKCS5_PBKD2_PARAMS`, whose length of the password is a pointer, as NSS has it.
#[repr(C)]
struct Pbkdf2 {
    salt_source: c_ulong,
    salt: *const u8,
    salt_len: c_ulong,
    iterations: c_ulong,
    prf: c_ulong,
    prf_data: *const u8,
    prf_data_len: c_ulong,
    password: *const u8,
    password_len: *const c_ulong,
}
/// `CK_CHACHA20_PARAMS`.
#[repr(C)]
struct ChaCha20(*const u8, c_ulong, *const u8, c_ulong);

impl Mechanism {
    pub(in crate::nss) fn plain(kind: c_ulong) -> Self {
        Self::bytes(kind, &[])
    }
    /// With bytes such as an initialisation vector.
    pub(in crate::nss) fn bytes(kind: c_ulong, parameter: &[u8]) -> Self {
        Mechanism {
            kind,
            parameter: Box::new(parameter.to_vec()),
        }
    }
    fn structure<T: 'static, K: 'static>(kind: c_ulong, structure: T, _kept: K) -> Self {
        Mechanism {
            kind,
            parameter: Box::new(Structure { structure, _kept }),
        }
    }
    /// PSS with a hash, its mask generation and a salt of this many bytes.
    pub(in crate::nss) fn pss(kind: c_ulong, hash: c_ulong, mgf: c_ulong, salt: c_ulong) -> Self {
        Self::structure(kind, Pss(hash, mgf, salt), ())
    }
    /// OAEP with a hash and its mask generation, without a label.
    pub(in crate::nss) fn oaep(kind: c_ulong, hash: c_ulong, mgf: c_ulong) -> Self {
        // `CKZ_DATA_SPECIFIED`.
        Self::structure(kind, Oaep(hash, mgf, 1, null(), 0), ())
    }
    /// With a counter as long as the block.
    pub(in crate::nss) fn counter(kind: c_ulong, block: [u8; 16]) -> Self {
        Self::structure(kind, Counter(128, block), ())
    }
    /// Agreement with a peer, without a derivation after it.
    pub(in crate::nss) fn ecdh(kind: c_ulong, peer: &[u8]) -> Self {
        let peer = peer.to_vec();
        // `CKD_NULL`.
        let structure = Ecdh(1, 0, null(), peer.len() as c_ulong, peer.as_ptr());
        Self::structure(kind, structure, peer)
    }
    pub(in crate::nss) fn hkdf(kind: c_ulong, hash: c_ulong, salt: &[u8], info: &[u8]) -> Self {
        let (salt, info) = (salt.to_vec(), info.to_vec());
        let structure = Hkdf {
            extract: 1,
            expand: 1,
            hash,
            // `CKF_HKDF_SALT_DATA`.
            salt_type: 2,
            salt: salt.as_ptr(),
            salt_len: salt.len() as c_ulong,
            salt_key: 0,
            info: info.as_ptr(),
            info_len: info.len() as c_ulong,
        };
        Self::structure(kind, structure, [salt, info])
    }
    pub(in crate::nss) fn pbkdf2(
        kind: c_ulong,
        prf: c_ulong,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
    ) -> Self {
        let (password, salt) = (password.to_vec(), salt.to_vec());
        let password_len = Box::new(len(&password));
        let structure = Pbkdf2 {
            // `CKZ_SALT_SPECIFIED`.
            salt_source: 1,
            salt: salt.as_ptr(),
            salt_len: salt.len() as c_ulong,
            iterations: iterations.into(),
            prf,
            prf_data: null(),
            prf_data_len: 0,
            password: password.as_ptr(),
            password_len: &raw const *password_len,
        };
        Self::structure(kind, structure, (password, salt, password_len))
    }
    /// From counter 0.
    pub(in crate::nss) fn chacha20(kind: c_ulong, nonce: &[u8]) -> Self {
        let (counter, nonce) = (vec![0; 4], nonce.to_vec());
        let bits = nonce.len() as c_ulong * 8;
        let structure = ChaCha20(counter.as_ptr(), 32, nonce.as_ptr(), bits);
        Self::structure(kind, structure, [counter, nonce])
    }

    pub(super) fn raw(&self) -> RawMechanism {
        let (parameter, len) = self.parameter.place();
        RawMechanism {
            kind: self.kind,
            parameter,
            len: len as c_ulong,
        }
    }
}
