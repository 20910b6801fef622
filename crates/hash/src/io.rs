//! `std::io::Write`.

use adamant_base::family::Hash;

adamant_base::write_by_update! {
    [] crate::Sha224;
    [] crate::Sha256;
    [] crate::Sha384;
    [] crate::Sha512;
    [] crate::Sha512_256;
    #[cfg(feature = "legacy")] [] crate::Md5;
    #[cfg(feature = "legacy")] [] crate::Sha1;
    #[cfg(feature = "sm3")] [] crate::Sm3;
    #[cfg(feature = "sha3")] [] crate::Sha3_224;
    #[cfg(feature = "sha3")] [] crate::Sha3_256;
    #[cfg(feature = "sha3")] [] crate::Sha3_384;
    #[cfg(feature = "sha3")] [] crate::Sha3_512;
    #[cfg(feature = "sha3")] [] crate::Shake128;
    #[cfg(feature = "sha3")] [] crate::Shake256;
    #[cfg(feature = "sha3")] [] crate::sha3::CShake128;
    #[cfg(feature = "sha3")] [] crate::sha3::CShake256;
    #[cfg(feature = "sha3")] [] crate::sha3::TurboShake128;
    #[cfg(feature = "sha3")] [] crate::sha3::TurboShake256;
    #[cfg(feature = "blake")] [] crate::Blake3;
    #[cfg(feature = "blake")] [const N: usize] crate::Blake2b<N>;
    #[cfg(feature = "blake")] [const N: usize] crate::Blake2s<N>;
    #[cfg(feature = "blake")] [const N: usize] crate::blake2b::Blake2bMac<N>;
    #[cfg(feature = "blake")] [const N: usize] crate::blake2s::Blake2sMac<N>;
    #[cfg(feature = "sha3")] [const N: usize] crate::Kmac128<N>;
    #[cfg(feature = "sha3")] [const N: usize] crate::Kmac256<N>;
    [H: Hash] crate::Hmac<H>;
    [const C: usize, const D: usize, const LEN: usize] crate::siphash::SipHash<C, D, LEN>;
}

#[cfg(test)]
mod tests {
    use crate::{Hmac, Sha256};
    use std::io::copy;

    #[test]
    fn what_is_copied_is_taken_in() {
        let message: Vec<u8> = (0..10_000u32).map(|i| i as u8).collect();
        let (mut hash, mut mac) = (Sha256::new(), Hmac::<Sha256>::new(b"key"));
        assert_eq!(copy(&mut &message[..], &mut hash).unwrap(), 10_000);
        assert_eq!(copy(&mut &message[..], &mut mac).unwrap(), 10_000);
        assert_eq!(hash.finalize(), Sha256::digest(&message));
        assert_eq!(mac.finalize(), Hmac::<Sha256>::mac(b"key", &message));
    }
}
