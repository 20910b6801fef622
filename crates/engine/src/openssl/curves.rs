//! The schemes of the list: their names on both sides, and curves in Weierstrass form.

use std::ffi::CStr;
use std::sync::LazyLock;

use super::ffi::Libcrypto;
use super::ffi::keys::{Key, KeyType, Setting};
use crate::der;

pub(super) struct Curve {
    pub(super) name: &'static str,
    /// What makes a generator of keys use it.
    pub(super) settings: &'static [Setting],
    /// The object identifier in decimals.
    pub(super) identifier: &'static CStr,
    /// Its contents in DER.
    oid: Vec<u8>,
    /// Bytes of a coordinate and of a scalar.
    pub(super) size: usize,
    /// What ECDSA hashes with.
    pub(super) digest: &'static CStr,
}

/// OpenSSL's name of a hash.
#[rustfmt::skip]
macro_rules! digest {
    (EcdsaWithSha224) => { c"SHA224" };
    (EcdsaWithSha256) => { c"SHA256" };
    (EcdsaWithSha384) => { c"SHA384" };
    (EcdsaWithSha512) => { c"SHA512" };
}

/// A text for C. The names of standards are OpenSSL's.
macro_rules! c {
    ($name:literal) => {
        match CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => panic!("NUL in a text"),
        }
    };
}

macro_rules! schemes {
    (
        curves { $({ $cf:tt $curve:ident $module:ident $words:literal $bytes:literal $name:literal
            $oid:literal $signature:ident $($_c:tt)* })* }
        signatures {
            $({ "curve25519" $($_e:tt)* })*
            $({ "curve448" $($_g:tt)* })*
            $({ "ml-dsa" $ml:ident $mc:ident $mm:ident $ml_dsa:literal $ml_title:literal $($_m:tt)* })*
            $({ "slh-dsa" $sl:ident $sc:ident $sm:ident $slh_dsa:literal $slh_title:literal $($_s:tt)* })*
        }
        agreements { $($_agreements:tt)* }
        kems {
            $({ "ml-kem" $kem:ident $kc:ident $km:ident $ml_kem:literal $kem_title:literal $($_k:tt)* })*
            $({ "hybrid" $($_h:tt)* })*
        }
    ) => {
        /// Those of ECDSA and ECDH (SEC 2, RFC 5639).
        pub(super) static CURVES: LazyLock<Vec<Curve>> = LazyLock::new(|| {
            vec![$(Curve {
                name: stringify!($module),
                settings: const { &[(c"ec_paramgen_curve", c!($name))] },
                identifier: c!($oid),
                oid: der::arcs($oid).unwrap_or_default(),
                size: $bytes,
                digest: digest!($signature),
            },)*]
        });

        /// Schemes that take the whole message, and whether one signature takes long.
        pub(super) const WHOLE: &[(&str, KeyType, bool)] = &[
            ("ed25519", KeyType::ED25519, false),
            ("ed448", KeyType::ED448, false),
            $(($ml_dsa, KeyType::named(c!($ml_title)), false),)*
            $(($slh_dsa, KeyType::named(c!($slh_title)), true),)*
        ];

        pub(super) const KEMS: &[(&str, KeyType)] = &[
            $(($ml_kem, KeyType::named(c!($kem_title))),)*
            ("x25519mlkem768", KeyType::named(c"X25519MLKEM768")),
            ("secp256r1mlkem768", KeyType::named(c"SecP256r1MLKEM768")),
            ("secp384r1mlkem1024", KeyType::named(c"SecP384r1MLKEM1024")),
        ];
    };
}
adamant_base::schemes!(schemes);

/// That of GB/T 32918.
pub(super) static SM2: LazyLock<Curve> = LazyLock::new(|| Curve {
    name: "sm2",
    settings: &[],
    identifier: c"1.2.156.10197.1.301",
    oid: der::arcs("1.2.156.10197.1.301").unwrap_or_default(),
    size: 32,
    digest: c"SM3",
});

impl Curve {
    pub(super) fn private(&self, lib: Libcrypto, scalar: &[u8]) -> Result<Key, String> {
        if scalar.len() != self.size {
            return Err(format!("private_key has to have {} bytes", self.size));
        }
        Key::private_der(lib, &der::ec_pkcs8(&self.oid, scalar))
    }

    pub(super) fn public(&self, lib: Libcrypto, point: &[u8]) -> Result<Key, String> {
        if point.len() != 2 * self.size + 1 {
            return Err(format!(
                "the public key has to have {} bytes",
                2 * self.size + 1
            ));
        }
        Key::public_der(lib, &der::ec_spki(&self.oid, point))
    }
}
