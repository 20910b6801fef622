//! `field25519/*` and `scalar25519/*`: the arithmetic below Curve25519, of elements of 32 bytes, the
//! lowest first. Batches of up to four elements are four lanes, others eights.

use std::hint::black_box;

use adamant::ec::curve25519::Scalar;
use adamant::hazmat::ec::field25519::FieldElement;
use adamant::hazmat::ec::field25519::lanes::{Backend, Lanes};

use crate::stream::Stream;
use crate::table::{OnlyPortable, tables};
use crate::task::{BatchTask, Registry, Task, Wrong, field, item};
use crate::{Item, Length};

tables!(Backend);

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

fn read<N: Number>(input: &Item, name: &str) -> Result<N, Wrong> {
    let bytes = field(input, name)?.as_slice();
    let bytes = bytes
        .try_into()
        .map_err(|_| format!("{name} has not 32 bytes"))?;
    Ok(N::read(bytes).ok_or_else(|| format!("{name} is not reduced"))?)
}

/// The scalar of this name.
pub(crate) fn scalar(input: &Item, name: &str) -> Result<Scalar, Wrong> {
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
                fn ready(_: OnlyPortable, input: &Item, _: usize) -> Result<Self::State, Wrong> {
                    let first = read(input, <$number>::NAME)?;
                    let other = if $operands == 2 { read(input, "other")? } else { first };
                    Ok([first, other])
                }
                fn run(&mut [$a, $b]: &mut Self::State) -> Self::Output {
                    $run
                }
                fn encode(_: &Self::State, result: &Self::Output) -> Item {
                    item([(<$number>::NAME, &result.write())])
                }
            }
        )+

        fn singles(to: &mut Registry) {
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

/// Operations of the field on lanes: what a batch does is what the single one of the same name does
/// to each item.
macro_rules! lanes {
    ($($operation:literal, $task:ident, $single:ident, |$table:ident, $a:ident, $b:ident| $four:expr, $eight:expr;)+) => {
        $(
            struct $task;

            impl Task for $task {
                type Table = Backend;
                type State = (Backend, [FieldElement; 2]);
                type Output = FieldElement;
                const LENGTH: Length = Length::None;

                fn input(stream: &mut Stream, bytes: usize) -> Item {
                    $single::input(stream, bytes)
                }
                fn ready(table: Backend, input: &Item, bytes: usize) -> Result<Self::State, Wrong> {
                    Ok((table, $single::ready(OnlyPortable, input, bytes)?))
                }
                fn run((_, operands): &mut Self::State) -> FieldElement {
                    $single::run(operands)
                }
                fn encode((_, operands): &Self::State, result: &FieldElement) -> Item {
                    $single::encode(operands, result)
                }
            }

            impl BatchTask for $task {
                fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<FieldElement> {
                    side_by_side(
                        states,
                        iterations,
                        |$table, $a, $b| $four,
                        |$table, $a, $b| $eight,
                    )
                }
            }
        )+

        pub(crate) fn register(to: &mut Registry) {
            singles(to);
            $(to.batch::<$task>($operation);)+
        }
    };
}

lanes! {
    "field25519/add_batch", AddLanes, FieldAdd, |t, a, b| t.add_4(a, b), t.add_8(a, b);
    "field25519/mul_batch", MulLanes, FieldMul, |t, a, b| t.mul_4(a, b), t.mul_8(a, b);
    "field25519/square_batch", SquareLanes, FieldSquare, |t, a, _b| t.square_4(a), t.square_8(a);
}

/// The results of all items, which are side by side before the iterations begin.
fn side_by_side(
    states: &[(Backend, [FieldElement; 2])],
    iterations: u64,
    four: impl Fn(Backend, &Lanes<4>, &Lanes<4>) -> Lanes<4>,
    eight: impl Fn(Backend, &Lanes<8>, &Lanes<8>) -> Lanes<8>,
) -> Vec<FieldElement> {
    let Some(&(table, _)) = states.first() else {
        return Vec::new();
    };
    // The last item fills what lanes are left.
    let operand = |which: usize, i: usize| states[i.min(states.len() - 1)].1[which];
    let mut results = Vec::new();
    if states.len() <= 4 {
        let [a, b] = [0, 1].map(|which| table.load_4(&std::array::from_fn(|i| operand(which, i))));
        let mut sums = a;
        for _ in 0..iterations {
            sums = black_box(four(table, black_box(&a), black_box(&b)));
        }
        results.extend(table.store_4(&sums));
    } else {
        let group = |at: usize| {
            [0, 1].map(|which| table.load_8(&std::array::from_fn(|i| operand(which, at + i))))
        };
        let mut groups: Vec<_> = (0..states.len())
            .step_by(8)
            .map(|at| (group(at), group(at)[0]))
            .collect();
        for _ in 0..iterations {
            for ([a, b], sums) in &mut groups {
                *sums = eight(table, black_box(a), black_box(b));
            }
            black_box(&groups);
        }
        results.extend(groups.iter().flat_map(|(_, sums)| table.store_8(sums)));
    }
    results.truncate(states.len());
    results
}
