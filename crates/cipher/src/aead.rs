//! What AEADs have in common: the end of an opening, and the trait from typed functions.

pub(crate) use adamant_base::exactly;
use adamant_base::{Error, Wipe, ct};

/// Whether the tag is the expected one, or the start of it; if not, nothing is left of the data.
#[inline]
pub(crate) fn check(expected: &[u8; 16], tag: &[u8], data: &mut [u8]) -> Result<(), Error> {
    // Whether a tag is right is public.
    if ct::eq(&expected[..tag.len()], tag).declassify() {
        Ok(())
    } else {
        data.wipe();
        Err(Error::BadTag)
    }
}

/// Makes the trait of a type that has its functions; `$new` makes it of a key in a slice.
macro_rules! aead {
    ([$($generics:tt)*] $type:ty, key $key_len:expr, nonce $nonce_len:literal, $new:expr) => {
        impl<$($generics)*> adamant_base::Aead for $type {
            const KEY_LEN: usize = $key_len;
            type Nonce = [u8; $nonce_len];
            type Tag = [u8; 16];

            fn new(key: &[u8]) -> Result<Self, adamant_base::Error> {
                let new: fn(&[u8]) -> Result<Self, adamant_base::Error> = $new;
                new(key)
            }

            #[inline]
            fn seal(
                &self,
                nonce: &[u8; $nonce_len],
                aad: &[u8],
                data: &mut [u8],
            ) -> Result<[u8; 16], adamant_base::Error> {
                <$type>::seal(self, nonce, aad, data)
            }

            #[inline]
            fn open(
                &self,
                nonce: &[u8; $nonce_len],
                aad: &[u8],
                data: &mut [u8],
                tag: &[u8; 16],
            ) -> Result<(), adamant_base::Error> {
                <$type>::open(self, nonce, aad, data, tag)
            }
        }
    };
}
pub(crate) use aead;
