//! Sums and products of big integers, which travel big-endian.

use adamant::bignum::{Backend, limbs};

use crate::stream::Stream;
use crate::task::{Registry, Task, field, item};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    of_size::<256>(to);
    of_size::<512>(to);
    of_size::<1024>(to);
    of_size::<2048>(to);
    of_size::<4096>(to);
}

fn of_size<const BITS: usize>(to: &mut Registry) {
    to.single::<Add<BITS>>(&format!("bignum-{BITS}/add"));
    to.single::<Mul<BITS>>(&format!("bignum-{BITS}/mul"));
}

fn operands<const BITS: usize>(stream: &mut Stream) -> Item {
    let (a, b) = (stream.bytes(BITS / 8), stream.bytes(BITS / 8));
    item([("a", &a), ("b", &b)])
}

fn number<const BITS: usize>(input: &Item, name: &str) -> Result<Vec<u64>, String> {
    let mut number = vec![0; BITS / 64];
    let fits = limbs::from_be_bytes(field(input, name)?, &mut number);
    match fits.declassify() {
        true => Ok(number),
        false => Err(format!("{name} is longer than {BITS} bits")),
    }
}

fn bytes(number: &[u64], len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    limbs::to_be_bytes(number, &mut bytes);
    bytes
}

struct Operands {
    table: Backend,
    a: Vec<u64>,
    b: Vec<u64>,
    result: Vec<u64>,
}

struct Add<const BITS: usize>;

impl<const BITS: usize> Task for Add<BITS> {
    type Table = Backend;
    type State = Operands;
    type Output = ();
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        operands::<BITS>(stream)
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Operands, String> {
        Ok(Operands {
            table,
            a: number::<BITS>(input, "a")?,
            b: number::<BITS>(input, "b")?,
            result: vec![0; BITS / 64 + 1],
        })
    }
    fn run(state: &mut Operands) {
        let (sum, carry) = state.result.split_at_mut(state.a.len());
        carry[0] = limbs::sum(sum, &state.a, &state.b);
    }
    fn encode(state: &Operands, (): ()) -> Item {
        item([("sum", &bytes(&state.result, BITS / 8 + 1))])
    }
}

struct Mul<const BITS: usize>;

impl<const BITS: usize> Task for Mul<BITS> {
    type Table = Backend;
    type State = Operands;
    type Output = ();
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        operands::<BITS>(stream)
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Operands, String> {
        let mut state = Add::<BITS>::ready(table, input, 0)?;
        state.result.resize(BITS / 32, 0);
        Ok(state)
    }
    fn run(state: &mut Operands) {
        state.table.mul(&mut state.result, &state.a, &state.b);
    }
    fn encode(state: &Operands, (): ()) -> Item {
        item([("product", &bytes(&state.result, BITS / 4))])
    }
}
