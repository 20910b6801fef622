//! `field25519/*` and `scalar25519/*`: the arithmetic below Curve25519, of elements of 32 bytes, the
//! lowest first.

use adamant::ec::curve25519::Scalar;
use adamant::ec::curve25519::arithmetic::FieldElement;

use crate::stream::Stream;
use crate::table::OnlyPortable;
use crate::task::{Registry, Task, field, item};
use crate::{Item, Length};

/// What is computed with.
trait Number: Copy + Sync + 'static {
    /// The name of the first operand, and of the result.
    const NAME: &'static str;
    fn read(bytes: &[u8; 32]) -> Option<Self>;
    fn write(self) -> [u8; 32];
}

impl Number for FieldElement {
    const NAME: &'static str = "element";
    fn read(bytes: &[u8; 32]) -> Option<Self> {
        Some(FieldElement::from_bytes(bytes))
    }
    fn write(self) -> [u8; 32] {
        self.to_bytes()
    }
}

impl Number for Scalar {
    const NAME: &'static str = "scalar";
    fn read(bytes: &[u8; 32]) -> Option<Self> {
        Scalar::from_bytes(bytes).ok()
    }
    fn write(self) -> [u8; 32] {
        self.to_bytes()
    }
}

fn read<N: Number>(input: &Item, name: &str) -> Result<N, String> {
    let bytes = field(input, name)?.as_slice();
    let bytes = bytes
        .try_into()
        .map_err(|_| format!("{name} has not 32 bytes"))?;
    N::read(bytes).ok_or_else(|| format!("{name} is not reduced"))
}

/// The scalar of this name.
pub(crate) fn scalar(input: &Item, name: &str) -> Result<Scalar, String> {
    read(input, name)
}

/// Below 2^252, which is below the order of the base point.
pub(crate) fn number(stream: &mut Stream) -> Vec<u8> {
    let mut bytes = stream.bytes(32);
    bytes[31] &= 0x0f;
    bytes
}

macro_rules! tasks {
    ($($operation:literal, $task:ident, $number:ty, $operands:literal, |$a:ident, $b:ident| $run:expr;)+) => {
        $(
            struct $task;

            impl Task for $task {
                type Table = OnlyPortable;
                type State = [$number; 2];
                type Output = $number;
                const LENGTH: Length = Length::None;

                fn input(stream: &mut Stream, _: usize) -> Item {
                    let mut input = item([(<$number>::NAME, &number(stream))]);
                    if $operands == 2 {
                        input.insert("other".to_owned(), number(stream));
                    }
                    input
                }
                fn ready(_: OnlyPortable, input: &Item, _: usize) -> Result<Self::State, String> {
                    let first = read(input, <$number>::NAME)?;
                    let other = if $operands == 2 { read(input, "other")? } else { first };
                    Ok([first, other])
                }
                fn run(&mut [$a, $b]: &mut Self::State) -> Self::Output {
                    $run
                }
                fn encode(_: &Self::State, result: Self::Output) -> Item {
                    item([(<$number>::NAME, &result.write())])
                }
            }
        )+

        pub(crate) fn register(to: &mut Registry) {
            $(to.single::<$task>($operation);)+
        }
    };
}

tasks! {
    "field25519/add", FieldAdd, FieldElement, 2, |a, b| a.add(b);
    "field25519/sub", FieldSub, FieldElement, 2, |a, b| a.sub(b);
    "field25519/mul", FieldMul, FieldElement, 2, |a, b| a.mul(b);
    "field25519/square", FieldSquare, FieldElement, 1, |a, _b| a.square();
    "field25519/invert", FieldInvert, FieldElement, 1, |a, _b| a.invert();
    "scalar25519/add", ScalarAdd, Scalar, 2, |a, b| a + b;
    "scalar25519/mul", ScalarMul, Scalar, 2, |a, b| a * b;
    "scalar25519/invert", ScalarInvert, Scalar, 1, |a, _b| a.invert();
}
