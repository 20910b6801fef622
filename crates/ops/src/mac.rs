//! `*/mac`: the key is scheduled beforehand; the message goes in, the tag comes out.

use std::marker::PhantomData;

use adamant::hash::{Hmac, Sha256, Sha384, Sha512};

use crate::hash::ChosenHash;
use crate::stream::Stream;
use crate::task::{Registry, Task, field, item};
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    to.single::<HmacMac<Sha256>>("hmac-sha256/mac");
    to.single::<HmacMac<Sha384>>("hmac-sha384/mac");
    to.single::<HmacMac<Sha512>>("hmac-sha512/mac");
}

/// HMAC under a key of a digest's length.
struct HmacMac<H>(PhantomData<H>);

impl<H: ChosenHash> Task for HmacMac<H> {
    type Table = H::Table;
    type State = (Hmac<H>, Vec<u8>);
    type Output = H::Output;
    const LENGTH: Length = Length::Message;

    fn input(stream: &mut Stream, bytes: usize) -> Item {
        item([
            ("key", &stream.bytes(H::OUTPUT_LEN)),
            ("message", &stream.bytes(bytes)),
        ])
    }
    fn ready(table: H::Table, input: &Item, _: usize) -> Result<Self::State, String> {
        let keyed = Hmac::with_hash(&H::with_backend(table), field(input, "key")?);
        Ok((keyed, field(input, "message")?.clone()))
    }
    fn run((keyed, message): &mut Self::State) -> H::Output {
        let mut mac = keyed.clone();
        mac.update(message);
        mac.finalize()
    }
    fn encode(_: &Self::State, tag: H::Output) -> Item {
        item([("tag", tag.as_ref())])
    }
}
