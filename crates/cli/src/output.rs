//! Output that appears when it is whole, or not at all.
//!
//! A [`Target`] is opened when it is named, so that a command that names its target first does no
//! work for a place that cannot be written. Until it is whole a file has another name beside the
//! one to be, and a lock as long as its program lives: the next program that writes to the folder
//! removes those without. A file that has its name is on the disk, and so is the name.

use std::collections::HashSet;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::failure::{Failure, about, sentence};
use crate::signal;
use crate::text::shown_path;

/// What the names of files that are not whole begin and end with.
const TEMPORARY_NAME: (&str, &str) = (".adamant-", ".tmp");
/// Letters and digits between them.
const DRAWN: usize = 6;

/// The places of this run's outputs, and the folders that it has removed leftovers from.
static PLACES: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

/// A folder by the one path that leads to it, where that can be found out.
fn whole(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// Whether this place is named for the first time.
fn is_first(place: &Path) -> bool {
    let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    places.get_or_insert_default().insert(place.to_owned())
}

/// Where the output goes.
pub(crate) enum Target {
    /// Standard output.
    Standard,
    /// A file of this name, in place of another or not; only for its owner's eyes or for those
    /// that the umask allows.
    File {
        temporary: NamedTempFile,
        path: PathBuf,
        replace: bool,
        secret: bool,
    },
}

impl Target {
    /// Standard output; not a terminal if the output is `binary`.
    pub(crate) fn standard(binary: bool) -> Result<Self, Failure> {
        if binary && io::stdout().is_terminal() {
            let sentence = "binary data does not belong on a terminal: give --output, or redirect";
            return Err(Failure::Usage(sentence.to_owned()));
        }
        Ok(Target::Standard)
    }

    /// A file of this name, which may replace another only with `replace`.
    pub(crate) fn file(path: &Path, replace: bool) -> Result<Self, Failure> {
        let refused = |why: &str| Failure::Usage(format!("{}: {why}", shown_path(path)));
        let failed = |e: io::Error| Failure::Run(about(path.as_os_str(), &e));
        match path.metadata() {
            Ok(there) if !there.is_file() => return Err(refused("not a regular file")),
            Ok(_) if !replace => return Err(refused("exists; --force replaces it")),
            Ok(_) => {}
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(e)),
            Err(_) if path.is_symlink() => return Err(refused("a link to what is not there")),
            Err(_) => {}
        }
        // `new/` and `new/.` have a name, and are no files.
        let name = path.file_name().filter(|name| {
            let whole = path.as_os_str().as_encoded_bytes();
            whole.ends_with(name.as_encoded_bytes())
        });
        let name = name.ok_or_else(|| refused("not the name of a file"))?;
        let folder = folder_of(path);
        let temporary = temporary_in(folder).map_err(failed)?;
        // The one written last would take the place of the other.
        if !is_first(&whole(folder).join(name)) {
            return Err(refused("two outputs cannot have the same place"));
        }
        Ok(Target::File {
            temporary,
            path: path.to_owned(),
            replace,
            secret: false,
        })
    }

    /// As `--output` says: standard output if there is none or it is `-`.
    pub(crate) fn named(path: Option<&Path>, replace: bool, binary: bool) -> Result<Self, Failure> {
        match path.filter(|path| *path != "-") {
            None => Target::standard(binary),
            Some(path) => Target::file(path, replace),
        }
    }

    /// The same, for its owner's eyes only if it is a file.
    pub(crate) fn secret(mut self) -> Self {
        if let Target::File { secret, .. } = &mut self {
            *secret = true;
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

    /// The output, to be written piece by piece.
    pub(crate) fn open(self) -> Result<Output, Failure> {
        let Target::File {
            temporary,
            path,
            replace,
            secret,
        } = self
        else {
            return Ok(Output::Standard(io::stdout().lock()));
        };
        // Nothing has been written yet.
        #[cfg(unix)]
        if secret {
            use std::os::unix::fs::PermissionsExt;
            let owner_alone = std::fs::Permissions::from_mode(0o600);
            let narrowed = temporary.as_file().set_permissions(owner_alone);
            narrowed.map_err(|e| Failure::Run(about(path.as_os_str(), &e)))?;
        }
        #[cfg(not(unix))]
        let _ = secret;
        Ok(Output::File {
            temporary,
            path,
            replace,
        })
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A new file in a folder; what killed programs left there is removed, once in a run.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_NAME.0).suffix(TEMPORARY_NAME.1);
    builder.rand_bytes(DRAWN);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let temporary = loop {
        let temporary = builder.tempfile_in(folder)?;
        hold(temporary.as_file());
        // Another program may have taken it for a leftover just before.
        if is_there(temporary.path(), temporary.as_file()) {
            break temporary;
        }
    };
    signal::remove_at_end(temporary.path());
    if is_first(&whole(folder)) {
        remove_leftovers(folder, &temporary.as_file().metadata()?);
    }
    Ok(temporary)
}

/// Locks a new file. Whoever takes it for a leftover has the lock for a moment; of one who keeps it
/// nothing is expected, and where there are no locks, nobody removes what has none.
fn hold(file: &File) {
    for _ in 0..200 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            _ => return,
        }
    }
}

/// Removes the files of programs that were killed: those of the owner of this one that nobody has
/// locked.
fn remove_leftovers(folder: &Path, own: &Metadata) {
    let Ok(entries) = folder.read_dir() else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        // Of nobody else: not even opened, because that could wait.
        if !is_temporary(name.to_str().unwrap_or_default())
            || !entry.metadata().is_ok_and(|there| is_like(&there, own))
        {
            continue;
        }
        let path = entry.path();
        let Ok(file) = File::open(&path) else {
            continue;
        };
        // What cannot be locked is in use, or on a file system without locks.
        let free: Result<(), TryLockError> = file.try_lock();
        if free.is_ok() && is_there(&path, &file) {
            let _ = std::fs::remove_file(&path);
        }
    }
}

/// Whether a name is one that is drawn here.
fn is_temporary(name: &str) -> bool {
    let drawn = name
        .strip_prefix(TEMPORARY_NAME.0)
        .and_then(|rest| rest.strip_suffix(TEMPORARY_NAME.1));
    drawn.is_some_and(|drawn| {
        drawn.len() == DRAWN && drawn.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

/// Whether what has a name is a file, no link to one, and has the same owner.
fn is_like(there: &Metadata, own: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        there.is_file() && there.uid() == own.uid()
    }
    #[cfg(not(unix))]
    {
        let _ = own;
        there.is_file()
    }
}

/// Whether the name still is that file's.
#[cfg(unix)]
fn is_there(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: std::fs::Metadata| (data.dev(), data.ino());
    let named = path.symlink_metadata().map(identity);
    let opened = file.metadata().map(identity);
    matches!((named, opened), (Ok(named), Ok(opened)) if named == opened)
}

/// Whether the name still is that file's: nobody takes it from a file that is open.
#[cfg(not(unix))]
fn is_there(path: &Path, _: &File) -> bool {
    path.exists()
}

/// Waits until a folder is on the disk with its names, where the system can do that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    // A folder that may be written but not read cannot be synced by itself.
    if let Ok(folder) = File::open(folder) {
        return synced(&folder);
    }
    let _ = folder;
    Ok(())
}

/// Waits until a file is on the disk; of a file system that knows no such thing nobody is to blame.
fn synced(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(e)
            if matches!(
                e.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        result => result,
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
    /// All has been written: the file gets its name, and both are on the disk.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Output::Standard(mut out) => Ok(out.flush()?),
            Output::File {
                temporary,
                path,
                replace,
            } => {
                let failed = |e: io::Error| Failure::Run(about(path.as_os_str(), &e));
                synced(temporary.as_file()).map_err(failed)?;
                let named = if replace {
                    temporary.persist(&path)
                } else {
                    temporary.persist_noclobber(&path)
                };
                named.map_err(|e| failed(e.error))?;
                sync_folder(folder_of(&path)).map_err(failed)
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
