//! What the Diffie-Hellman functions share: derivation as an operation.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::base::{Error, Secret};

use crate::keys::{self, KeyPair, text};
use crate::stream::Stream;
use crate::task::{BatchTask, Registry, Task, batch, field, item, single};
use crate::{Item, Length};

/// A Diffie-Hellman function.
pub(crate) trait Agreement: KeyPair {
    type Shared: SharedSecret;
    fn agree(key: &Self::Private, peer: &Self::Public) -> Result<Self::Shared, Error>;
    fn agree_batch(
        items: &[(&Self::Private, &Self::Public)],
        out: &mut [Result<Self::Shared, Error>],
    ) -> Result<(), Error>;
}

/// A shared secret of any length.
pub(crate) trait SharedSecret: 'static {
    fn bytes(&self) -> &[u8];
}

impl<const N: usize> SharedSecret for Secret<[u8; N]> {
    fn bytes(&self) -> &[u8] {
        &**self
    }
}

impl SharedSecret for adamant::dh::SharedSecret {
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// Adds every operation of a function.
pub(crate) fn register<A: Agreement>(to: &mut Registry, algorithm: &str) {
    keys::register::<A>(to, algorithm);
    to.add(
        algorithm,
        const {
            &[
                ("/derive", single::<Derive<A>>()),
                ("/derive_batch", batch::<Derive<A>>()),
            ]
        },
    );
}

struct Derive<A>(PhantomData<fn(A)>);

impl<A: Agreement> Task for Derive<A> {
    type Table = A::Table;
    type State = (A::Private, A::Public);
    type Output = Result<A::Shared, Error>;
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        let mut peer = keys::input::<A>(stream);
        let mut item = keys::input::<A>(stream);
        let public = peer.remove("public_key").unwrap_or_default();
        item.insert("peer_public_key".into(), public);
        item
    }
    fn ready(table: A::Table, input: &Item, _: usize) -> Result<Self::State, String> {
        let key = A::private(field(input, "private_key")?, table).map_err(text)?;
        let peer = A::public(field(input, "peer_public_key")?, table).map_err(text)?;
        Ok((key, peer))
    }
    fn run((key, peer): &mut Self::State) -> Self::Output {
        A::agree(key, peer)
    }
    fn encode(_: &Self::State, secret: Self::Output) -> Item {
        match secret {
            Ok(secret) => item([("shared_secret", secret.bytes())]),
            Err(_) => Item::new(),
        }
    }
}

impl<A: Agreement> BatchTask for Derive<A> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let items: Vec<_> = states.iter().map(|(key, peer)| (key, peer)).collect();
        let places = items.iter().map(|_| Err(Error::BadPublicKey));
        let mut secrets: Vec<_> = places.collect();
        for _ in 0..iterations {
            let done = A::agree_batch(black_box(&items), black_box(&mut secrets));
            done.expect("as many places as pairs");
        }
        secrets
    }
}
