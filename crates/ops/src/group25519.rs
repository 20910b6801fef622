//! `edwards25519/*` and `ristretto255/*`: points of 32 bytes, compressed, and scalars of 32 bytes,
//! the lowest first.

use std::hint::black_box;
use std::marker::PhantomData;

use adamant::Error;
use adamant::ec::curve25519::{RistrettoPoint, Scalar, TableSize};
use adamant::hazmat::ec::group::{Backend, EdwardsPoint, FixedBase};

use crate::arithmetic::{number, scalar};
use crate::stream::Stream;
use crate::table::{Best, Table, tables};
use crate::task::{
    BatchTask, Judge, Registry, Task, Wrong, batch, each, field, insert, item, single,
};
use crate::{Item, Length};

tables!(Backend);

pub(crate) fn register(to: &mut Registry) {
    group::<Edwards>(to, "edwards25519");
    group::<Ristretto>(to, "ristretto255");
    to.single::<Fixed<0>>("edwards25519/mul-base-60k");
    to.single::<Fixed<1>>("edwards25519/mul-base-96k");
    to.single::<Fixed<2>>("edwards25519/mul-base-161k");
    to.single::<Fixed<3>>("edwards25519/mul-base-278k");
    to.single::<Fixed<4>>("edwards25519/mul-base-480k");
}

fn group<G: Group>(to: &mut Registry, name: &str) {
    to.add(
        name,
        const {
            &[
                ("/mul-base", single::<MulBase<G>>()),
                ("/mul", single::<Mul<G>>()),
                ("/double-base-vartime", single::<DoubleBaseVartime<G>>()),
                ("/add", single::<Add<G>>()),
                ("/double", single::<Double<G>>()),
                ("/compress", single::<Compress<G>>()),
                ("/compress_batch", batch::<Compress<G>>()),
                ("/decompress", single::<Decompress<G>>()),
                ("/decompress_batch", batch::<Decompress<G>>()),
                ("/msm", batch::<Msm<G, false>>()),
                ("/msm-vartime", batch::<Msm<G, true>>()),
            ]
        },
    );
}

/// What both groups have.
trait Group: 'static {
    type Table: Table + Sync;
    type Point: Copy + Sync + 'static;
    const BASE: Self::Point;

    fn add(table: Self::Table, a: &Self::Point, b: &Self::Point) -> Self::Point;
    fn double(table: Self::Table, point: &Self::Point) -> Self::Point;
    fn mul(table: Self::Table, scalar: &Scalar, point: &Self::Point) -> Self::Point;
    fn mul_base(table: Self::Table, scalar: &Scalar) -> Self::Point;
    fn double_base(table: Self::Table, a: &Scalar, point: &Self::Point, b: &Scalar) -> Self::Point;
    fn msm(
        table: Self::Table,
        scalars: &[Scalar],
        points: &[Self::Point],
        vartime: bool,
    ) -> Self::Point;
    fn compress(point: &Self::Point) -> [u8; 32];
    fn decompress(table: Self::Table, bytes: &[u8; 32]) -> Result<Self::Point, Error>;
    fn compress_batch(table: Self::Table, points: &[Self::Point], out: &mut [[u8; 32]]);
    fn decompress_batch(
        table: Self::Table,
        bytes: &[[u8; 32]],
        out: &mut [Result<Self::Point, Error>],
    );
}

struct Edwards;

impl Group for Edwards {
    type Table = Backend;
    type Point = EdwardsPoint;
    const BASE: EdwardsPoint = EdwardsPoint::BASE;

    fn add(table: Backend, a: &EdwardsPoint, b: &EdwardsPoint) -> EdwardsPoint {
        table.add_points(a, b)
    }
    fn double(table: Backend, point: &EdwardsPoint) -> EdwardsPoint {
        table.double(point)
    }
    fn mul(table: Backend, scalar: &Scalar, point: &EdwardsPoint) -> EdwardsPoint {
        table.mul(&scalar.to_bytes(), point)
    }
    fn mul_base(table: Backend, scalar: &Scalar) -> EdwardsPoint {
        table.mul_base(&scalar.to_bytes())
    }
    fn double_base(table: Backend, a: &Scalar, point: &EdwardsPoint, b: &Scalar) -> EdwardsPoint {
        table.double_base_vartime(a, point, b)
    }
    fn msm(
        table: Backend,
        scalars: &[Scalar],
        points: &[EdwardsPoint],
        vartime: bool,
    ) -> EdwardsPoint {
        if vartime {
            table.multiscalar_mul_vartime(scalars, points)
        } else {
            table.multiscalar_mul(scalars, points)
        }
    }
    fn compress(point: &EdwardsPoint) -> [u8; 32] {
        point.compress()
    }
    fn decompress(table: Backend, bytes: &[u8; 32]) -> Result<EdwardsPoint, Error> {
        table.decompress(bytes)
    }
    fn compress_batch(table: Backend, points: &[EdwardsPoint], out: &mut [[u8; 32]]) {
        table.compress_batch(points, out);
    }
    fn decompress_batch(
        table: Backend,
        bytes: &[[u8; 32]],
        out: &mut [Result<EdwardsPoint, Error>],
    ) {
        table.decompress_batch(bytes, out);
    }
}

struct Ristretto;

impl Group for Ristretto {
    type Table = Best<Backend>;
    type Point = RistrettoPoint;
    const BASE: RistrettoPoint = RistrettoPoint::BASE;

    fn add(_: Self::Table, a: &RistrettoPoint, b: &RistrettoPoint) -> RistrettoPoint {
        *a + *b
    }
    fn double(_: Self::Table, point: &RistrettoPoint) -> RistrettoPoint {
        point.double()
    }
    fn mul(_: Self::Table, scalar: &Scalar, point: &RistrettoPoint) -> RistrettoPoint {
        *point * *scalar
    }
    fn mul_base(_: Self::Table, scalar: &Scalar) -> RistrettoPoint {
        RistrettoPoint::mul_base(scalar)
    }
    fn double_base(
        _: Self::Table,
        a: &Scalar,
        point: &RistrettoPoint,
        b: &Scalar,
    ) -> RistrettoPoint {
        RistrettoPoint::double_base_mul_vartime(a, point, b)
    }
    fn msm(
        _: Self::Table,
        scalars: &[Scalar],
        points: &[RistrettoPoint],
        vartime: bool,
    ) -> RistrettoPoint {
        let sum = if vartime {
            RistrettoPoint::multiscalar_mul_vartime(scalars, points)
        } else {
            RistrettoPoint::multiscalar_mul(scalars, points)
        };
        sum.expect("as many points as scalars")
    }
    fn compress(point: &RistrettoPoint) -> [u8; 32] {
        point.compress()
    }
    fn decompress(_: Self::Table, bytes: &[u8; 32]) -> Result<RistrettoPoint, Error> {
        RistrettoPoint::decompress(bytes)
    }
    fn compress_batch(_: Self::Table, points: &[RistrettoPoint], out: &mut [[u8; 32]]) {
        RistrettoPoint::compress_batch_into(points, out).expect("as many places as points");
    }
    fn decompress_batch(
        _: Self::Table,
        bytes: &[[u8; 32]],
        out: &mut [Result<RistrettoPoint, Error>],
    ) {
        RistrettoPoint::decompress_batch_into(bytes, out).expect("as many places as encodings");
    }
}

/// An item with its fields parsed; those that it has not are zero or the base point.
struct Operands<G: Group> {
    table: G::Table,
    scalar: Scalar,
    base_scalar: Scalar,
    point: G::Point,
    other: G::Point,
    bytes: [u8; 32],
}

impl<G: Group> Operands<G> {
    fn read(table: G::Table, input: &Item, fields: &[&str]) -> Result<Self, Wrong> {
        let mut operands = Operands {
            table,
            scalar: Scalar::ZERO,
            base_scalar: Scalar::ZERO,
            point: G::BASE,
            other: G::BASE,
            bytes: [0; 32],
        };
        let point = |name| -> Result<([u8; 32], G::Point), Wrong> {
            let bytes = field(input, name)?.as_slice().try_into();
            let bytes = bytes.map_err(|_| format!("{name} has not 32 bytes"))?;
            let point = G::decompress(table, &bytes)?;
            Ok((bytes, point))
        };
        for name in fields {
            match *name {
                "scalar" => operands.scalar = scalar(input, name)?,
                "base_scalar" => operands.base_scalar = scalar(input, name)?,
                "point" => (operands.bytes, operands.point) = point(name)?,
                _ => operands.other = point(name)?.1,
            }
        }
        Ok(operands)
    }
}

fn input<G: Group>(stream: &mut Stream, fields: &[&str]) -> Item {
    let mut input = Item::new();
    for name in fields {
        let scalar_bytes = number(stream);
        let value = match *name {
            "scalar" | "base_scalar" => scalar_bytes,
            _ => {
                let bytes = scalar_bytes.try_into().unwrap_or([0; 32]);
                let scalar = Scalar::from_bytes_mod_order(&bytes);
                G::compress(&G::mul_base(G::Table::best(), &scalar)).to_vec()
            }
        };
        insert(&mut input, name, value);
    }
    input
}

/// What the result of an operation is: a point that has to be encoded, or an encoding.
macro_rules! tasks {
    ($($task:ident $fields:expr, $output:ty, |$operands:ident| $run:expr, |$result:ident| $encode:expr;)+) => { $(
        struct $task<G>(PhantomData<fn(G)>);

        impl<G: Group> Task for $task<G> {
            type Table = G::Table;
            type State = Operands<G>;
            type Output = $output;
            const LENGTH: Length = Length::None;

            fn input(stream: &mut Stream, _: usize) -> Item {
                input::<G>(stream, &$fields)
            }
            fn ready(table: G::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
                Operands::read(table, input, &$fields)
            }
            fn run($operands: &mut Self::State) -> Self::Output {
                $run
            }
            fn encode(_: &Self::State, $result: &Self::Output) -> Item {
                item([("point", &$encode)])
            }
        }
    )+ };
}

tasks! {
    MulBase ["scalar"], G::Point, |o| G::mul_base(o.table, &o.scalar), |p| G::compress(p);
    Mul ["scalar", "point"], G::Point, |o| G::mul(o.table, &o.scalar, &o.point), |p| G::compress(p);
    DoubleBaseVartime ["scalar", "point", "base_scalar"], G::Point,
        |o| G::double_base(o.table, &o.scalar, &o.point, &o.base_scalar), |p| G::compress(p);
    Add ["point", "other"], G::Point, |o| G::add(o.table, &o.point, &o.other), |p| G::compress(p);
    Double ["point"], G::Point, |o| G::double(o.table, &o.point), |p| G::compress(p);
    Compress ["point"], [u8; 32], |o| G::compress(&o.point), |bytes| *bytes;
    Decompress ["point"], Result<G::Point, Error>, |o| G::decompress(o.table, &o.bytes),
        |point| point.as_ref().map_or([0; 32], G::compress);
}

/// The implementation of a batch, which may have no items.
fn table_of<G: Group>(states: &[Operands<G>]) -> G::Table {
    { states.first() }.map_or(G::Table::best(), |state| state.table)
}

impl<G: Group> BatchTask for Compress<G> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let points = each(states, |state| state.point);
        let mut out = vec![[0; 32]; points.len()];
        for _ in 0..iterations {
            G::compress_batch(table_of(states), black_box(&points), black_box(&mut out));
        }
        out
    }
}

impl<G: Group> BatchTask for Decompress<G> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let bytes = each(states, |state| state.bytes);
        let mut out = vec![Ok(G::BASE); bytes.len()];
        for _ in 0..iterations {
            G::decompress_batch(table_of(states), black_box(&bytes), black_box(&mut out));
        }
        out
    }
}

/// The sum of the products of all items, which each of them gives.
struct Msm<G, const VARTIME: bool>(PhantomData<fn(G)>);

impl<G: Group, const VARTIME: bool> Msm<G, VARTIME> {
    fn judge_all(inputs: &[Item], outputs: &[Item]) -> Result<(), Wrong> {
        let ready = |input| Self::ready(G::Table::portable(), input, 0);
        let mut states = inputs.iter().map(ready).collect::<Result<Vec<_>, _>>()?;
        let sum = states
            .iter_mut()
            .map(Self::run)
            .reduce(|a, b| G::add(G::Table::portable(), &a, &b));
        let ours = sum.map(|sum| G::compress(&sum).to_vec());
        for (i, output) in outputs.iter().enumerate() {
            if Some(field(output, "point")?) != ours.as_ref() {
                return Err(format!("item {i}: point is wrong").into());
            }
        }
        Ok(())
    }
}

impl<G: Group, const VARTIME: bool> Task for Msm<G, VARTIME> {
    type Table = G::Table;
    type State = Operands<G>;
    type Output = G::Point;
    const LENGTH: Length = Length::None;
    const JUDGE: Judge = Judge::All(Self::judge_all);

    fn input(stream: &mut Stream, _: usize) -> Item {
        input::<G>(stream, &["scalar", "point"])
    }
    fn ready(table: G::Table, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        Operands::read(table, input, &["scalar", "point"])
    }
    fn run(o: &mut Self::State) -> Self::Output {
        G::mul(o.table, &o.scalar, &o.point)
    }
    fn encode(_: &Self::State, sum: &Self::Output) -> Item {
        item([("point", &G::compress(sum))])
    }
}

impl<G: Group, const VARTIME: bool> BatchTask for Msm<G, VARTIME> {
    fn run_batch(states: &mut [Self::State], iterations: u64) -> Vec<Self::Output> {
        let scalars = each(states, |state| state.scalar);
        let points = each(states, |state| state.point);
        let mut sum = G::BASE;
        for _ in 0..iterations {
            sum = black_box(G::msm(
                table_of(states),
                black_box(&scalars),
                black_box(&points),
                VARTIME,
            ));
        }
        vec![sum; states.len()]
    }
}

/// Multiples of the base point by a table of one of the sizes.
struct Fixed<const SIZE: usize>;

impl<const SIZE: usize> Task for Fixed<SIZE> {
    type Table = Backend;
    type State = (Backend, FixedBase, Scalar);
    type Output = EdwardsPoint;
    const LENGTH: Length = Length::None;

    fn input(stream: &mut Stream, _: usize) -> Item {
        input::<Edwards>(stream, &["scalar"])
    }
    fn ready(table: Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let base = table.fixed_base(&EdwardsPoint::BASE, TableSize::ALL[SIZE]);
        Ok((table, base, scalar(input, "scalar")?))
    }
    fn run((table, base, scalar): &mut Self::State) -> EdwardsPoint {
        table.mul_fixed(scalar, base)
    }
    fn encode(_: &Self::State, point: &EdwardsPoint) -> Item {
        item([("point", &point.compress())])
    }
}
