//! Password hashes: `password_hash::PasswordHasher`, `CustomizedPasswordHasher` and
//! `PasswordVerifier`, with strings in the format of PHC.
//!
//! ```
//! use adamant_traits::password::{Argon2, Argon2Params};
//! use password_hash::phc::PasswordHash;
//! use password_hash::{PasswordHasher, PasswordVerifier};
//!
//! let costs = Argon2Params { memory: 64, ..Argon2Params::default() }; // KiB: too few, but quick
//! let hash = Argon2(costs).hash_password_with_salt(b"correct horse", b"16 random bytes!")?;
//! let stored = hash.to_string();
//! assert!(stored.starts_with("$argon2id$v=19$m=64,t=2,p=1$"));
//! let hash = PasswordHash::new(&stored).unwrap();
//! Argon2::default().verify_password(b"correct horse", &hash)?;
//! assert!(Argon2::default().verify_password(b"battery staple", &hash).is_err());
//! # Ok::<(), password_hash::Error>(())
//! ```
//!
//! Verifying takes the algorithm's costs from the string: whoever may write strings decides what
//! that costs.

use adamant::Wipe;
use adamant::hash::{Sha256, Sha512, argon2, pbkdf2, scrypt};
use password_hash::phc::{Error as PhcError, Ident, Output, ParamsString, PasswordHash, Salt};
use password_hash::{CustomizedPasswordHasher, Error, PasswordHasher, Result, Version};

/// Bytes of an output, unless a string says otherwise.
const OUTPUT_LEN: usize = 32;

/// The output that `derive` fills, wiped when it has failed.
fn output(
    len: usize,
    derive: impl FnOnce(&mut [u8]) -> core::result::Result<(), adamant::Error>,
) -> Result<Output> {
    let mut bytes = [0; Output::MAX_LENGTH];
    let out = bytes.get_mut(..len).ok_or(Error::OutputSize)?;
    let made = match derive(out) {
        Ok(()) => Output::new(out).map_err(|_| Error::OutputSize),
        Err(adamant::Error::OutOfMemory) => Err(Error::OutOfMemory),
        Err(adamant::Error::BadParameter(name)) => Err(Error::ParamInvalid { name }),
        Err(adamant::Error::BadLength { .. }) => Err(Error::SaltInvalid),
        Err(_) => Err(Error::Crypto),
    };
    bytes.wipe();
    made
}

/// A parameter of a string, or what stands for it where it is missing.
fn number(hash: &PasswordHash, name: &'static str, default: u32) -> Result<u32> {
    match (hash.params.get(name), hash.params.get_decimal(name)) {
        (None, _) => Ok(default),
        (_, Some(number)) => Ok(number),
        _ => Err(Error::ParamInvalid { name }),
    }
}

/// The length of the output of a string.
fn output_len(hash: &PasswordHash) -> usize {
    hash.hash.as_ref().map_or(OUTPUT_LEN, Output::len)
}

/// The parameters as a string has them.
fn params(numbers: &[(&str, u32)]) -> core::result::Result<ParamsString, PhcError> {
    let mut params = ParamsString::new();
    for (name, number) in numbers {
        params.add_decimal(*name, *number)?;
    }
    Ok(params)
}

macro_rules! hashers {
    ($($title:literal: $name:ident($params:ident);)*) => { $(
        #[doc = concat!($title, ", with these costs for new hashes.")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name(pub $params);

        impl PasswordHasher<PasswordHash> for $name {
            fn hash_password_with_salt(&self, password: &[u8], salt: &[u8]) -> Result<PasswordHash> {
                self.0.hash(password, salt)
            }
        }

        impl CustomizedPasswordHasher<PasswordHash> for $name {
            type Params = $params;

            fn hash_password_customized(
                &self,
                password: &[u8],
                salt: &[u8],
                algorithm: Option<&str>,
                version: Option<Version>,
                mut params: $params,
            ) -> Result<PasswordHash> {
                params.choose(algorithm, version)?;
                params.hash(password, salt)
            }
        }
    )* };
}

hashers! {
    "Argon2": Argon2(Argon2Params);
    "scrypt": Scrypt(ScryptParams);
    "PBKDF2 with HMAC": Pbkdf2(Pbkdf2Params);
}

/// The costs of [`Argon2`]: by default Argon2id with 19 MiB, two passes and one lane.
#[derive(Clone, Copy, Debug)]
pub struct Argon2Params {
    /// How blocks are chosen.
    pub variant: argon2::Variant,
    /// KiB of memory: `m`.
    pub memory: u32,
    /// Passes over it: `t`.
    pub passes: u32,
    /// Lanes: `p`.
    pub lanes: u32,
    /// Bytes of output.
    pub output_len: usize,
}

impl Default for Argon2Params {
    fn default() -> Self {
        Argon2Params {
            variant: argon2::Variant::Id,
            memory: 19 * 1024,
            passes: 2,
            lanes: 1,
            output_len: OUTPUT_LEN,
        }
    }
}

impl TryFrom<&PasswordHash> for Argon2Params {
    type Error = Error;

    fn try_from(hash: &PasswordHash) -> Result<Self> {
        let default = Argon2Params::default();
        let mut params = Argon2Params {
            memory: number(hash, "m", default.memory)?,
            passes: number(hash, "t", default.passes)?,
            lanes: number(hash, "p", default.lanes)?,
            output_len: output_len(hash),
            ..default
        };
        params.choose(Some(hash.algorithm.as_str()), hash.version)?;
        Ok(params)
    }
}

/// The version of RFC 9106.
const ARGON2_VERSION: u32 = 0x13;

impl Argon2Params {
    fn choose(&mut self, algorithm: Option<&str>, version: Option<Version>) -> Result<()> {
        self.variant = match algorithm {
            None => self.variant,
            Some("argon2d") => argon2::Variant::D,
            Some("argon2i") => argon2::Variant::I,
            Some("argon2id") => argon2::Variant::Id,
            Some(_) => return Err(Error::Algorithm),
        };
        match version {
            None | Some(ARGON2_VERSION) => Ok(()),
            Some(_) => Err(Error::Version),
        }
    }

    fn hash(&self, password: &[u8], salt: &[u8]) -> Result<PasswordHash> {
        let algorithm = match self.variant {
            argon2::Variant::D => Ident::new_unwrap("argon2d"),
            argon2::Variant::I => Ident::new_unwrap("argon2i"),
            argon2::Variant::Id => Ident::new_unwrap("argon2id"),
        };
        let hash = output(self.output_len, |out| {
            let costs = argon2::Argon2::new(self.variant, self.memory, self.passes, self.lanes);
            costs?.derive(password, salt, out)
        })?;
        let costs = [("m", self.memory), ("t", self.passes), ("p", self.lanes)];
        Ok(PasswordHash {
            algorithm,
            version: Some(ARGON2_VERSION),
            params: params(&costs)?,
            salt: Some(Salt::new(salt)?),
            hash: Some(hash),
        })
    }
}

/// The costs of [`Scrypt`]: by default 128 MiB and one block.
#[derive(Clone, Copy, Debug)]
pub struct ScryptParams {
    /// The binary logarithm of N: `ln`.
    pub log_n: u8,
    /// `r`.
    pub r: u32,
    /// `p`.
    pub p: u32,
    /// Bytes of output.
    pub output_len: usize,
}

impl Default for ScryptParams {
    fn default() -> Self {
        ScryptParams {
            log_n: 17,
            r: 8,
            p: 1,
            output_len: OUTPUT_LEN,
        }
    }
}

/// Algorithms without versions or variants.
fn only(known: &[&str], algorithm: Option<&str>, version: Option<Version>) -> Result<()> {
    if algorithm.is_some_and(|algorithm| !known.contains(&algorithm)) {
        return Err(Error::Algorithm);
    }
    match version {
        None => Ok(()),
        Some(_) => Err(Error::Version),
    }
}

impl TryFrom<&PasswordHash> for ScryptParams {
    type Error = Error;

    fn try_from(hash: &PasswordHash) -> Result<Self> {
        let default = ScryptParams::default();
        let log_n = number(hash, "ln", default.log_n.into())?;
        Ok(ScryptParams {
            log_n: u8::try_from(log_n).map_err(|_| Error::ParamInvalid { name: "ln" })?,
            r: number(hash, "r", default.r)?,
            p: number(hash, "p", default.p)?,
            output_len: output_len(hash),
        })
    }
}

impl ScryptParams {
    fn choose(&mut self, algorithm: Option<&str>, version: Option<Version>) -> Result<()> {
        only(&["scrypt"], algorithm, version)
    }

    fn hash(&self, password: &[u8], salt: &[u8]) -> Result<PasswordHash> {
        let n = 1u64.checked_shl(self.log_n.into());
        let n = n.ok_or(Error::ParamInvalid { name: "ln" })?;
        let hash = output(self.output_len, |out| {
            scrypt::Params::new(n, self.r, self.p)?.derive(password, salt, out)
        })?;
        let costs = [("ln", self.log_n.into()), ("r", self.r), ("p", self.p)];
        Ok(PasswordHash {
            algorithm: Ident::new_unwrap("scrypt"),
            version: None,
            params: params(&costs)?,
            salt: Some(Salt::new(salt)?),
            hash: Some(hash),
        })
    }
}

/// The costs of [`Pbkdf2`]: by default 600,000 iterations with SHA-256.
#[derive(Clone, Copy, Debug)]
pub struct Pbkdf2Params {
    /// SHA-512 instead of SHA-256.
    pub sha512: bool,
    /// Iterations: `i`.
    pub iterations: u32,
    /// Bytes of output: `l`.
    pub output_len: usize,
}

impl Default for Pbkdf2Params {
    fn default() -> Self {
        Pbkdf2Params {
            sha512: false,
            iterations: 600_000,
            output_len: OUTPUT_LEN,
        }
    }
}

impl TryFrom<&PasswordHash> for Pbkdf2Params {
    type Error = Error;

    fn try_from(hash: &PasswordHash) -> Result<Self> {
        let default = Pbkdf2Params::default();
        let mut params = Pbkdf2Params {
            iterations: number(hash, "i", default.iterations)?,
            output_len: output_len(hash),
            ..default
        };
        if number(hash, "l", params.output_len as u32)? != params.output_len as u32 {
            return Err(Error::OutputSize);
        }
        params.choose(Some(hash.algorithm.as_str()), hash.version)?;
        Ok(params)
    }
}

impl Pbkdf2Params {
    fn choose(&mut self, algorithm: Option<&str>, version: Option<Version>) -> Result<()> {
        only(&["pbkdf2-sha256", "pbkdf2-sha512"], algorithm, version)?;
        self.sha512 = algorithm.map_or(self.sha512, |name| name == "pbkdf2-sha512");
        Ok(())
    }

    fn hash(&self, password: &[u8], salt: &[u8]) -> Result<PasswordHash> {
        let derive = match self.sha512 {
            true => pbkdf2::derive::<Sha512>,
            false => pbkdf2::derive::<Sha256>,
        };
        let hash = output(self.output_len, |out| {
            derive(password, salt, self.iterations, out)
        })?;
        let algorithm = match self.sha512 {
            true => Ident::new_unwrap("pbkdf2-sha512"),
            false => Ident::new_unwrap("pbkdf2-sha256"),
        };
        let costs = [("i", self.iterations), ("l", self.output_len as u32)];
        Ok(PasswordHash {
            algorithm,
            version: None,
            params: params(&costs)?,
            salt: Some(Salt::new(salt)?),
            hash: Some(hash),
        })
    }
}
