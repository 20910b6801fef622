//! Many points at once: their encodings share one inversion (Montgomery's trick).

use super::super::edwards::{Extended, Niels};
use super::super::field::Fe;
use super::super::fields::Field;
use super::EdwardsPoint;
use adamant_base::Wipe;
use alloc::{vec, vec::Vec};

/// Points that share an inversion.
const CHUNK: usize = 128;

/// The inverses of nonzero elements, `products` a working space of the same length.
#[inline(always)]
fn invert(elements: impl DoubleEndedIterator<Item = Fe> + Clone, products: &mut [Fe]) {
    let mut product = Fe::ONE;
    for (element, before) in elements.clone().zip(&mut *products) {
        *before = product;
        product = product.mul(element);
    }
    let mut inverse = product.invert();
    for (element, before) in elements.rev().zip(products.iter_mut().rev()) {
        *before = before.mul(inverse);
        inverse = inverse.mul(element);
    }
}

/// Points with Z = 1, for tables.
#[cfg_attr(not(feature = "lab"), inline)]
pub(super) fn normalize(points: &[Extended]) -> Vec<Niels> {
    let mut inverses = vec![Fe::ONE; points.len()];
    invert(points.iter().map(|point| point.z), &mut inverses);
    let pairs = points.iter().zip(&inverses);
    pairs
        .map(|(point, inverse)| Niels::new(&point.scale(*inverse)))
        .collect()
}

/// The encodings of points.
#[inline(always)]
pub(in super::super) fn compress(points: &[EdwardsPoint], out: &mut [[u8; 32]]) {
    let mut inverses = [Fe::ONE; CHUNK];
    for (points, out) in points.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let inverses = &mut inverses[..points.len()];
        invert(points.iter().map(|point| point.0.z), inverses);
        for ((point, inverse), out) in points.iter().zip(&*inverses).zip(out) {
            *out = point.0.scale(*inverse).compress();
        }
    }
    inverses.wipe();
}
