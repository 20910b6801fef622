//! The settings of a certification authority: where its lists are found, and its profiles.

use adamant_tool::strict;
use serde::{Deserialize, Serialize};

use super::profile::Profile;
use super::{Error, Result};
use crate::store::CrlScope;

/// The settings of a certification authority.
///
/// ```
/// use adamant_pki::ca::Settings;
/// let settings = Settings {
///     crl_url: Some("http://pki.example/{shard}.crl".into()),
///     crl_shards: 4,
///     ..Settings::default()
/// };
/// assert_eq!(settings.crl_url(3).as_deref(), Some("http://pki.example/3.crl"));
/// assert!(settings.profile("server").is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where CRLs are found: `{shard}` becomes the shard's number.
    pub crl_url: Option<String>,
    /// Where the changes since a CRL are found, likewise.
    pub delta_crl_url: Option<String>,
    /// Where the OCSP responder is.
    pub ocsp_url: Option<String>,
    /// Where the CA's certificate is found.
    pub issuer_url: Option<String>,
    /// Over how many CRLs revocations are spread; 0 and 1 are one for all.
    pub crl_shards: u32,
    /// Hours until the next CRL.
    pub crl_hours: u32,
    /// Hours until the next delta CRL.
    pub delta_crl_hours: u32,
    /// Hours until the next OCSP response.
    pub ocsp_hours: u32,
    /// The profiles besides those that are always there, or in their place.
    #[serde(deserialize_with = "strict::many")]
    pub profiles: Vec<Profile>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            crl_url: None,
            delta_crl_url: None,
            ocsp_url: None,
            issuer_url: None,
            crl_shards: 1,
            crl_hours: 7 * 24,
            delta_crl_hours: 24,
            ocsp_hours: 3 * 24,
            profiles: Vec::new(),
        }
    }
}

impl Settings {
    /// The profile of this name, custom or built in.
    ///
    /// # Errors
    /// [`Error::Refused`] with the names that there are.
    pub fn profile(&self, name: &str) -> Result<Profile> {
        let own = self.profiles.iter().find(|profile| profile.name == name);
        let built_in = || Profile::built_in().into_iter().find(|p| p.name == name);
        own.cloned().or_else(built_in).ok_or_else(|| {
            let mut names: Vec<_> = self.profiles.iter().map(|p| p.name.clone()).collect();
            names.extend(Profile::built_in().into_iter().map(|p| p.name));
            names.dedup();
            let names = names.join(", ");
            Error::Refused(format!("no profile is called {name:?}; there is {names}"))
        })
    }

    /// How many lists there are: 1 at least.
    #[must_use]
    pub fn shards(&self) -> u32 {
        self.crl_shards.max(1)
    }

    /// The lists that certificates name, full ones or those of changes: one of each shard.
    pub fn scopes(&self, delta: bool) -> impl Iterator<Item = CrlScope> + use<> {
        let shards = self.shards();
        (0..shards).map(move |shard| CrlScope {
            shard: (shards > 1).then_some(shard),
            delta,
        })
    }

    /// Where the CRL of a shard is found.
    #[must_use]
    pub fn crl_url(&self, shard: u32) -> Option<String> {
        self.crl_url.as_ref().map(|url| in_shard(url, shard))
    }

    /// Where the delta CRL of a shard is found.
    #[must_use]
    pub fn delta_crl_url(&self, shard: u32) -> Option<String> {
        self.delta_crl_url.as_ref().map(|url| in_shard(url, shard))
    }

    /// Says what in them cannot be.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn check(&self) -> Result<()> {
        let refused = |why: String| Err(Error::Refused(why));
        let lists = [("CRLs", &self.crl_url), ("delta CRLs", &self.delta_crl_url)];
        for (what, url) in lists {
            if let Some(url) = url
                && self.shards() > 1
                && !url.contains("{shard}")
            {
                return refused(format!(
                    "with several {what}, their URL needs {{shard}}: {url}"
                ));
            }
        }
        let urls = [
            &self.crl_url,
            &self.delta_crl_url,
            &self.ocsp_url,
            &self.issuer_url,
        ];
        for url in urls.into_iter().flatten() {
            if !is_http(url) {
                return refused(format!(
                    "not the URL of a place where lists are found: {url}"
                ));
            }
        }
        if self.shards() > 1 && self.crl_url.is_none() {
            return refused("with several CRLs, certificates have to say where they are".into());
        }
        if self.crl_hours == 0 || self.delta_crl_hours == 0 || self.ocsp_hours == 0 {
            return refused("lists and responses have to hold for an hour at least".into());
        }
        self.profiles.iter().try_for_each(Profile::check)
    }
}

fn in_shard(url: &str, shard: u32) -> String {
    url.replace("{shard}", &shard.to_string())
}

/// A URL of `http`, or of `https` where somebody has solved the circle.
fn is_http(url: &str) -> bool {
    let rest = url.strip_prefix("http://").or(url.strip_prefix("https://"));
    let printable = url.bytes().all(|b| b.is_ascii_graphic());
    printable && rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
}
