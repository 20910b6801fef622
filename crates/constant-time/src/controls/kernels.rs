//! Kernels of the library that are given a secret where they expect what is public.

use adamant_base::BlockCipher;
use adamant_bignum::Modulus;
use adamant_bignum::hazmat::Task;
use adamant_cipher::aes::Aes;
use adamant_cipher::gcm::AesGcm;
use adamant_cipher::hazmat::aes::Backend;
use adamant_cipher::hazmat::gcm;
use adamant_ec::curve25519::Scalar;
use adamant_ec::hazmat::group::{self, EdwardsPoint};
use adamant_ec::{ed448, ed25519, hazmat};
use adamant_hash::hazmat::{sha256, sha512};
use adamant_hash::scrypt;
use adamant_pq::{ml_dsa_44, ml_kem_512};
use adamant_testkit::taint::{Operation, secret};
use core::hint::black_box;

#[cfg(target_arch = "x86_64")]
operations! {
    "Branch in crates/hash/src/sha256/x86_sha" sha256("x86_sha");
    "Branch in crates/hash/src/sha512/x86_avx512" sha512("x86_avx512");
    "Branch in crates/cipher/src/aes/x86_vaes512" aes("x86_vaes512");
    "Address in crates/cipher/src/aes/x86_vaes512" aes("x86_vaes512");
    "Branch in crates/cipher/src/gcm/x86_vaes512" gcm("x86_vaes512");
    "Branch in crates/ec/src/curve25519/x86_ifma" ed25519();
    "Address in crates/ec/src/curve25519/x86_ifma" ed25519();
    "Branch in crates/ec/src/curve25519/group/x86_ifma" sum();
    "Branch in crates/ec/src/curve448/x86_ifma" ed448();
    "Branch in crates/ec/src/weierstrass/x86_ifma512" p256();
    "Address in crates/ec/src/weierstrass/x86_ifma512" p256();
    "Address in crates/pq/src/ml_kem/x86_avx512" ml_kem();
    "Branch in crates/pq/src/ml_kem/x86_avx512" ml_kem();
    "Address in crates/pq/src/ml_dsa/x86_avx512" ml_dsa();
    "Branch in crates/bignum/src/power/x86_ifma512" power("x86_ifma512");
    "Branch in crates/bignum/src/power/x86_adx" power("x86_adx");
}

#[cfg(target_arch = "aarch64")]
operations! {
    "Branch in crates/hash/src/sha256" sha256("arm_sha2");
    "Branch in crates/hash/src/sha512/arm_sha3" sha512("arm_sha3");
    "Branch in crates/cipher/src/aes/arm_aes" aes("arm_aes");
    "Address in crates/cipher/src/aes/arm_aes" aes("arm_aes");
    "Branch in crates/cipher/src/gcm/arm_sha3" gcm("arm_sha3");
    "Branch in crates/ec/src/curve25519/arm_mul" ed25519();
    "Address in crates/ec/src/curve25519/arm_mul" ed25519();
    "Branch in crates/ec/src/curve25519/group" sum();
    "Branch in crates/ec/src/curve448" ed448();
    "Branch in crates/ec/src/weierstrass/naf" p256();
    "Address in crates/ec/src/weierstrass/naf" p256();
    "Address in crates/pq/src/ml_kem/arm_neon" ml_kem();
    "Branch in crates/pq/src/ml_dsa/arm_neon" ml_dsa();
    "Branch in crates/bignum/src/power/arm_mul" power("arm_mul");
    "Address in crates/bignum/src/power/arm_mul" power("arm_mul");
}

/// A number of blocks.
fn sha256(row: &str) {
    let backend = sha256::Backend::named(row).expect("a row that runs here");
    backend.compress(&mut [0; 8], &black_box([[7; 64]; 4])[..secret(3)]);
}

/// A number of blocks.
fn sha512(row: &str) {
    let backend = sha512::Backend::named(row).expect("a row that runs here");
    backend.compress(&mut [0; 8], &black_box([[7; 128]; 9])[..secret(8)]);
}

/// A length.
fn aes(row: &str) {
    let cipher = Aes::new_on(&[7; 16], Backend::named(row).expect("a row that runs here"));
    cipher.encrypt_blocks(&mut black_box([[7; 16]; 99])[..secret(90)]);
}

/// A length.
fn gcm(row: &str) {
    let backend = gcm::Backend::named(row).expect("a row that runs here");
    let cipher = AesGcm::new_on(&secret([7; 16]), backend);
    black_box(cipher.seal(&[1; 12], b"", &mut black_box([7; 8192])[..secret(7000)])).ok();
}

/// A key, on a row with tables.
pub(super) fn aes_tables() {
    let backend = Backend::named("tab_big").expect("a row that is everywhere");
    let cipher = Aes::new_on(&secret([7; 16]), backend);
    cipher.encrypt_blocks(&mut [[7; 16]; 3]);
}

/// A signature.
fn ed25519() {
    let key = ed25519::PrivateKey::from_seed(&[7; 32]);
    let signature = secret(key.sign(b"message"));
    black_box(key.public_key().verify(b"message", &signature)).ok();
}

/// A signature.
fn ed448() {
    let key = ed448::PrivateKey::from_seed(&[7; 57]);
    let signature = secret(key.sign(b"message"));
    black_box(key.public_key().verify(b"message", &signature)).ok();
}

/// Scalars.
fn sum() {
    let scalar = Scalar::from_bytes_mod_order(&secret([0x5a; 32]));
    let sum =
        group::Backend::best().multiscalar_mul_vartime(&[scalar; 3], &[EdwardsPoint::BASE; 3]);
    black_box(sum);
}

/// Numbers that a signature is checked with.
fn p256() {
    let backend = hazmat::p256::Backend::best();
    let [u1, u2] = secret([[0x5a, 2, 3, 4], [5, 6, 7, 8]]);
    let q = backend.mul_base(&[3, 0, 0, 0]);
    black_box(backend.has_x_vartime(&u1, &u2, &q, &[1, 0, 0, 0]));
}

/// An encoded key, of which the matrix is made.
fn ml_kem() {
    let key = ml_kem_512::DecapsulationKey::from_seed(&[7; 64]).encapsulation_key();
    black_box(ml_kem_512::EncapsulationKey::from_bytes(&secret(
        key.to_bytes(),
    )))
    .ok();
}

/// The same.
fn ml_dsa() {
    let key = ml_dsa_44::PrivateKey::from_seed(&[7; 32]).public_key();
    black_box(ml_dsa_44::PublicKey::from_bytes(&secret(key.to_bytes())));
}

/// An exponent.
fn power(row: &str) {
    let backend = adamant_bignum::hazmat::Backend::named(row).expect("a row that runs here");
    let modulus = Modulus::new(&[u64::MAX; 32]).expect("odd");
    let exponent = secret([0x5a; 2]);
    let mut out = [0; 32];
    backend.power_vartime(&mut [Task {
        modulus: &modulus,
        base: &[7; 32],
        exponent: &exponent,
        out: &mut out,
    }]);
    black_box(out);
}

/// The size of blocks, by which the memory that there is for copies is divided.
pub(super) fn scrypt() {
    let params = scrypt::Params::new(16, secret(2), 2).expect("small");
    let mut key = [0; 32];
    params
        .derive(b"password", b"salt", &mut key)
        .expect("enough memory");
    black_box(key);
}

/// A number of limbs, which is divided into those of the modulus.
pub(super) fn reduction() {
    let modulus = Modulus::new(&[u64::MAX; 4]).expect("odd");
    black_box(modulus.reduce(&black_box([7; 16])[..secret(9)]));
}
