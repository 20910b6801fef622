//! The groups of the curves themselves, and the arithmetic of large numbers.

use super::curves::{CURVES, Curve, SM2};
use super::ffi::Libcrypto;
use super::ffi::numbers::{Arithmetic, Multiplication};
use crate::op::{self, field, item};
use crate::serve::{Engine, Single};

pub(super) fn register(engine: &mut Engine, lib: Libcrypto) {
    for curve in CURVES.iter().chain([&*SM2]) {
        if Multiplication::new(lib, curve.identifier, &[1], None).is_err() {
            continue;
        }
        engine.single(&format!("{}/mul-base", curve.name), move |_, input| {
            let scalar = field(input, "scalar")?;
            multiplication(
                Multiplication::new(lib, curve.identifier, &scalar, None)?,
                curve,
            )
        });
        engine.single(&format!("{}/mul", curve.name), move |_, input| {
            let (scalar, point) = (field(input, "scalar")?, field(input, "point")?);
            let point = Some(&point[..]);
            multiplication(
                Multiplication::new(lib, curve.identifier, &scalar, point)?,
                curve,
            )
        });
    }
    for bits in [256, 512, 1024, 2048, 4096] {
        engine.single(&format!("bignum-{bits}/add"), move |_, input| {
            Ok(op::telling(
                Arithmetic::new(lib, &field(input, "a")?, &field(input, "b")?)?,
                Arithmetic::add,
                move |sum| Ok(item([("sum", &sum.result.to_bytes(bits / 8 + 1)?)])),
            ))
        });
        engine.single(&format!("bignum-{bits}/mul"), move |_, input| {
            Ok(op::telling(
                Arithmetic::new(lib, &field(input, "a")?, &field(input, "b")?)?,
                Arithmetic::multiply,
                move |product| Ok(item([("product", &product.result.to_bytes(bits / 4)?)])),
            ))
        });
    }
}

fn multiplication(
    multiplication: Multiplication,
    curve: &'static Curve,
) -> Result<impl Single, String> {
    Ok(op::telling(
        multiplication,
        Multiplication::run,
        |product| {
            let [x, y] = [&product.x, &product.y].map(|number| number.to_bytes(curve.size));
            Ok(item([("point", &[vec![4], x?, y?].concat())]))
        },
    ))
}
