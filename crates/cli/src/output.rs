//! Output that appears when it is whole, or not at all.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, about, sentence};
use crate::signal;

/// Where the output shall go.
pub(crate) enum Target {
    /// Standard output.
    Standard,
    /// A file of this name, in place of another or not, with these permissions less the umask.
    File {
        path: PathBuf,
        replace: bool,
        mode: u32,
    },
}

impl Target {
    /// Standard output; not a terminal if the output is `binary`.
    pub(crate) fn standard(binary: bool) -> Result<Self, Failure> {
        if binary && io::stdout().is_terminal() {
            let sentence = "a terminal is no place for binary data: give --output, or redirect";
            return Err(Failure::Usage(sentence.to_owned()));
        }
        Ok(Target::Standard)
    }

    /// A file of this name, which may replace another with `replace` alone.
    pub(crate) fn file(path: &Path, replace: bool) -> Result<Self, Failure> {
        let refused = |why: &str| Failure::Usage(format!("{}: {why}", path.display()));
        match path.metadata() {
            Ok(there) if !there.is_file() => Err(refused("not a regular file")),
            Ok(_) if !replace => Err(refused("exists; --force replaces it")),
            _ => Ok(Target::File {
                path: path.to_owned(),
                replace,
                mode: 0o666,
            }),
        }
    }

    /// As `--output` says: standard output where there is none or it is `-`.
    pub(crate) fn named(path: Option<&Path>, replace: bool, binary: bool) -> Result<Self, Failure> {
        match path.filter(|path| *path != "-") {
            None => Target::standard(binary),
            Some(path) => Target::file(path, replace),
        }
    }

    /// The same, for its owner's eyes only if it is a file.
    pub(crate) fn secret(mut self) -> Self {
        if let Target::File { mode, .. } = &mut self {
            *mode = 0o600;
        }
        self
    }

    /// Writes all of it.
    pub(crate) fn write(self, data: &[u8]) -> Result<(), Failure> {
        self.prepare(data)?.finish()
    }

    /// Writes all of it; only [`Output::finish`] lets a file appear.
    pub(crate) fn prepare(self, data: &[u8]) -> Result<Output, Failure> {
        let mut output = self.open()?;
        output
            .write_all(data)
            .map_err(|e| Failure::Run(format!("output: {}", sentence(&e))))?;
        Ok(output)
    }

    pub(crate) fn open(self) -> Result<Output, Failure> {
        let (path, replace, mode) = match self {
            Target::Standard => return Ok(Output::Standard(io::stdout().lock())),
            Target::File {
                path,
                replace,
                mode,
            } => (path, replace, mode),
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".adamant-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(mode));
        }
        #[cfg(not(unix))]
        let _ = mode;
        match builder.tempfile_in(folder) {
            Ok(temporary) => {
                signal::remove_at_end(temporary.path());
                Ok(Output::File {
                    temporary,
                    path,
                    replace,
                })
            }
            Err(e) => Err(Failure::Run(about(path.as_os_str(), &e))),
        }
    }
}

/// Standard output, or a temporary file beside the one to be.
pub(crate) enum Output {
    Standard(io::StdoutLock<'static>),
    File {
        temporary: NamedTempFile,
        path: PathBuf,
        replace: bool,
    },
}

impl Output {
    /// All has been written: the file gets its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Output::Standard(mut out) => Ok(out.flush()?),
            Output::File {
                temporary,
                path,
                replace,
            } => {
                let result = if replace {
                    temporary.persist(&path)
                } else {
                    temporary.persist_noclobber(&path)
                };
                match result {
                    Ok(_) => Ok(()),
                    Err(e) => Err(Failure::Run(about(path.as_os_str(), &e.error))),
                }
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(data),
            Output::File { temporary, .. } => temporary.write(data),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::File { temporary, .. } => temporary.flush(),
        }
    }
}
