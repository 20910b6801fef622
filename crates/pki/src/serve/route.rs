//! Which path leads where.

use adamant::der::base64;

use crate::ca::Settings;
use crate::store::CrlScope;

/// The paths under which an OCSP request can come besides that of the CA's URL, longest first.
const OCSP: [&str; 2] = ["/ocsp", "/"];

/// Where lists, certificate and responder are, by the CA's settings and always.
pub(super) struct Paths {
    /// Without a slash at the end, but for the root.
    ocsp: Vec<String>,
    crl: Vec<(String, CrlScope)>,
    issuer: Vec<String>,
}

/// What a path means.
#[derive(Debug, PartialEq)]
pub(super) enum Place {
    Crl(CrlScope),
    Issuer,
    Metrics,
    Health,
    /// The responder itself: requests come in the body.
    Responder,
    /// A request in the path, or nothing where it cannot be decoded.
    Request(Option<Vec<u8>>),
    Nothing,
}

impl Paths {
    pub(super) fn new(settings: &Settings) -> Self {
        let mut ocsp: Vec<_> = OCSP.map(str::to_owned).to_vec();
        if let Some(url) = &settings.ocsp_url {
            let path = path_of(url);
            let path = path.strip_suffix('/').filter(|path| !path.is_empty());
            ocsp.insert(0, path.unwrap_or(path_of(url)).to_owned());
        }
        let mut issuer = vec!["/issuer.cer".to_owned()];
        issuer.extend(
            settings
                .issuer_url
                .as_deref()
                .map(path_of)
                .map(str::to_owned),
        );
        let mut crl = Vec::new();
        for scope in scopes(settings) {
            let shard = scope.shard.unwrap_or(0);
            let (url, own) = if scope.delta {
                (settings.delta_crl_url(shard), format!("/crl/{shard}/delta"))
            } else {
                (settings.crl_url(shard), format!("/crl/{shard}"))
            };
            crl.extend(url.map(|url| (path_of(&url).to_owned(), scope)));
            crl.push((own, scope));
        }
        for (path, delta) in [("/crl", false), ("/crl/delta", true)] {
            crl.push((path.to_owned(), CrlScope { shard: None, delta }));
        }
        Self { ocsp, crl, issuer }
    }

    /// What a path, without its query, means.
    pub(super) fn find(&self, path: &str) -> Place {
        if self.ocsp.iter().any(|known| known == path) {
            return Place::Responder;
        }
        if let Some((_, scope)) = self.crl.iter().find(|(known, _)| known == path) {
            return Place::Crl(*scope);
        }
        if self.issuer.iter().any(|known| known == path) {
            return Place::Issuer;
        }
        match path {
            "/metrics" => return Place::Metrics,
            "/healthz" => return Place::Health,
            _ => {}
        }
        for known in &self.ocsp {
            let rest = if known == "/" {
                Some(path)
            } else {
                path.strip_prefix(&**known)
            };
            let Some(text) = rest.and_then(|rest| rest.strip_prefix('/')) else {
                continue;
            };
            if text.is_empty() {
                return Place::Responder;
            }
            let request = request_in(text);
            // Anything at all is under the root: what is not a SEQUENCE means something else.
            if known == "/" && request.as_ref().is_none_or(|der| der[0] != 0x30) {
                return Place::Nothing;
            }
            return Place::Request(request);
        }
        Place::Nothing
    }
}

/// The lists that certificates of a CA can name.
pub(super) fn scopes(settings: &Settings) -> impl Iterator<Item = CrlScope> {
    // Full lists first: the others refer to them.
    settings.scopes(false).chain(settings.scopes(true))
}

/// The path of a URL.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or("/")
}

/// A request in base64, whose characters may be escaped (RFC 6960, A.1), with padding or without.
fn request_in(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(text.len() + 2);
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            octets.push(*first);
            continue;
        }
        let [high, low, tail @ ..] = rest else {
            return None;
        };
        let digit = |c: u8| {
            char::from(c)
                .to_digit(16)
                .and_then(|d| u8::try_from(d).ok())
        };
        octets.push(digit(*high)? << 4 | digit(*low)?);
        rest = tail;
    }
    while octets.len() % 4 > 1 {
        octets.push(b'=');
    }
    base64::decode(&octets).ok().filter(|der| !der.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crl(shard: Option<u32>, delta: bool) -> Place {
        Place::Crl(CrlScope { shard, delta })
    }

    #[test]
    fn without_urls() {
        let paths = Paths::new(&Settings::default());
        for (path, place) in [
            ("/", Place::Responder),
            ("/ocsp", Place::Responder),
            ("/ocsp/", Place::Responder),
            ("/crl", crl(None, false)),
            ("/crl/0", crl(None, false)),
            ("/crl/delta", crl(None, true)),
            ("/crl/1", Place::Nothing),
            ("/issuer.cer", Place::Issuer),
            ("/metrics", Place::Metrics),
            ("/healthz", Place::Health),
            ("/favicon.ico", Place::Nothing),
            ("/%zz", Place::Nothing),
            ("/ocsp/%zz", Place::Request(None)),
            ("/ocsp/%4", Place::Request(None)),
            ("/MAA=", Place::Request(Some(vec![0x30, 0]))),
            ("/AQID", Place::Nothing),
            ("/ocsp/AQI%3d", Place::Request(Some(vec![1, 2]))),
            ("/ocsp/AQI", Place::Request(Some(vec![1, 2]))),
            ("/ocsp//w==", Place::Request(Some(vec![0xff]))),
            ("/ocsp/%2Fw", Place::Request(Some(vec![0xff]))),
            ("", Place::Nothing),
        ] {
            assert_eq!(paths.find(path), place, "{path}");
        }
    }

    #[test]
    fn with_urls() {
        let paths = Paths::new(&Settings {
            crl_url: Some("http://a.example/lists/{shard}.crl?x".into()),
            delta_crl_url: Some("http://a.example/lists/{shard}-delta.crl".into()),
            ocsp_url: Some("http://a.example:8080/status/".into()),
            issuer_url: Some("http://a.example/ca.cer#f".into()),
            crl_shards: 3,
            ..Settings::default()
        });
        for (path, place) in [
            ("/lists/2.crl", crl(Some(2), false)),
            ("/lists/3.crl", Place::Nothing),
            ("/lists/1-delta.crl", crl(Some(1), true)),
            ("/crl/1/delta", crl(Some(1), true)),
            ("/crl/2", crl(Some(2), false)),
            ("/crl", crl(None, false)),
            ("/ca.cer", Place::Issuer),
            ("/status", Place::Responder),
            ("/status/", Place::Responder),
            ("/status/AQID", Place::Request(Some(vec![1, 2, 3]))),
            ("/statusAQID", Place::Nothing),
        ] {
            assert_eq!(paths.find(path), place, "{path}");
        }
        assert_eq!(path_of("http://a.example"), "/");
    }
}
