//! `std::io::Write`, beside that of hashes of the MD4 family and of the functions over Keccak, which have
//! it where they are made.

use adamant_base::family::Hash;

adamant_base::write_by_update! {
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
