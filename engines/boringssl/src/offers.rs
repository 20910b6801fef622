//! What BoringSSL offers, by our names. CCM, which has no nonces of 12 bytes there, has no row, and
//! neither have CFB and XTS, which are kept outside `libcrypto`.

use std::ptr;

use crate::ciphers::{Aead, Evp as Cipher};
use crate::dh::Group;
use crate::ffi;
use crate::hashes::{Evp, Way};

#[rustfmt::skip]
pub(crate) const DIGESTS: &[(&str, Evp, Way)] = &[
    ("sha1", ffi::EVP_sha1, Way::Once(ffi::SHA1, 20)),
    ("sha224", ffi::EVP_sha224, Way::Once(ffi::SHA224, 28)),
    ("sha256", ffi::EVP_sha256, Way::Once(ffi::SHA256, 32)),
    ("sha384", ffi::EVP_sha384, Way::Once(ffi::SHA384, 48)),
    ("sha512", ffi::EVP_sha512, Way::Once(ffi::SHA512, 64)),
    ("sha512-256", ffi::EVP_sha512_256, Way::Once(ffi::SHA512_256, 32)),
    ("sha3-256", ffi::EVP_sha3_256, Way::Context),
    ("sha3-384", ffi::EVP_sha3_384, Way::Context),
    ("sha3-512", ffi::EVP_sha3_512, Way::Context),
    ("md5", ffi::EVP_md5, Way::Once(ffi::MD5, 16)),
    ("blake2b-256", ffi::EVP_blake2b256, Way::Quietly(ffi::BLAKE2B256, 32)),
];

/// Those that no HMAC goes with.
pub(crate) const BARE: &[&str] = &["blake2b-256"];

/// The names, the library's ciphers, the bytes of the keys.
pub(crate) const CMACS: &[(&str, Cipher, usize)] = &[
    ("cmac-aes-128/mac", ffi::EVP_aes_128_cbc, 16),
    ("cmac-aes-192/mac", ffi::EVP_aes_192_cbc, 24),
    ("cmac-aes-256/mac", ffi::EVP_aes_256_cbc, 32),
];

/// The names, the library's ciphers, the bytes of key and nonce.
#[rustfmt::skip]
pub(crate) const CIPHERS: &[(&str, Cipher, usize, usize)] = &[
    ("aes-128-ecb", ffi::EVP_aes_128_ecb, 16, 0),
    ("aes-192-ecb", ffi::EVP_aes_192_ecb, 24, 0),
    ("aes-256-ecb", ffi::EVP_aes_256_ecb, 32, 0),
    ("aes-128-cbc", ffi::EVP_aes_128_cbc, 16, 16),
    ("aes-192-cbc", ffi::EVP_aes_192_cbc, 24, 16),
    ("aes-256-cbc", ffi::EVP_aes_256_cbc, 32, 16),
    ("aes-128-ctr", ffi::EVP_aes_128_ctr, 16, 16),
    ("aes-192-ctr", ffi::EVP_aes_192_ctr, 24, 16),
    ("aes-256-ctr", ffi::EVP_aes_256_ctr, 32, 16),
    ("aes-128-ofb", ffi::EVP_aes_128_ofb, 16, 16),
    ("aes-192-ofb", ffi::EVP_aes_192_ofb, 24, 16),
    ("aes-256-ofb", ffi::EVP_aes_256_ofb, 32, 16),
    ("3des-ecb", ffi::EVP_des_ede3, 24, 0),
    ("3des-cbc", ffi::EVP_des_ede3_cbc, 24, 8),
    ("des-ecb", ffi::EVP_des_ecb, 8, 0),
    ("des-cbc", ffi::EVP_des_cbc, 8, 8),
];

/// The names, the library's AEADs, the bytes of key and nonce.
#[rustfmt::skip]
pub(crate) const AEADS: &[(&str, Aead, usize, usize)] = &[
    ("aes-128-gcm", ffi::EVP_aead_aes_128_gcm, 16, 12),
    ("aes-192-gcm", ffi::EVP_aead_aes_192_gcm, 24, 12),
    ("aes-256-gcm", ffi::EVP_aead_aes_256_gcm, 32, 12),
    ("aes-128-gcm-siv", ffi::EVP_aead_aes_128_gcm_siv, 16, 12),
    ("aes-256-gcm-siv", ffi::EVP_aead_aes_256_gcm_siv, 32, 12),
    ("aes-128-eax", ffi::EVP_aead_aes_128_eax, 16, 12),
    ("aes-256-eax", ffi::EVP_aead_aes_256_eax, 32, 12),
    ("chacha20-poly1305", ffi::EVP_aead_chacha20_poly1305, 32, 12),
    ("xchacha20-poly1305", ffi::EVP_aead_xchacha20_poly1305, 32, 24),
];

/// Ciphers of no AEAD that is their mode: none.
pub(crate) const CCMS: &[(&str, Cipher, usize)] = &[];

/// Groups of Diffie-Hellman: the names, what makes a group, the bytes of the primes.
pub(crate) const GROUPS: &[(&str, Group, usize)] = &[
    // SAFETY: it takes nothing.
    (
        "dh-ffdhe2048",
        || unsafe { ffi::DH_get_rfc7919_2048() },
        256,
    ),
    ("dh-modp2048", || modp(ffi::BN_get_rfc3526_prime_2048), 256),
    ("dh-modp3072", || modp(ffi::BN_get_rfc3526_prime_3072), 384),
    ("dh-modp4096", || modp(ffi::BN_get_rfc3526_prime_4096), 512),
];

/// A group of RFC 3526, whose generator is 2; null where it could not be made.
fn modp(prime: unsafe extern "C" fn(*mut ffi::BIGNUM) -> *mut ffi::BIGNUM) -> *mut ffi::DH {
    let none = ptr::null_mut();
    // SAFETY: null asks for a new number; the group takes both numbers over, and is freed by the
    // caller.
    unsafe {
        let (group, prime, generator) = (ffi::DH_new(), prime(none), ffi::BN_new());
        ffi::BN_set_word(generator, 2);
        ffi::DH_set0_pqg(group, prime, none, generator);
        group
    }
}
