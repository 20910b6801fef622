//! The catalog: one row per algorithm.
//!
//! `adamant list` and the names of measured operations follow it.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::Implementation;
use crate::cpu::Features;

/// The purpose of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Digests of messages.
    Hash,
    /// Tags of messages under a shared key.
    Mac,
    /// Keys from other key material.
    Kdf,
    /// Encryption without authentication.
    Cipher,
    /// Authenticated encryption with associated data.
    Aead,
    /// Signatures.
    Signature,
    /// A shared secret from two pairs of keys.
    KeyAgreement,
    /// A shared secret to the owner of a public key.
    Kem,
    /// Arithmetic in a group, which signatures and key agreement build on.
    Group,
    /// Arithmetic on big integers.
    Arithmetic,
    /// Random bytes.
    Generator,
    /// A data format.
    Format,
}

impl Family {
    /// Its name, as `adamant list` prints it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Family::Hash => "hash",
            Family::Mac => "mac",
            Family::Kdf => "kdf",
            Family::Cipher => "cipher",
            Family::Aead => "aead",
            Family::Signature => "signature",
            Family::KeyAgreement => "key-agreement",
            Family::Kem => "kem",
            Family::Group => "group",
            Family::Arithmetic => "arithmetic",
            Family::Generator => "generator",
            Family::Format => "format",
        }
    }
}

/// One algorithm, as the catalog knows it.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// Its name: the part of an operation's name before the slash.
    pub name: &'static str,
    /// Its purpose.
    pub family: Family,
    /// The object identifier of the algorithm in X.509 and CMS, where it has one.
    pub oid: Option<&'static str>,
    /// The document that defines it.
    pub standard: &'static str,
    /// Its lengths in bytes: of the digest, the keys, the signature, …
    pub parameters: &'static [(&'static str, usize)],
    #[cfg(feature = "alloc")]
    implementations: fn() -> Vec<&'static Implementation>,
}

#[cfg(feature = "alloc")]
impl Algorithm {
    /// Its implementations, best first, runnable on this CPU or not.
    ///
    /// ```
    /// let sha256 = adamant::catalog::find("sha256").unwrap();
    /// assert_eq!(sha256.implementations().last().unwrap().name, "portable");
    /// ```
    #[must_use]
    pub fn implementations(&self) -> Vec<&'static Implementation> {
        (self.implementations)()
    }
}

/// The algorithm of this name.
///
/// ```
/// let sha256 = adamant::catalog::find("sha256").unwrap();
/// assert_eq!(sha256.oid, Some("2.16.840.1.101.3.4.2.1"));
/// assert_eq!(sha256.parameters, [("digest", 32), ("block", 64)]);
/// assert!(adamant::catalog::find("sha257").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|a| a.name == name)
}

/// Code that runs on every CPU and has no table.
#[allow(dead_code)] // without the families that have some
struct OnlyPortable;

#[allow(dead_code)]
impl OnlyPortable {
    fn implementations() -> impl Iterator<Item = &'static Implementation> {
        static PORTABLE: Implementation = Implementation::new("portable", Features::NONE);
        core::iter::once(&PORTABLE)
    }
}

/// Rows of the catalog, family by family, each with the feature that brings it.
macro_rules! catalog {
    ($($family:ident {
        $($feature:tt $name:tt $($oid:literal)? $([$hash:ident])?, $standard:literal, $parameters:expr,
            $backend:ty;)+
    })+) => {
        /// Every algorithm that is built in.
        ///
        /// ```
        /// for algorithm in adamant::catalog::ALGORITHMS {
        ///     assert!(!algorithm.implementations().is_empty(), "{}", algorithm.name);
        /// }
        /// ```
        pub static ALGORITHMS: &[Algorithm] = &[$($(
            #[cfg(feature = $feature)]
            Algorithm {
                name: $name,
                family: Family::$family,
                oid: catalog!(@oid $($oid)? $([$hash])?),
                standard: $standard,
                parameters: &$parameters,
                #[cfg(feature = "alloc")]
                implementations: || <$backend>::implementations().collect(),
            },
        )+)+];
    };
    (@oid) => { None };
    (@oid $oid:literal) => { Some($oid) };
    // That of a signature algorithm, which curves share.
    (@oid [EcdsaWithSha224]) => { Some("1.2.840.10045.4.3.1") };
    (@oid [EcdsaWithSha256]) => { Some("1.2.840.10045.4.3.2") };
    (@oid [EcdsaWithSha384]) => { Some("1.2.840.10045.4.3.3") };
    (@oid [EcdsaWithSha512]) => { Some("1.2.840.10045.4.3.4") };
}

/// The table of a scheme's implementations.
#[allow(unused_macros)] // without schemes
macro_rules! backend {
    ("ml-kem" $module:ident) => {
        crate::hazmat::pq::ml_kem::Backend
    };
    ("ml-dsa" $module:ident) => {
        crate::hazmat::pq::ml_dsa::Backend
    };
    ("slh-dsa" $module:ident) => {
        crate::hazmat::pq::slh_dsa::Backend
    };
    ("hybrid" $module:ident) => {
        crate::hazmat::pq::ml_kem::Backend
    };
    ($feature:tt $module:ident) => {
        crate::hazmat::ec::$module::Backend
    };
}

/// The lengths of a hash.
#[allow(unused_macros)] // without hashes
macro_rules! hash {
    (fixed $length:literal $block:literal) => {
        [("digest", $length), ("block", $block)]
    };
    (both $length:literal $block:literal) => {
        [("digest", $length), ("block", $block)]
    };
    ($kind:ident $length:literal $block:literal) => {
        [("block", $block)]
    };
}

/// The rows of the lists, and of what is in none.
macro_rules! rows {
    (
        hashes { $({ $hf:tt $hash_:tt $htable:ident $lanes:tt $hname:literal $tag:literal [$($hid:literal)?]
            $hstandard:literal $kind:ident $length:literal $block:literal
            [$(hmac $hmac:literal)? $(kmac $kmac:literal $kmac_id:literal)? $(hkdf $hkdf:literal)?] })* }
        aeads { $({ $ef:tt $aead:tt ($($etable:tt)*) $ename:literal [$($eid:literal)?]
            $estandard:literal [$ekey:literal $enonce:literal $etag:literal] })* }
        curves { $({ $cf:tt $curve:ident $cm:ident $w:literal $bytes:literal $cname:literal $cid:literal
            $hash:ident $group:literal $($_c:tt)* })* }
        signatures { $({ $sf:tt $signs:ident $sc:ident $sm:ident $sname:literal $stitle:literal $sid:literal
            $sstandard:literal [$sprivate:literal $spublic:literal $signature:literal] })* }
        agreements { $({ $af:tt $agrees:ident $ac:ident $am:ident $aname:literal $atitle:literal $aid:literal
            $astandard:literal [$aprivate:literal $apublic:literal $asecret:literal] })* }
        kems { $({ $kf:tt $kem:ident $kc:ident $km:ident $kname:literal $ktitle:literal $kid:literal
            $kstandard:literal [$kprivate:literal $kpublic:literal $ciphertext:literal $ksecret:literal] })* }
    ) => {
catalog! {
    Hash {
        $($hf $hname $($hid)?, $hstandard, hash!($kind $length $block), crate::hazmat::hash::$htable::Backend;)*
    }
    Mac {
        $(
            $($hf (concat!("hmac-", $hname)) $hmac, "RFC 2104", [("tag", $length)],
                crate::hazmat::hash::$htable::Backend;)?
            $($hf $kmac $kmac_id, $hstandard, [("tag", $length)], crate::hazmat::hash::$htable::Backend;)?
        )*
        "aes" "cmac-aes-128", "SP 800-38B", [("key", 16), ("tag", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "cmac-aes-192", "SP 800-38B", [("key", 24), ("tag", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "cmac-aes-256", "SP 800-38B", [("key", 32), ("tag", 16)], crate::hazmat::cipher::aes::Backend;
        "sm" "cmac-sm4", "GB/T 15852.1", [("key", 16), ("tag", 16)], crate::hazmat::cipher::sm4::Backend;
        "des" "cmac-3des", "SP 800-38B (legacy)", [("key", 24), ("tag", 8)], crate::hazmat::cipher::des::Backend;
        "aes" "ghash", "SP 800-38D", [("key", 16), ("tag", 16)], crate::hazmat::cipher::ghash::Backend;
        "aes" "gmac-aes-128" "2.16.840.1.101.3.4.1.9", "SP 800-38D",
            [("key", 16), ("nonce", 12), ("tag", 16)], crate::hazmat::cipher::ghash::Backend;
        "aes" "gmac-aes-192" "2.16.840.1.101.3.4.1.29", "SP 800-38D",
            [("key", 24), ("nonce", 12), ("tag", 16)], crate::hazmat::cipher::ghash::Backend;
        "aes" "gmac-aes-256" "2.16.840.1.101.3.4.1.49", "SP 800-38D",
            [("key", 32), ("nonce", 12), ("tag", 16)], crate::hazmat::cipher::ghash::Backend;
        "sm" "gmac-sm4", "GB/T 15852.3", [("key", 16), ("nonce", 12), ("tag", 16)], crate::hazmat::cipher::ghash::Backend;
        "sha2" "siphash-2-4", "SipHash paper, 2012", [("key", 16), ("tag", 8)], OnlyPortable;
        "sha2" "siphash-1-3", "SipHash paper, 2012", [("key", 16), ("tag", 8)], OnlyPortable;
        "chacha20-poly1305" "poly1305", "RFC 8439", [("key", 32), ("tag", 16)], crate::hazmat::cipher::poly1305::Backend;
    }
    Kdf {
        $($($hf (concat!("hkdf-", $hname)) $hkdf, "RFC 5869", [("output-limit", 255 * $length)],
            crate::hazmat::hash::$htable::Backend;)?)*
        "sha1" "pbkdf2-hmac-sha1", "RFC 8018", [], crate::hazmat::hash::sha1::Backend;
        "sha2" "pbkdf2-hmac-sha256", "RFC 8018", [], crate::hazmat::hash::sha256::Backend;
        "sha2" "pbkdf2-hmac-sha384", "RFC 8018", [], crate::hazmat::hash::sha512::Backend;
        "sha2" "pbkdf2-hmac-sha512", "RFC 8018", [], crate::hazmat::hash::sha512::Backend;
        "sm" "pbkdf2-hmac-sm3", "RFC 8018", [], crate::hazmat::hash::sm3::Backend;
        "password" "scrypt" "1.3.6.1.4.1.11591.4.11", "RFC 7914", [], crate::hazmat::hash::scrypt::Backend;
        "password" "argon2id", "RFC 9106", [("salt-least", 8), ("output-least", 4)], crate::hazmat::hash::argon2::Backend;
        "password" "argon2i", "RFC 9106", [("salt-least", 8), ("output-least", 4)], crate::hazmat::hash::argon2::Backend;
        "password" "argon2d", "RFC 9106", [("salt-least", 8), ("output-least", 4)], crate::hazmat::hash::argon2::Backend;
        "sha2" "x963-sha256", "ANSI X9.63, SEC 1", [], crate::hazmat::hash::sha256::Backend;
        "sm" "x963-sm3", "ANSI X9.63, SEC 1", [], crate::hazmat::hash::sm3::Backend;
        "sha2" "kbkdf-hmac-sha256", "SP 800-108", [], crate::hazmat::hash::sha256::Backend;
        "sha2" "tls12-prf-sha256", "RFC 5246", [], crate::hazmat::hash::sha256::Backend;
        "sha2" "tls12-prf-sha384", "RFC 5246", [], crate::hazmat::hash::sha512::Backend;
    }
    Cipher {
        "aes" "aes-128-ecb" "2.16.840.1.101.3.4.1.1", "FIPS 197, SP 800-38A",
            [("key", 16), ("block", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-192-ecb" "2.16.840.1.101.3.4.1.21", "FIPS 197, SP 800-38A",
            [("key", 24), ("block", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-256-ecb" "2.16.840.1.101.3.4.1.41", "FIPS 197, SP 800-38A",
            [("key", 32), ("block", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-128-cbc" "2.16.840.1.101.3.4.1.2", "FIPS 197, SP 800-38A",
            [("key", 16), ("iv", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-192-cbc" "2.16.840.1.101.3.4.1.22", "FIPS 197, SP 800-38A",
            [("key", 24), ("iv", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-256-cbc" "2.16.840.1.101.3.4.1.42", "FIPS 197, SP 800-38A",
            [("key", 32), ("iv", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-128-ctr", "FIPS 197, SP 800-38A", [("key", 16), ("iv", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-192-ctr", "FIPS 197, SP 800-38A", [("key", 24), ("iv", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-256-ctr", "FIPS 197, SP 800-38A", [("key", 32), ("iv", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-128-xts" "1.3.111.2.1619.0.1.1", "SP 800-38E",
            [("key", 32), ("iv", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-256-xts" "1.3.111.2.1619.0.1.2", "SP 800-38E",
            [("key", 64), ("iv", 16)], crate::hazmat::cipher::aes::Backend;
        "sm" "sm4-ecb" "1.2.156.10197.1.104.1", "GB/T 32907, SP 800-38A",
            [("key", 16), ("block", 16)], crate::hazmat::cipher::sm4::Backend;
        "sm" "sm4-cbc" "1.2.156.10197.1.104.2", "GB/T 32907, SP 800-38A",
            [("key", 16), ("iv", 16)], crate::hazmat::cipher::sm4::Backend;
        "sm" "sm4-ofb" "1.2.156.10197.1.104.3", "GB/T 32907, SP 800-38A",
            [("key", 16), ("iv", 16)], crate::hazmat::cipher::sm4::Backend;
        "sm" "sm4-cfb" "1.2.156.10197.1.104.4", "GB/T 32907, SP 800-38A",
            [("key", 16), ("iv", 16)], crate::hazmat::cipher::sm4::Backend;
        "sm" "sm4-ctr" "1.2.156.10197.1.104.7", "GB/T 32907, SP 800-38A",
            [("key", 16), ("iv", 16)], crate::hazmat::cipher::sm4::Backend;
        "sm" "sm4-xts", "GB/T 32907, IEEE 1619", [("key", 32), ("iv", 16)], crate::hazmat::cipher::sm4::Backend;
        "des" "3des-ecb", "SP 800-67 (legacy)", [("key", 24), ("block", 8)], crate::hazmat::cipher::des::Backend;
        "des" "3des-cbc" "1.2.840.113549.3.7", "SP 800-67 (legacy)", [("key", 24), ("iv", 8)], crate::hazmat::cipher::des::Backend;
        "des" "3des-ctr", "SP 800-67 (legacy)", [("key", 24), ("iv", 8)], crate::hazmat::cipher::des::Backend;
        "des" "3des-cfb", "SP 800-67 (legacy)", [("key", 24), ("iv", 8)], crate::hazmat::cipher::des::Backend;
        "des" "3des-ofb", "SP 800-67 (legacy)", [("key", 24), ("iv", 8)], crate::hazmat::cipher::des::Backend;
        "des" "des-ecb" "1.3.14.3.2.6", "FIPS 46-3 (legacy)", [("key", 8), ("block", 8)], crate::hazmat::cipher::des::Backend;
        "des" "des-cbc" "1.3.14.3.2.7", "FIPS 46-3 (legacy)", [("key", 8), ("iv", 8)], crate::hazmat::cipher::des::Backend;
        "des" "des-ctr", "FIPS 46-3 (legacy)", [("key", 8), ("iv", 8)], crate::hazmat::cipher::des::Backend;
        "des" "des-cfb" "1.3.14.3.2.9", "FIPS 46-3 (legacy)", [("key", 8), ("iv", 8)], crate::hazmat::cipher::des::Backend;
        "des" "des-ofb" "1.3.14.3.2.8", "FIPS 46-3 (legacy)", [("key", 8), ("iv", 8)], crate::hazmat::cipher::des::Backend;
        "chacha20-poly1305" "chacha20", "RFC 8439", [("key", 32), ("nonce", 12)], crate::hazmat::cipher::chacha20::Backend;
        "aes" "aes-128-kw" "2.16.840.1.101.3.4.1.5", "RFC 3394, SP 800-38F",
            [("key", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-192-kw" "2.16.840.1.101.3.4.1.25", "RFC 3394, SP 800-38F",
            [("key", 24)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-256-kw" "2.16.840.1.101.3.4.1.45", "RFC 3394, SP 800-38F",
            [("key", 32)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-128-kwp" "2.16.840.1.101.3.4.1.8", "RFC 5649, SP 800-38F",
            [("key", 16)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-192-kwp" "2.16.840.1.101.3.4.1.28", "RFC 5649, SP 800-38F",
            [("key", 24)], crate::hazmat::cipher::aes::Backend;
        "aes" "aes-256-kwp" "2.16.840.1.101.3.4.1.48", "RFC 5649, SP 800-38F",
            [("key", 32)], crate::hazmat::cipher::aes::Backend;
    }
    Aead {
        $($ef $ename $($eid)?, $estandard, [("key", $ekey), ("nonce", $enonce), ("tag", $etag)],
            crate::hazmat::cipher::$($etable)*::Backend;)*
    }
    Signature {
        $($cf (concat!("ecdsa-", stringify!($cm))) [$hash], "FIPS 186-5, RFC 6979",
            [("private-key", $bytes), ("public-key", 2 * $bytes + 1), ("signature", 2 * $bytes)],
            crate::hazmat::ec::$cm::Backend;)*
        $($sf $sname $sid, $sstandard,
            [("private-key", $sprivate), ("public-key", $spublic), ("signature", $signature)],
            backend!($sf $sm);)*
        "sm" "sm2" "1.2.156.10197.1.501", "GB/T 32918",
            [("private-key", 32), ("public-key", 65), ("signature", 64)], crate::hazmat::ec::sm2::Backend;
        "rsa" "rsa-2048" "1.2.840.113549.1.1.1", "RFC 8017, FIPS 186-5",
            [("modulus", 256), ("signature", 256)], crate::hazmat::bignum::Backend;
        "rsa" "rsa-3072", "RFC 8017, FIPS 186-5",
            [("modulus", 384), ("signature", 384)], crate::hazmat::bignum::Backend;
        "rsa" "rsa-4096", "RFC 8017, FIPS 186-5",
            [("modulus", 512), ("signature", 512)], crate::hazmat::bignum::Backend;
    }
    KeyAgreement {
        $($cf (concat!("ecdh-", stringify!($cm))) "1.3.132.1.12", "SP 800-56A",
            [("private-key", $bytes), ("public-key", 2 * $bytes + 1), ("shared-secret", $bytes)],
            crate::hazmat::ec::$cm::Backend;)*
        $($af $aname $aid, $astandard,
            [("private-key", $aprivate), ("public-key", $apublic), ("shared-secret", $asecret)],
            backend!($af $am);)*
        "dh" "dh-ffdhe2048", "RFC 7919",
            [("public-key", 256), ("shared-secret", 256)], crate::hazmat::bignum::Backend;
        "dh" "dh-ffdhe3072", "RFC 7919",
            [("public-key", 384), ("shared-secret", 384)], crate::hazmat::bignum::Backend;
        "dh" "dh-ffdhe4096", "RFC 7919",
            [("public-key", 512), ("shared-secret", 512)], crate::hazmat::bignum::Backend;
        "dh" "dh-ffdhe6144", "RFC 7919",
            [("public-key", 768), ("shared-secret", 768)], crate::hazmat::bignum::Backend;
        "dh" "dh-ffdhe8192", "RFC 7919",
            [("public-key", 1024), ("shared-secret", 1024)], crate::hazmat::bignum::Backend;
        "dh" "dh-modp2048", "RFC 3526",
            [("public-key", 256), ("shared-secret", 256)], crate::hazmat::bignum::Backend;
        "dh" "dh-modp3072", "RFC 3526",
            [("public-key", 384), ("shared-secret", 384)], crate::hazmat::bignum::Backend;
        "dh" "dh-modp4096", "RFC 3526",
            [("public-key", 512), ("shared-secret", 512)], crate::hazmat::bignum::Backend;
        "dh" "dh-modp6144", "RFC 3526",
            [("public-key", 768), ("shared-secret", 768)], crate::hazmat::bignum::Backend;
        "dh" "dh-modp8192", "RFC 3526",
            [("public-key", 1024), ("shared-secret", 1024)], crate::hazmat::bignum::Backend;
        "dh" "dh-modp1536", "RFC 3526 (legacy)",
            [("public-key", 192), ("shared-secret", 192)], crate::hazmat::bignum::Backend;
        "dh" "dh-modp1024", "RFC 2409 (legacy)",
            [("public-key", 128), ("shared-secret", 128)], crate::hazmat::bignum::Backend;
        "dh" "dh-modp768", "RFC 2409 (legacy)",
            [("public-key", 96), ("shared-secret", 96)], crate::hazmat::bignum::Backend;
    }
    Kem {
        $($kf $kname $kid, $kstandard,
            [
                ("private-key", $kprivate), ("public-key", $kpublic), ("ciphertext", $ciphertext),
                ("shared-secret", $ksecret),
            ],
            backend!($kf $km);)*
        "hybrid" "x25519mlkem768", "draft-ietf-tls-ecdhe-mlkem",
            [("private-key", 2432), ("public-key", 1216), ("ciphertext", 1120), ("shared-secret", 64)],
            crate::hazmat::pq::ml_kem::Backend;
        "hybrid" "secp256r1mlkem768", "draft-ietf-tls-ecdhe-mlkem",
            [("private-key", 2432), ("public-key", 1249), ("ciphertext", 1153), ("shared-secret", 64)],
            crate::hazmat::pq::ml_kem::Backend;
        "hybrid" "secp384r1mlkem1024", "draft-ietf-tls-ecdhe-mlkem",
            [("private-key", 3216), ("public-key", 1665), ("ciphertext", 1665), ("shared-secret", 80)],
            crate::hazmat::pq::ml_kem::Backend;
    }
    Group {
        $($cf (stringify!($cm)) $cid, $group, [("scalar", $bytes), ("point", 2 * $bytes + 1)],
            crate::hazmat::ec::$cm::Backend;)*
        "curve25519" "edwards25519", "RFC 8032", [("scalar", 32), ("point", 32)], crate::hazmat::ec::group::Backend;
        "curve25519" "ristretto255", "RFC 9496", [("scalar", 32), ("point", 32)], crate::hazmat::ec::group::Backend;
    }
    Arithmetic {
        "bignum" "bignum-256", "textbook", [("operand", 32)], OnlyPortable;
        "bignum" "bignum-512", "textbook", [("operand", 64)], crate::hazmat::bignum::Backend;
        "bignum" "bignum-1024", "textbook", [("operand", 128)], crate::hazmat::bignum::Backend;
        "bignum" "bignum-2048", "textbook", [("operand", 256)], crate::hazmat::bignum::Backend;
        "bignum" "bignum-4096", "textbook", [("operand", 512)], crate::hazmat::bignum::Backend;
        "curve25519" "field25519", "RFC 7748", [("element", 32)], OnlyPortable;
        "curve25519" "scalar25519", "RFC 8032", [("scalar", 32)], OnlyPortable;
    }
    Generator {
        "fast-rng" "fast-rng", "RFC 8439 (ChaCha20), with fast key erasure", [("seed", 32)], crate::hazmat::cipher::chacha20::Backend;
    }
    Format {
        "x509" "x509", "RFC 5280", [], OnlyPortable;
    }
}
    };
}
macro_rules! with_aeads {
    ($($lists:tt)*) => {
        crate::hazmat::base::aeads! { with_schemes $($lists)* }
    };
}
macro_rules! with_schemes {
    ($($lists:tt)*) => {
        crate::hazmat::base::schemes! { rows $($lists)* }
    };
}
crate::hazmat::base::hashes!(with_aeads);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_identifiers_are_unique() {
        for (i, a) in ALGORITHMS.iter().enumerate() {
            for b in &ALGORITHMS[i + 1..] {
                assert_ne!(a.name, b.name);
                // ECDSA's identifiers say the hash, and that of ECDH nothing: the key names the curve.
                let on_curves = ["ecdsa-", "ecdh-"].map(|p| [a, b].map(|x| x.name.starts_with(p)));
                let shared = on_curves.contains(&[true; 2]);
                assert!(
                    a.oid.is_none() || a.oid != b.oid || shared,
                    "{} {}",
                    a.name,
                    b.name
                );
            }
        }
    }
}
