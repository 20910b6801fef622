//! One lane after the other.

use super::Block;

pub(super) const fn vector() -> usize {
    1
}

pub(super) const fn lanes() -> usize {
    1
}

#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn ro_mix(b: &mut [Block], v: &mut [Block], x: &mut [Block], lanes: usize) {
    let len = b.len() / lanes;
    let copies = v.len() / lanes;
    let lanes = b.chunks_exact_mut(len).zip(v.chunks_exact_mut(copies));
    for ((b, v), x) in lanes.zip(x.chunks_exact_mut(len)) {
        crate::scrypt::Backend::best().ro_mix(b, v, x);
    }
}
