//! Answers: from memory where there is one, from store and key otherwise.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use adamant::der::{Oid, Time, oid};
use adamant::x509::Certificate;
use adamant::x509::ocsp::{
    CertId, IssuerId, OcspRequest, OcspResponse, ResponseStatus, error_response,
};
use bytes::Bytes;

use super::route::Paths;
use crate::ca::{Authority, CERTIFICATE, Error, Result, Settings};
use crate::store::{self as stored, CaStore, CrlRecord, CrlScope, Number, OcspRecord};

/// The hash of the issuer in responses that were signed beforehand.
const USUAL: Oid = oid!("1.3.14.3.2.26");
/// The hashes that clients ask with.
const HASHES: [Oid; 4] = [
    USUAL,
    oid!("2.16.840.1.101.3.4.2.1"),
    oid!("2.16.840.1.101.3.4.2.2"),
    oid!("2.16.840.1.101.3.4.2.3"),
];

/// Who answers: a CA with its key, or what others signed in its store.
///
/// ```
/// use std::sync::Arc;
///
/// use adamant::x509::{KeyAlgorithm, PrivateKey};
/// use adamant_pki::ca::{Authority, LocalKey, RootRequest, Settings, system_clock};
/// use adamant_pki::serve::Responder;
/// use adamant_pki::store::SqliteCa;
///
/// let store = Arc::new(SqliteCa::in_memory()?);
/// let key = LocalKey::new(PrivateKey::generate(KeyAlgorithm::P256, &mut adamant::SystemRng)?)?;
/// let root = RootRequest::new("CN=Root".parse()?);
/// let settings = Settings::default();
/// let ca = Authority::init_root(store.clone(), Box::new(key), settings, &root, system_clock)?;
///
/// let keyless = Responder::without_key(store, system_clock)?;
/// let with_key = Responder::with_key(ca)?;
/// assert_eq!(keyless.certificate(), with_key.certificate());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Responder {
    source: Source,
    pub(super) settings: Settings,
    pub(super) paths: Paths,
    certificate: Bytes,
    /// The first and the last second of the certificate.
    validity: (Time, Time),
    issuers: Vec<IssuerId>,
    hot: RwLock<HashMap<Number, Kept>>,
    lists: RwLock<HashMap<CrlScope, Kept>>,
}

enum Source {
    Key(Box<Authority>),
    Store(Arc<dyn CaStore>, Box<dyn Fn() -> Time + Send + Sync>),
}

/// A response or list in memory.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) der: Bytes,
    pub(super) this_update: Time,
    pub(super) next_update: Time,
}

impl From<OcspRecord> for Kept {
    fn from(record: OcspRecord) -> Self {
        Self {
            der: record.der.into(),
            this_update: record.this_update,
            next_update: record.next_update,
        }
    }
}

impl From<CrlRecord> for Kept {
    fn from(record: CrlRecord) -> Self {
        Self {
            der: record.der.into(),
            this_update: record.this_update,
            next_update: record.next_update,
        }
    }
}

/// The answer that a client is sent.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: ResponseStatus,
    pub(super) der: Bytes,
    /// From when to when others may have it too.
    pub(super) holds: Option<(Time, Time)>,
}

/// What is known of a request without store and key.
pub(super) enum Quick {
    Answered(Answer),
    /// [`Responder::answer`] knows.
    Asks,
}

impl Responder {
    /// A responder that signs: with the CA's key, or with a delegate's
    /// ([`Authority::open_delegated`]), which makes no lists.
    ///
    /// # Errors
    /// [`Error::X509`] for a certificate that cannot be read.
    pub fn with_key(authority: Authority) -> Result<Self> {
        let (settings, certificate) = (
            authority.settings().clone(),
            authority.certificate().to_vec(),
        );
        Self::new(Source::Key(Box::new(authority)), settings, certificate)
    }

    /// A responder that gives away only what is in the store: responses and lists that another
    /// process with the key makes.
    ///
    /// # Errors
    /// [`Error::Refused`] for a store without a certification authority that has a certificate;
    /// those of the store.
    pub fn without_key(
        store: Arc<dyn CaStore>,
        clock: impl Fn() -> Time + Send + Sync + 'static,
    ) -> Result<Self> {
        let settings = Authority::read_settings(&*store)?;
        let certificate = store.document(CERTIFICATE)?;
        let certificate = certificate
            .ok_or_else(|| Error::Refused("this CA has no certificate yet".to_owned()))?;
        Self::new(Source::Store(store, Box::new(clock)), settings, certificate)
    }

    fn new(source: Source, settings: Settings, certificate: Vec<u8>) -> Result<Self> {
        let parsed = Certificate::from_der(&certificate)?;
        let issuers = HASHES.iter().map(|hash| IssuerId::with_hash(&parsed, hash));
        let validity = parsed.validity()?;
        Ok(Self {
            validity: (validity.not_before(), validity.not_after()),
            issuers: issuers.collect::<Result<_, _>>()?,
            source,
            paths: Paths::new(&settings),
            settings,
            certificate: certificate.into(),
            hot: RwLock::default(),
            lists: RwLock::default(),
        })
    }

    /// The CA's certificate, in DER.
    #[must_use]
    pub fn certificate(&self) -> &[u8] {
        &self.certificate
    }

    pub(super) fn certificate_bytes(&self) -> Bytes {
        self.certificate.clone()
    }

    /// What is wrong with the certificates by which clients trust what they are given.
    pub(super) fn ended(&self) -> Option<&'static str> {
        let (now, (first, last)) = (self.now(), self.validity);
        let delegate = self.key().and_then(Authority::delegate_until);
        if now > last {
            Some("the CA's certificate has ended")
        } else if now < first {
            Some("the CA's certificate does not hold yet")
        } else if delegate.is_some_and(|until| now > until) {
            Some("the responder's certificate has ended")
        } else {
            None
        }
    }

    pub(super) fn key(&self) -> Option<&Authority> {
        match &self.source {
            Source::Key(authority) => Some(authority),
            Source::Store(..) => None,
        }
    }

    pub(super) fn store(&self) -> &dyn CaStore {
        match &self.source {
            Source::Key(authority) => &**authority.store(),
            Source::Store(store, _) => &**store,
        }
    }

    pub(super) fn now(&self) -> Time {
        match &self.source {
            Source::Key(authority) => authority.now(),
            Source::Store(_, clock) => clock(),
        }
    }

    pub(super) fn hot(&self) -> RwLockReadGuard<'_, HashMap<Number, Kept>> {
        self.hot.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hot_mut(&self) -> RwLockWriteGuard<'_, HashMap<Number, Kept>> {
        self.hot.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn lists(&self) -> RwLockReadGuard<'_, HashMap<CrlScope, Kept>> {
        self.lists.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn keep_list(&self, scope: CrlScope, list: Kept) {
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        lists.insert(scope, list);
    }

    /// What can be said at once.
    pub(super) fn quick(&self, request: &[u8]) -> Quick {
        let Ok(request) = OcspRequest::from_der(request) else {
            return Quick::Answered(Answer::refusal(ResponseStatus::MalformedRequest));
        };
        let mut ids = request.requests.iter().map(|single| single.cert_id);
        let (Some(id), None) = (ids.next(), ids.next()) else {
            return Quick::Asks;
        };
        if !self.is_ours(&id) {
            return Quick::Answered(Answer::refusal(ResponseStatus::Unauthorized));
        }
        // Without a key the nonce is ignored (RFC 9654, 2.1; RFC 5019, 2.2.1).
        let signs_anew = request.extensions.nonce.is_some() && self.key().is_some();
        if signs_anew || id.hash_algorithm.oid != USUAL {
            return Quick::Asks;
        }
        let number = id.serial.number().map(Number::try_from);
        let Some(Ok(number)) = number else {
            return Quick::Asks;
        };
        let hot = self.hot();
        match hot.get(&number) {
            Some(kept) if self.now() < kept.next_update => Quick::Answered(kept.into()),
            _ => Quick::Asks,
        }
    }

    /// The answer, from store and key: this waits for both.
    pub(super) fn answer(&self, request: &[u8]) -> Answer {
        let answer = match &self.source {
            Source::Key(authority) => authority.answer(request).map(|der| described(der, request)),
            Source::Store(store, _) => self.stored(&**store, request),
        };
        answer.unwrap_or_else(|error| Answer::refusal(on_failure(&error)))
    }

    /// What the store has for a request.
    fn stored(&self, store: &dyn CaStore, request: &[u8]) -> Result<Answer> {
        let Ok(request) = OcspRequest::from_der(request) else {
            return Ok(Answer::refusal(ResponseStatus::MalformedRequest));
        };
        let mut ids = request.requests.iter().map(|single| single.cert_id);
        let Some(first) = ids.next() else {
            return Ok(Answer::refusal(ResponseStatus::MalformedRequest));
        };
        // A presigned response is about one certificate, and names it in one way: about
        // anything else this responder cannot speak (RFC 5019, 2.2.3).
        if ids.next().is_some() || first.hash_algorithm.oid != USUAL || !self.is_ours(&first) {
            return Ok(Answer::refusal(ResponseStatus::Unauthorized));
        }
        let Some(number) = first.serial.number() else {
            return Ok(Answer::refusal(ResponseStatus::MalformedRequest));
        };
        let number = Number::try_from(number)?;
        if let Some(record) = store.ocsp(number)?
            && self.now() < record.next_update
        {
            return Ok((&Kept::from(record)).into());
        }
        Ok(Answer::refusal(match store.entry(number)? {
            // It will be signed: it is new, or was revoked a moment ago.
            Some(entry) if crate::ca::ocsp::is_presigned(&entry) => ResponseStatus::TryLater,
            _ => ResponseStatus::Unauthorized,
        }))
    }

    fn is_ours(&self, id: &CertId<'_>) -> bool {
        self.issuers.iter().any(|issuer| issuer.issued(id))
    }
}

/// What is said when something failed that may be better soon, or will not.
fn on_failure(error: &Error) -> ResponseStatus {
    match error {
        Error::Store(stored::Error::Unavailable(_)) => ResponseStatus::TryLater,
        _ => ResponseStatus::InternalError,
    }
}

/// A response of the CA: how long it holds, unless it is for one client.
fn described(der: Vec<u8>, request: &[u8]) -> Answer {
    let personal = OcspRequest::from_der(request).is_ok_and(|r| r.extensions.nonce.is_some());
    let Ok(response) = OcspResponse::from_der(&der) else {
        return Answer::refusal(ResponseStatus::InternalError);
    };
    let holds = |response: &OcspResponse<'_>| {
        let all = response.basic().ok()?.responses;
        let from = all.iter().map(|single| single.this_update).max()?;
        let until = all.iter().filter_map(|single| single.next_update).min()?;
        Some((from, until))
    };
    Answer {
        status: response.status,
        holds: holds(&response).filter(|_| !personal),
        der: der.into(),
    }
}

impl From<&Kept> for Answer {
    fn from(kept: &Kept) -> Self {
        Self {
            status: ResponseStatus::Successful,
            der: kept.der.clone(),
            holds: Some((kept.this_update, kept.next_update)),
        }
    }
}

impl Answer {
    /// The error of the protocol.
    pub(super) fn refusal(status: ResponseStatus) -> Self {
        Self {
            status,
            der: error_response(status).unwrap_or_default().into(),
            holds: None,
        }
    }
}
