//! Four and eight field elements side by side.

use super::{FieldElement, Lanes};

adamant_base::backends! {
    /// An implementation of arithmetic on several field elements at once.
    ///
    /// Every result may be an operand; an implementation takes what it has made itself.
    pub(crate) struct Backend {
        batch {
            /// Puts elements side by side.
            fn load_4(elements: &[FieldElement; 4]) -> Lanes<4>;
            /// The elements, one by one.
            fn store_4(lanes: &Lanes<4>) -> [FieldElement; 4];
            /// `a + b` in each lane.
            fn add_4(a: &Lanes<4>, b: &Lanes<4>) -> Lanes<4>;
            /// `a * b` in each lane.
            fn mul_4(a: &Lanes<4>, b: &Lanes<4>) -> Lanes<4>;
            /// `a * a` in each lane.
            fn square_4(a: &Lanes<4>) -> Lanes<4>;
            /// Puts elements side by side.
            fn load_8(elements: &[FieldElement; 8]) -> Lanes<8>;
            /// The elements, one by one.
            fn store_8(lanes: &Lanes<8>) -> [FieldElement; 8];
            /// `a + b` in each lane.
            fn add_8(a: &Lanes<8>, b: &Lanes<8>) -> Lanes<8>;
            /// `a * b` in each lane.
            fn mul_8(a: &Lanes<8>, b: &Lanes<8>) -> Lanes<8>;
            /// `a * a` in each lane.
            fn square_8(a: &Lanes<8>) -> Lanes<8>;
        }
    }
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
    x86_ifma if ["avx512f", "avx512ifma", "avx512vl"];
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    x86_avx2 if ["avx2"];
    _ => portable64;
}

#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), feature = "simd"))]
mod x86_ifma {
    pub(super) use crate::curve25519::x86_ifma::lanes::*;
    pub(super) use crate::curve25519::x86_ifma_x8::lanes::*;
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use crate::curve25519::x86_avx2_x4::lanes as x86_avx2;

/// One lane after the other.
mod portable64 {
    use super::{FieldElement, Lanes};
    use crate::curve25519::field::Fe;

    fn load<const N: usize>(elements: &[FieldElement; N]) -> Lanes<N> {
        let mut lanes = Lanes([[0; N]; 5]);
        for (i, element) in elements.iter().enumerate() {
            let limbs = element.0.tighten();
            for (k, limb) in limbs.limbs().iter().enumerate() {
                lanes.0[k][i] = *limb;
            }
        }
        lanes
    }

    fn store<const N: usize>(lanes: &Lanes<N>) -> [FieldElement; N] {
        core::array::from_fn(|i| FieldElement(Fe::from_limbs(lanes.0.map(|limbs| limbs[i]))))
    }

    #[inline(always)]
    fn each<const N: usize>(a: &Lanes<N>, b: &Lanes<N>, f: impl Fn(Fe, Fe) -> Fe) -> Lanes<N> {
        let mut out = Lanes([[0; N]; 5]);
        for i in 0..N {
            let [x, y] = [a, b].map(|lanes| Fe::from_limbs(lanes.0.map(|limbs| limbs[i])));
            for (k, limb) in f(x, y).limbs().iter().enumerate() {
                out.0[k][i] = *limb;
            }
        }
        out
    }

    macro_rules! operations {
        ($lanes:literal: $load:ident $store:ident $add:ident $mul:ident $square:ident) => {
            #[cfg_attr(not(feature = "lab"), inline)]
            pub(super) fn $load(elements: &[FieldElement; $lanes]) -> Lanes<$lanes> {
                load(elements)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            pub(super) fn $store(lanes: &Lanes<$lanes>) -> [FieldElement; $lanes] {
                store(lanes)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            pub(super) fn $add(a: &Lanes<$lanes>, b: &Lanes<$lanes>) -> Lanes<$lanes> {
                each(a, b, |a, b| a.add(b).tighten())
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            pub(super) fn $mul(a: &Lanes<$lanes>, b: &Lanes<$lanes>) -> Lanes<$lanes> {
                each(a, b, Fe::mul)
            }
            #[cfg_attr(not(feature = "lab"), inline)]
            pub(super) fn $square(a: &Lanes<$lanes>) -> Lanes<$lanes> {
                each(a, a, |a, _| a.square())
            }
        };
    }
    operations!(4: load_4 store_4 add_4 mul_4 square_4);
    operations!(8: load_8 store_8 add_8 mul_8 square_8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_base::Rng;
    use adamant_testkit::TestRng;

    #[test]
    fn lanes_agree_with_single_elements() {
        let mut rng = TestRng::new(5);
        for round in 0..200 {
            let mut bytes = [[0; 32]; 16];
            bytes.iter_mut().for_each(|bytes| rng.fill(bytes).unwrap());
            if round < 20 {
                bytes[round % 16] = [if round % 2 == 0 { 0xff } else { 0 }; 32];
            }
            let elements = bytes.map(|bytes| FieldElement::from_bytes(&bytes));
            let ([a, b], _) = elements.as_chunks::<8>() else {
                unreachable!("16 are two eights")
            };
            for backend in Backend::available() {
                let (x, y) = (backend.load_8(a), backend.load_8(b));
                // (a + b) b + a^2 + b
                let product = backend.mul_8(&backend.add_8(&x, &y), &y);
                let sum = backend.add_8(&backend.add_8(&product, &backend.square_8(&x)), &y);
                let eight = backend.store_8(&sum);
                let [x, y] = [a, b].map(|all| backend.load_4(all.first_chunk().unwrap()));
                let product = backend.mul_4(&backend.add_4(&x, &y), &y);
                let sum = backend.add_4(&backend.add_4(&product, &backend.square_4(&x)), &y);
                let four = backend.store_4(&sum);
                for (i, (a, b)) in a.iter().zip(b).enumerate() {
                    let single = a.add(*b).mul(*b).add(a.square()).add(*b).to_bytes();
                    assert_eq!(eight[i].to_bytes(), single, "{backend:?}");
                    if i < 4 {
                        assert_eq!(four[i].to_bytes(), single, "{backend:?}");
                    }
                }
            }
        }
    }
}
