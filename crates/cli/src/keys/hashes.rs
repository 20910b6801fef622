//! The hashes of signatures and encryption.

use adamant::pq::ml_dsa::PreHash;
use adamant::x509::SecretBytes;

use crate::Failure;
use crate::hash::algorithm::Chosen;
use crate::input::Input;

/// Makes the table of hashes; the first argument is a dollar sign.
macro_rules! hashes {
    (($d:tt) $($hash:ident $name:literal;)* / $($xof:ident $xof_name:literal;)*) => {
        /// A hash by its name in `adamant list`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
        pub(super) enum Hash {
            $(#[value(name = $name)] $hash,)*
            // Only for pre-hashed signatures: they have no one length.
            $(#[value(name = $xof_name)] $xof,)*
        }

        impl Hash {
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Hash::$hash => $name,)*
                    $(Hash::$xof => $xof_name,)*
                }
            }

            /// As FIPS 204 and FIPS 205 know it.
            pub(super) fn pre_hash(self) -> PreHash {
                match self {
                    $(Hash::$hash => PreHash::$hash,)*
                    $(Hash::$xof => PreHash::$xof,)*
                }
            }
        }

        /// The value of an expression in which `$H` is the hash: `with_hash!(hash, H => …)`.
        macro_rules! with_hash {
            ($d hash:expr, $d H:ident => $d value:expr) => {
                match $d hash {
                    $(Hash::$hash => {
                        type $d H = adamant::hash::$hash;
                        $d value
                    })*
                    $(Hash::$xof)|* => return Err($d crate::keys::hashes::without_length($d hash)),
                }
            };
        }
    };
}

hashes! {
    ($)
    Sha256 "sha256";
    Sha384 "sha384";
    Sha512 "sha512";
    Sha224 "sha224";
    Sha512_256 "sha512-256";
    Sha3_224 "sha3-224";
    Sha3_256 "sha3-256";
    Sha3_384 "sha3-384";
    Sha3_512 "sha3-512";
    /
    Shake128 "shake128";
    Shake256 "shake256";
}
// Other files import it by this path.
#[allow(clippy::single_component_path_imports)]
pub(super) use with_hash;

impl Hash {
    /// That of this many bytes of SHA-2.
    pub(super) fn of_length(len: usize) -> Self {
        match len {
            28 => Hash::Sha224,
            48 => Hash::Sha384,
            64 => Hash::Sha512,
            _ => Hash::Sha256,
        }
    }

    /// Bytes of a digest.
    pub(super) fn len(self) -> usize {
        self.pre_hash().digest_len()
    }

    /// The digest of the input, or what the input gives as one.
    pub(super) fn of(self, message: Message) -> Result<Vec<u8>, Failure> {
        if message.is_digest {
            return message.digest(self.name(), self.len());
        }
        let chosen = Chosen::new(self.name(), None, None).map_err(Failure::Usage)?;
        let mut digester = chosen.begin(self.len());
        message.input.feed(|piece| digester.update(piece))?;
        Ok(digester.finish())
    }
}

pub(super) fn without_length(hash: Hash) -> Failure {
    let name = hash.name();
    Failure::Usage(format!("{name} is a hash only for pre-hashed signatures"))
}

/// What is signed.
pub(super) struct Message {
    pub(super) input: Input,
    /// Not the message itself, but its digest.
    pub(super) is_digest: bool,
}

impl Message {
    /// All of what is to be signed: `scheme` needs it in memory, and `way` is for what is longer.
    pub(super) fn for_signing(self, scheme: &str, way: &str) -> Result<SecretBytes, Failure> {
        let way = format!("{scheme} signs what is in memory as a whole; {way}");
        self.input.whole_or(super::MADE_IN_MEMORY, &way)
    }

    /// All of what was signed.
    pub(super) fn signed(self) -> Result<SecretBytes, Failure> {
        self.input.whole(super::READ_IN_MEMORY)
    }

    /// The digest that it is.
    pub(super) fn digest(self, hash: &str, len: usize) -> Result<Vec<u8>, Failure> {
        let name = self.input.name();
        let digest = self.input.whole(1 << 10)?.to_vec();
        if digest.len() == len {
            return Ok(digest);
        }
        let here = digest.len();
        Err(Failure::Run(format!(
            "{name}: a digest of {hash} has {len} bytes, and here are {here}"
        )))
    }
}
