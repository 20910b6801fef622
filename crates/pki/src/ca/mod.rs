//! A certification authority: it reserves a serial number, lints what is to be signed, writes the
//! intent down, and only then signs.
//!
//! ```
//! use std::sync::Arc;
//!
//! use adamant::x509::{FullCertificate, KeyAlgorithm, PrivateKey};
//! use adamant_pki::ca::{Authority, LocalKey, Request, RootRequest, Settings, system_clock};
//! use adamant_pki::store::SqliteCa;
//!
//! let mut rng = adamant::SystemRng;
//! let store = Arc::new(SqliteCa::in_memory()?);
//! let key = LocalKey::new(PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?)?;
//! let root = RootRequest::new("CN=Root,O=Example".parse()?);
//! let ca = Authority::init_root(store, Box::new(key), Settings::default(), &root, system_clock)?;
//!
//! let subscriber = PrivateKey::generate(KeyAlgorithm::P256, &mut rng)?.public_key();
//! let request = Request::new("server", "CN=www.example".parse()?, subscriber)
//!     .name("www.example".parse()?);
//! let der = ca.issue(&request)?;
//! let certificate = FullCertificate::from_der(&der)?;
//! certificate.verify(&ca.public_key()?)?;
//!
//! let refused = ca.issue(&request.clone().name("not a name".parse()?)).unwrap_err();
//! assert!(refused.to_string().contains("RFC 5280, 4.2.1.6"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`settings`], [`profile`] | the settings of a CA |
//! | [`request`] | what goes into a certificate, and the part of it that is signed |
//! | [`lint`] | the rules |
//! | [`issue`] | issuance, one by one and in bulk |
//! | [`batch`] | a batch that a later run can go on with |
//! | [`crl`], [`ocsp`] | lists and responses that tell of revocation |
//! | [`delegate`] | a responder that signs in the CA's place |
//! | [`audit`] | the audit log against the tables |
//! | [`signer`] | the key |
//!
//! The order of an issuance is: lint; intent and audit row, durably; signature; comparison of what
//! was signed with the intent; certificate and audit row, durably; and only then the caller gets
//! it. Whenever the process ends, every signature that it can have made has a row that can be
//! revoked, and no serial number is ever signed twice.

pub mod audit;
pub mod batch;
pub mod crl;
pub mod delegate;
mod error;
mod idna;
pub mod inspect;
pub mod issue;
pub mod lint;
pub mod names;
pub mod ocsp;
pub mod profile;
pub mod request;
pub mod settings;
pub mod signer;

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use adamant::der::{Reader, Tag, Time};
use adamant::x509::csr::RequestBuilder;
use adamant::x509::extensions::RevocationReason;
use adamant::x509::{
    self, Certificate, DistinguishedName, FullCertificate, PublicKey, SignatureAlgorithm,
};
use adamant_tool::strict::Object;

use crate::store::{CaStore, Failpoints, Filter, Lease, Number, Revocation, State};

pub use batch::Batch;
pub use delegate::Delegate;
pub use error::{Error, Result};
pub use idna::a_labels;
pub use lint::Finding;
pub use names::SubjectName;
pub use profile::Profile;
pub use request::{Request, RootRequest};
pub use settings::Settings;
pub use signer::{CaSigner, LocalKey};

/// The document with the CA's certificate, in DER.
pub const CERTIFICATE: &str = "certificate";
/// The document with the certificates of the CAs above, one after another, in DER: first that of
/// the CA's issuer. It is missing where they are not known.
pub const CHAIN: &str = "chain";
/// The document with the CA's key: an EncryptedPrivateKeyInfo in DER. (This module does not read
/// it: keys are given to it.)
pub const KEY: &str = "key";
/// The document with the [`Settings`], in JSON.
pub const SETTINGS: &str = "settings";
/// The document with the request for a subordinate CA's certificate, in DER.
pub const REQUEST: &str = "request";

/// Seconds that a process has its lease without renewing it.
pub const LEASE_SECONDS: u64 = 120;
/// How many processes may issue at once.
const SLOTS: u32 = 64;

/// The time of the system.
#[must_use]
pub fn system_clock() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |since| since.as_secs());
    Time::from_unix(seconds as i64).unwrap_or(Time::MAX)
}

/// A certification authority: a store, a key, and what is known of the CA itself.
///
/// It can be used from several threads at once, and several processes can have one store.
pub struct Authority {
    store: Arc<dyn CaStore>,
    /// The CA's key, where it is here.
    signer: Option<Box<dyn CaSigner>>,
    /// Who signs responses in its place.
    delegate: Option<Delegate>,
    settings: Settings,
    /// Empty before a subordinate CA has its certificate.
    certificate: Vec<u8>,
    /// The certificates of the CAs above, as far as they are known.
    chain: Vec<Vec<u8>>,
    clock: Box<dyn Fn() -> Time + Send + Sync>,
    /// Whether lists and responses are signed at any time.
    at_any_time: bool,
    lease: Option<Lease>,
    failpoints: Failpoints,
}

impl Authority {
    /// A new root in an empty store: its certificate is signed by its own key.
    ///
    /// # Errors
    /// [`Error::Lint`], [`Error::Refused`] for settings that cannot be, those of key and store.
    pub fn init_root(
        store: Arc<dyn CaStore>,
        signer: Box<dyn CaSigner>,
        settings: Settings,
        root: &RootRequest,
        clock: impl Fn() -> Time + Send + Sync + 'static,
    ) -> Result<Self> {
        Self::init_root_with(store, signer, settings, root, &[], clock)
    }

    /// The same with further documents, such as the encrypted key, in the same transaction.
    ///
    /// # Errors
    /// As there.
    pub fn init_root_with(
        store: Arc<dyn CaStore>,
        signer: Box<dyn CaSigner>,
        settings: Settings,
        root: &RootRequest,
        documents: &[(&str, &[u8])],
        clock: impl Fn() -> Time + Send + Sync + 'static,
    ) -> Result<Self> {
        settings.check()?;
        let now = clock();
        let certificate = root.sign(&*signer, now)?;
        let text = to_json(&settings);
        let mut all = vec![(SETTINGS, &text[..]), (CERTIFICATE, &certificate)];
        all.extend_from_slice(documents);
        store.create(&all, now)?;
        Self::open(store, signer, clock)
    }

    /// A new subordinate CA in an empty store, and the request (PKCS #10) for its certificate.
    /// It issues when [`Authority::install`] has given it that.
    ///
    /// # Errors
    /// As [`Authority::init_root`].
    pub fn init_subordinate(
        store: &dyn CaStore,
        signer: &dyn CaSigner,
        settings: &Settings,
        name: &DistinguishedName,
        documents: &[(&str, &[u8])],
        now: Time,
    ) -> Result<Vec<u8>> {
        settings.check()?;
        let tbs = RequestBuilder::new(name.as_name()).tbs(&signer.public_key())?;
        let signature = sign_one(signer, &tbs)?;
        let request = x509::assemble(&tbs, signer.algorithm(), &signature);
        let text = to_json(settings);
        let mut all = vec![(SETTINGS, &text[..]), (REQUEST, &request)];
        all.extend_from_slice(documents);
        store.create(&all, now)?;
        Ok(request)
    }

    /// Gives a subordinate CA its certificate: one for its key, of a CA.
    ///
    /// `chain` are the certificates of the CAs above, from its issuer on, as far as they are known:
    /// nothing is issued against their constraints on names.
    ///
    /// # Errors
    /// [`Error::Refused`] for another key's certificate, or none of a CA, and for a chain in which
    /// one did not sign the one before.
    pub fn install(
        store: &dyn CaStore,
        certificate: &[u8],
        chain: &[Vec<u8>],
        now: Time,
    ) -> Result<()> {
        let refused = |why: &str| Err(Error::Refused(why.to_owned()));
        let new = FullCertificate::from_der(certificate)?;
        let asked = match (store.document(REQUEST)?, store.document(CERTIFICATE)?) {
            (_, Some(there)) => Certificate::from_der(&there)?.spki_der().to_vec(),
            (Some(request), None) => {
                let request = x509::csr::CertificationRequest::from_der(&request)?;
                request.spki.as_der().to_vec()
            }
            (None, None) => return refused("the store has no certification authority"),
        };
        if new.spki_der() != asked {
            return refused("the certificate has another key than this CA");
        }
        if !new
            .extensions
            .basic_constraints
            .is_some_and(|basic| basic.ca)
        {
            return refused("this is not a CA certificate: basicConstraints does not say so");
        }
        let mut below = *new.certificate();
        for der in chain {
            let above = Certificate::from_der(der)?;
            if below.issuer_der() != above.subject_der()
                || below.verify(&above.public_key()?).is_err()
            {
                let (below, above) = (below.subject()?, above.subject()?);
                return refused(&format!("the chain: {above} has not signed {below}"));
            }
            below = above;
        }
        // First the chain: a CA that issues has it.
        if !chain.is_empty() || store.document(CHAIN)?.is_some() {
            store.put_document(CHAIN, &chain.concat(), now)?;
        }
        store.put_document(CERTIFICATE, certificate, now)?;
        Ok(())
    }

    /// The CA that a store has, with its key.
    ///
    /// # Errors
    /// [`Error::Refused`] if the store has none, or it is another CA's key.
    pub fn open(
        store: Arc<dyn CaStore>,
        signer: Box<dyn CaSigner>,
        clock: impl Fn() -> Time + Send + Sync + 'static,
    ) -> Result<Self> {
        let ca = Self::without_key(store, clock)?;
        if ca.public_key()? != signer.public_key() {
            return Err(Error::Refused("this is not the key of this CA".to_owned()));
        }
        Ok(Self {
            signer: Some(signer),
            ..ca
        })
    }

    /// The CA that a store has, without its key: all it signs are responses of OCSP, with this
    /// key and the certificate that the CA has issued for it ([`Delegate::new`]).
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use adamant::x509::{KeyAlgorithm, PrivateKey};
    /// # use adamant_pki::ca::{Authority, LocalKey, Request, RootRequest, Settings, system_clock};
    /// # use adamant_pki::store::SqliteCa;
    /// # let store = Arc::new(SqliteCa::in_memory()?);
    /// # let generate = || PrivateKey::generate(KeyAlgorithm::P256, &mut adamant::SystemRng);
    /// # let root = RootRequest::new("CN=Root".parse()?);
    /// # let (settings, signer) = (Settings::default(), Box::new(LocalKey::new(generate()?)?));
    /// # let ca = Authority::init_root(store.clone(), signer, settings, &root, system_clock)?;
    /// let key = generate()?;
    /// let request = Request::new("ocsp", "CN=Responder".parse()?, key.public_key());
    /// let certificate = ca.issue(&request)?;
    ///
    /// let key = Box::new(LocalKey::new(key)?);
    /// let responder = Authority::open_delegated(store, &certificate, key, system_clock)?;
    /// assert_eq!(responder.presign_all()?, 1);
    /// assert!(!responder.has_key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Authority::open`] and [`Delegate::new`]; [`Error::Refused`] if the store does not have
    /// the certificate, or it is revoked.
    pub fn open_delegated(
        store: Arc<dyn CaStore>,
        certificate: &[u8],
        signer: Box<dyn CaSigner>,
        clock: impl Fn() -> Time + Send + Sync + 'static,
    ) -> Result<Self> {
        let ca = Self::without_key(store, clock)?;
        let delegate = Delegate::new(certificate, signer, &ca.certificate, ca.now())?;
        let serial = Number::try_from(Certificate::from_der(certificate)?.serial())?;
        match ca.store.entry(serial)? {
            Some(entry) if entry.revoked().is_none() && entry.state == State::Issued => {}
            _ => {
                let why = "the responder's certificate is revoked, or not of this store";
                return Err(Error::Refused(why.to_owned()));
            }
        }
        Ok(Self {
            delegate: Some(delegate),
            ..ca
        })
    }

    fn without_key(
        store: Arc<dyn CaStore>,
        clock: impl Fn() -> Time + Send + Sync + 'static,
    ) -> Result<Self> {
        let settings = Self::read_settings(&*store)?;
        let certificate = store.document(CERTIFICATE)?.ok_or_else(|| {
            let why = "this CA has no certificate yet: have its request signed, and install that";
            Error::Refused(why.to_owned())
        })?;
        let chain = split(&store.document(CHAIN)?.unwrap_or_default())?;
        Ok(Self {
            store,
            signer: None,
            delegate: None,
            settings,
            certificate,
            chain,
            clock: Box::new(clock),
            at_any_time: false,
            lease: None,
            failpoints: Failpoints::default(),
        })
    }

    /// The settings in a store.
    ///
    /// # Errors
    /// [`Error::Refused`] if there are none, or none that can be read.
    pub fn read_settings(store: &dyn CaStore) -> Result<Settings> {
        let text = store.document(SETTINGS)?.ok_or_else(|| {
            let why = "there is no certification authority in this store: make one with init";
            Error::Refused(why.to_owned())
        })?;
        let settings = serde_json::from_slice(&text).map(|Object(settings)| settings);
        settings.map_err(|e| Error::Refused(format!("the settings cannot be read: {e}")))
    }

    /// Puts other settings in the place of a store's.
    ///
    /// # Errors
    /// As [`Settings::check`], and those of the store.
    pub fn write_settings(store: &dyn CaStore, settings: &Settings, now: Time) -> Result<()> {
        settings.check()?;
        Ok(store.put_document(SETTINGS, &to_json(settings), now)?)
    }

    /// With failpoints.
    #[must_use]
    pub fn with_failpoints(self, failpoints: Failpoints) -> Self {
        Self { failpoints, ..self }
    }

    /// The same, whose lists and responses are also signed before and after the time of the CA's
    /// certificate: for those who verify at a time in the past.
    #[must_use]
    pub fn at_any_time(self) -> Self {
        Self {
            at_any_time: true,
            ..self
        }
    }

    /// The validity of the CA's certificate: its first and its last second.
    ///
    /// # Errors
    /// [`Error::X509`].
    pub fn validity(&self) -> Result<(Time, Time)> {
        let validity = self.parsed()?.validity()?;
        Ok((validity.not_before(), validity.not_after()))
    }

    /// The last second of the delegate's certificate, where there is a delegate.
    #[must_use]
    pub fn delegate_until(&self) -> Option<Time> {
        self.delegate.as_ref().map(Delegate::until)
    }

    /// Refuses to sign lists and responses at a time that the CA's certificate does not hold at.
    fn check_time(&self) -> Result<()> {
        let (at, (not_before, not_after)) = (self.now(), self.validity()?);
        if self.at_any_time || (not_before..=not_after).contains(&at) {
            return Ok(());
        }
        Err(Error::OutsideValidity {
            at,
            not_before,
            not_after,
        })
    }

    /// Claims one of the places of issuing processes, and gives up the intents that a process
    /// left behind there. From now on nothing is written once another process took the place:
    /// which it can [`LEASE_SECONDS`] after the last [`Authority::renew`].
    ///
    /// # Errors
    /// [`Error::Refused`] if all places are taken; those of the store.
    pub fn claim(&mut self, holder: &str) -> Result<()> {
        use crate::store::Error::LeaseHeld;

        for slot in 1..=SLOTS {
            let name = format!("issuer-{slot}");
            match self
                .store
                .acquire_lease(&name, holder, self.now(), LEASE_SECONDS)
            {
                Ok(lease) => {
                    self.recover(&lease)?;
                    self.lease = Some(lease);
                    return Ok(());
                }
                Err(LeaseHeld { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let why = format!("{SLOTS} processes issue already");
        Err(Error::Refused(why))
    }

    /// Gives up the pending intents of those who had the lease before.
    fn recover(&self, lease: &Lease) -> Result<()> {
        let pending = Filter {
            state: Some(State::Pending),
            ..Filter::default()
        };
        let left_behind: Vec<_> = self
            .store
            .list(&pending)?
            .into_iter()
            .filter(|entry| {
                let owner = entry.lease.as_ref();
                owner.is_some_and(|(name, token)| *name == lease.name && *token < lease.token)
            })
            .map(|entry| entry.serial)
            .collect();
        Ok(self.store.abandon(Some(lease), &left_behind, self.now())?)
    }

    /// Keeps the place.
    ///
    /// # Errors
    /// [`crate::store::Error::StaleLease`] if another process took it.
    pub fn renew(&mut self) -> Result<()> {
        if let Some(lease) = &self.lease {
            self.lease = Some(self.store.renew_lease(lease, self.now(), LEASE_SECONDS)?);
        }
        Ok(())
    }

    /// Gives the place back.
    ///
    /// # Errors
    /// As [`Authority::renew`].
    pub fn release(&mut self) -> Result<()> {
        match self.lease.take() {
            Some(lease) => Ok(self.store.release_lease(&lease, self.now())?),
            None => Ok(()),
        }
    }

    /// Revokes a serial number from now on.
    ///
    /// # Errors
    /// Those of the store.
    pub fn revoke(
        &self,
        serial: Number,
        reason: RevocationReason,
        invalidity_date: Option<Time>,
    ) -> Result<()> {
        let date = self.now();
        let revocation = Revocation {
            reason,
            date,
            invalidity_date,
        };
        Ok(self.store.revoke(serial, &revocation, date)?)
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn CaStore> {
        &self.store
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The CA's own certificate, in DER.
    #[must_use]
    pub fn certificate(&self) -> &[u8] {
        &self.certificate
    }

    /// The CA's key.
    ///
    /// # Errors
    /// [`Error::X509`], which [`Authority::open`] has ruled out.
    pub fn public_key(&self) -> Result<PublicKey> {
        Ok(self.parsed()?.public_key()?)
    }

    /// Whether the CA's key is here: issues and makes lists.
    #[must_use]
    pub fn has_key(&self) -> bool {
        self.signer.is_some()
    }

    /// The algorithm of the CA's signatures, if its key is here.
    #[must_use]
    pub fn algorithm(&self) -> Option<SignatureAlgorithm> {
        self.signer.as_ref().map(|signer| signer.algorithm())
    }

    /// The CA's key.
    fn signer(&self) -> Result<&dyn CaSigner> {
        self.signer.as_deref().ok_or_else(|| {
            Error::Refused("the key of this CA is not here, only a responder's".to_owned())
        })
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Time {
        (self.clock)()
    }

    fn parsed(&self) -> Result<Certificate<'_>> {
        Ok(Certificate::from_der(&self.certificate)?)
    }

    fn above(&self) -> Result<Vec<Certificate<'_>>> {
        Ok(self
            .chain
            .iter()
            .map(|der| Certificate::from_der(der))
            .collect::<Result<_, _>>()?)
    }

    /// The identifier of the CA's key, as its certificate has it.
    fn key_id(&self) -> Result<Vec<u8>> {
        use adamant::x509::extensions::SubjectKeyIdentifier;

        let certificate = self.parsed()?;
        let id = certificate.extension::<SubjectKeyIdentifier<'_>>()?;
        Ok(match id {
            Some(id) => id.0.to_vec(),
            None => certificate.public_key()?.key_id().to_vec(),
        })
    }
}

/// One signature.
fn sign_one(signer: &dyn CaSigner, tbs: &[u8]) -> Result<Vec<u8>> {
    let made = signer.sign_batch(&[tbs])?.pop();
    made.ok_or_else(|| Error::Refused("the key made no signature".to_owned()))
}

/// The elements, which follow one another.
fn split(all: &[u8]) -> Result<Vec<Vec<u8>>> {
    let mut rest = Reader::new(all);
    let mut each = Vec::new();
    while !rest.is_empty() {
        let one = rest.read(Tag::SEQUENCE).map_err(x509::Error::from)?;
        each.push(one.raw.to_vec());
    }
    Ok(each)
}

/// Settings always have a form in JSON.
fn to_json(settings: &Settings) -> Vec<u8> {
    serde_json::to_vec(settings).unwrap_or_default()
}

/// The serial number that a store's number is.
///
/// # Errors
/// [`Error::X509`] for one that no certificate can have.
pub fn serial_number(number: Number) -> Result<x509::SerialNumber> {
    Ok(x509::SerialNumber::new(number.as_bytes())?)
}
