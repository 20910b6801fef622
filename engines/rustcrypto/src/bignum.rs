//! Addition and multiplication of the crate `crypto-bigint`, at sizes fixed when it is compiled.

use adamant_engine::op::{self, exactly, field, item};
use adamant_engine::serve::Engine;
use crypto_bigint::{Limb, U256, U512, U1024, U2048, U4096};

macro_rules! numbers {
    ($($bits:literal, $number:ty;)+) => {
        pub(crate) fn register(engine: &mut Engine) { $({
            const BYTES: usize = $bits / 8;
            let number = |bytes: Vec<u8>| Ok::<_, String>(<$number>::from_be_slice(&exactly::<BYTES>(&bytes)?));
            engine.single(concat!("bignum-", $bits, "/add"), move |_, input| {
                let (a, b) = (number(field(input, "a")?)?, number(field(input, "b")?)?);
                Ok(op::giving(
                    move || Ok(a.carrying_add(&b, Limb::ZERO)),
                    |(sum, carry)| {
                        let bytes = [&[carry.0 as u8], sum.to_be_bytes().as_ref()].concat();
                        Ok(item([("sum", &bytes)]))
                    },
                ))
            });
            engine.single(concat!("bignum-", $bits, "/mul"), move |_, input| {
                let (a, b) = (number(field(input, "a")?)?, number(field(input, "b")?)?);
                Ok(op::giving(
                    move || Ok(a.widening_mul(&b)),
                    |(low, high)| {
                        let (low, high) = (low.to_be_bytes(), high.to_be_bytes());
                        let bytes = [high.as_ref(), low.as_ref()].concat();
                        Ok(item([("product", &bytes)]))
                    },
                ))
            });
        })+ }
    };
}

numbers! {
    256, U256;
    512, U512;
    1024, U1024;
    2048, U2048;
    4096, U4096;
}

#[cfg(test)]
mod tests {
    use super::*;
    use adamant_engine::Size;

    /// (2^n - 1)^2 = 2^2n - 2^(n+1) + 1, and 2^n - 1 twice is 2^(n+1) - 2.
    #[test]
    fn the_greatest_numbers() {
        let mut engine = Engine::new("test", "", "");
        register(&mut engine);
        for bits in [256, 512, 1024, 2048, 4096] {
            let len = bits / 8;
            let greatest = vec![0xff; len];
            let input = [item([("a", &greatest), ("b", &greatest)])];
            let run = |operation: &str| {
                let size = Size { bytes: 0, batch: 1 };
                let op = format!("bignum-{bits}/{operation}");
                engine
                    .prepare(&op, size, &input)
                    .unwrap()
                    .outputs()
                    .unwrap()
            };
            let mut sum = vec![0xff; len + 1];
            (sum[0], sum[len]) = (1, 0xfe);
            assert_eq!(run("add"), [item([("sum", &sum)])]);
            let mut product = vec![0xff; 2 * len];
            product[len..].fill(0);
            (product[len - 1], product[2 * len - 1]) = (0xfe, 1);
            assert_eq!(run("mul"), [item([("product", &product)])]);
        }
    }
}
