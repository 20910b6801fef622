//! Key exchange (GB/T 32918.3): both sides agree on a key that only the owners of their private keys
//! can know, and that later loss of these does not give away.
//!
//! The [`Initiator`] sends a point, the [`Responder`] answers with a point and, where both want to
//! know that the other has the same key, a tag; then the initiator sends a tag, too. Each value of
//! these types serves for one exchange and is used up by it.

use super::keys::point_bytes;
use super::{Limbs, NUMBERS, ORDER, PrivateKey, PublicKey};
use crate::weierstrass::field::portable;
use crate::weierstrass::kernel::Steps;
use crate::weierstrass::point::{Affine, Jacobian};
use crate::weierstrass::sm2p256v1::Sm2P256v1;
use crate::weierstrass::words::By64;
use crate::weierstrass::{self, keys::draw, words};
use adamant_base::ct::{self, Choice};
use adamant_base::{Error, Rng, Secret, Wipe};
use adamant_hash::{Sm3, x963};

/// The other side of an exchange: its public key, and the identity that it uses.
#[derive(Clone, Copy, Debug)]
pub struct Party<'a> {
    /// Its public key.
    pub key: &'a PublicKey,
    /// Its identity, of at most [`MAX_IDENTITY_LEN`](super::MAX_IDENTITY_LEN) bytes.
    pub identity: &'a [u8],
}

/// The side that begins.
///
/// ```
/// use adamant_ec::sm2::{Initiator, Party, PrivateKey, Responder};
/// # struct Counter(u8);
/// # impl adamant_base::Rng for Counter {
/// #     fn fill(&mut self, out: &mut [u8]) -> Result<(), adamant_base::Error> {
/// #         out.fill_with(|| { self.0 = self.0.wrapping_add(1); self.0 });
/// #         Ok(())
/// #     }
/// # }
/// # let mut rng = Counter(0); // a real program takes a generator fit for keys
/// let (alice, bob) = (PrivateKey::generate(&mut rng)?, PrivateKey::generate(&mut rng)?);
/// let for_alice = Party { key: &bob.public_key(), identity: b"bob" };
/// let for_bob = Party { key: &alice.public_key(), identity: b"alice" };
///
/// let initiator = Initiator::new(&alice, b"alice", for_alice, &mut rng)?;
/// // Alice sends her point.
/// let responder = Responder::new(&bob, b"bob", for_bob, &initiator.point(), &mut rng)?;
/// // Bob sends his point and his tag.
/// let mut key_of_alice = [0; 16];
/// let (point, tag) = (responder.point(), responder.tag());
/// let tag = initiator.finish_confirmed(&point, &tag, &mut key_of_alice)?;
/// // Alice sends her tag.
/// let mut key_of_bob = [0; 16];
/// responder.finish_confirmed(&tag, &mut key_of_bob)?;
/// assert_eq!(key_of_alice, key_of_bob);
/// # Ok::<(), adamant_base::Error>(())
/// ```
pub struct Initiator {
    side: Side,
    /// Z of the initiator and of the responder.
    zs: [[u8; 32]; 2],
}

/// The side that answers. See [`Initiator`].
pub struct Responder {
    point: PublicKey,
    agreed: Agreed,
}

/// What one side has drawn.
struct Side {
    /// The one-time point R.
    point: PublicKey,
    /// t = d + x̄ r, for the x coordinate of R and its logarithm r.
    t: Secret<Limbs>,
    peer: PublicKey,
}

/// x̄: 2^127 and the lower 127 bits of x.
fn bar([x, _]: &[Limbs; 2]) -> Limbs {
    [x[0], x[1] | 1 << 63, 0, 0]
}

impl Side {
    fn new(key: &PrivateKey, peer: &PublicKey, rng: &mut impl Rng) -> Result<Self, Error> {
        loop {
            let r = draw(NUMBERS, rng)?;
            if let Some(side) = Side::with_nonce(key, peer, &r) {
                return Ok(side);
            }
        }
    }

    /// None where t is 0, once in 2^256 exchanges.
    fn with_nonce(key: &PrivateKey, peer: &PublicKey, r: &Limbs) -> Option<Self> {
        let backend = key.public.0.backend;
        let mut point = backend.mul_base(r);
        // It is sent to the other side.
        ct::mark_public_value(&mut point);
        let product = Secret::new(ORDER.to_residue(r));
        let product = Secret::new(ORDER.mul(&product, &bar(&point)));
        let t = Secret::new(ORDER.add(&key.d, &product));
        // A nonce that is refused is used for nothing else.
        let usable = !words::is_zero(&t);
        usable.declassify().then_some(Side {
            point: PublicKey(weierstrass::PublicKey { point, backend }),
            t,
            peer: *peer,
        })
    }

    /// U = t (P + x̄ R), for the key P and the point R of the peer.
    fn shared(&self, point: &PublicKey) -> Result<Secret<[u8; 64]>, Error> {
        let backend = self.point.0.backend;
        let multiple = backend.mul(&bar(&point.0.point), &point.0.point);
        // All of this is public.
        let steps = Steps::calling(portable::<Sm2P256v1, By64, 4>());
        let f = &steps.field;
        let key = Jacobian::from_affine(&Affine::from_integers(&self.peer.0.point, f), f);
        let sum = steps.sum_vartime(&key, &Affine::from_integers(&multiple, f));
        if sum.z.is_zero().declassify() {
            return Err(Error::BadPublicKey);
        }
        let sum = sum.to_integers(Choice::FALSE, f);
        let mut product = backend.mul(&self.t, &sum);
        let bytes = Secret::new(point_bytes(&product));
        product.wipe();
        Ok(bytes)
    }
}

/// What both sides know in the end.
struct Agreed {
    /// x and y of the shared point.
    shared: Secret<[u8; 64]>,
    /// Z of the initiator and of the responder.
    zs: [[u8; 32]; 2],
    /// The points of the initiator and of the responder.
    points: [[u8; 64]; 2],
}

impl Agreed {
    fn key(&self, key: &mut [u8]) -> Result<(), Error> {
        let mut z = Secret::new([0; 128]);
        z[..64].copy_from_slice(&*self.shared);
        z[64..].copy_from_slice(self.zs.as_flattened());
        x963::derive::<Sm3>(&*z, &[], key)
    }

    /// The tag of the responder (2) or the initiator (3).
    fn tag(&self, side: u8) -> [u8; 32] {
        let (x, y) = self.shared.split_at(32);
        let mut inner = Sm3::new();
        inner.update(x);
        inner.update(self.zs.as_flattened());
        inner.update(self.points.as_flattened());
        let mut hash = Sm3::new();
        hash.update(&[side]);
        hash.update(y);
        hash.update(&inner.finalize());
        let mut tag = hash.finalize();
        // It is sent, or compared.
        ct::mark_public_value(&mut tag);
        tag
    }

    fn confirmed_key(&self, side: u8, tag: &[u8], key: &mut [u8]) -> Result<(), Error> {
        // Whether the tag matched is the answer.
        if !ct::eq(&self.tag(side), tag).declassify() {
            return Err(Error::BadTag);
        }
        self.key(key)
    }
}

const RESPONDER: u8 = 2;
const INITIATOR: u8 = 3;

impl Initiator {
    /// Begins an exchange with `peer`, as the owner of `key` under `identity`.
    ///
    /// # Errors
    /// [`Error::NoEntropy`] from the generator; [`Error::BadLength`] for an identity of more than
    /// [`MAX_IDENTITY_LEN`](super::MAX_IDENTITY_LEN) bytes.
    pub fn new(
        key: &PrivateKey,
        identity: &[u8],
        peer: Party<'_>,
        rng: &mut impl Rng,
    ) -> Result<Self, Error> {
        let own = key.public.identity_digest(identity)?;
        let zs = [own, peer.key.identity_digest(peer.identity)?];
        let side = Side::new(key, peer.key, rng)?;
        Ok(Initiator { side, zs })
    }

    /// The point to send, R_A: 4, x, y.
    #[must_use]
    pub fn point(&self) -> [u8; 65] {
        self.side.point.to_sec1()
    }

    fn agree(&self, point: &[u8]) -> Result<Agreed, Error> {
        let point = PublicKey::from_sec1(point)?;
        Ok(Agreed {
            shared: self.side.shared(&point)?,
            zs: self.zs,
            points: [self.side.point.coordinates(), point.coordinates()],
        })
    }

    /// Derives `key`, of any length, from the point R_B that came back. Nothing shows yet that the
    /// other side has the same: what is sent under the key has to.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for a point that is none, or not one to use with the peer's key.
    pub fn finish(self, point: &[u8], key: &mut [u8]) -> Result<(), Error> {
        self.agree(point)?.key(key)
    }

    /// Derives `key`, of any length, from the point R_B that came back, if the tag S_B that came
    /// with it shows that the other side has the same. Gives the tag S_A to send.
    ///
    /// # Errors
    /// [`Error::BadTag`] for another tag, and as [`Initiator::finish`]; `key` is then untouched.
    pub fn finish_confirmed(
        self,
        point: &[u8],
        tag: &[u8],
        key: &mut [u8],
    ) -> Result<[u8; 32], Error> {
        let agreed = self.agree(point)?;
        agreed.confirmed_key(RESPONDER, tag, key)?;
        Ok(agreed.tag(INITIATOR))
    }
}

impl Responder {
    /// Answers `peer`, who sent the point R_A, as the owner of `key` under `identity`.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for a point that is none, or not one to use with the peer's key;
    /// [`Error::NoEntropy`] from the generator; [`Error::BadLength`] for an identity of more than
    /// [`MAX_IDENTITY_LEN`](super::MAX_IDENTITY_LEN) bytes.
    pub fn new(
        key: &PrivateKey,
        identity: &[u8],
        peer: Party<'_>,
        point: &[u8],
        rng: &mut impl Rng,
    ) -> Result<Self, Error> {
        let own = key.public.identity_digest(identity)?;
        let zs = [peer.key.identity_digest(peer.identity)?, own];
        let point = PublicKey::from_sec1(point)?;
        Self::of(zs, &point, &Side::new(key, peer.key, rng)?)
    }

    fn of(zs: [[u8; 32]; 2], point: &PublicKey, side: &Side) -> Result<Self, Error> {
        let agreed = Agreed {
            shared: side.shared(point)?,
            zs,
            points: [point.coordinates(), side.point.coordinates()],
        };
        Ok(Responder {
            point: side.point,
            agreed,
        })
    }

    /// The point to send, R_B: 4, x, y.
    #[must_use]
    pub fn point(&self) -> [u8; 65] {
        self.point.to_sec1()
    }

    /// The tag S_B, to send with the point where the exchange is to be confirmed.
    #[must_use]
    pub fn tag(&self) -> [u8; 32] {
        self.agreed.tag(RESPONDER)
    }

    /// Derives `key`, of any length. Nothing shows yet that the other side has the same: what is
    /// sent under the key has to.
    ///
    /// # Errors
    /// [`Error::BadLength`] for a key of more than 2^37 bytes; it is then untouched.
    pub fn finish(self, key: &mut [u8]) -> Result<(), Error> {
        self.agreed.key(key)
    }

    /// Derives `key`, of any length, if the tag S_A that came back shows that the other side has
    /// the same.
    ///
    /// # Errors
    /// [`Error::BadTag`] for another tag, and as [`Responder::finish`]; `key` is then untouched.
    pub fn finish_confirmed(self, tag: &[u8], key: &mut [u8]) -> Result<(), Error> {
        self.agreed.confirmed_key(INITIATOR, tag, key)
    }
}

#[cfg(test)]
pub(super) mod test {
    //! Exchanges with given nonces, for known answers.
    use super::*;

    pub(in super::super) fn initiator(
        key: &PrivateKey,
        identity: &[u8],
        peer: Party<'_>,
        r: &Limbs,
    ) -> Initiator {
        let own = key.public.identity_digest(identity).unwrap();
        let zs = [own, peer.key.identity_digest(peer.identity).unwrap()];
        let side = Side::with_nonce(key, peer.key, r).unwrap();
        Initiator { side, zs }
    }

    pub(in super::super) fn responder(
        key: &PrivateKey,
        identity: &[u8],
        peer: Party<'_>,
        point: &[u8],
        r: &Limbs,
    ) -> Responder {
        let own = key.public.identity_digest(identity).unwrap();
        let zs = [peer.key.identity_digest(peer.identity).unwrap(), own];
        let side = Side::with_nonce(key, peer.key, r).unwrap();
        Responder::of(zs, &PublicKey::from_sec1(point).unwrap(), &side).unwrap()
    }
}
