//! SM2 encryption (GB/T 32918.4): a one-time key pair, a shared point, a key stream and a tag.

use super::keys::point_bytes;
use super::{CHUNK, Ciphertext, Limbs, NUMBERS, PrivateKey, PublicKey};
use crate::weierstrass::{self, keys::draw};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Rng, Secret, SecretBytes, Wipe, same_length};
use adamant_hash::Sm3;
use alloc::vec::Vec;

/// The longest message in bytes: what the key derivation function gives.
const MAX_MESSAGE_LEN: u64 = u32::MAX as u64 * 32;

/// x2 ‖ y2, the coordinates of the shared point.
type Shared = Secret<[u8; 64]>;

fn shared(point: &mut [Limbs; 2]) -> Shared {
    let bytes = Secret::new(point_bytes(point));
    point.wipe();
    bytes
}

/// Whether a message may have this length. The standard's key stream has a bit or more.
fn check_message(len: usize) -> Result<(), Error> {
    let expected = match len as u64 {
        0 => 1,
        1..=MAX_MESSAGE_LEN => return Ok(()),
        _ => usize::try_from(MAX_MESSAGE_LEN).unwrap_or(usize::MAX),
    };
    Err(Error::BadLength {
        expected,
        actual: len,
    })
}

/// Fills each output with the key stream of its shared point: the key derivation function of
/// GB/T 32918.4, 5.4.3, which is that of X9.63 with SM3. Its digests are independent of one another:
/// many are made at once, be they of one message or of many.
fn key_streams<'a, 'b>(
    outputs: impl Iterator<Item = (&'a [u8; 64], &'b mut [u8])>,
) -> Result<(), Error> {
    let mut inputs = Secret::new([[0; 68]; CHUNK]);
    let mut places: [&mut [u8]; CHUNK] = core::array::from_fn(|_| &mut [][..]);
    let mut len = 0;
    for (shared, output) in outputs {
        for (counter, place) in (1u32..).zip(output.chunks_mut(32)) {
            inputs[len][..64].copy_from_slice(shared);
            inputs[len][64..].copy_from_slice(&counter.to_be_bytes());
            places[len] = place;
            len += 1;
            if len == CHUNK {
                digest_into(&inputs[..len], &mut places[..len])?;
                len = 0;
            }
        }
    }
    digest_into(&inputs[..len], &mut places[..len])
}

/// The beginning of each input's digest, as long as there is room.
fn digest_into(inputs: &[[u8; 68]], places: &mut [&mut [u8]]) -> Result<(), Error> {
    let mut parts: [&[u8]; CHUNK] = [&[]; CHUNK];
    for (part, input) in parts.iter_mut().zip(inputs) {
        *part = input;
    }
    let mut digests = Secret::new([[0; 32]; CHUNK]);
    Sm3::digest_batch_into(&parts[..inputs.len()], &mut digests[..inputs.len()])?;
    for (place, digest) in places.iter_mut().zip(&*digests) {
        place.copy_from_slice(&digest[..place.len()]);
    }
    Ok(())
}

/// Whether a key stream is all zeros: it must not be used.
fn is_zero(stream: &[u8]) -> Choice {
    let any = stream.iter().fold(0, |any, byte| any | byte);
    !Choice::nonzero(u64::from(any))
}

fn xor(to: &mut [u8], from: &[u8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to ^= from;
    }
}

/// C3: the digest of x2 ‖ M ‖ y2.
fn tag(shared: &[u8; 64], message: &[u8]) -> [u8; 32] {
    let mut hash = Sm3::new();
    hash.update(&shared[..32]);
    hash.update(message);
    hash.update(&shared[32..]);
    hash.finalize()
}

/// [`tag`] of each item of a chunk.
#[cfg_attr(not(feature = "lab"), inline)]
fn tags<'a, 'b>(
    items: impl Iterator<Item = (&'a [u8; 64], &'b [u8])> + Clone,
) -> Result<[[u8; 32]; CHUNK], Error> {
    let room = items.clone().map(|(_, message)| message.len() + 64).sum();
    let mut inputs = Vec::with_capacity(room);
    for (shared, message) in items.clone() {
        inputs.extend_from_slice(&shared[..32]);
        inputs.extend_from_slice(message);
        inputs.extend_from_slice(&shared[32..]);
    }
    let mut parts: [&[u8]; CHUNK] = [&[]; CHUNK];
    let (mut rest, mut len) = (&inputs[..], 0);
    for (_, message) in items {
        (parts[len], rest) = rest.split_at(message.len() + 64);
        len += 1;
    }
    let mut tags = [[0; 32]; CHUNK];
    let done = Sm3::digest_batch_into(&parts[..len], &mut tags[..len]);
    inputs.as_mut_slice().wipe();
    done.map(|()| tags)
}

impl PublicKey {
    /// Encrypts a message to the owner of the key (GB/T 32918.4, 6.1).
    ///
    /// # Errors
    /// [`Error::BadLength`] for an empty message, which the standard does not know, or one of more
    /// than 2^37 bytes; [`Error::NoEntropy`] from the generator.
    pub fn encrypt(&self, message: &[u8], rng: &mut impl Rng) -> Result<Ciphertext, Error> {
        self.encrypt_random(message, rng)
    }

    fn encrypt_random(&self, message: &[u8], rng: &mut dyn Rng) -> Result<Ciphertext, Error> {
        check_message(message.len())?;
        loop {
            let k = draw(NUMBERS, rng)?;
            if let Some(ciphertext) = self.encrypt_with(&k, message)? {
                return Ok(ciphertext);
            }
        }
    }

    /// The ciphertext with this nonce, from 1 to n - 1; none where the key stream is all zeros, as
    /// one in 256 of a single byte is.
    pub(super) fn encrypt_with(
        &self,
        k: &Limbs,
        message: &[u8],
    ) -> Result<Option<Ciphertext>, Error> {
        let backend = self.0.backend;
        let point = backend.mul_base(k);
        let shared = shared(&mut backend.mul(k, &self.0.point));
        let mut stream = alloc::vec![0; message.len()];
        key_streams(core::iter::once((&*shared, &mut stream[..])))?;
        let tag = tag(&shared, message);
        Ok(self.finish(point, tag, stream, message))
    }

    /// Puts a ciphertext together; none where the key stream is all zeros.
    fn finish(
        &self,
        mut point: [Limbs; 2],
        mut tag: [u8; 32],
        mut stream: Vec<u8>,
        message: &[u8],
    ) -> Option<Ciphertext> {
        // A nonce that is refused is used for nothing else.
        if is_zero(&stream).declassify() {
            return None;
        }
        xor(&mut stream, message);
        // A ciphertext is public.
        ct::mark_public_value(&mut point);
        ct::mark_public_value(&mut tag);
        ct::mark_public(&stream);
        Some(Ciphertext {
            point: PublicKey(weierstrass::PublicKey {
                point,
                backend: self.0.backend,
            }),
            tag,
            message: stream,
        })
    }
}

impl PrivateKey {
    /// The message in a ciphertext (GB/T 32918.4, 7.1).
    ///
    /// # Errors
    /// [`Error::BadTag`] where the ciphertext is not one for this key.
    pub fn decrypt(&self, ciphertext: &Ciphertext) -> Result<SecretBytes, Error> {
        let mut message = SecretBytes::zeros(ciphertext.message_len());
        self.decrypt_into(ciphertext, &mut message)?;
        Ok(message)
    }

    /// As [`PrivateKey::decrypt`], to memory of the caller's, which has to be as long as
    /// [`Ciphertext::message_len`] says.
    ///
    /// # Errors
    /// [`Error::BadLength`] where `message` has another length; it is then untouched.
    /// [`Error::BadTag`] where the ciphertext is not one for this key; `message` is then all zeros.
    pub fn decrypt_into(&self, ciphertext: &Ciphertext, message: &mut [u8]) -> Result<(), Error> {
        same_length(ciphertext.message_len(), message.len())?;
        let backend = self.public.0.backend;
        let shared = shared(&mut backend.mul(&self.d, &ciphertext.point.0.point));
        key_streams(core::iter::once((&*shared, &mut *message)))?;
        let zero = is_zero(message);
        xor(message, &ciphertext.message);
        let tag = tag(&shared, message);
        release(zero, &tag, ciphertext, message)
    }
}

/// Judges what was decrypted, and wipes it where it is not genuine.
fn release(
    zero: Choice,
    tag: &[u8; 32],
    ciphertext: &Ciphertext,
    message: &mut [u8],
) -> Result<(), Error> {
    let genuine = ct::eq(tag, &ciphertext.tag).and(!zero);
    // Whether the tag matched is the answer.
    if genuine.declassify() {
        Ok(())
    } else {
        message.wipe();
        Err(Error::BadTag)
    }
}

/// The ciphertext of each message to the owner of its key, as [`PublicKey::encrypt`] makes it. The
/// implementation is that of the first key.
///
/// # Errors
/// As [`PublicKey::encrypt`], for any of the messages.
pub fn encrypt_batch(
    items: &[(&PublicKey, &[u8])],
    rng: &mut impl Rng,
) -> Result<Vec<Ciphertext>, Error> {
    encrypt_in_chunks(items, rng)
}

#[cfg_attr(not(feature = "lab"), inline)]
fn encrypt_in_chunks(
    items: &[(&PublicKey, &[u8])],
    rng: &mut dyn Rng,
) -> Result<Vec<Ciphertext>, Error> {
    for (_, message) in items {
        check_message(message.len())?;
    }
    let mut ciphertexts = Vec::with_capacity(items.len());
    for items in items.chunks(CHUNK) {
        let len = items.len();
        let mut ks = Secret::new([[0; 4]; CHUNK]);
        let mut keys = [[[0; 4]; 2]; CHUNK];
        for (i, (key, _)) in items.iter().enumerate() {
            (ks[i], keys[i]) = (*draw(NUMBERS, rng)?, key.0.point);
        }
        let backend = items[0].0.0.backend;
        let mut points = [[[0; 4]; 2]; CHUNK];
        backend.mul_base_batch(&ks[..len], &mut points);
        let mut products = [[[0; 4]; 2]; CHUNK];
        backend.mul_batch(&ks[..len], &keys, &mut products);
        let shared = products.each_mut().map(shared);
        let mut streams: Vec<_> = items.iter().map(|(_, m)| alloc::vec![0; m.len()]).collect();
        let pairs = shared.iter().map(|shared| &**shared);
        key_streams(pairs.clone().zip(streams.iter_mut().map(Vec::as_mut_slice)))?;
        let tags = tags(pairs.zip(items.iter().map(|(_, message)| *message)))?;
        for (i, ((key, message), stream)) in items.iter().zip(streams).enumerate() {
            ciphertexts.push(match key.finish(points[i], tags[i], stream, message) {
                Some(ciphertext) => ciphertext,
                None => key.encrypt_random(message, rng)?,
            });
        }
    }
    Ok(ciphertexts)
}

/// The message in each ciphertext, as [`PrivateKey::decrypt`] gives it. The implementation is that
/// of the first key.
///
/// ```
/// use adamant_ec::sm2::{self, PrivateKey};
/// # use adamant_testkit::TestRng;
/// # let mut rng = TestRng::new(1); // SystemRng or FastRng in a program
/// let key = PrivateKey::generate(&mut rng)?;
/// let public = key.public_key();
/// let sent = sm2::encrypt_batch(&[(&public, b"one"), (&public, b"two")], &mut rng)?;
/// let opened = sm2::decrypt_batch(&[(&key, &sent[0]), (&key, &sent[1])]);
/// assert_eq!(opened[1].as_ref().unwrap()[..], *b"two");
/// # Ok::<(), adamant_base::Error>(())
/// ```
#[cfg_attr(not(feature = "lab"), inline)]
#[must_use]
pub fn decrypt_batch(items: &[(&PrivateKey, &Ciphertext)]) -> Vec<Result<SecretBytes, Error>> {
    let each = items.iter();
    let mut messages: Vec<_> = each
        .map(|(_, ciphertext)| SecretBytes::zeros(ciphertext.message_len()))
        .collect();
    let mut verdicts = alloc::vec![Err(Error::BadTag); items.len()];
    let places = items.iter().zip(&mut messages);
    let mut places: Vec<Decryption<'_>> = places
        .map(|((key, ciphertext), message)| (*key, *ciphertext, &mut message[..]))
        .collect();
    decrypt_batch_into(&mut places, &mut verdicts).expect("a place for each message");
    let each = verdicts.into_iter().zip(messages);
    each.map(|(verdict, message)| verdict.map(|()| message))
        .collect()
}

/// An item of [`decrypt_batch_into`]: a key, a ciphertext, and the place for its message.
pub type Decryption<'a> = (&'a PrivateKey, &'a Ciphertext, &'a mut [u8]);

/// As [`decrypt_batch`], to memory of the caller's, as [`PrivateKey::decrypt_into`] does; the
/// verdicts are in `out`.
///
/// # Errors
/// [`Error::BadLength`] where `out` is not as long as `items`, or the place of any message not as
/// long as the message; nothing is then touched.
#[cfg_attr(not(feature = "lab"), inline)]
pub fn decrypt_batch_into(
    items: &mut [Decryption<'_>],
    out: &mut [Result<(), Error>],
) -> Result<(), Error> {
    same_length(items.len(), out.len())?;
    for (_, ciphertext, message) in &*items {
        same_length(ciphertext.message_len(), message.len())?;
    }
    for (items, out) in items.chunks_mut(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let len = items.len();
        let mut ds = Secret::new([[0; 4]; CHUNK]);
        let mut points = [[[0; 4]; 2]; CHUNK];
        for (i, (key, ciphertext, _)) in items.iter().enumerate() {
            (ds[i], points[i]) = (*key.d, ciphertext.point.0.point);
        }
        let backend = items[0].0.public.0.backend;
        let mut products = [[[0; 4]; 2]; CHUNK];
        backend.mul_batch(&ds[..len], &points, &mut products);
        let shared = products.each_mut().map(shared);
        let pairs = shared.iter().map(|shared| &**shared);
        key_streams(
            pairs
                .clone()
                .zip(items.iter_mut().map(|(_, _, message)| &mut **message)),
        )?;
        let mut zeros = [Choice::FALSE; CHUNK];
        for (zero, (_, ciphertext, message)) in zeros.iter_mut().zip(&mut *items) {
            *zero = is_zero(message);
            xor(message, &ciphertext.message);
        }
        let tags = tags(pairs.zip(items.iter().map(|(_, _, message)| &**message)))?;
        for (i, ((_, ciphertext, message), verdict)) in items.iter_mut().zip(out).enumerate() {
            *verdict = release(zeros[i], &tags[i], ciphertext, message);
        }
    }
    Ok(())
}
