//! Four and eight elements as the benchmarks of the [`arithmetic`](crate::curve25519::arithmetic) hold them.

use super::convert::{double, halve, join, split};
use super::field::Factor;
use crate::curve25519::arithmetic::{FieldElement, Lanes};
use crate::curve25519::field::Fe;
use adamant_base::simd::{load256, store256};

#[inline]
#[target_feature(enable = "avx2")]
fn read<const N: usize>(lanes: &Lanes<N>, group: usize) -> Factor {
    Factor(halve(core::array::from_fn(|k| {
        load256(&lanes.0[k].as_chunks::<4>().0[group])
    })))
}

#[inline]
#[target_feature(enable = "avx2")]
fn write<const N: usize>(x: &Factor, lanes: &mut Lanes<N>, group: usize) {
    for (to, limb) in lanes.0.iter_mut().zip(double(x)) {
        store256(&mut to.as_chunks_mut::<4>().0[group], limb);
    }
}

macro_rules! operations {
    ($lanes:literal: $load:ident $store:ident $add:ident $mul:ident $square:ident) => {
        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = "avx2")]
        pub(in crate::curve25519) fn $load(elements: &[FieldElement; $lanes]) -> Lanes<$lanes> {
            let mut lanes = Lanes([[0; $lanes]; 5]);
            for (group, elements) in elements.as_chunks::<4>().0.iter().enumerate() {
                let sum = join(&elements.map(|element| element.0.tighten()));
                write(&sum.carry(), &mut lanes, group);
            }
            lanes
        }
        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = "avx2")]
        pub(in crate::curve25519) fn $store(lanes: &Lanes<$lanes>) -> [FieldElement; $lanes] {
            let mut elements = [FieldElement(Fe::ZERO); $lanes];
            for (group, elements) in elements.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                *elements = split(&read(lanes, group)).map(FieldElement);
            }
            elements
        }
        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = "avx2")]
        pub(in crate::curve25519) fn $add(a: &Lanes<$lanes>, b: &Lanes<$lanes>) -> Lanes<$lanes> {
            let mut lanes = Lanes([[0; $lanes]; 5]);
            for group in 0..$lanes / 4 {
                let sum = read(a, group).sum().plus(&read(b, group).sum());
                write(&sum.carry(), &mut lanes, group);
            }
            lanes
        }
        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = "avx2")]
        pub(in crate::curve25519) fn $mul(a: &Lanes<$lanes>, b: &Lanes<$lanes>) -> Lanes<$lanes> {
            let mut lanes = Lanes([[0; $lanes]; 5]);
            for group in 0..$lanes / 4 {
                write(&read(a, group).times(&read(b, group)), &mut lanes, group);
            }
            lanes
        }
        #[cfg_attr(not(feature = "lab"), inline)]
        #[target_feature(enable = "avx2")]
        pub(in crate::curve25519) fn $square(a: &Lanes<$lanes>) -> Lanes<$lanes> {
            let mut lanes = Lanes([[0; $lanes]; 5]);
            for group in 0..$lanes / 4 {
                write(&read(a, group).squared(), &mut lanes, group);
            }
            lanes
        }
    };
}
operations!(4: load_4 store_4 add_4 mul_4 square_4);
operations!(8: load_8 store_8 add_8 mul_8 square_8);
