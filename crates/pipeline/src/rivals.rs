//! The libraries that are asked for beside ours.

use std::env;
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[cfg(unix)]
use crate::toolkit::Nss;
use crate::toolkit::{self, OpenSsl};
use crate::{Error, Result, Side};

/// A library by name, with the place where it is said to be.
///
/// ```
/// use adamant_pipeline::rivals::Rival;
/// assert!(matches!("openssl".parse(), Ok(Rival::OpenSsl(None))));
/// assert!("rot13".parse::<Rival>().is_err());
/// ```
#[derive(Clone, Debug)]
pub enum Rival {
    /// A libcrypto: the file, or each that `ADAMANT_LIBCRYPTO` names, or else what the program was
    /// built with or the system finds.
    OpenSsl(Option<PathBuf>),
    /// NSS: the folder, or what `ADAMANT_NSS` names or the system finds.
    #[cfg(unix)]
    Nss(Option<PathBuf>),
    /// What `engines/synta-pki` builds: the file, or what `ADAMANT_SYNTA` names.
    Synta(Option<PathBuf>),
}

impl FromStr for Rival {
    type Err = &'static str;

    /// Reads `NAME` or `NAME=PATH`.
    fn from_str(text: &str) -> Result<Rival, &'static str> {
        let (name, path) = match text.split_once('=') {
            Some((name, path)) => (name, Some(PathBuf::from(path))),
            None => (text, None),
        };
        match name {
            "openssl" => Ok(Rival::OpenSsl(path)),
            #[cfg(unix)]
            "nss" => Ok(Rival::Nss(path)),
            "synta" => Ok(Rival::Synta(path)),
            _ => Err("there is openssl, synta, and nss on Unix"),
        }
    }
}

impl Rival {
    /// What it stands for: OpenSSL without a file is one of each version that `ADAMANT_LIBCRYPTO`
    /// names.
    #[must_use]
    pub fn each(&self) -> Vec<Rival> {
        self.with(libcryptos())
    }

    fn with(&self, files: Vec<PathBuf>) -> Vec<Rival> {
        match self {
            Rival::OpenSsl(None) if !files.is_empty() => {
                let each = files.into_iter().map(|file| Rival::OpenSsl(Some(file)));
                each.collect()
            }
            _ => vec![self.clone()],
        }
    }
}

/// The files that `ADAMANT_LIBCRYPTO` names, separated as in `PATH`.
#[must_use]
pub fn libcryptos() -> Vec<PathBuf> {
    let named = env::var_os("ADAMANT_LIBCRYPTO").unwrap_or_default();
    let files = env::split_paths(&named).filter(|file| !file.as_os_str().is_empty());
    files.collect()
}

/// The place that an environment variable names, unless another was given.
fn place(given: Option<&Path>, variable: &str) -> Option<PathBuf> {
    let named = || env::var_os(variable).filter(|value| !value.is_empty());
    given
        .map(PathBuf::from)
        .or_else(|| named().map(PathBuf::from))
}

/// A loaded library.
enum Loaded {
    OpenSsl(OpenSsl),
    #[cfg(unix)]
    Nss(Nss),
    Synta(toolkit::Loaded),
}

impl Loaded {
    /// Its side, which is compiled here for all who ask.
    #[inline(never)]
    fn side(&self) -> Side<'_> {
        match self {
            Loaded::OpenSsl(library) => Side::new(library),
            #[cfg(unix)]
            Loaded::Nss(library) => Side::new(library),
            Loaded::Synta(library) => Side::new(library),
        }
    }
}

/// Loaded libraries.
pub struct Rivals(Vec<Loaded>);

impl Rivals {
    /// Loads them.
    ///
    /// # Errors
    /// Where one is not found.
    pub fn load(wanted: &[Rival]) -> Result<Self> {
        let load = |rival: Rival| match rival {
            Rival::OpenSsl(file) => OpenSsl::load(file.as_deref()).map(Loaded::OpenSsl),
            #[cfg(unix)]
            Rival::Nss(folder) => {
                let folder = place(folder.as_deref(), "ADAMANT_NSS");
                Nss::load(folder.as_deref())
                    .map(Loaded::Nss)
                    .map_err(Error::from)
            }
            Rival::Synta(file) => {
                let Some(file) = place(file.as_deref(), "ADAMANT_SYNTA") else {
                    return Err(Error::Library(
                        "ADAMANT_SYNTA has to name what engines/synta-pki builds".into(),
                    ));
                };
                toolkit::Loaded::load(&file).map(Loaded::Synta)
            }
        };
        let each = wanted.iter().flat_map(Rival::each);
        Ok(Rivals(each.map(load).collect::<Result<_>>()?))
    }

    /// The side of each, in their order.
    pub fn sides(&self) -> impl Iterator<Item = Side<'_>> {
        self.0.iter().map(Loaded::side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_of_openssl_is_one() {
        let files = || ["libcrypto.so.3", "/opt/libcrypto.so.4"].map(PathBuf::from);
        let told = |rival: Rival, files: &[PathBuf]| format!("{:?}", rival.with(files.to_vec()));
        let each = files().map(|file| Rival::OpenSsl(Some(file)));
        assert_eq!(told(Rival::OpenSsl(None), &files()), format!("{each:?}"));
        for (rival, files) in [
            (Rival::OpenSsl(None), &[][..]),
            (Rival::OpenSsl(Some("other".into())), &files()),
            (Rival::Synta(None), &files()),
        ] {
            assert_eq!(told(rival.clone(), files), format!("{:?}", [rival]));
        }
    }
}
