//! `*/wrap` and `*/unwrap`: the key that wraps is scheduled beforehand.

use adamant::Error;
use adamant::cipher::aes::Aes;
use adamant::cipher::key_wrap::{AesKeyWrap, KeyWrap};
use adamant::hazmat::cipher::aes;

use crate::cipher::ChosenCipher;
use crate::stream::Stream;
use crate::table::Table;
use crate::task::{Registry, Start, Task, Wrong, copied, field, one_field, random, single, start};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    both::<16, false>(to, "aes-128-kw");
    both::<24, false>(to, "aes-192-kw");
    both::<32, false>(to, "aes-256-kw");
    both::<16, true>(to, "aes-128-kwp");
    both::<24, true>(to, "aes-192-kwp");
    both::<32, true>(to, "aes-256-kwp");
}

fn both<const KEY_LEN: usize, const PADDED: bool>(to: &mut Registry, name: &str) {
    to.add(
        name,
        const {
            &[
                ("/wrap", single::<Way<KEY_LEN, PADDED, true>>()),
                ("/unwrap", single::<Way<KEY_LEN, PADDED, false>>()),
            ]
        },
    );
}

/// One direction of KW or, padded, KWP. An item tells its direction: it has a message or a
/// ciphertext.
struct Way<const KEY_LEN: usize, const PADDED: bool, const WRAP: bool>;

struct State<const KEY_LEN: usize> {
    kek: AesKeyWrap<KEY_LEN>,
    wrap: bool,
    from: Vec<u8>,
    to: Vec<u8>,
    /// How much of that counts.
    len: usize,
}

impl<const KEY_LEN: usize, const PADDED: bool, const WRAP: bool> Way<KEY_LEN, PADDED, WRAP> {
    fn try_run(state: &mut State<KEY_LEN>) -> Result<(), Error> {
        let State {
            kek,
            wrap,
            from,
            to,
            len,
        } = state;
        *len = to.len();
        match (*wrap, PADDED) {
            (true, false) => kek.wrap(from, to),
            (true, true) => kek.wrap_padded(from, to),
            (false, false) => kek.unwrap(from, to),
            (false, true) => kek.unwrap_padded(from, to).map(|key| *len = key.len()),
        }
    }

    /// Bytes of a message that can be wrapped.
    fn message_len(bytes: usize) -> usize {
        if PADDED {
            bytes.max(1)
        } else {
            bytes.next_multiple_of(8).max(16)
        }
    }
}

impl<const KEY_LEN: usize, const PADDED: bool, const WRAP: bool> Task
    for Way<KEY_LEN, PADDED, WRAP>
{
    type Table = aes::Backend;
    type State = State<KEY_LEN>;
    type Output = ();
    const LENGTH: Length = Length::Message;
    const START: Start = start::<Way<KEY_LEN, PADDED, true>>();

    /// A message is rounded up to what can be wrapped.
    fn input(stream: &mut Stream, bytes: usize) -> Item {
        let mut input = random(
            stream,
            &[("key", KEY_LEN), ("message", Self::message_len(bytes))],
        );
        if !WRAP {
            let wrapped = Way::<KEY_LEN, PADDED, true>::ready(Table::portable(), &input, bytes);
            input.remove("message");
            input.extend(wrapped.map(|state| ("ciphertext".to_owned(), state.to)));
        }
        input
    }
    fn ready(table: aes::Backend, input: &Item, _: usize) -> Result<Self::State, Wrong> {
        let cipher = <Aes<KEY_LEN> as ChosenCipher>::new_on(field(input, "key")?, table)?;
        let wrap = input.contains_key("message");
        let from = copied(input, if wrap { "message" } else { "ciphertext" })?;
        let len = if wrap {
            from.len().next_multiple_of(8) + 8
        } else {
            from.len().saturating_sub(8)
        };
        let mut state = State {
            kek: KeyWrap::with_cipher(cipher),
            wrap,
            from,
            to: vec![0; len],
            len,
        };
        Self::try_run(&mut state)?;
        Ok(state)
    }
    fn run(state: &mut Self::State) {
        Self::try_run(state).expect("what went well before");
    }
    fn encode(state: &Self::State, (): &()) -> Item {
        let name = if state.wrap { "ciphertext" } else { "message" };
        one_field(name, Some(&state.to[..state.len]))
    }
}
