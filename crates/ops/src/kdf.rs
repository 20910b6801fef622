//! `*/derive`: input key material, salt and context go in, key material of the measured length
//! comes out. The costs of password hashes are inputs too.

use std::marker::PhantomData;

use adamant::Error;
use adamant::hash::argon2::{Argon2, Variant};
use adamant::hash::scrypt::Params;
use adamant::hash::{Sha1, Sha256, Sha384, Sha512, Sm3, hkdf, pbkdf2, sp800_108, tls_prf, x963};
use adamant::hazmat::hash::{argon2, scrypt};

use crate::hash::ChosenHash;
use crate::stream::Stream;
use crate::table::{Best, Table, tables};
use crate::task::{Registry, Task, Wrong, copied, field, insert, one_field};
use crate::{Item, Length};

tables!(scrypt::Backend, argon2::Backend);

pub(crate) fn register(to: &mut Registry) {
    to.single::<Derive<Hkdf<Sha256>>>("hkdf-sha256/derive");
    to.single::<Derive<Hkdf<Sha384>>>("hkdf-sha384/derive");
    to.single::<Derive<Hkdf<Sha512>>>("hkdf-sha512/derive");
    to.single::<Derive<Pbkdf2<Sha1>>>("pbkdf2-hmac-sha1/derive");
    to.single::<Derive<Pbkdf2<Sha256>>>("pbkdf2-hmac-sha256/derive");
    to.single::<Derive<Pbkdf2<Sha384>>>("pbkdf2-hmac-sha384/derive");
    to.single::<Derive<Pbkdf2<Sha512>>>("pbkdf2-hmac-sha512/derive");
    to.single::<Derive<Pbkdf2<Sm3>>>("pbkdf2-hmac-sm3/derive");
    to.single::<Derive<Scrypt>>("scrypt/derive");
    to.single::<Derive<Argon2id>>("argon2id/derive");
    to.single::<Derive<Argon2i>>("argon2i/derive");
    to.single::<Derive<Argon2d>>("argon2d/derive");
    to.single::<Derive<X963<Sha256>>>("x963-sha256/derive");
    to.single::<Derive<X963<Sm3>>>("x963-sm3/derive");
    to.single::<Derive<Kbkdf<Sha256>>>("kbkdf-hmac-sha256/derive");
    to.single::<Derive<Tls12Prf<Sha256>>>("tls12-prf-sha256/derive");
    to.single::<Derive<Tls12Prf<Sha384>>>("tls12-prf-sha384/derive");
}

/// A derivation function.
trait Kdf: Sync + 'static {
    type Table: Table;
    /// The lengths that show its speed.
    const BYTES: &'static [usize] = &[16, 32, 64, 256, 1024];
    /// The inputs: byte strings of these lengths and numbers.
    const STRINGS: &'static [(&'static str, usize)];
    const NUMBERS: &'static [(&'static str, u32)] = &[];

    /// Whether it takes these numbers and gives this many bytes.
    fn check(_numbers: &[u32], _bytes: usize) -> Result<(), Wrong> {
        Ok(())
    }
    /// Derives from the strings and numbers, in the order of their names above.
    fn derive(
        table: Self::Table,
        strings: &[Vec<u8>],
        numbers: &[u32],
        out: &mut [u8],
    ) -> Result<(), Error>;
}

/// Strings from the stream, and numbers. Where inputs may have any length, strings do, and costs are
/// a small part of the usual, less for long outputs where each block has them all.
#[inline(never)]
fn inputs(
    stream: &mut Stream,
    strings: &[(&str, usize)],
    numbers: &[(&str, u32)],
    bytes: usize,
) -> Item {
    let mut item = Item::new();
    for (name, len) in strings {
        let len = stream.length(*len);
        insert(&mut item, name, stream.bytes(len));
    }
    for (name, number) in numbers {
        let mut number = *number;
        if stream.has_any_length() && number > 1000 {
            number >>= 5 + stream.below(6);
            if *name == "iterations" {
                number /= 1 + bytes as u32 / 32;
            }
            number = number.max(1);
        }
        insert(&mut item, name, number.to_be_bytes().to_vec());
    }
    item
}

/// What [`inputs`] made, checked.
#[inline(never)]
fn read(
    input: &Item,
    strings: &[(&str, usize)],
    numbers: &[(&str, u32)],
    bytes: usize,
    check: fn(&[u32], usize) -> Result<(), Wrong>,
) -> Result<(Vec<Vec<u8>>, Vec<u32>), Wrong> {
    let numbers = numbers.iter().map(|(name, _)| {
        let bytes = field(input, name)?.as_slice().try_into();
        let bytes = bytes.map_err(|_| format!("{name} is no number of four bytes"))?;
        Ok::<_, Wrong>(u32::from_be_bytes(bytes))
    });
    let numbers: Vec<u32> = numbers.collect::<Result<_, _>>()?;
    check(&numbers, bytes)?;
    let strings = strings.iter().map(|(name, _)| copied(input, name));
    Ok((strings.collect::<Result<_, _>>()?, numbers))
}

/// The task around it.
struct Derive<K>(PhantomData<K>);

struct State<T> {
    table: T,
    strings: Vec<Vec<u8>>,
    numbers: Vec<u32>,
    okm: Vec<u8>,
}

impl<K: Kdf> Task for Derive<K> {
    type Table = K::Table;
    type State = State<K::Table>;
    type Output = bool;
    const LENGTH: Length = Length::Output;
    const BYTES: &'static [usize] = K::BYTES;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        inputs(stream, K::STRINGS, K::NUMBERS, bytes)
    }
    fn ready(table: K::Table, input: &Item, bytes: usize) -> Result<Self::State, Wrong> {
        let (strings, numbers) = read(input, K::STRINGS, K::NUMBERS, bytes, K::check)?;
        Ok(State {
            table,
            strings,
            numbers,
            okm: vec![0; bytes],
        })
    }
    fn run(state: &mut Self::State) -> bool {
        K::derive(state.table, &state.strings, &state.numbers, &mut state.okm).is_ok()
    }
    fn encode(state: &Self::State, derived: &bool) -> Item {
        one_field("okm", derived.then_some(&state.okm))
    }
}

/// HKDF, both steps.
struct Hkdf<H>(PhantomData<H>);

impl<H: ChosenHash> Kdf for Hkdf<H> {
    type Table = Best<H::Table>;
    const STRINGS: &'static [(&'static str, usize)] =
        &[("salt", H::OUTPUT_LEN), ("ikm", 32), ("info", 16)];

    fn check(_: &[u32], bytes: usize) -> Result<(), Wrong> {
        let limit = 255 * H::OUTPUT_LEN;
        if bytes > limit {
            return Err(format!("HKDF gives {limit} bytes at most, not {bytes}").into());
        }
        Ok(())
    }
    fn derive(_: Self::Table, strings: &[Vec<u8>], _: &[u32], out: &mut [u8]) -> Result<(), Error> {
        hkdf::derive::<H>(&strings[0], &strings[1], &strings[2], out)
    }
}

/// What a user types and a salt.
const PASSWORD: &[(&str, usize)] = &[("password", 16), ("salt", 16)];

/// PBKDF2 with 100,000 iterations.
struct Pbkdf2<H>(PhantomData<H>);

impl<H: ChosenHash> Kdf for Pbkdf2<H> {
    type Table = H::Table;
    const BYTES: &'static [usize] = &[32];
    const STRINGS: &'static [(&'static str, usize)] = PASSWORD;
    const NUMBERS: &'static [(&'static str, u32)] = &[("iterations", 100_000)];

    fn derive(
        table: H::Table,
        strings: &[Vec<u8>],
        numbers: &[u32],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let hash = H::new_on(table);
        pbkdf2::derive_with_hash(&hash, &strings[0], &strings[1], numbers[0], out)
    }
}

/// scrypt with 16 MiB.
struct Scrypt;

impl Scrypt {
    fn params(numbers: &[u32]) -> Result<Params, Error> {
        Params::new(numbers[0].into(), numbers[1], numbers[2])
    }
}

impl Kdf for Scrypt {
    type Table = scrypt::Backend;
    const BYTES: &'static [usize] = &[32];
    const STRINGS: &'static [(&'static str, usize)] = PASSWORD;
    const NUMBERS: &'static [(&'static str, u32)] = &[("n", 16384), ("r", 8), ("p", 1)];

    fn check(numbers: &[u32], _: usize) -> Result<(), Wrong> {
        Self::params(numbers).map(drop).map_err(Wrong::from)
    }
    fn derive(
        table: scrypt::Backend,
        strings: &[Vec<u8>],
        numbers: &[u32],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let params = Self::params(numbers)?.with_backend(table);
        params.derive(&strings[0], &strings[1], out)
    }
}

/// Makes Argon2 with 64 MiB, three passes and one lane.
macro_rules! argon2 {
    ($($name:ident: $variant:ident,)+) => { $(
        struct $name;

        impl Kdf for $name {
            type Table = argon2::Backend;
            const BYTES: &'static [usize] = &[32];
            const STRINGS: &'static [(&'static str, usize)] = PASSWORD;
            const NUMBERS: &'static [(&'static str, u32)] =
                &[("memory", 64 << 10), ("passes", 3), ("lanes", 1)];

            fn check(numbers: &[u32], bytes: usize) -> Result<(), Wrong> {
                if bytes < 4 {
                    return Err(format!("Argon2 gives 4 bytes at least, not {bytes}").into());
                }
                let made = Argon2::new(Variant::$variant, numbers[0], numbers[1], numbers[2]);
                made.map(drop).map_err(Wrong::from)
            }
            fn derive(
                table: argon2::Backend,
                strings: &[Vec<u8>],
                numbers: &[u32],
                out: &mut [u8],
            ) -> Result<(), Error> {
                Argon2::new(Variant::$variant, numbers[0], numbers[1], numbers[2])?
                    .with_backend(table)
                    .derive(&strings[0], &strings[1], out)
            }
        }
    )+ };
}

argon2! {
    Argon2id: Id,
    Argon2i: I,
    Argon2d: D,
}

/// The KDF of ANSI X9.63.
struct X963<H>(PhantomData<H>);

impl<H: ChosenHash> Kdf for X963<H> {
    type Table = H::Table;
    const STRINGS: &'static [(&'static str, usize)] = &[("secret", 32), ("info", 16)];

    fn derive(
        table: H::Table,
        strings: &[Vec<u8>],
        _: &[u32],
        out: &mut [u8],
    ) -> Result<(), Error> {
        x963::derive_with_hash(&H::new_on(table), &strings[0], &strings[1], out)
    }
}

/// SP 800-108 in counter mode, in the document's layout.
struct Kbkdf<H>(PhantomData<H>);

impl<H: ChosenHash> Kdf for Kbkdf<H> {
    type Table = H::Table;
    const STRINGS: &'static [(&'static str, usize)] =
        &[("key", 32), ("label", 16), ("context", 16)];

    fn derive(
        table: H::Table,
        strings: &[Vec<u8>],
        _: &[u32],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let hash = H::new_on(table);
        sp800_108::derive_with_hash(&hash, &strings[0], &strings[1], &strings[2], out)
    }
}

/// The pseudorandom function of TLS 1.2.
struct Tls12Prf<H>(PhantomData<H>);

impl<H: ChosenHash> Kdf for Tls12Prf<H> {
    type Table = H::Table;
    const STRINGS: &'static [(&'static str, usize)] =
        &[("secret", 48), ("label", 13), ("seed", 64)];

    fn derive(
        table: H::Table,
        strings: &[Vec<u8>],
        _: &[u32],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let hash = H::new_on(table);
        tls_prf::derive_with_hash(&hash, &strings[0], &strings[1], &strings[2], out);
        Ok(())
    }
}
