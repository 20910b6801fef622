//! The groups edwards25519 and ristretto255, and the scalars of both.

use adamant_engine::Item;
use adamant_engine::family::Outcome;
use adamant_engine::op::{self, array, item};
use adamant_engine::serve::Engine;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use curve25519_dalek::{EdwardsPoint, RistrettoPoint, Scalar, edwards, ristretto};
use group::Group;

pub(crate) fn register(engine: &mut Engine) {
    operations::<EdwardsPoint>(engine, "edwards25519");
    operations::<RistrettoPoint>(engine, "ristretto255");
    scalars(engine);
}

/// What both groups have.
trait Point:
    Group<Scalar = Scalar>
    + MultiscalarMul<Point = Self>
    + VartimeMultiscalarMul<Point = Self>
    + 'static
{
    type Compressed: Copy + 'static;

    fn compressed(bytes: [u8; 32]) -> Self::Compressed;
    fn bytes(compressed: &Self::Compressed) -> [u8; 32];
    fn compress(&self) -> Self::Compressed;
    fn decompress(compressed: &Self::Compressed) -> Option<Self>;
    fn multiple_of_base(scalar: &Scalar) -> Self;
    fn double_base_vartime(a: &Scalar, point: &Self, b: &Scalar) -> Self;
}

macro_rules! point {
    ($($point:ty, $compressed:path;)+) => { $(
        impl Point for $point {
            type Compressed = $compressed;

            fn compressed(bytes: [u8; 32]) -> $compressed {
                $compressed(bytes)
            }
            fn bytes(compressed: &$compressed) -> [u8; 32] {
                compressed.to_bytes()
            }
            fn compress(&self) -> $compressed {
                <$point>::compress(self)
            }
            fn decompress(compressed: &$compressed) -> Option<Self> {
                compressed.decompress()
            }
            fn multiple_of_base(scalar: &Scalar) -> Self {
                <$point>::mul_base(scalar)
            }
            fn double_base_vartime(a: &Scalar, point: &Self, b: &Scalar) -> Self {
                <$point>::vartime_double_scalar_mul_basepoint(a, point, b)
            }
        }
    )+ };
}

point! {
    EdwardsPoint, edwards::CompressedEdwardsY;
    RistrettoPoint, ristretto::CompressedRistretto;
}

fn scalar(input: &Item, name: &str) -> Outcome<Scalar> {
    let scalar = Scalar::from_canonical_bytes(array(input, name)?);
    Option::from(scalar).ok_or_else(|| format!("{name} is not reduced"))
}

fn point<P: Point>(input: &Item, name: &str) -> Outcome<P> {
    let point = P::decompress(&P::compressed(array(input, name)?));
    point.ok_or_else(|| format!("{name} is not a point"))
}

fn point_item<P: Point>(point: &P) -> Item {
    item([("point", &P::bytes(&point.compress()))])
}

fn operations<P: Point>(engine: &mut Engine, group: &str) {
    let name = |operation: &str| format!("{group}/{operation}");
    engine.single(&name("mul-base"), |_, input| {
        let scalar = scalar(input, "scalar")?;
        Ok(op::giving(
            move || Ok(P::multiple_of_base(&scalar)),
            |point| Ok(point_item(point)),
        ))
    });
    engine.single(&name("mul"), |_, input| {
        let (scalar, point) = (scalar(input, "scalar")?, point::<P>(input, "point")?);
        Ok(op::giving(
            move || Ok(point * scalar),
            |point| Ok(point_item(point)),
        ))
    });
    engine.single(&name("double-base-vartime"), |_, input| {
        let (a, point) = (scalar(input, "scalar")?, point::<P>(input, "point")?);
        let b = scalar(input, "base_scalar")?;
        Ok(op::giving(
            move || Ok(P::double_base_vartime(&a, &point, &b)),
            |point| Ok(point_item(point)),
        ))
    });
    engine.single(&name("add"), |_, input| {
        let (a, b) = (point::<P>(input, "point")?, point::<P>(input, "other")?);
        Ok(op::giving(move || Ok(a + b), |point| Ok(point_item(point))))
    });
    engine.single(&name("double"), |_, input| {
        let point = point::<P>(input, "point")?;
        Ok(op::giving(
            move || Ok(point.double()),
            |point| Ok(point_item(point)),
        ))
    });
    engine.single(&name("compress"), |_, input| {
        let point = point::<P>(input, "point")?;
        Ok(op::giving(
            move || Ok(point.compress()),
            |compressed| Ok(item([("point", &P::bytes(compressed))])),
        ))
    });
    engine.single(&name("decompress"), |_, input| {
        let compressed = P::compressed(array(input, "point")?);
        Ok(op::giving(
            move || P::decompress(&compressed).ok_or_else(|| "no such point".into()),
            |point| Ok(point_item(point)),
        ))
    });
    msm::<P>(engine, &name("msm"), |scalars, points| {
        P::multiscalar_mul(scalars, points)
    });
    msm::<P>(engine, &name("msm-vartime"), |scalars, points| {
        P::vartime_multiscalar_mul(scalars, points)
    });
}

/// The sum of all products of a batch.
fn msm<P: Point>(
    engine: &mut Engine,
    name: &str,
    sum: impl Fn(&Vec<Scalar>, &Vec<P>) -> P + Copy + 'static,
) {
    engine.batch(name, move |_, items| {
        let each = items
            .iter()
            .map(|item| Ok((scalar(item, "scalar")?, point::<P>(item, "point")?)));
        let (scalars, points): (Vec<_>, Vec<_>) =
            each.collect::<Outcome<Vec<_>>>()?.into_iter().unzip();
        Ok(op::whole(
            (scalars, points, None),
            move |(scalars, points, result)| {
                *result = Some(sum(scalars, points));
                Ok(())
            },
            |(scalars, _, result)| {
                let sum = result.iter().map(point_item);
                sum.cycle().take(scalars.len()).collect()
            },
        ))
    });
}

fn scalars(engine: &mut Engine) {
    for (name, run) in [
        ("mul", (|a, b| a * b) as fn(Scalar, Scalar) -> Scalar),
        ("add", |a, b| a + b),
    ] {
        engine.single(&format!("scalar25519/{name}"), move |_, input| {
            let (a, b) = (scalar(input, "scalar")?, scalar(input, "other")?);
            Ok(op::giving(move || Ok(run(a, b)), encode))
        });
    }
    engine.single("scalar25519/invert", |_, input| {
        let scalar = scalar(input, "scalar")?;
        Ok(op::giving(move || Ok(scalar.invert()), encode))
    });
}

fn encode(scalar: &Scalar) -> Outcome<Item> {
    Ok(item([("scalar", scalar.as_bytes())]))
}
