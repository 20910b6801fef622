//! Sums and products of big integers, which travel big-endian.

use std::marker::PhantomData;

use adamant::hazmat::bignum::{Backend, Uint, limbs};

use crate::stream::Stream;
use crate::table::{OnlyPortable, Table};
use crate::task::{Registry, Task, Wrong, field, item, single};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    to.single::<Add<OnlyPortable, 4>>("bignum-256/add");
    to.single::<ShortMul<4>>("bignum-256/mul");
    of_size::<8>(to);
    of_size::<16>(to);
    of_size::<32>(to);
    of_size::<64>(to);
}

fn of_size<const LIMBS: usize>(to: &mut Registry) {
    let operations = const {
        &[
            ("/add", single::<Add<Backend, LIMBS>>()),
            ("/mul", single::<Mul<LIMBS>>()),
        ]
    };
    to.add(&format!("bignum-{}", 64 * LIMBS), operations);
}

/// Two numbers.
struct Operands<const LIMBS: usize> {
    a: Uint<LIMBS>,
    b: Uint<LIMBS>,
}

impl<const LIMBS: usize> Operands<LIMBS> {
    fn input(stream: &mut Stream) -> Item {
        let (a, b) = (stream.bytes(8 * LIMBS), stream.bytes(8 * LIMBS));
        item([("a", &a), ("b", &b)])
    }
    fn new(input: &Item) -> Result<Self, Wrong> {
        let number = |name| {
            let number = Uint::from_be_bytes(field(input, name)?);
            Ok::<_, Wrong>(number.ok_or_else(|| too_long(name, LIMBS))?)
        };
        Ok(Operands {
            a: number("a")?,
            b: number("b")?,
        })
    }
}

fn too_long(name: &str, limbs: usize) -> String {
    format!("{name} is longer than {} bits", 64 * limbs)
}

fn bytes(number: &[u64], len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    limbs::to_be_bytes(number, &mut bytes);
    bytes
}

struct Sum<const LIMBS: usize> {
    operands: Operands<LIMBS>,
    sum: Uint<LIMBS>,
}

/// It is the same with every implementation of products.
struct Add<T, const LIMBS: usize>(PhantomData<fn(T)>);

impl<T: Table, const LIMBS: usize> Task for Add<T, LIMBS> {
    type Table = T;
    type State = Sum<LIMBS>;
    /// The carry.
    type Output = u64;
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        Operands::<LIMBS>::input(stream)
    }
    fn ready(_: T, input: &Item, _: usize) -> Result<Sum<LIMBS>, Wrong> {
        Ok(Sum {
            operands: Operands::new(input)?,
            sum: Uint::ZERO,
        })
    }
    fn run(state: &mut Sum<LIMBS>) -> u64 {
        let Operands { a, b } = &state.operands;
        state.sum.set_sum(a, b, 0)
    }
    fn encode(state: &Sum<LIMBS>, &carry: &u64) -> Item {
        let sum = [&state.sum.0[..], &[carry]].concat();
        item([("sum", &bytes(&sum, 8 * LIMBS + 1))])
    }
}

/// Products of numbers that need no implementation of their own.
struct ShortMul<const LIMBS: usize>;

impl<const LIMBS: usize> Task for ShortMul<LIMBS> {
    type Table = OnlyPortable;
    type State = Operands<LIMBS>;
    type Output = (Uint<LIMBS>, Uint<LIMBS>);
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        Operands::<LIMBS>::input(stream)
    }
    fn ready(_: OnlyPortable, input: &Item, _: usize) -> Result<Operands<LIMBS>, Wrong> {
        Operands::new(input)
    }
    fn run(state: &mut Operands<LIMBS>) -> (Uint<LIMBS>, Uint<LIMBS>) {
        state.a.widening_mul(&state.b)
    }
    fn encode(_: &Operands<LIMBS>, (low, high): &(Uint<LIMBS>, Uint<LIMBS>)) -> Item {
        let product = [low.0, high.0].concat();
        item([("product", &bytes(&product, 16 * LIMBS))])
    }
}

struct Product<const LIMBS: usize> {
    table: Backend,
    operands: Operands<LIMBS>,
    product: [[u64; LIMBS]; 2],
}

struct Mul<const LIMBS: usize>;

impl<const LIMBS: usize> Task for Mul<LIMBS> {
    type Table = Backend;
    type State = Product<LIMBS>;
    type Output = ();
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        Operands::<LIMBS>::input(stream)
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Product<LIMBS>, Wrong> {
        Ok(Product {
            table,
            operands: Operands::new(input)?,
            product: [[0; LIMBS]; 2],
        })
    }
    fn run(state: &mut Product<LIMBS>) {
        let Operands { a, b } = &state.operands;
        state
            .table
            .mul(state.product.as_flattened_mut(), &a.0, &b.0);
    }
    fn encode(state: &Product<LIMBS>, (): &()) -> Item {
        let product = state.product.as_flattened();
        item([("product", &bytes(product, 16 * LIMBS))])
    }
}
