//! The groups edwards25519 and ristretto255, the scalars of both, and the field below them.

use adamant_engine::Item;
use adamant_engine::family::Outcome;
use adamant_engine::op::{self, array, item};
use adamant_engine::serve::Engine;
use gcrypt::edwards::CompressedEdwardsY;
use gcrypt::ristretto::CompressedRistretto;
use gcrypt::traits::{Compress, Decompress};
use gcrypt::{EdwardsPoint, FieldElement, RistrettoPoint, Scalar};

pub(crate) fn register(engine: &mut Engine) {
    operations::<EdwardsPoint>(engine, "edwards25519");
    engine.single("edwards25519/double", |_, input| {
        let point = point::<EdwardsPoint>(input, "point")?;
        Ok(op::giving(
            move || Ok(point.double()),
            |point| Ok(point_item(point)),
        ))
    });
    operations::<RistrettoPoint>(engine, "ristretto255");
    scalars(engine);
    elements(engine);
}

/// What both groups have.
trait Point: Copy + 'static {
    fn compressed(&self) -> [u8; 32];
    fn decompressed(bytes: [u8; 32]) -> Option<Self>;
    fn multiple_of_base(scalar: &Scalar) -> Self;
    fn multiple(&self, scalar: &Scalar) -> Self;
    fn sum(&self, other: &Self) -> Self;
}

macro_rules! point {
    ($($point:ty, $compressed:path;)+) => { $(
        impl Point for $point {
            fn compressed(&self) -> [u8; 32] {
                Compress::compress(self).0
            }
            fn decompressed(bytes: [u8; 32]) -> Option<Self> {
                $compressed(bytes).decompress()
            }
            fn multiple_of_base(scalar: &Scalar) -> Self {
                <$point>::mul_base(scalar)
            }
            fn multiple(&self, scalar: &Scalar) -> Self {
                self * scalar
            }
            fn sum(&self, other: &Self) -> Self {
                self + other
            }
        }
    )+ };
}

point! {
    EdwardsPoint, CompressedEdwardsY;
    RistrettoPoint, CompressedRistretto;
}

fn scalar(input: &Item, name: &str) -> Outcome<Scalar> {
    let scalar = Scalar::from_canonical_bytes(array(input, name)?);
    scalar.ok_or_else(|| format!("{name} is not reduced"))
}

fn point<P: Point>(input: &Item, name: &str) -> Outcome<P> {
    P::decompressed(array(input, name)?)
        .ok_or_else(|| format!("the library does not decompress {name}"))
}

fn point_item<P: Point>(point: &P) -> Item {
    item([("point", &point.compressed())])
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
            move || Ok(point.multiple(&scalar)),
            |point| Ok(point_item(point)),
        ))
    });
    engine.single(&name("add"), |_, input| {
        let (a, b) = (point::<P>(input, "point")?, point::<P>(input, "other")?);
        Ok(op::giving(
            move || Ok(a.sum(&b)),
            |point| Ok(point_item(point)),
        ))
    });
    engine.single(&name("compress"), |_, input| {
        let point = point::<P>(input, "point")?;
        Ok(op::giving(
            move || Ok(point.compressed()),
            |bytes| Ok(item([("point", bytes)])),
        ))
    });
    engine.single(&name("decompress"), |_, input| {
        let bytes = array(input, "point")?;
        Ok(op::giving(
            move || {
                P::decompressed(bytes).ok_or_else(|| "the library does not decompress it".into())
            },
            |point| Ok(point_item(point)),
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
            Ok(op::giving(move || Ok(run(a, b)), scalar_item))
        });
    }
    engine.single("scalar25519/invert", |_, input| {
        let scalar = scalar(input, "scalar")?;
        Ok(op::giving(
            move || scalar.invert().ok_or_else(|| "zero has no inverse".into()),
            scalar_item,
        ))
    });
}

fn scalar_item(scalar: &Scalar) -> Outcome<Item> {
    Ok(item([("scalar", &scalar.to_bytes())]))
}

fn elements(engine: &mut Engine) {
    let element = |input: &Item, name: &str| -> Outcome<FieldElement> {
        Ok(FieldElement::from_bytes(&array(input, name)?))
    };
    type Two = fn(&FieldElement, &FieldElement) -> FieldElement;
    for (name, run) in [
        ("add", (|a, b| a + b) as Two),
        ("sub", |a, b| a - b),
        ("mul", |a, b| a * b),
    ] {
        engine.single(&format!("field25519/{name}"), move |_, input| {
            let (a, b) = (element(input, "element")?, element(input, "other")?);
            Ok(op::giving(move || Ok(run(&a, &b)), element_item))
        });
    }
    type One = fn(&FieldElement) -> FieldElement;
    for (name, run) in [
        ("square", FieldElement::square as One),
        ("invert", FieldElement::invert),
    ] {
        engine.single(&format!("field25519/{name}"), move |_, input| {
            let a = element(input, "element")?;
            Ok(op::giving(move || Ok(run(&a)), element_item))
        });
    }
}

fn element_item(element: &FieldElement) -> Outcome<Item> {
    Ok(item([("element", &element.to_bytes())]))
}
