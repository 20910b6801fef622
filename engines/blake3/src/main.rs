//! The engine of the BLAKE crates: `blake3`, and `blake2b_simd` with `blake2s_simd`, whose `many`
//! hashes several messages at once.

use std::io;

use adamant_engine::Item;
use adamant_engine::family::{self, Outcome};
use adamant_engine::op::{self, exactly, field, item};
use adamant_engine::serve::{Engine, serve};

fn main() -> io::Result<()> {
    serve(&engine(), io::stdin().lock(), io::stdout().lock())
}

fn engine() -> Engine {
    let name = concat!("blake3", env!("ENGINE_SUFFIX"));
    let platform = blake3::platform::Platform::detect();
    let build = format!("{}; BLAKE3 with {platform:?}", env!("ENGINE_BUILD"));
    let mut engine = Engine::new(name, env!("ENGINE_VERSIONS"), &build);
    family::digest(&mut engine, "blake3", |message| {
        *blake3::hash(message).as_bytes()
    });
    family::mac(
        &mut engine,
        "blake3-keyed",
        exactly::<32>,
        |key, message| *blake3::keyed_hash(key, message).as_bytes(),
    );
    family::digest(&mut engine, "blake2b-512", |message| {
        *blake2b_simd::blake2b(message).as_array()
    });
    family::digest(&mut engine, "blake2s-256", |message| {
        *blake2s_simd::blake2s(message).as_array()
    });
    let mut short = blake2b_simd::Params::new();
    short.hash_length(32);
    family::digest(&mut engine, "blake2b-256", move |message| {
        Digest(short.hash(message))
    });
    many(&mut engine);
    engine
}

/// A digest of blake2b_simd.
struct Digest(blake2b_simd::Hash);

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

fn messages(items: &[Item]) -> Outcome<Vec<Vec<u8>>> {
    items.iter().map(|item| field(item, "message")).collect()
}

macro_rules! many {
    ($($library:ident, $name:literal;)+) => {
        fn many(engine: &mut Engine) { $(
            engine.batch(concat!($name, "/digest_batch"), |_, items| {
                use $library::many::{HashManyJob, hash_many};
                use $library::{Hash, Params};
                let messages = messages(items)?;
                Ok(op::whole(
                    Vec::with_capacity(messages.len()),
                    move |digests: &mut Vec<Hash>| {
                        let params = Params::new();
                        let jobs = messages.iter().map(|message| HashManyJob::new(&params, message));
                        let mut jobs: Vec<_> = jobs.collect();
                        hash_many(jobs.iter_mut());
                        digests.clear();
                        digests.extend(jobs.iter().map(HashManyJob::to_hash));
                        Ok(())
                    },
                    |digests| {
                        let each = digests.iter();
                        each.map(|digest| item([("digest", digest.as_bytes())])).collect()
                    },
                ))
            });
        )+ }
    };
}

many! {
    blake2b_simd, "blake2b-512";
    blake2s_simd, "blake2s-256";
}

#[cfg(test)]
mod tests {
    use adamant_engine::op::item;
    use adamant_engine::{Item, Size, answers};

    #[test]
    fn known_answers() {
        answers::check(&super::engine()).unwrap();
    }

    #[test]
    fn batches_give_what_single_calls_give() {
        let engine = super::engine();
        let messages: Vec<Item> = (0..9)
            .map(|i| item([("message", &vec![i as u8; 100 * i])]))
            .collect();
        for name in ["blake2b-512", "blake2s-256"] {
            let run = |op: String, items: &[Item]| {
                let size = Size {
                    bytes: 0,
                    batch: items.len(),
                };
                engine.prepare(&op, size, items).unwrap().outputs().unwrap()
            };
            let single = messages
                .iter()
                .flat_map(|message| run(format!("{name}/digest"), std::slice::from_ref(message)));
            let single: Vec<Item> = single.collect();
            assert_eq!(run(format!("{name}/digest_batch"), &messages), single);
        }
    }
}
