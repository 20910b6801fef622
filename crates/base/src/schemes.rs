//! The list of the schemes that sign, agree or encapsulate, each in one row.

/// Calls the macro of this name with the list of the schemes, in four groups, and with what follows
/// the name before them:
///
/// ```text
/// curves     { { feature Type module words bytes "name" "identifier" Algorithm "standard" ["other name"…] }… }
/// signatures { { feature Type crate module "command" "name" "identifier" "standard" [private public signature] }… }
/// agreements { { feature Type crate module "command" "name" "identifier" "standard" [private public secret] }… }
/// kems       { { feature Type crate module "command" "name" "identifier" "standard" [private public ciphertext secret] }… }
/// ```
///
/// | column | is |
/// |---|---|
/// | feature | what brings the scheme, in the library and in X.509 |
/// | `Type` | the variant for its keys in `x509::KeyAlgorithm`; of a curve its type in `ec` as well |
/// | `crate`, `module` | where it is: `ec::ed25519` |
/// | `words`, `bytes` | of a curve's numbers |
/// | name | that of the standard; before it that of commands and of the catalog, for a curve the module's |
/// | identifier | of its keys in X.509, for a curve that of the curve (`id-ecPublicKey` is that of all) |
/// | `Algorithm` | what keys of the curve sign with: `x509::SignatureAlgorithm` |
/// | other names | of a curve, for commands |
/// | lengths | in bytes |
///
/// The catalog, the keys of X.509, the measured operations, the adapters, the commands and the
/// certification authority are made from this list. Schemes for which a row is not enough are not
/// in it: RSA and SM2 sign and encrypt, hybrid groups are for TLS only.
///
/// ```
/// macro_rules! lengths {
///     (
///         curves { $({ $feature:tt $curve:ident $module:ident $words:literal $bytes:literal $($_c:tt)* })* }
///         $($_groups:tt)*
///     ) => {
///         const LENGTHS: &[(&str, usize)] = &[$((stringify!($module), $bytes)),*];
///     };
/// }
/// adamant_base::schemes!(lengths);
/// assert!(LENGTHS.contains(&("p384", 48)));
/// ```
#[macro_export]
macro_rules! schemes {
    ($then:ident $($before:tt)*) => {
        $then! {
            $($before)*
            curves {
                { "ecdsa" P256 p256 4 32 "P-256" "1.2.840.10045.3.1.7"
                    EcdsaWithSha256 "SP 800-186" ["secp256r1" "prime256v1"] }
                { "ecdsa" P224 p224 4 28 "P-224" "1.3.132.0.33"
                    EcdsaWithSha224 "SP 800-186" ["secp224r1"] }
                { "ecdsa" P384 p384 6 48 "P-384" "1.3.132.0.34"
                    EcdsaWithSha384 "SP 800-186" ["secp384r1"] }
                { "ecdsa" P521 p521 9 66 "P-521" "1.3.132.0.35"
                    EcdsaWithSha512 "SP 800-186" ["secp521r1"] }
                { "ecdsa" Secp256k1 secp256k1 4 32 "secp256k1" "1.3.132.0.10"
                    EcdsaWithSha256 "SEC 2" [] }
                { "ecdsa" BrainpoolP256r1 brainpoolp256r1 4 32 "brainpoolP256r1" "1.3.36.3.3.2.8.1.1.7"
                    EcdsaWithSha256 "RFC 5639" [] }
                { "ecdsa" BrainpoolP320r1 brainpoolp320r1 5 40 "brainpoolP320r1" "1.3.36.3.3.2.8.1.1.9"
                    EcdsaWithSha384 "RFC 5639" [] }
                { "ecdsa" BrainpoolP384r1 brainpoolp384r1 6 48 "brainpoolP384r1" "1.3.36.3.3.2.8.1.1.11"
                    EcdsaWithSha384 "RFC 5639" [] }
                { "ecdsa" BrainpoolP512r1 brainpoolp512r1 8 64 "brainpoolP512r1" "1.3.36.3.3.2.8.1.1.13"
                    EcdsaWithSha512 "RFC 5639" [] }
            }
            signatures {
                { "curve25519" Ed25519 ec ed25519 "ed25519" "Ed25519" "1.3.101.112" "RFC 8032" [32 32 64] }
                { "curve448" Ed448 ec ed448 "ed448" "Ed448" "1.3.101.113" "RFC 8032" [57 57 114] }
                { "ml-dsa" MlDsa44 pq ml_dsa_44 "ml-dsa-44" "ML-DSA-44" "2.16.840.1.101.3.4.3.17" "FIPS 204" [2560 1312 2420] }
                { "ml-dsa" MlDsa65 pq ml_dsa_65 "ml-dsa-65" "ML-DSA-65" "2.16.840.1.101.3.4.3.18" "FIPS 204" [4032 1952 3309] }
                { "ml-dsa" MlDsa87 pq ml_dsa_87 "ml-dsa-87" "ML-DSA-87" "2.16.840.1.101.3.4.3.19" "FIPS 204" [4896 2592 4627] }
                { "slh-dsa" SlhDsaSha2_128s pq slh_dsa_sha2_128s "slh-dsa-sha2-128s" "SLH-DSA-SHA2-128s" "2.16.840.1.101.3.4.3.20" "FIPS 205" [64 32 7856] }
                { "slh-dsa" SlhDsaSha2_128f pq slh_dsa_sha2_128f "slh-dsa-sha2-128f" "SLH-DSA-SHA2-128f" "2.16.840.1.101.3.4.3.21" "FIPS 205" [64 32 17088] }
                { "slh-dsa" SlhDsaSha2_192s pq slh_dsa_sha2_192s "slh-dsa-sha2-192s" "SLH-DSA-SHA2-192s" "2.16.840.1.101.3.4.3.22" "FIPS 205" [96 48 16224] }
                { "slh-dsa" SlhDsaSha2_192f pq slh_dsa_sha2_192f "slh-dsa-sha2-192f" "SLH-DSA-SHA2-192f" "2.16.840.1.101.3.4.3.23" "FIPS 205" [96 48 35664] }
                { "slh-dsa" SlhDsaSha2_256s pq slh_dsa_sha2_256s "slh-dsa-sha2-256s" "SLH-DSA-SHA2-256s" "2.16.840.1.101.3.4.3.24" "FIPS 205" [128 64 29792] }
                { "slh-dsa" SlhDsaSha2_256f pq slh_dsa_sha2_256f "slh-dsa-sha2-256f" "SLH-DSA-SHA2-256f" "2.16.840.1.101.3.4.3.25" "FIPS 205" [128 64 49856] }
                { "slh-dsa" SlhDsaShake128s pq slh_dsa_shake_128s "slh-dsa-shake-128s" "SLH-DSA-SHAKE-128s" "2.16.840.1.101.3.4.3.26" "FIPS 205" [64 32 7856] }
                { "slh-dsa" SlhDsaShake128f pq slh_dsa_shake_128f "slh-dsa-shake-128f" "SLH-DSA-SHAKE-128f" "2.16.840.1.101.3.4.3.27" "FIPS 205" [64 32 17088] }
                { "slh-dsa" SlhDsaShake192s pq slh_dsa_shake_192s "slh-dsa-shake-192s" "SLH-DSA-SHAKE-192s" "2.16.840.1.101.3.4.3.28" "FIPS 205" [96 48 16224] }
                { "slh-dsa" SlhDsaShake192f pq slh_dsa_shake_192f "slh-dsa-shake-192f" "SLH-DSA-SHAKE-192f" "2.16.840.1.101.3.4.3.29" "FIPS 205" [96 48 35664] }
                { "slh-dsa" SlhDsaShake256s pq slh_dsa_shake_256s "slh-dsa-shake-256s" "SLH-DSA-SHAKE-256s" "2.16.840.1.101.3.4.3.30" "FIPS 205" [128 64 29792] }
                { "slh-dsa" SlhDsaShake256f pq slh_dsa_shake_256f "slh-dsa-shake-256f" "SLH-DSA-SHAKE-256f" "2.16.840.1.101.3.4.3.31" "FIPS 205" [128 64 49856] }
            }
            agreements {
                { "curve25519" X25519 ec x25519 "x25519" "X25519" "1.3.101.110" "RFC 7748" [32 32 32] }
                { "curve448" X448 ec x448 "x448" "X448" "1.3.101.111" "RFC 7748" [56 56 56] }
            }
            kems {
                { "ml-kem" MlKem512 pq ml_kem_512 "ml-kem-512" "ML-KEM-512" "2.16.840.1.101.3.4.4.1" "FIPS 203" [1632 800 768 32] }
                { "ml-kem" MlKem768 pq ml_kem_768 "ml-kem-768" "ML-KEM-768" "2.16.840.1.101.3.4.4.2" "FIPS 203" [2400 1184 1088 32] }
                { "ml-kem" MlKem1024 pq ml_kem_1024 "ml-kem-1024" "ML-KEM-1024" "2.16.840.1.101.3.4.4.3" "FIPS 203" [3168 1568 1568 32] }
                { "hybrid" XWing hybrid x_wing "x-wing" "X-Wing" "1.3.6.1.4.1.62253.25722" "draft-connolly-cfrg-xwing-kem" [32 1216 1120 32] }
            }
        }
    };
}
