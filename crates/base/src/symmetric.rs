//! The lists of hashes and of AEADs, each in one row.

/// Calls the macro of this name with the list of the hash functions; what follows the name comes
/// before the list, so that a macro can be given several:
///
/// ```text
/// hashes { { feature (Type) table [lanes] "name" "TAG" ["identifier"] "standard" kind length block [keyed…] }… }
/// ```
///
/// | column | is |
/// |---|---|
/// | feature | what brings the function in the library |
/// | `Type` | its path in `hash` |
/// | `table`, `lanes` | the module of its implementations in `hazmat::hash`, and in there that of those of many messages, if the function has a batch call |
/// | name | that of commands and of the catalog |
/// | `TAG` | its name in the lines of `sha256sum --tag` |
/// | identifier | where it has one |
/// | kind | `fixed`: the digest has one length; `extendable`: any; `customizable`, `separable`: any, and a string or a byte sets uses apart; `both`: one, and any where it is asked for |
/// | length | of the digest in bytes; where it has any length, for when none is asked for |
/// | block | in bytes |
/// | keyed | what the catalog has over the function: `hmac "identifier"`, `kmac "name" "identifier"`, `hkdf "identifier"` |
///
/// The catalog, the measured operations, the commands and the conformance are made from this list.
///
/// ```
/// macro_rules! lengths {
///     (hashes { $({
///         $feature:tt ($($hash:tt)*) $table:ident [$($lanes:ident)?] $name:literal $tag:literal $oid:tt
///         $standard:literal $kind:ident $length:literal $($_h:tt)*
///     })* }) => {
///         const LENGTHS: &[(&str, usize)] = &[$(($name, $length)),*];
///     };
/// }
/// adamant_base::hashes!(lengths);
/// assert!(LENGTHS.contains(&("sha384", 48)));
/// ```
#[macro_export]
macro_rules! hashes {
    ($then:ident $($before:tt)*) => {
        $then! {
            $($before)*
            hashes {
                { "sha2" (sha256::Sha256) sha256 [lanes] "sha256" "SHA256" ["2.16.840.1.101.3.4.2.1"] "FIPS 180-4" fixed 32 64
                    [hmac "1.2.840.113549.2.9" hkdf "1.2.840.113549.1.9.16.3.28"] }
                { "sha2" (sha256::Sha224) sha256 [lanes] "sha224" "SHA224" ["2.16.840.1.101.3.4.2.4"] "FIPS 180-4" fixed 28 64 [] }
                { "sha2" (sha512::Sha384) sha512 [lanes] "sha384" "SHA384" ["2.16.840.1.101.3.4.2.2"] "FIPS 180-4" fixed 48 128
                    [hmac "1.2.840.113549.2.10" hkdf "1.2.840.113549.1.9.16.3.29"] }
                { "sha2" (sha512::Sha512) sha512 [lanes] "sha512" "SHA512" ["2.16.840.1.101.3.4.2.3"] "FIPS 180-4" fixed 64 128
                    [hmac "1.2.840.113549.2.11" hkdf "1.2.840.113549.1.9.16.3.30"] }
                { "sha2" (sha512::Sha512_256) sha512 [lanes] "sha512-256" "SHA512/256" ["2.16.840.1.101.3.4.2.6"] "FIPS 180-4" fixed 32 128 [] }
                { "sha3" (sha3::Sha3_224) keccak [lanes] "sha3-224" "SHA3-224" ["2.16.840.1.101.3.4.2.7"] "FIPS 202" fixed 28 144 [] }
                { "sha3" (sha3::Sha3_256) keccak [lanes] "sha3-256" "SHA3-256" ["2.16.840.1.101.3.4.2.8"] "FIPS 202" fixed 32 136
                    [hmac "2.16.840.1.101.3.4.2.14"] }
                { "sha3" (sha3::Sha3_384) keccak [lanes] "sha3-384" "SHA3-384" ["2.16.840.1.101.3.4.2.9"] "FIPS 202" fixed 48 104 [] }
                { "sha3" (sha3::Sha3_512) keccak [lanes] "sha3-512" "SHA3-512" ["2.16.840.1.101.3.4.2.10"] "FIPS 202" fixed 64 72
                    [hmac "2.16.840.1.101.3.4.2.16"] }
                { "sha3" (sha3::Shake128) keccak [lanes] "shake128" "SHAKE128" ["2.16.840.1.101.3.4.2.11"] "FIPS 202" extendable 32 168 [] }
                { "sha3" (sha3::Shake256) keccak [lanes] "shake256" "SHAKE256" ["2.16.840.1.101.3.4.2.12"] "FIPS 202" extendable 64 136 [] }
                { "sha3" (sha3::CShake128) keccak [] "cshake128" "cSHAKE128" [] "SP 800-185" customizable 32 168
                    [kmac "kmac128" "2.16.840.1.101.3.4.2.19"] }
                { "sha3" (sha3::CShake256) keccak [] "cshake256" "cSHAKE256" [] "SP 800-185" customizable 64 136
                    [kmac "kmac256" "2.16.840.1.101.3.4.2.20"] }
                { "sha3" (sha3::TurboShake128) keccak [] "turboshake128" "TurboSHAKE128" [] "RFC 9861" separable 32 168 [] }
                { "sha3" (sha3::TurboShake256) keccak [] "turboshake256" "TurboSHAKE256" [] "RFC 9861" separable 64 136 [] }
                { "sm" (sm3::Sm3) sm3 [lanes] "sm3" "SM3" ["1.2.156.10197.1.401"] "GB/T 32905" fixed 32 64 [hmac "1.2.156.10197.1.401.2"] }
                { "sha1" (sha1::Sha1) sha1 [lanes] "sha1" "SHA1" ["1.3.14.3.2.26"] "FIPS 180-4 (legacy)" fixed 20 64 [hmac "1.2.840.113549.2.7"] }
                { "sha1" (md5::Md5) md5 [lanes] "md5" "MD5" ["1.2.840.113549.2.5"] "RFC 1321 (legacy)" fixed 16 64 [] }
                { "blake" (blake2b::Blake2b<64>) blake2b [lanes] "blake2b-512" "BLAKE2b" ["1.3.6.1.4.1.1722.12.2.1.16"] "RFC 7693" fixed 64 128 [] }
                { "blake" (blake2b::Blake2b<32>) blake2b [lanes] "blake2b-256" "BLAKE2b-256" ["1.3.6.1.4.1.1722.12.2.1.8"] "RFC 7693" fixed 32 128 [] }
                { "blake" (blake2s::Blake2s<32>) blake2s [lanes] "blake2s-256" "BLAKE2s" ["1.3.6.1.4.1.1722.12.2.2.8"] "RFC 7693" fixed 32 64 [] }
                { "blake" (blake3::Blake3) blake3 [] "blake3" "BLAKE3" [] "BLAKE3 paper, 2020" both 32 64 [] }
            }
        }
    };
}

/// Calls the macro of this name with the list of the AEADs, as [`hashes!`](crate::hashes):
///
/// ```text
/// aeads { { feature (Type) (table) "name" ["identifier"] "standard" [key nonce tag] }… }
/// ```
///
/// `Type` is the path in `cipher`, `table` that of the module of its implementations in
/// `hazmat::cipher`, and lengths are in bytes.
///
/// ```
/// macro_rules! lengths {
///     (aeads { $({
///         $feature:tt ($($aead:tt)*) ($($table:tt)*) $name:literal $oid:tt $standard:literal
///         [$key:literal $nonce:literal $tag:literal]
///     })* }) => {
///         const KEYS: &[(&str, usize)] = &[$(($name, $key)),*];
///     };
/// }
/// adamant_base::aeads!(lengths);
/// assert!(KEYS.contains(&("chacha20-poly1305", 32)));
/// ```
#[macro_export]
macro_rules! aeads {
    ($then:ident $($before:tt)*) => {
        $then! {
            $($before)*
            aeads {
                { "aes" (gcm::AesGcm<16>) (gcm) "aes-128-gcm" ["2.16.840.1.101.3.4.1.6"] "SP 800-38D" [16 12 16] }
                { "aes" (gcm::AesGcm<24>) (gcm) "aes-192-gcm" ["2.16.840.1.101.3.4.1.26"] "SP 800-38D" [24 12 16] }
                { "aes" (gcm::AesGcm<32>) (gcm) "aes-256-gcm" ["2.16.840.1.101.3.4.1.46"] "SP 800-38D" [32 12 16] }
                { "aes" (ccm::AesCcm<16>) (aes) "aes-128-ccm" ["2.16.840.1.101.3.4.1.7"] "SP 800-38C" [16 12 16] }
                { "aes" (ccm::AesCcm<24>) (aes) "aes-192-ccm" ["2.16.840.1.101.3.4.1.27"] "SP 800-38C" [24 12 16] }
                { "aes" (ccm::AesCcm<32>) (aes) "aes-256-ccm" ["2.16.840.1.101.3.4.1.47"] "SP 800-38C" [32 12 16] }
                { "sm" (sm4::Sm4Gcm) (sm4::gcm) "sm4-gcm" ["1.2.156.10197.1.104.8"] "RFC 8998" [16 12 16] }
                { "sm" (sm4::Sm4Ccm) (sm4) "sm4-ccm" ["1.2.156.10197.1.104.9"] "RFC 8998" [16 12 16] }
                { "aes" (eax::AesEax<16>) (aes) "aes-128-eax" [] "EAX paper, 2004" [16 12 16] }
                { "aes" (eax::AesEax<24>) (aes) "aes-192-eax" [] "EAX paper, 2004" [24 12 16] }
                { "aes" (eax::AesEax<32>) (aes) "aes-256-eax" [] "EAX paper, 2004" [32 12 16] }
                { "aes" (gcm_siv::AesGcmSiv<16>) (gcm_siv) "aes-128-gcm-siv" [] "RFC 8452" [16 12 16] }
                { "aes" (gcm_siv::AesGcmSiv<32>) (gcm_siv) "aes-256-gcm-siv" [] "RFC 8452" [32 12 16] }
                { "chacha20-poly1305" (chacha20_poly1305::ChaCha20Poly1305) (chacha20_poly1305)
                    "chacha20-poly1305" ["1.2.840.113549.1.9.16.3.18"] "RFC 8439" [32 12 16] }
                { "chacha20-poly1305" (chacha20_poly1305::XChaCha20Poly1305) (chacha20_poly1305)
                    "xchacha20-poly1305" [] "draft-irtf-cfrg-xchacha" [32 24 16] }
            }
        }
    };
}
