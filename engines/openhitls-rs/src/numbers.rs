//! Addition and multiplication of the crate `hitls-bignum`.

use adamant_engine::op::{self, field, item, text};
use adamant_engine::serve::Engine;
use hitls_bignum::BigNum;

pub(crate) fn register(engine: &mut Engine) {
    type Run = fn(&BigNum, &BigNum) -> BigNum;
    for bits in [256, 512, 1024, 2048, 4096] {
        let operations: [(&str, &str, usize, Run); 2] = [
            ("add", "sum", bits / 8 + 1, BigNum::add),
            ("mul", "product", bits / 4, BigNum::mul),
        ];
        for (operation, output, len, run) in operations {
            engine.single(&format!("bignum-{bits}/{operation}"), move |_, input| {
                let number = |name| Ok::<_, String>(BigNum::from_bytes_be(&field(input, name)?));
                let (a, b) = (number("a")?, number("b")?);
                Ok(op::giving(
                    move || Ok(run(&a, &b)),
                    move |number| {
                        let bytes = number.to_bytes_be_padded(len).map_err(text)?;
                        Ok(item([(output, &bytes)]))
                    },
                ))
            });
        }
    }
}
