//! `std::io::Write`.

#[cfg(feature = "aes")]
use adamant_base::BlockCipher;

adamant_base::write_by_update! {
    #[cfg(feature = "aes")] [C: BlockCipher] crate::cmac::Cmac<C>;
    #[cfg(feature = "aes")] [C: BlockCipher<Block = [u8; 16]>] crate::gmac::Message<'_, C>;
    #[cfg(feature = "chacha20")] [] crate::poly1305::Poly1305;
}
