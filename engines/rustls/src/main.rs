//! The engine of rustls: handshakes and transfers with the provider that the first argument names,
//! `aws-lc-rs` (the default), `ring` or `graviola`.

use std::env;
use std::io;

use adamant_engine::serve::{Engine, refuse, serve};
use adamant_engine::tls::{Ticketer, register};
use rustls::crypto::{CryptoProvider, aws_lc_rs, ring};

/// As in the program that is compared with, so that no allocator is compared.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PROVIDERS: [(&str, fn() -> CryptoProvider, Ticketer); 3] = [
    (
        "aws-lc-rs",
        aws_lc_rs::default_provider,
        aws_lc_rs::Ticketer::new,
    ),
    ("ring", ring::default_provider, ring::Ticketer::new),
    // It has no tickets of its own.
    (
        "graviola",
        rustls_graviola::default_provider,
        ring::Ticketer::new,
    ),
];

fn main() -> io::Result<()> {
    let name = env::args().nth(1).unwrap_or_else(|| PROVIDERS[0].0.into());
    match engine(&name) {
        Some(engine) => serve(&engine, io::stdin().lock(), io::stdout().lock()),
        None => refuse(
            &format!("no provider is called {name:?}"),
            io::stdin().lock(),
            io::stdout().lock(),
        ),
    }
}

fn engine(name: &str) -> Option<Engine> {
    let (name, provider, ticketer) = PROVIDERS.into_iter().find(|(known, ..)| *known == name)?;
    let name = format!("{name}{}", env!("ENGINE_SUFFIX"));
    let mut engine = Engine::new(&name, env!("ENGINE_VERSIONS"), env!("ENGINE_BUILD"));
    register(&mut engine, provider, ticketer);
    Some(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_provider_is_there() {
        for (name, ..) in PROVIDERS {
            let names: Vec<_> = engine(name).unwrap().names().map(str::to_owned).collect();
            assert_eq!(names, ["tls/full", "tls/resumed", "tls/transfer"]);
        }
        assert!(engine("none").is_none());
    }
}
