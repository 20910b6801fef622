//! Session tickets (RFC 5077, section 4; RFC 8446, section 4.6.1): what a server needs to resume a
//! session, sealed and given to the client.

use std::fmt;
use std::sync::Arc;

use adamant::cipher::chacha20_poly1305::XChaCha20Poly1305;
use adamant::ct;
use adamant::{Rng, Secret};
use rustls::crypto::GetRandomFailed;
use rustls::server::ProducesTickets;
use rustls::{Error, TicketRotator};

use crate::random::Random;

/// Bytes of the name of a key.
const NAME_LEN: usize = 16;
const NONCE_LEN: usize = 24;
const TAG_LEN: usize = 16;
/// Seconds that one key seals tickets; it opens them for as long again.
const ROTATION: u32 = 6 * 60 * 60;
/// Bytes of the longest ticket that is looked at; TLS leaves room for 2^16 - 1.
const LONGEST: usize = 1 << 14;

/// Tickets under XChaCha20-Poly1305 with random nonces and keys that change every six hours.
///
/// ```
/// let ticketer = rustls_adamant::Ticketer::new()?;
/// let ticket = ticketer.encrypt(b"session").unwrap();
/// assert_eq!(ticketer.decrypt(&ticket).as_deref(), Some(&b"session"[..]));
/// # Ok::<(), rustls::Error>(())
/// ```
#[derive(Debug)]
pub struct Ticketer {}

impl Ticketer {
    /// A producer for [`rustls::ServerConfig::ticketer`].
    ///
    /// # Errors
    /// When the system gives no randomness.
    #[expect(clippy::new_ret_no_self)] // The type that rustls takes.
    pub fn new() -> Result<Arc<dyn ProducesTickets>, Error> {
        Ok(Arc::new(TicketRotator::new(ROTATION, || {
            Ok(Box::new(Key::new().map_err(|_| GetRandomFailed)?))
        })?))
    }
}

/// One key: a ticket is its name, a nonce, what is sealed, and the tag.
struct Key {
    name: [u8; NAME_LEN],
    cipher: XChaCha20Poly1305,
}

impl Key {
    fn new() -> Result<Self, adamant::Error> {
        let (mut name, mut key) = ([0; NAME_LEN], Secret::new([0; 32]));
        Rng::fill(&mut Random, &mut name)?;
        Rng::fill(&mut Random, &mut *key)?;
        let cipher = XChaCha20Poly1305::new(&key);
        Ok(Key { name, cipher })
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

impl ProducesTickets for Key {
    fn enabled(&self) -> bool {
        true
    }

    fn lifetime(&self) -> u32 {
        2 * ROTATION
    }

    fn encrypt(&self, plain: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE_LEN];
        Rng::fill(&mut Random, &mut nonce).ok()?;
        let mut ticket = Vec::with_capacity(NAME_LEN + NONCE_LEN + plain.len() + TAG_LEN);
        ticket.extend_from_slice(&self.name);
        ticket.extend_from_slice(&nonce);
        ticket.extend_from_slice(plain);
        let sealed = &mut ticket[NAME_LEN + NONCE_LEN..];
        let tag = self.cipher.seal(&nonce, &self.name, sealed).ok()?;
        ticket.extend_from_slice(&tag);
        Some(ticket)
    }

    fn decrypt(&self, cipher: &[u8]) -> Option<Vec<u8>> {
        if cipher.len() > LONGEST {
            return None;
        }
        let (name, rest) = cipher.split_first_chunk::<NAME_LEN>()?;
        let (nonce, rest) = rest.split_first_chunk::<NONCE_LEN>()?;
        let (sealed, tag) = rest.split_last_chunk::<TAG_LEN>()?;
        // Whether a ticket is of this key shows anyhow.
        if !ct::eq(name, &self.name).declassify() {
            return None;
        }
        let mut plain = sealed.to_vec();
        self.cipher.open(nonce, name, &mut plain, tag).ok()?;
        Some(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn altered_and_foreign_tickets_are_refused() {
        let key = Key::new().unwrap();
        let ticket = key.encrypt(b"a session").unwrap();
        assert_eq!(key.decrypt(&ticket).unwrap(), b"a session");
        for at in 0..ticket.len() {
            let mut altered = ticket.clone();
            altered[at] ^= 1;
            assert_eq!(key.decrypt(&altered), None, "byte {at}");
            assert_eq!(key.decrypt(&ticket[..at]), None, "{at} bytes");
        }
        assert_eq!(Key::new().unwrap().decrypt(&ticket), None);
        assert_eq!(key.decrypt(&vec![0; LONGEST + 1]), None);
    }
}
