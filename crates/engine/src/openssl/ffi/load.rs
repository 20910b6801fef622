//! Finding `libcrypto` and the functions in it.

use std::ffi::{CStr, OsString, c_int};
use std::path::{Path, PathBuf};

use libloading::Library;

use super::functions::Functions;
#[cfg(feature = "openssl-vendored")]
use super::functions::linked;
use super::memory;
use super::x509::functions as x509;

/// The names that OpenSSL's library goes by, newest first. A bare `libcrypto.dylib` is not among
/// them: macOS has one of its own under that name and ends a program that loads it.
const NAMES: &[&str] = if cfg!(target_os = "macos") {
    &[
        "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
        "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
        "/opt/homebrew/lib/libcrypto.3.dylib",
        "/usr/local/lib/libcrypto.3.dylib",
        "/opt/local/lib/libcrypto.3.dylib",
        "libcrypto.3.dylib",
        "/opt/homebrew/opt/openssl@1.1/lib/libcrypto.1.1.dylib",
        "/usr/local/opt/openssl@1.1/lib/libcrypto.1.1.dylib",
    ]
} else if cfg!(windows) {
    &[
        "libcrypto-4-x64.dll",
        "libcrypto-3-x64.dll",
        "libcrypto-4-arm64.dll",
        "libcrypto-3-arm64.dll",
        r"C:\Program Files\OpenSSL-Win64\bin\libcrypto-3-x64.dll",
        r"C:\Program Files\OpenSSL\bin\libcrypto-3-x64.dll",
        r"C:\Program Files\Git\mingw64\bin\libcrypto-3-x64.dll",
        "libcrypto-1_1-x64.dll",
    ]
} else {
    &[
        "libcrypto.so.4",
        "libcrypto.so.3",
        "libcrypto.so",
        "libcrypto.so.1.1",
    ]
};

/// A loaded `libcrypto`. It stays loaded until the process ends.
#[derive(Clone, Copy)]
pub struct Libcrypto {
    pub(super) functions: &'static Functions,
    /// Those for certificates, where it has all of them.
    pub(in crate::openssl) x509: Option<&'static x509::Functions>,
}

impl Libcrypto {
    /// Loads the file at `path`, or else the first of the usual names that the system finds.
    ///
    /// # Errors
    /// A sentence that says what was tried.
    pub fn load(path: Option<&Path>) -> Result<Self, String> {
        Self::load_first(path, |_| {})
    }

    fn load_first(path: Option<&Path>, prepare: impl Fn(&Library)) -> Result<Self, String> {
        let names: Vec<OsString> = match path {
            Some(path) => vec![PathBuf::from(path).into()],
            None => NAMES.iter().map(OsString::from).collect(),
        };
        let mut why = Vec::new();
        for name in &names {
            // SAFETY: loading runs the library's initialisers; those of OpenSSL prepare its own
            // state and ask nothing of the program.
            match unsafe { Library::new(name) } {
                Ok(library) => match Functions::find(&library) {
                    Ok(functions) => {
                        // OpenSSL registers handlers for the end of the process, so it must not
                        // be unloaded.
                        let x509 = x509::Functions::find(&library).ok();
                        prepare(&library);
                        std::mem::forget(library);
                        let x509 = x509.map(|found| &*Box::leak(Box::new(found)));
                        return Ok(Self::ready(Box::leak(Box::new(functions)), x509));
                    }
                    Err(e) => why.push(format!("{} is not usable: {e}", name.display())),
                },
                Err(e) if path.is_some() => why.push(e.to_string()),
                Err(_) => {}
            }
        }
        if why.is_empty() {
            let tried: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
            why.push(format!("the system finds none of {}", tried.join(", ")));
        }
        Err(format!("no OpenSSL: {}", why.join("; ")))
    }

    /// As [`Libcrypto::load`], and has it allocate where the program does, unless it has
    /// allocated already.
    ///
    /// # Errors
    /// As there.
    pub fn load_with_allocator(path: Option<&Path>) -> Result<Self, String> {
        Self::load_first(path, memory::share)
    }

    /// The library that the program is linked with.
    #[cfg(feature = "openssl-vendored")]
    #[must_use]
    pub fn linked() -> Self {
        Self::ready(&linked::FUNCTIONS, Some(&x509::linked::FUNCTIONS))
    }

    /// As [`Libcrypto::linked`], and has it allocate where the program does, unless it has
    /// allocated already.
    #[cfg(feature = "openssl-vendored")]
    #[must_use]
    pub fn linked_with_allocator() -> Self {
        memory::share_linked();
        Self::linked()
    }

    /// From 3.0 on single DES lives in the legacy provider, which is asked for where it exists;
    /// naming one provider means naming the default one too.
    fn ready(functions: &'static Functions, x509: Option<&'static x509::Functions>) -> Self {
        let lib = Libcrypto { functions, x509 };
        if let Some(load) = functions.OSSL_PROVIDER_load {
            for name in [c"default", c"legacy"] {
                // SAFETY: the default context, a name ended by NUL.
                let provider = unsafe { load(std::ptr::null_mut(), name.as_ptr()) };
                if provider.is_null() {
                    // Its absence is no failure of a later call.
                    lib.failure("OSSL_PROVIDER_load");
                }
            }
        }
        lib
    }

    /// `OPENSSL_VERSION`: as in `OpenSSL 3.0.19 27 Jan 2026`.
    #[must_use]
    pub fn version(self) -> String {
        self.text(0)
    }

    /// The compiler's flags, the platform and, from 3.0 on, what it knows of the CPU.
    #[must_use]
    pub fn build(self) -> String {
        const CFLAGS: c_int = 1;
        const PLATFORM: c_int = 3;
        const CPU_INFO: c_int = 9;
        [PLATFORM, CFLAGS, CPU_INFO]
            .map(|part| self.text(part))
            .into_iter()
            .filter(|text| !text.is_empty() && !text.ends_with("not available"))
            .collect::<Vec<_>>()
            .join("; ")
    }

    fn text(self, part: c_int) -> String {
        // SAFETY: the function takes any number.
        let text = unsafe { (self.functions.OpenSSL_version)(part) };
        if text.is_null() {
            return String::new();
        }
        // SAFETY: it gives a string ended by NUL that lives as long as the library.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    }

    /// A sentence on the call that just failed, with the first error of OpenSSL's queue, which is
    /// emptied.
    pub(super) fn failure(self, call: &str) -> String {
        let mut first = 0;
        loop {
            // SAFETY: the function takes nothing and gives 0 when the queue is empty.
            let code = unsafe { (self.functions.ERR_get_error)() };
            match (code, first) {
                (0, 0) => return format!("{call} failed"),
                (0, _) => break,
                (_, 0) => first = code,
                _ => {}
            }
        }
        let mut text = [0u8; 256];
        // SAFETY: it writes a string ended by NUL, at most as long as said.
        unsafe { (self.functions.ERR_error_string_n)(first, text.as_mut_ptr().cast(), text.len()) };
        let text = CStr::from_bytes_until_nul(&text).unwrap_or_default();
        format!("{call} failed: {}", text.to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_libraries_are_told() {
        let why = Libcrypto::load(Some(Path::new("/no/such/libcrypto.so"))).err();
        assert!(why.unwrap().starts_with("no OpenSSL: "));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn other_libraries_are_told() {
        let why = Libcrypto::load(Some(Path::new("libc.so.6"))).err().unwrap();
        assert!(why.contains("is not usable: it has no "), "{why}");
    }
}
