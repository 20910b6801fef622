//! Profiles: what the certificates of one purpose have in common.

use adamant::der::Oid;
use adamant::x509::extensions::{ExtendedKeyUsage, KeyUsage};
use adamant_tool::strict::{self, Object};
use serde::{Deserialize, Serialize};

use super::{Error, Result};

/// The common part of the certificates of one purpose.
///
/// In a file of profiles (TOML) each is a table `[[profile]]` with these fields:
///
/// ```toml
/// [[profile]]
/// name = "mail"
/// days = 365
/// max_days = 730
/// key_usage = ["digitalSignature"]
/// extended_key_usage = ["emailProtection", "1.3.6.1.4.1.311.10.3.4"]
/// require_names = true
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// Days of validity where nothing is asked for.
    #[serde(default = "ninety")]
    pub days: u32,
    /// The most days; as many as `days` if absent.
    #[serde(default)]
    pub max_days: Option<u32>,
    /// The key's usages: names of RFC 5280, 4.2.1.3. `keyEncipherment` and `keyAgreement` are
    /// left away for keys that cannot. Where nothing is said, `digitalSignature`: every certificate
    /// says what its key is for.
    #[serde(default)]
    pub key_usage: Vec<String>,
    /// The key's purposes: names of RFC 5280, 4.2.1.12, or dotted numbers.
    #[serde(default)]
    pub extended_key_usage: Vec<String>,
    /// Whether the subject is a CA.
    #[serde(default)]
    pub ca: bool,
    /// How many CAs may follow it.
    #[serde(default)]
    pub path_len: Option<u32>,
    /// Whether there must be an alternative name.
    #[serde(default)]
    pub require_names: bool,
    /// Whether a common name must be one of the alternative names.
    #[serde(default)]
    pub common_name_is_name: bool,
    /// Policies: dotted numbers.
    #[serde(default)]
    pub policies: Vec<String>,
    /// Whether the Baseline Requirements of the CA/Browser Forum hold: for servers that browsers
    /// shall trust.
    #[serde(default)]
    pub web: bool,
    /// Whether clients need not ask for its revocation: for OCSP responders.
    #[serde(default)]
    pub ocsp_no_check: bool,
}

fn ninety() -> u32 {
    90
}

const KEY_USAGES: [(&str, KeyUsage); 9] = [
    ("digitalSignature", KeyUsage::DIGITAL_SIGNATURE),
    ("nonRepudiation", KeyUsage::NON_REPUDIATION),
    ("keyEncipherment", KeyUsage::KEY_ENCIPHERMENT),
    ("dataEncipherment", KeyUsage::DATA_ENCIPHERMENT),
    ("keyAgreement", KeyUsage::KEY_AGREEMENT),
    ("keyCertSign", KeyUsage::KEY_CERT_SIGN),
    ("cRLSign", KeyUsage::CRL_SIGN),
    ("encipherOnly", KeyUsage::ENCIPHER_ONLY),
    ("decipherOnly", KeyUsage::DECIPHER_ONLY),
];

const PURPOSES: [(&str, Oid); 7] = [
    ("anyExtendedKeyUsage", ExtendedKeyUsage::ANY),
    ("serverAuth", ExtendedKeyUsage::SERVER_AUTH),
    ("clientAuth", ExtendedKeyUsage::CLIENT_AUTH),
    ("codeSigning", ExtendedKeyUsage::CODE_SIGNING),
    ("emailProtection", ExtendedKeyUsage::EMAIL_PROTECTION),
    ("timeStamping", ExtendedKeyUsage::TIME_STAMPING),
    ("OCSPSigning", ExtendedKeyUsage::OCSP_SIGNING),
];

/// The file of profiles.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(deserialize_with = "strict::many")]
    profile: Vec<Profile>,
}

impl Profile {
    /// The profiles that are always there: `server`, `client`, `code`, `intermediate`, `ocsp`.
    #[must_use]
    pub fn built_in() -> Vec<Profile> {
        let profile = |name: &str, days, key_usage: &[&str], purposes: &[&str]| Profile {
            name: name.to_owned(),
            days,
            max_days: None,
            key_usage: key_usage.iter().map(|&s| s.to_owned()).collect(),
            extended_key_usage: purposes.iter().map(|&s| s.to_owned()).collect(),
            ca: false,
            path_len: None,
            require_names: false,
            common_name_is_name: false,
            policies: Vec::new(),
            web: false,
            ocsp_no_check: false,
        };
        let signs = ["digitalSignature"];
        vec![
            Profile {
                // The limit of the Baseline Requirements until March 2026.
                max_days: Some(398),
                require_names: true,
                common_name_is_name: true,
                ..profile(
                    "server",
                    90,
                    &["digitalSignature", "keyEncipherment"],
                    &["serverAuth"],
                )
            },
            Profile {
                max_days: Some(825),
                ..profile("client", 365, &signs, &["clientAuth"])
            },
            Profile {
                max_days: Some(1185),
                ..profile("code", 365, &signs, &["codeSigning"])
            },
            Profile {
                max_days: Some(3653),
                ca: true,
                path_len: Some(0),
                ..profile(
                    "intermediate",
                    1826,
                    &["keyCertSign", "cRLSign", "digitalSignature"],
                    &[],
                )
            },
            Profile {
                max_days: Some(90),
                ocsp_no_check: true,
                ..profile("ocsp", 30, &signs, &["OCSPSigning"])
            },
        ]
    }

    /// Reads a file of profiles.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn read_toml(text: &str) -> Result<Vec<Profile>> {
        let Object(file): Object<File> =
            toml::from_str(text).map_err(|e| Error::Refused(e.to_string()))?;
        file.profile.iter().try_for_each(Profile::check)?;
        Ok(file.profile)
    }

    /// The most days of validity.
    #[must_use]
    pub fn max_days(&self) -> u32 {
        self.max_days.unwrap_or(self.days)
    }

    /// The key's usages: only to sign, if the profile does not say.
    ///
    /// # Errors
    /// [`Error::Refused`] for an unknown name.
    pub fn key_usage(&self) -> Result<KeyUsage> {
        let find = |name: &String| {
            let mut all = KEY_USAGES.iter();
            let found = all.find(|(known, _)| known.eq_ignore_ascii_case(name));
            let known = KEY_USAGES.map(|(known, _)| known).join(", ");
            found.map(|(_, usage)| *usage).ok_or_else(|| {
                Error::Refused(format!("no key usage is called {name:?}; there is {known}"))
            })
        };
        let usages = self.key_usage.iter().map(find);
        let usages = usages.collect::<Result<Vec<_>>>()?;
        let usage = usages.into_iter().reduce(|all, usage| all | usage);
        Ok(usage.unwrap_or(KeyUsage::DIGITAL_SIGNATURE))
    }

    /// The purposes of the key.
    ///
    /// # Errors
    /// [`Error::Refused`] for an unknown name that is not a dotted number either.
    pub fn purposes(&self) -> Result<Vec<Oid>> {
        self.extended_key_usage
            .iter()
            .map(|name| purpose(name))
            .collect()
    }

    /// The policies.
    ///
    /// # Errors
    /// [`Error::Refused`] for anything but a dotted number.
    pub fn policies(&self) -> Result<Vec<Oid>> {
        let read = |text: &String| {
            let oid = text.parse();
            oid.map_err(|_| Error::Refused(format!("{text:?} is not an object identifier")))
        };
        self.policies.iter().map(read).collect()
    }

    /// Says what in it cannot be.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn check(&self) -> Result<()> {
        let refused = |why: &str| {
            let name = &self.name;
            Err(Error::Refused(format!("profile {name:?}: {why}")))
        };
        self.purposes()?;
        self.policies()?;
        let usage = self.key_usage()?;
        if self.name.is_empty() {
            return refused("it has no name");
        }
        if self.days == 0 || self.days > self.max_days() {
            return refused("days has to lie between 1 and max_days");
        }
        if self.ca != usage.contains(KeyUsage::KEY_CERT_SIGN) {
            return refused("a CA, and nobody else, has the key usage keyCertSign");
        }
        if self.path_len.is_some() && !self.ca {
            return refused("path_len is for CAs");
        }
        Ok(())
    }
}

/// The name of a purpose, where it has one here.
#[must_use]
pub fn purpose_name(oid: &Oid) -> Option<&'static str> {
    let mut all = PURPOSES.iter();
    all.find(|(_, known)| known == oid).map(|(name, _)| *name)
}

/// The purpose of this name, or with this number.
///
/// # Errors
/// [`Error::Refused`] if it is neither.
pub fn purpose(name: &str) -> Result<Oid> {
    let mut all = PURPOSES.iter();
    let found = all.find(|(known, _)| known.eq_ignore_ascii_case(name));
    let oid = found.map(|(_, oid)| *oid).or_else(|| name.parse().ok());
    oid.ok_or_else(|| {
        let known = PURPOSES.map(|(known, _)| known).join(", ");
        Error::Refused(format!("no purpose is called {name:?}; there is {known}"))
    })
}
