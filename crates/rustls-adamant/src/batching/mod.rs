//! Handshakes that share the lanes of the CPU: see [`with_batching`].

pub(crate) mod any;
mod fibers;

use adamant::batcher::{Agree, Decapsulate, Encapsulate, Operation};
use adamant::ec::{p256, p384, p521, x448, x25519};
use adamant::hybrid::tls::{secp256r1mlkem768, secp384r1mlkem1024, x25519mlkem768};
use rustls::crypto::CryptoProvider;

use crate::{keys, kx};

/// An operation that all handshakes of the program share.
pub(crate) trait Shared: Operation {
    /// The result of one item, computed with those of other fibers or other threads.
    fn gather(item: any::Item) -> any::Output;
}

macro_rules! batchers {
    ($($operation:ty)*) => { $(
        impl crate::batching::Shared for $operation {
            fn gather(item: crate::batching::any::Item) -> crate::batching::any::Output {
                use crate::batching::any::Common;
                use adamant::batcher::Operation;

                static COMMON: Common<{ <$operation>::WORTH }> = Common::new::<$operation>();
                COMMON.gather(item)
            }
        }
    )* };
}
pub(crate) use batchers;

batchers! {
    Agree<x25519::PrivateKey> Agree<x448::PrivateKey>
    Agree<p256::PrivateKey> Agree<p384::PrivateKey> Agree<p521::PrivateKey>
    Encapsulate<x25519mlkem768::Hybrid> Decapsulate<x25519mlkem768::Hybrid>
    Encapsulate<secp256r1mlkem768::Hybrid> Decapsulate<secp256r1mlkem768::Hybrid>
    Encapsulate<secp384r1mlkem1024::Hybrid> Decapsulate<secp384r1mlkem1024::Hybrid>
}

/// The result of one item, computed with those of other fibers or other threads.
pub(crate) fn shared<O: Shared>(item: O::Item) -> O::Output {
    let output = O::gather(Box::new(item));
    // A copy: a secret is wiped where it lies.
    let output = output.downcast_ref::<O::Output>();
    output.expect("an output of the operation").clone()
}

/// The provider with key exchange and signatures of this crate that are computed many at a time:
/// those of [`together`], and otherwise those that other threads need at the same moment, through
/// [`adamant::batcher`]. Everything else stays as it is, groups without batches (curveSM2) too.
///
/// ```
/// let provider = rustls_adamant::with_batching(rustls_adamant::default_provider());
/// # assert_eq!(provider.kx_groups.len(), 8);
/// ```
#[must_use]
pub fn with_batching(mut provider: CryptoProvider) -> CryptoProvider {
    for group in &mut provider.kx_groups {
        *group = kx::batched(group.name()).unwrap_or(*group);
    }
    provider.key_provider = &keys::Loader { batched: true };
    provider
}

/// Takes a step with each of many connections on this thread, and computes what these steps need
/// of the provider of [`with_batching`] all at once: for a server that waits for many connections
/// on one thread. A step is what such a server does with a connection whose bytes have arrived,
/// most of all [`process_new_packets`](rustls::ConnectionCommon::process_new_packets); what it
/// returns comes back with the connection, in their order.
///
/// Steps run on stacks of their own of 1 MiB and take turns at the operations with a batch. One
/// must not hold what another could wait for, such as a lock or the borrow of a cell, while rustls
/// works. There is no other thread and no waiting: one connection alone is done at once.
///
/// ```
/// use rustls::ServerConnection;
/// use rustls_adamant::together;
///
/// /// Connections that have something to read, in an event loop.
/// fn serve(ready: Vec<ServerConnection>) {
///     for (connection, result) in together(ready, |connection| connection.process_new_packets()) {
///         match result {
///             Ok(_state) => (), // Write what it wants to, and wait for more.
///             Err(_error) => drop(connection),
///         }
///     }
/// }
/// # serve(Vec::new());
/// ```
///
/// # Panics
/// As a step does; the other steps have then been taken.
pub fn together<C: 'static, R: 'static>(
    connections: impl IntoIterator<Item = C>,
    step: impl Fn(&mut C) -> R + 'static,
) -> Vec<(C, R)> {
    fibers::together(connections, step)
}
