//! Which of BearSSL's implementations the engine takes. They are chosen by the program that uses
//! the library; `ADAMANT_BEARSSL` tells which:
//!
//! | value | takes |
//! |---|---|
//! | `best` (without any) | what the CPU has opcodes for, else words of 64 bits, else of 32 |
//! | `64`, `32`, `16` | products of 64 bits and more, of 32×32→64 bits, of 32×32→32 bits |
//! | `table`, `small` | as `32`, but AES and DES with tables |

use std::env;

use crate::ffi::{self, CbcClass, ChaCha20, CtrCbcClass, CtrClass, Ec, Ghash, Poly1305, get};

/// One of each kind.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) told: &'static str,
    pub(crate) aes: Aes,
    /// Encryption, decryption.
    pub(crate) des: [&'static CbcClass; 2],
    pub(crate) chacha20: ChaCha20,
    pub(crate) ghash: Ghash,
    pub(crate) poly1305: Poly1305,
    pub(crate) ec: &'static Ec,
    pub(crate) ecdsa: (ffi::EcdsaSign, ffi::EcdsaVerify),
    pub(crate) rsa: Rsa,
}

#[derive(Clone, Copy)]
pub(crate) struct Aes {
    /// Encryption, decryption.
    pub(crate) cbc: [&'static CbcClass; 2],
    pub(crate) ctr: &'static CtrClass,
    pub(crate) ctr_cbc: &'static CtrCbcClass,
}

#[derive(Clone, Copy)]
pub(crate) struct Rsa {
    pub(crate) sign: ffi::RsaSign,
    pub(crate) verify: ffi::RsaVerify,
    pub(crate) encrypt: ffi::OaepEncrypt,
    pub(crate) decrypt: ffi::OaepDecrypt,
    pub(crate) keygen: ffi::RsaKeygen,
    pub(crate) exponent: ffi::RsaExponent,
}

macro_rules! aes {
    ($encrypt:ident $decrypt:ident $ctr:ident $ctr_cbc:ident) => {
        // SAFETY: the library's tables are constant.
        unsafe {
            Aes {
                cbc: [&ffi::$encrypt, &ffi::$decrypt],
                ctr: &ffi::$ctr,
                ctr_cbc: &ffi::$ctr_cbc,
            }
        }
    };
}

impl Choice {
    pub(crate) fn from_environment() -> Result<Self, String> {
        let asked = env::var("ADAMANT_BEARSSL").unwrap_or_else(|_| "best".into());
        match asked.as_str() {
            "best" => Ok(Self::best()),
            "64" => Ok(Self::bits_64()),
            "32" => Ok(Self::bits_32()),
            "16" => Ok(Self::bits_16()),
            "table" => Ok(Self::table()),
            "small" => Ok(Self::small()),
            _ => Err(format!(
                "ADAMANT_BEARSSL is {asked:?}, and not best, 64, 32, 16, table or small"
            )),
        }
    }

    fn best() -> Self {
        let mut choice = Self::bits_64();
        // SAFETY: the functions ask the CPU, and give nothing or a constant table.
        let x86 = unsafe {
            (
                get::br_aes_x86ni_cbcenc_get_vtable().as_ref(),
                get::br_aes_x86ni_cbcdec_get_vtable().as_ref(),
                get::br_aes_x86ni_ctr_get_vtable().as_ref(),
                get::br_aes_x86ni_ctrcbc_get_vtable().as_ref(),
                get::br_ghash_pclmul_get(),
            )
        };
        // SAFETY: as above.
        let power = unsafe {
            (
                get::br_aes_pwr8_cbcenc_get_vtable().as_ref(),
                get::br_aes_pwr8_cbcdec_get_vtable().as_ref(),
                get::br_aes_pwr8_ctr_get_vtable().as_ref(),
                get::br_aes_pwr8_ctrcbc_get_vtable().as_ref(),
                get::br_ghash_pwr8_get(),
            )
        };
        for (told, found) in [
            (
                "AES x86ni, ChaCha20 ct, Poly1305 ctmulq, GHASH pclmul, EC m31, RSA i62",
                x86,
            ),
            (
                "AES pwr8, ChaCha20 ct, Poly1305 ctmulq, GHASH pwr8, EC m31, RSA i62",
                power,
            ),
        ] {
            if let (Some(encrypt), Some(decrypt), Some(ctr), Some(ctr_cbc), Some(ghash)) = found {
                choice.told = told;
                choice.aes = Aes {
                    cbc: [encrypt, decrypt],
                    ctr,
                    ctr_cbc,
                };
                choice.ghash = ghash;
            }
        }
        choice
    }

    fn bits_64() -> Self {
        let mut choice = Self::bits_32();
        choice.told = "AES ct64, ChaCha20 ct, Poly1305 ctmulq, GHASH ctmul64, EC m31, RSA i62";
        choice.aes = aes!(br_aes_ct64_cbcenc_vtable br_aes_ct64_cbcdec_vtable
            br_aes_ct64_ctr_vtable br_aes_ct64_ctrcbc_vtable);
        choice.ghash = ffi::br_ghash_ctmul64;
        let rsa = &mut choice.rsa;
        // SAFETY: the functions give a function, or nothing on CPUs without such products.
        unsafe {
            choice.poly1305 = get::br_poly1305_ctmulq_get().unwrap_or(choice.poly1305);
            rsa.sign = get::br_rsa_i62_pkcs1_sign_get().unwrap_or(rsa.sign);
            rsa.verify = get::br_rsa_i62_pkcs1_vrfy_get().unwrap_or(rsa.verify);
            rsa.encrypt = get::br_rsa_i62_oaep_encrypt_get().unwrap_or(rsa.encrypt);
            rsa.decrypt = get::br_rsa_i62_oaep_decrypt_get().unwrap_or(rsa.decrypt);
            rsa.keygen = get::br_rsa_i62_keygen_get().unwrap_or(rsa.keygen);
        }
        choice
    }

    fn bits_32() -> Self {
        Choice {
            told: "AES ct, ChaCha20 ct, Poly1305 ctmul, GHASH ctmul, EC m31, RSA i31",
            aes: aes!(br_aes_ct_cbcenc_vtable br_aes_ct_cbcdec_vtable br_aes_ct_ctr_vtable
                br_aes_ct_ctrcbc_vtable),
            // SAFETY: the library's tables are constant.
            des: unsafe { [&ffi::br_des_ct_cbcenc_vtable, &ffi::br_des_ct_cbcdec_vtable] },
            chacha20: ffi::br_chacha20_ct_run,
            ghash: ffi::br_ghash_ctmul,
            poly1305: ffi::br_poly1305_ctmul_run,
            // SAFETY: as above.
            ec: unsafe { &ffi::br_ec_all_m31 },
            ecdsa: (ffi::br_ecdsa_i31_sign_asn1, ffi::br_ecdsa_i31_vrfy_asn1),
            rsa: Rsa {
                sign: ffi::br_rsa_i31_pkcs1_sign,
                verify: ffi::br_rsa_i31_pkcs1_vrfy,
                encrypt: ffi::br_rsa_i31_oaep_encrypt,
                decrypt: ffi::br_rsa_i31_oaep_decrypt,
                keygen: ffi::br_rsa_i31_keygen,
                exponent: ffi::br_rsa_i31_compute_privexp,
            },
        }
    }

    fn bits_16() -> Self {
        Choice {
            told: "AES ct, ChaCha20 ct, Poly1305 ctmul32, GHASH ctmul32, EC m15, RSA i15",
            ghash: ffi::br_ghash_ctmul32,
            poly1305: ffi::br_poly1305_ctmul32_run,
            // SAFETY: as above.
            ec: unsafe { &ffi::br_ec_all_m15 },
            ecdsa: (ffi::br_ecdsa_i15_sign_asn1, ffi::br_ecdsa_i15_vrfy_asn1),
            rsa: Rsa {
                sign: ffi::br_rsa_i15_pkcs1_sign,
                verify: ffi::br_rsa_i15_pkcs1_vrfy,
                encrypt: ffi::br_rsa_i15_oaep_encrypt,
                decrypt: ffi::br_rsa_i15_oaep_decrypt,
                keygen: ffi::br_rsa_i15_keygen,
                exponent: ffi::br_rsa_i15_compute_privexp,
            },
            ..Self::bits_32()
        }
    }

    fn table() -> Self {
        Choice {
            told: "AES big, DES tab, ChaCha20 ct, Poly1305 ctmul, GHASH ctmul, EC m31, RSA i31",
            aes: aes!(br_aes_big_cbcenc_vtable br_aes_big_cbcdec_vtable br_aes_big_ctr_vtable
                br_aes_big_ctrcbc_vtable),
            // SAFETY: as above.
            des: unsafe {
                [
                    &ffi::br_des_tab_cbcenc_vtable,
                    &ffi::br_des_tab_cbcdec_vtable,
                ]
            },
            ..Self::bits_32()
        }
    }

    fn small() -> Self {
        Choice {
            told: "AES small, DES tab, ChaCha20 ct, Poly1305 ctmul, GHASH ctmul, EC m31, RSA i31",
            aes: aes!(br_aes_small_cbcenc_vtable br_aes_small_cbcdec_vtable br_aes_small_ctr_vtable
                br_aes_small_ctrcbc_vtable),
            ..Self::table()
        }
    }
}

#[cfg(test)]
impl Choice {
    pub(crate) fn all() -> [Self; 6] {
        [
            Self::best(),
            Self::bits_64(),
            Self::bits_32(),
            Self::bits_16(),
            Self::table(),
            Self::small(),
        ]
    }
}
