//! The libraries that are asked for beside ours.

use std::path::{Path, PathBuf};

use adamant_pki::pipeline::Side;
use adamant_pki::provider::OpenSsl;

use crate::Failure;

/// A library by name, with the place where it is said to be.
#[derive(Clone, Debug)]
pub(super) enum Rival {
    OpenSsl(Option<PathBuf>),
}

/// Reads `NAME` or `NAME=PATH`.
pub(super) fn parse(text: &str) -> Result<Rival, String> {
    let (name, path) = match text.split_once('=') {
        Some((name, path)) => (name, Some(PathBuf::from(path))),
        None => (text, None),
    };
    match name {
        "openssl" => Ok(Rival::OpenSsl(path)),
        _ => Err("there is openssl".into()),
    }
}

/// The place that an environment variable names, unless another was given.
fn place(given: Option<&Path>, variable: &str) -> Option<PathBuf> {
    let named = || std::env::var_os(variable).filter(|value| !value.is_empty());
    given
        .map(PathBuf::from)
        .or_else(|| named().map(PathBuf::from))
}

/// Loaded libraries.
pub(super) struct Rivals(Vec<OpenSsl>);

impl Rivals {
    pub(super) fn load(wanted: &[Rival]) -> Result<Self, Failure> {
        let load = |rival: &Rival| match rival {
            Rival::OpenSsl(path) => {
                OpenSsl::load(place(path.as_deref(), "ADAMANT_LIBCRYPTO").as_deref())
            }
        };
        let loaded = wanted.iter().map(load).collect::<Result<_, _>>();
        loaded
            .map(Rivals)
            .map_err(|error| Failure::Run(error.to_string()))
    }

    pub(super) fn sides(&self) -> impl Iterator<Item = Side<'_>> {
        self.0.iter().map(Side::new)
    }
}
