//! The libraries that are asked for beside ours.

use std::path::{Path, PathBuf};

use adamant_pki::pipeline::Side;
#[cfg(unix)]
use adamant_pki::provider::Nss;
use adamant_pki::provider::{self, OpenSsl};

use crate::Failure;

/// A library by name, with the place where it is said to be.
#[derive(Clone, Debug)]
pub(super) enum Rival {
    OpenSsl(Option<PathBuf>),
    #[cfg(unix)]
    Nss(Option<PathBuf>),
    Synta(Option<PathBuf>),
}

/// Reads `NAME` or `NAME=PATH`.
pub(super) fn parse(text: &str) -> Result<Rival, String> {
    let (name, path) = match text.split_once('=') {
        Some((name, path)) => (name, Some(PathBuf::from(path))),
        None => (text, None),
    };
    match name {
        "openssl" => Ok(Rival::OpenSsl(path)),
        #[cfg(unix)]
        "nss" => Ok(Rival::Nss(path)),
        "synta" => Ok(Rival::Synta(path)),
        _ => Err("there is openssl, synta, and nss on Unix".into()),
    }
}

/// The place that an environment variable names, unless another was given.
fn place(given: Option<&Path>, variable: &str) -> Option<PathBuf> {
    let named = || std::env::var_os(variable).filter(|value| !value.is_empty());
    given
        .map(PathBuf::from)
        .or_else(|| named().map(PathBuf::from))
}

/// A loaded library.
enum Loaded {
    OpenSsl(OpenSsl),
    #[cfg(unix)]
    Nss(Nss),
    Synta(provider::Loaded),
}

/// Loaded libraries.
pub(super) struct Rivals(Vec<Loaded>);

impl Rivals {
    pub(super) fn load(wanted: &[Rival]) -> Result<Self, Failure> {
        let load = |rival: &Rival| match rival {
            Rival::OpenSsl(path) => {
                let path = place(path.as_deref(), "ADAMANT_LIBCRYPTO");
                OpenSsl::load(path.as_deref()).map(Loaded::OpenSsl)
            }
            #[cfg(unix)]
            Rival::Nss(folder) => {
                let folder = place(folder.as_deref(), "ADAMANT_NSS");
                Nss::load(folder.as_deref()).map(Loaded::Nss)
            }
            Rival::Synta(file) => {
                let Some(file) = place(file.as_deref(), "ADAMANT_SYNTA") else {
                    return Err(adamant_pki::Error::Library(
                        "ADAMANT_SYNTA has to name what engines/synta-pki builds".into(),
                    ));
                };
                provider::Loaded::load(&file).map(Loaded::Synta)
            }
        };
        let loaded = wanted.iter().map(load).collect::<Result<_, _>>();
        loaded
            .map(Rivals)
            .map_err(|error| Failure::Run(error.to_string()))
    }

    pub(super) fn sides(&self) -> impl Iterator<Item = Side<'_>> {
        self.0.iter().map(|loaded| match loaded {
            Loaded::OpenSsl(library) => Side::new(library),
            #[cfg(unix)]
            Loaded::Nss(library) => Side::new(library),
            Loaded::Synta(library) => Side::new(library),
        })
    }
}
