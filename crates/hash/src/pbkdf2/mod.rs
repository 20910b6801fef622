//! PBKDF2 (RFC 8018, 5.2): keys from passwords, with HMAC over any hash.
//!
//! T_i = U_1 ⊕ U_2 ⊕ … ⊕ U_c with U_1 = HMAC(P, S ‖ i) and U_j = HMAC(P, U_{j-1}); the output is
//! T_1 ‖ T_2 ‖ …, cut to its length. The U_j of one block depend on each other; blocks do not, nor
//! do passwords, so all of them are handed to [`Hash::hmac_chains`] together.
//!
//! Time depends on the lengths and the number of iterations, not on the password.

pub(crate) mod chains;
pub(crate) mod sha256;
#[cfg(test)]
mod tests;

pub(crate) use chains::{Chains, hmac_chains, in_groups, run_each};

use crate::Hmac;
#[cfg(feature = "alloc")]
use adamant_base::Secret;
use adamant_base::family::{Hash, HmacChain};
use adamant_base::{Error, Wipe, same_length};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Derives `out` from a password.
///
/// ```
/// use adamant_hash::{Sha256, pbkdf2};
/// let mut key = [0; 32];
/// pbkdf2::derive::<Sha256>(b"passwd", b"salt", 1, &mut key).unwrap();
/// assert_eq!(key[..4], [0x55, 0xac, 0x04, 0x6e]); // RFC 7914, 11
/// ```
///
/// The more iterations, the costlier each guess: hundreds of thousands for SHA-256 today. Every
/// digest's length of output costs the defender as much again, but not the attacker, who needs
/// only the first: derive no more than one digest.
///
/// # Errors
/// [`Error::BadParameter`] for no iteration, [`Error::BadLength`] for an output of more than
/// 2^32 - 1 digests; `out` is then untouched.
pub fn derive<H: Hash>(
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    out: &mut [u8],
) -> Result<(), Error> {
    derive_with_hash(&H::new(), password, salt, iterations, out)
}

/// As [`derive()`], on the implementation of `hash`, which must not have taken anything in yet.
///
/// # Errors
/// As [`derive()`].
pub fn derive_with_hash<H: Hash>(
    hash: &H,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    out: &mut [u8],
) -> Result<(), Error> {
    batch_with_hash(hash, &[(password, salt)], iterations, &mut [out])
}

/// Derives a key of `N` bytes from each password and its salt, many at once.
///
/// ```
/// use adamant_hash::{Sha256, pbkdf2};
/// let inputs: [(&[u8], &[u8]); 2] = [(b"secret", b"salt"), (b"secrets", b"salt and pepper")];
/// let keys = pbkdf2::derive_batch::<Sha256, 32>(&inputs, 1000).unwrap();
/// let mut alone = [0; 32];
/// pbkdf2::derive::<Sha256>(b"secrets", b"salt and pepper", 1000, &mut alone).unwrap();
/// assert_eq!(*keys[1], alone);
/// ```
///
/// # Errors
/// As [`derive()`].
#[cfg(feature = "alloc")]
pub fn derive_batch<H: Hash, const N: usize>(
    inputs: &[(&[u8], &[u8])],
    iterations: u32,
) -> Result<Vec<Secret<[u8; N]>>, Error> {
    keys(inputs.len(), |out| {
        derive_batch_into::<H>(inputs, iterations, out)
    })
}

/// [`derive_batch()`] to these places, which may differ in their lengths.
///
/// ```
/// use adamant_hash::{Sha256, pbkdf2};
/// let (mut one, mut other) = ([0; 32], [0; 16]);
/// let inputs: [(&[u8], &[u8]); 2] = [(b"secret", b"salt"), (b"secrets", b"salt and pepper")];
/// pbkdf2::derive_batch_into::<Sha256>(&inputs, 1000, &mut [&mut one, &mut other]).unwrap();
/// let mut alone = [0; 16];
/// pbkdf2::derive::<Sha256>(b"secrets", b"salt and pepper", 1000, &mut alone).unwrap();
/// assert_eq!(other, alone);
/// ```
///
/// # Errors
/// As [`derive()`], for the first output that is too long; [`Error::BadLength`] also when there
/// are not as many outputs as inputs. The outputs are then untouched.
pub fn derive_batch_into<H: Hash>(
    inputs: &[(&[u8], &[u8])],
    iterations: u32,
    out: &mut [&mut [u8]],
) -> Result<(), Error> {
    batch_with_hash(&H::new(), inputs, iterations, out)
}

/// As many keys as `derive` fills places for.
#[cfg(feature = "alloc")]
pub(crate) fn keys<const N: usize>(
    count: usize,
    derive: impl FnOnce(&mut [&mut [u8]]) -> Result<(), Error>,
) -> Result<Vec<Secret<[u8; N]>>, Error> {
    let mut keys: Vec<_> = (0..count).map(|_| Secret::new([0; N])).collect();
    let mut places: Vec<_> = keys.iter_mut().map(|key| &mut key[..]).collect();
    derive(&mut places)?;
    Ok(keys)
}

/// Chains that are run together: what the widest implementation takes at once.
const TOGETHER: usize = 32;

fn batch_with_hash<H: Hash>(
    hash: &H,
    inputs: &[(&[u8], &[u8])],
    iterations: u32,
    out: &mut [&mut [u8]],
) -> Result<(), Error> {
    if iterations == 0 {
        return Err(Error::BadParameter("iterations"));
    }
    same_length(inputs.len(), out.len())?;
    let limit = usize::try_from(u64::from(u32::MAX) * H::OUTPUT_LEN as u64).unwrap_or(usize::MAX);
    if let Some(long) = out.iter().find(|out| out.len() > limit) {
        return Err(Error::BadLength {
            expected: limit,
            actual: long.len(),
        });
    }

    // Every block of every output, in groups that are run together.
    let blocks = |out: &[u8]| out.len().div_ceil(H::OUTPUT_LEN);
    let (mut group, mut filled) = ([(0, 0); TOGETHER], 0);
    for item in 0..inputs.len() {
        for block in 0..blocks(out[item]) {
            group[filled] = (item, block);
            filled += 1;
            if filled == TOGETHER {
                run_group::<H, TOGETHER>(hash, inputs, iterations, &group, out);
                filled = 0;
            }
        }
    }
    let group = &group[..filled];
    match filled {
        0 => {}
        1 => run_group::<H, 1>(hash, inputs, iterations, group, out),
        2 => run_group::<H, 2>(hash, inputs, iterations, group, out),
        3..=8 => run_group::<H, 8>(hash, inputs, iterations, group, out),
        _ => run_group::<H, TOGETHER>(hash, inputs, iterations, group, out),
    }
    Ok(())
}

/// Computes the blocks of `group`, pairs of an item and a block's number; there are `N` at most.
fn run_group<H: Hash, const N: usize>(
    hash: &H,
    inputs: &[(&[u8], &[u8])],
    iterations: u32,
    group: &[(usize, usize)],
    out: &mut [&mut [u8]],
) {
    let mut keyed: Option<(usize, Hmac<H>)> = None;
    // Places beyond the group repeat its last chain, and are not run.
    let mut chains: [HmacChain<H>; N] = core::array::from_fn(|i| {
        let (item, block) = group[i.min(group.len() - 1)];
        let (password, salt) = inputs[item];
        let mac = match keyed.take() {
            Some((known, mac)) if known == item => mac,
            _ => Hmac::with_hash(hash, password),
        };
        let chain = first(&mac, salt, block);
        keyed = Some((item, mac));
        chain
    });
    H::hmac_chains(&mut chains[..group.len()], iterations - 1);
    for ((item, block), chain) in group.iter().zip(&chains) {
        let part = &mut out[*item][block * H::OUTPUT_LEN..];
        let len = part.len().min(H::OUTPUT_LEN);
        part[..len].copy_from_slice(&chain.sum.as_ref()[..len]);
    }
    chains.wipe();
}

/// The chain of a block, counted from 0, after U_1 = HMAC(P, S ‖ i).
fn first<H: Hash>(keyed: &Hmac<H>, salt: &[u8], block: usize) -> HmacChain<H> {
    let mut mac = keyed.clone();
    mac.update(salt);
    mac.update(&(block as u32 + 1).to_be_bytes());
    let u = mac.finalize();
    let (inner, outer) = keyed.states();
    HmacChain {
        inner: inner.clone(),
        outer: outer.clone(),
        value: u,
        sum: u,
    }
}
