//! What every AEAD does.

use crate::TestRng;
use adamant_base::Error;
use adamant_base::family::{Aead, Block};
use core::ops::Range;

/// Checks the cipher that `new` makes of a key.
///
/// # Panics
/// At the first breach.
pub fn check<A: Aead + 'static>(new: impl Fn(&[u8]) -> Result<A, Error>) {
    check_each(A::KEY_LEN, &|key| Ok(Box::new(new(key)?)));
}

/// What an [`Aead`] does, on slices of its lengths.
trait Cipher {
    fn nonce_len(&self) -> usize;
    fn tag_len(&self) -> usize;
    fn seal(&self, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> Result<Vec<u8>, Error>;
    fn open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error>;
    fn seal_appended(&self, nonce: &[u8], aad: &[u8], buffer: &mut [u8]) -> Result<(), Error>;
    fn open_appended<'a>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        buffer: &'a mut [u8],
    ) -> Result<&'a mut [u8], Error>;
    fn seal_within<'a>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        buffer: &'a mut [u8],
        message: Range<usize>,
        to: usize,
    ) -> Result<&'a mut [u8], Error>;
    fn open_within<'a>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        buffer: &'a mut [u8],
        sealed: Range<usize>,
        to: usize,
    ) -> Result<&'a mut [u8], Error>;
    fn seal_parts(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &mut [&mut [u8]],
    ) -> Result<Vec<u8>, Error>;
    fn open_parts(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &mut [&mut [u8]],
        tag: &[u8],
    ) -> Result<(), Error>;
}

fn array<B: Block>(bytes: &[u8]) -> &B {
    B::from_slice(bytes).expect("as many bytes as it has")
}

impl<A: Aead> Cipher for A {
    fn nonce_len(&self) -> usize {
        A::NONCE_LEN
    }
    fn tag_len(&self) -> usize {
        A::TAG_LEN
    }
    fn seal(&self, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> Result<Vec<u8>, Error> {
        Ok(Aead::seal(self, array(nonce), aad, data)?.as_ref().to_vec())
    }
    fn open(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        Aead::open(self, array(nonce), aad, data, array(tag))
    }
    fn seal_appended(&self, nonce: &[u8], aad: &[u8], buffer: &mut [u8]) -> Result<(), Error> {
        Aead::seal_appended(self, array(nonce), aad, buffer)
    }
    fn open_appended<'a>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        buffer: &'a mut [u8],
    ) -> Result<&'a mut [u8], Error> {
        Aead::open_appended(self, array(nonce), aad, buffer)
    }
    fn seal_within<'a>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        buffer: &'a mut [u8],
        message: Range<usize>,
        to: usize,
    ) -> Result<&'a mut [u8], Error> {
        Aead::seal_within(self, array(nonce), aad, buffer, message, to)
    }
    fn open_within<'a>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        buffer: &'a mut [u8],
        sealed: Range<usize>,
        to: usize,
    ) -> Result<&'a mut [u8], Error> {
        Aead::open_within(self, array(nonce), aad, buffer, sealed, to)
    }
    fn seal_parts(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &mut [&mut [u8]],
    ) -> Result<Vec<u8>, Error> {
        let tag = Aead::seal_parts(self, array(nonce), aad, data)?;
        Ok(tag.as_ref().to_vec())
    }
    fn open_parts(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &mut [&mut [u8]],
        tag: &[u8],
    ) -> Result<(), Error> {
        Aead::open_parts(self, array(nonce), aad, data, array(tag))
    }
}

fn check_each(key_len: usize, new: &dyn Fn(&[u8]) -> Result<Box<dyn Cipher>, Error>) {
    let mut rng = TestRng::new(8);
    let key = rng.bytes(key_len);
    let right = |key: &[u8]| new(key).expect("a key of the right length");
    let cipher = &*right(&key);
    for len in [0, key_len - 1, key_len + 1] {
        bad_length(new(&rng.bytes(len)).err(), "key", len);
    }

    let mut seen = vec![];
    for len in (0..70).chain([127, 128, 129, 255, 256, 257, 1000, 4097]) {
        for aad_len in [0, 1, 16, 33] {
            let sealed = Sealed::new(cipher, &mut rng, len, aad_len);
            assert_eq!(
                sealed.open(cipher).as_ref(),
                Ok(&sealed.message),
                "{len}, {aad_len}"
            );
            let again = sealed.seal_again(cipher);
            assert_eq!(
                again,
                (sealed.data.clone(), sealed.tag.clone()),
                "not deterministic"
            );
            seen.push(sealed.tag);
        }
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count, "different messages and nonces, one tag");

    for (len, aad_len) in [(0, 0), (0, 5), (5, 0), (40, 20)] {
        let sealed = Sealed::new(cipher, &mut rng, len, aad_len);
        changes_are_refused(cipher, &sealed);
        let mut other_key = key.clone();
        other_key[key_len - 1] ^= 1;
        let other = right(&other_key);
        assert_eq!(
            sealed.open(&*other),
            Err(Error::BadTag),
            "another key opens"
        );
    }
    for len in (0..40).chain([255, 256, 1000]) {
        let sealed = Sealed::new(cipher, &mut rng, len, len % 30);
        other_forms(cipher, &sealed, &mut rng);
    }
}

/// Everything that a receiver gets, and the message.
#[derive(Clone)]
struct Sealed {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    message: Vec<u8>,
    data: Vec<u8>,
    tag: Vec<u8>,
}

impl Sealed {
    fn new(cipher: &dyn Cipher, rng: &mut TestRng, len: usize, aad_len: usize) -> Self {
        let mut sealed = Sealed {
            nonce: rng.bytes(cipher.nonce_len()),
            aad: rng.bytes(aad_len),
            message: rng.bytes(len),
            data: vec![],
            tag: vec![0; cipher.tag_len()],
        };
        (sealed.data, sealed.tag) = sealed.seal_again(cipher);
        assert!(
            len < 16 || sealed.data != sealed.message,
            "left in the clear"
        );
        sealed
    }

    fn seal_again(&self, cipher: &dyn Cipher) -> (Vec<u8>, Vec<u8>) {
        let mut data = self.message.clone();
        let tag = cipher.seal(&self.nonce, &self.aad, &mut data);
        (data, tag.expect("sealing"))
    }

    /// Opens it; on a refusal, the buffer must hold zeros, after a bad length what it held.
    fn open(&self, cipher: &dyn Cipher) -> Result<Vec<u8>, Error> {
        let mut data = self.data.clone();
        let result = cipher.open(&self.nonce, &self.aad, &mut data, &self.tag);
        match result {
            Ok(()) => return Ok(data),
            Err(Error::BadLength { .. }) => assert_eq!(data, self.data, "data touched"),
            Err(_) => assert!(data.iter().all(|&x| x == 0), "data released on failure"),
        }
        result.map(|()| data)
    }
}

/// The forms that the trait makes of sealing and opening in place.
fn other_forms(cipher: &dyn Cipher, sealed: &Sealed, rng: &mut TestRng) {
    let (nonce, aad, len) = (&sealed.nonce, &sealed.aad, sealed.message.len());
    let whole = [&sealed.data[..], &sealed.tag].concat();
    let mut wrong = whole.clone();
    wrong[len + cipher.tag_len() - 1] ^= 0x80;

    let mut buffer = [&sealed.message[..], &[0; 64][..cipher.tag_len()]].concat();
    cipher
        .seal_appended(nonce, aad, &mut buffer)
        .expect("sealing");
    assert_eq!(buffer, whole, "tag appended");
    let opened = cipher.open_appended(nonce, aad, &mut buffer);
    assert_eq!(opened, Ok(&mut sealed.message.clone()[..]), "tag appended");
    let mut buffer = wrong.clone();
    let opened = cipher.open_appended(nonce, aad, &mut buffer);
    assert_eq!(opened, Err(Error::BadTag), "tag appended");
    assert!(buffer[..len].iter().all(|&x| x == 0), "data released");
    bad_length(
        cipher
            .open_appended(nonce, aad, &mut buffer[..cipher.tag_len() - 1])
            .err(),
        "an appended tag",
        cipher.tag_len() - 1,
    );

    // From one place of a buffer to another, overlapping or not.
    let space = len + cipher.tag_len() + 20;
    for (from, to) in [(0, 0), (0, 20), (20, 0), (7, 8), (8, 7)] {
        let mut buffer = rng.bytes(space);
        buffer[from..][..len].copy_from_slice(&sealed.message);
        let out = cipher.seal_within(nonce, aad, &mut buffer, from..from + len, to);
        assert_eq!(out, Ok(&mut whole.clone()[..]), "{from} to {to}");
        let range = to..to + whole.len();
        let out = cipher.open_within(nonce, aad, &mut buffer, range, from);
        assert_eq!(out, Ok(&mut sealed.message.clone()[..]), "{from} to {to}");
        buffer[from..][..wrong.len()].copy_from_slice(&wrong);
        let range = from..from + wrong.len();
        let out = cipher.open_within(nonce, aad, &mut buffer, range, to);
        assert_eq!(out, Err(Error::BadTag));
        assert!(buffer[to..][..wrong.len()].iter().all(|&x| x == 0));
    }
    let mut buffer = sealed.message.clone();
    let out = cipher.seal_within(nonce, aad, &mut buffer, 0..len, 0);
    bad_length(out.err(), "a tag within", len + cipher.tag_len());
    assert_eq!(buffer, sealed.message, "buffer touched");

    // In parts, and cut otherwise on the way back.
    let [a, b, c] = [(); 3].map(|()| rng.below(len + 1));
    let (header, footer) = aad.split_at(rng.below(aad.len() + 1));
    let mut data = sealed.message.clone();
    let (first, second) = data.split_at_mut(a);
    let parts = &mut [first, &mut [], second];
    let tag = cipher.seal_parts(nonce, &[header, b"", footer], parts);
    let tag = tag.expect("sealing");
    assert_eq!((&data, &tag), (&sealed.data, &sealed.tag), "in parts");
    let open = |data: &mut [u8], tag: &[u8]| {
        let (first, rest) = data.split_at_mut(b.min(c));
        let (second, third) = rest.split_at_mut(b.max(c) - b.min(c));
        cipher.open_parts(nonce, &[aad], &mut [first, second, third], tag)
    };
    assert_eq!(open(&mut data, &tag), Ok(()));
    assert_eq!(data, sealed.message, "in parts");
    data.copy_from_slice(&sealed.data);
    assert_eq!(open(&mut data, &wrong[len..]), Err(Error::BadTag));
    assert!(data.iter().all(|&x| x == 0), "data released");
    let opened = cipher.open_parts(nonce, &[header, footer], &mut [&mut data], &tag);
    assert_eq!(
        opened.is_ok(),
        len == 0 || sealed.data.iter().all(|&x| x == 0)
    );
}

fn changes_are_refused(cipher: &dyn Cipher, sealed: &Sealed) {
    let refused = |what: &str, change: &dyn Fn(&mut Sealed)| {
        let mut changed = sealed.clone();
        change(&mut changed);
        assert_eq!(changed.open(cipher), Err(Error::BadTag), "{what}");
    };
    let fields: [(&str, fn(&mut Sealed) -> &mut Vec<u8>); 4] = [
        ("nonce", |s| &mut s.nonce),
        ("associated data", |s| &mut s.aad),
        ("ciphertext", |s| &mut s.data),
        ("tag", |s| &mut s.tag),
    ];
    for (name, field) in fields {
        for bit in 0..8 * field(&mut sealed.clone()).len() {
            refused(&format!("bit {bit} of the {name}"), &|s| {
                field(s)[bit / 8] ^= 1 << (bit % 8);
            });
        }
    }
    refused("associated data with a zero more", &|s| s.aad.push(0));
    refused("ciphertext with a zero more", &|s| s.data.push(0));
    if !sealed.aad.is_empty() {
        refused("associated data cut", &|s| s.aad.truncate(s.aad.len() - 1));
        refused("associated data moved to the ciphertext", &|s| {
            let last = s.aad.pop().into_iter();
            s.data.splice(0..0, last);
        });
    }
    if !sealed.data.is_empty() {
        refused("ciphertext cut", &|s| s.data.truncate(s.data.len() - 1));
        refused("ciphertext moved to the associated data", &|s| {
            let first = s.data.remove(0);
            s.aad.push(first);
        });
    }
}

fn bad_length(error: Option<Error>, what: &str, len: usize) {
    let expected = matches!(error, Some(Error::BadLength { actual, .. }) if actual == len);
    assert!(expected, "{what} of {len} bytes: {error:?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{assert_refuses, toy_digest};

    const NONE: u8 = 0;
    const PLAINTEXT_RELEASED: u8 = 1;
    const LAST_TAG_BYTE_IGNORED: u8 = 2;
    const AAD_IGNORED: u8 = 3;
    const BOUNDARY_AMBIGUOUS: u8 = 4;
    const NONCE_UNAUTHENTICATED: u8 = 5;
    const SECOND_BLOCK_WRONG: u8 = 6;

    /// A stream cipher and a digest, both of no strength.
    struct Toy<const BUG: u8>([u8; 16]);

    impl<const BUG: u8> Toy<BUG> {
        fn crypt(&self, nonce: &[u8], data: &mut [u8]) {
            let seed = u64::from_le_bytes(toy_digest(&[&self.0, nonce]));
            let stream = TestRng::new(seed).bytes(data.len());
            for (x, k) in data.iter_mut().zip(stream) {
                *x ^= k;
            }
        }

        fn tag(&self, nonce: &[u8], aad: &[u8], data: &[u8]) -> [u8; 8] {
            match BUG {
                AAD_IGNORED => toy_digest(&[&self.0, nonce, data]),
                BOUNDARY_AMBIGUOUS => toy_digest(&[&self.0, nonce, &[aad, data].concat()]),
                NONCE_UNAUTHENTICATED => toy_digest(&[&self.0, aad, data]),
                _ => toy_digest(&[&self.0, nonce, aad, data]),
            }
        }
    }

    impl<const BUG: u8> Aead for Toy<BUG> {
        const KEY_LEN: usize = 16;
        type Nonce = [u8; 12];
        type Tag = [u8; 8];

        fn new(key: &[u8]) -> Result<Self, Error> {
            let actual = key.len();
            let key = key.try_into().map_err(|_| Error::BadLength {
                expected: 16,
                actual,
            })?;
            Ok(Toy(key))
        }

        fn seal(&self, nonce: &[u8; 12], aad: &[u8], data: &mut [u8]) -> Result<[u8; 8], Error> {
            self.crypt(nonce, data);
            let tag = self.tag(nonce, aad, data);
            if BUG == SECOND_BLOCK_WRONG && data.len() > 64 {
                data[64] ^= 1;
            }
            Ok(tag)
        }

        fn open(
            &self,
            nonce: &[u8; 12],
            aad: &[u8],
            data: &mut [u8],
            tag: &[u8; 8],
        ) -> Result<(), Error> {
            let compared = if BUG == LAST_TAG_BYTE_IGNORED { 7 } else { 8 };
            let right = self.tag(nonce, aad, data)[..compared] == tag[..compared];
            if right || BUG == PLAINTEXT_RELEASED {
                self.crypt(nonce, data);
            } else {
                data.fill(0);
            }
            if right { Ok(()) } else { Err(Error::BadTag) }
        }
    }

    #[test]
    fn a_sound_cipher_passes() {
        check(Toy::<NONE>::new);
    }

    #[test]
    fn broken_ciphers_do_not() {
        assert_refuses("released", || check(Toy::<PLAINTEXT_RELEASED>::new));
        assert_refuses("of the tag", || check(Toy::<LAST_TAG_BYTE_IGNORED>::new));
        assert_refuses("associated data", || check(Toy::<AAD_IGNORED>::new));
        assert_refuses("moved to", || check(Toy::<BOUNDARY_AMBIGUOUS>::new));
        assert_refuses("of the nonce", || check(Toy::<NONCE_UNAUTHENTICATED>::new));
        assert_refuses("BadTag", || check(Toy::<SECOND_BLOCK_WRONG>::new));
    }
}
