//! The installed OpenSSL's verdict on an input, to compare with: ours takes nothing that OpenSSL
//! refuses, and refuses what OpenSSL takes only for the reasons that are named here.
//!
//! Written for 3.0; without its library nothing is compared.

use std::ffi::{c_long, c_void};
use std::ptr;
use std::sync::LazyLock;

use adamant_der::{ErrorKind as Der, Oid, Reader, Tag, Tlv, oid, parse};
use adamant_x509::algorithm::{EC_PUBLIC_KEY, ED448, ED25519, X448, X25519};
use adamant_x509::crl::CertificateList;
use adamant_x509::csr::CertificationRequest;
use adamant_x509::extensions::*;
use adamant_x509::ocsp::{OcspRequest, OcspResponse};
use adamant_x509::{Certificate, Element, Error, ErrorKind, PublicKey, SubjectPublicKeyInfo};
use libloading::Library;

/// A certificate, whose extensions OpenSSL keeps unread.
pub fn certificate(der: &[u8]) {
    compare(
        "X509",
        der,
        Certificate::from_der(der).and_then(read_fields),
    );
}

fn read_fields(certificate: Certificate<'_>) -> Result<(), Error> {
    certificate.issuer()?;
    certificate.subject()?;
    certificate.validity()?;
    certificate.spki()?;
    read_all(certificate.extensions())
}

/// A list, likewise.
pub fn list(der: &[u8]) {
    let read = || {
        let list = CertificateList::from_der(der)?;
        for entry in list.entries() {
            read_all(entry?.extensions)?;
        }
        read_all(list.extensions())
    };
    compare("X509_CRL", der, read());
}

fn read_all(extensions: Extensions<'_>) -> Result<(), Error> {
    extensions
        .iter()
        .try_for_each(|extension| extension.map(drop))
}

/// A request. Extensions are asked for by an attribute, whose value OpenSSL keeps unread, and
/// without any it does without the list of them.
pub fn request(der: &[u8]) {
    let ours = CertificationRequest::from_der(der).map(drop);
    let in_attributes = |error: &Error| attributes(der).is_some_and(|at| error.position() >= at);
    if !ours.as_ref().is_err_and(in_attributes) {
        compare("X509_REQ", der, ours);
    }
}

/// Where the attributes of a request begin, if it is one down to there.
fn attributes(der: &[u8]) -> Option<usize> {
    let mut tbs = Reader::new(der)
        .enter(Tag::SEQUENCE)
        .ok()?
        .enter(Tag::SEQUENCE)
        .ok()?;
    for tag in [Tag::INTEGER, Tag::SEQUENCE, Tag::SEQUENCE] {
        tbs.read(tag).ok()?;
    }
    Some(tbs.position())
}

/// A question or an answer that ours takes, with all certificates in it.
pub fn ocsp(der: &[u8]) {
    if let Ok(request) = OcspRequest::from_der(der)
        && request
            .certificates()
            .all(|certificate| read_fields(certificate).is_ok())
    {
        compare("OCSP_REQUEST", der, Ok(()));
    }
    let Ok(response) = OcspResponse::from_der(der) else {
        return;
    };
    compare("OCSP_RESPONSE", der, Ok(()));
    let answer = parse(der, |r| {
        r.sequence(|r| {
            r.read(Tag::ENUMERATED)?;
            r.explicit(0, |r| {
                r.sequence(|r| r.oid().and_then(|_| r.octet_string()))
            })
        })
    });
    if let (Ok(basic), Ok(answer)) = (response.basic(), answer)
        && basic
            .certificates
            .into_iter()
            .flatten()
            .all(|certificate| read_fields(certificate).is_ok())
    {
        compare("OCSP_BASICRESP", answer, Ok(()));
    }
}

/// The value of an extension of this type.
pub fn extension<'a, T: ExtensionValue<'a>>(value: &'a [u8]) {
    let item = [
        (AuthorityInfoAccess::OID, "AUTHORITY_INFO_ACCESS"),
        (AuthorityKeyIdentifier::OID, "AUTHORITY_KEYID"),
        (BasicConstraints::OID, "BASIC_CONSTRAINTS"),
        (CertificateIssuer::OID, "GENERAL_NAMES"),
        (CertificatePolicies::OID, "CERTIFICATEPOLICIES"),
        (CrlDistributionPoints::OID, "CRL_DIST_POINTS"),
        (CrlNumber::OID, "ASN1_INTEGER"),
        (CrlReference::OID, "OCSP_CRLID"),
        (ExtendedKeyUsage::OID, "EXTENDED_KEY_USAGE"),
        (FreshestCrl::OID, "CRL_DIST_POINTS"),
        (IssuerAltName::OID, "GENERAL_NAMES"),
        (IssuingDistributionPoint::OID, "ISSUING_DIST_POINT"),
        (KeyUsage::OID, "ASN1_BIT_STRING"),
        (NameConstraints::OID, "NAME_CONSTRAINTS"),
        (PolicyConstraints::OID, "POLICY_CONSTRAINTS"),
        (PolicyMappings::OID, "POLICY_MAPPINGS"),
        (RevocationReason::OID, "ASN1_ENUMERATED"),
        (ServiceLocator::OID, "OCSP_SERVICELOC"),
        (SubjectAltName::OID, "GENERAL_NAMES"),
        (SubjectInfoAccess::OID, "AUTHORITY_INFO_ACCESS"),
        (SubjectKeyIdentifier::OID, "ASN1_OCTET_STRING"),
    ];
    let mut r = Reader::new(value);
    let read = T::read(&mut r).and_then(|_| Ok(r.finish()?));
    if let Some((_, item)) = item.iter().find(|(oid, _)| *oid == T::OID) {
        compare(item, value, read);
    }
}

/// A public key that ours takes, of an algorithm that OpenSSL has.
pub fn public_key(der: &[u8]) {
    const RSA: Oid = oid!("1.2.840.113549.1.1.1");
    if PublicKey::from_der(der).is_ok_and(|key| key.algorithm().is_some())
        && let Ok(spki) = SubjectPublicKeyInfo::read(&mut Reader::new(der))
        && [RSA, EC_PUBLIC_KEY, X25519, X448, ED25519, ED448].contains(&spki.algorithm.oid)
        && let Some(library) = LIBRARY.as_ref()
    {
        // SAFETY: functions of these types, as `Library::takes` has it.
        let taken = unsafe {
            let read: Read = library.function("d2i_PUBKEY");
            let free: Free = library.function("EVP_PKEY_free");
            whole(
                der,
                |at, len| read(ptr::null_mut(), at, len),
                |key| free(key),
            )
        };
        assert!(taken, "OpenSSL refuses a key that we take");
    }
}

fn compare(item: &str, der: &[u8], ours: Result<(), Error>) {
    let Some(library) = LIBRARY.as_ref() else {
        return;
    };
    match (ours, library.takes(item, der)) {
        (Ok(()), false) => assert!(
            keeps_more(Reader::new(der), None, None),
            "OpenSSL refuses what we take"
        ),
        (Err(error), true) => assert!(is_stricter(error, der), "OpenSSL takes it: {error}"),
        _ => {}
    }
}

/// Whether there is more in it that we keep and OpenSSL reads: the name of a party of EDI, or a value
/// after an identifier. This has the contents of the type that it says, and so have those in a set
/// or under an explicit tag; and in an attribute of a name it has one of some types, whatever the
/// attribute.
fn keeps_more(mut elements: Reader<'_>, within: Option<Tag>, above: Option<Tag>) -> bool {
    let is_attribute =
        within == Some(Tag::SEQUENCE) && matches!(above, Some(Tag::SET | RELATIVE_NAME));
    let mut previous = None;
    while let Ok(element) = elements.read_any() {
        let inner = element
            .reader()
            .ok()
            .filter(|_| element.tag.is_constructed());
        if previous == Some(Tag::OID) {
            let is_read = is_any(&element) && (!is_attribute || is_in_names(element.tag));
            let mut values = inner.filter(|_| element.tag != Tag::SEQUENCE);
            let mut each = core::iter::from_fn(|| values.as_mut()?.read_any().ok());
            if !is_read || !each.all(|value| is_any(&value)) {
                return true;
            }
        }
        let is_party = element.tag != EDI_PARTY || {
            let whole = [&[Tag::SEQUENCE.octet()], &element.raw[1..]].concat();
            takes("EDIPARTYNAME", &whole)
        };
        if !is_party || inner.is_some_and(|inner| keeps_more(inner, Some(element.tag), within)) {
            return true;
        }
        previous = Some(element.tag);
    }
    false
}

/// `ediPartyName [5] EDIPartyName`.
const EDI_PARTY: Tag = Tag::context_constructed(5);
/// `nameRelativeToCRLIssuer [1] RelativeDistinguishedName`.
const RELATIVE_NAME: Tag = Tag::context_constructed(1);

/// The types of values that all of OpenSSL's names have: the strings without VisibleString; BIT
/// STRING and SEQUENCE, for what some attributes are; and those that nobody uses.
fn is_in_names(tag: Tag) -> bool {
    let is_universal = tag.octet() & 0xc0 == 0;
    is_universal && matches!(tag.number(), 3 | 7..=9 | 11..=16 | 18..=20 | 22 | 28..=30)
}

/// Whether the element is one of any type for OpenSSL.
fn is_any(element: &Tlv<'_>) -> bool {
    takes("ASN1_ANY", element.raw)
}

fn takes(item: &str, der: &[u8]) -> bool {
    LIBRARY
        .as_ref()
        .is_none_or(|library| library.takes(item, der))
}

/// Whether OpenSSL lets this pass, or looks at it when the value is used.
fn is_stricter(error: Error, der: &[u8]) -> bool {
    let kind = error.kind();
    let ErrorKind::Der(kind) = kind else {
        return matches!(
            kind,
            // What RFC 5280 demands of the values.
            ErrorKind::BadVersion
                | ErrorKind::SerialNegative
                | ErrorKind::SerialTooLong
                | ErrorKind::AlgorithmMismatch
                | ErrorKind::WrongParameters(_)
                | ErrorKind::Empty
        );
    };
    match kind {
        // BER.
        Der::NonCanonicalLength
        | Der::IndefiniteLength
        | Der::BadBoolean
        | Der::ExplicitDefault
        | Der::UnsortedSet => true,
        // Strings in pieces, which are constructed, also as a name of one of the kinds; lists under a
        // tag in primitive form. Where one is optional, something else is in its place.
        Der::InvalidTag => true,
        Der::UnexpectedTag { expected, actual } if expected.is_context() => actual.is_context(),
        Der::TrailingData => match Reader::new(&der[error.position()..]).read_any() {
            Ok(element) => element.tag.is_context(),
            Err(error) => error.kind() == Der::InvalidTag,
        },
        // Tags above 30 in values of any type, numbers of more octets than we have use for.
        Der::HighTagNumber | Der::LengthTooLarge | Der::OidTooLong => true,
        // Signatures and keys in whole octets; zeros in the bits that are not used.
        Der::BadBitString => true,
        // Values that RFC 5280 or a list of names excludes.
        Der::BadTime | Der::WrongTimeType | Der::UnexpectedValue(_) => true,
        Der::NonCanonicalBitList | Der::NegativeInteger | Der::IntegerTooLong => true,
        // No attribute has another type of its own there. Nothing else here is a string.
        Der::UnexpectedTag {
            expected: Tag::UTF8_STRING | Tag::PRINTABLE_STRING | Tag::IA5_STRING,
            actual,
        } => is_in_names(actual),
        // OpenSSL looks only at UTF-8 and at the octets of wide characters.
        Der::BadString => true,
        _ => false,
    }
}

static LIBRARY: LazyLock<Option<Crypto>> = LazyLock::new(|| {
    // SAFETY: the initialisers of a system's libcrypto.
    let library = unsafe { Library::new("libcrypto.so.3") }.ok().map(Crypto);
    if library.is_none() {
        eprintln!("no libcrypto.so.3: nothing is compared");
    }
    library
});

type Read = unsafe extern "C" fn(*mut *mut c_void, *mut *const u8, c_long) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
/// With the description of the type.
type ItemRead =
    unsafe extern "C" fn(*mut *mut c_void, *mut *const u8, c_long, *const c_void) -> *mut c_void;
type ItemFree = unsafe extern "C" fn(*mut c_void, *const c_void);

struct Crypto(Library);

impl Crypto {
    /// Whether all of the input is an encoding of the type.
    fn takes(&self, item: &str, der: &[u8]) -> bool {
        // SAFETY: these functions have these types, and every description is a constant.
        unsafe {
            let item: unsafe extern "C" fn() -> *const c_void =
                self.function(&format!("{item}_it"));
            let read: ItemRead = self.function("ASN1_item_d2i");
            let free: ItemFree = self.function("ASN1_item_free");
            let item = item();
            whole(
                der,
                |at, len| read(ptr::null_mut(), at, len, item),
                |object| free(object, item),
            )
        }
    }

    /// # Safety
    /// The function has this type.
    unsafe fn function<F: Copy>(&self, name: &str) -> F {
        // SAFETY: as the caller says.
        let function = unsafe { self.0.get::<F>(name.as_bytes()) };
        *function.expect("a function that every version has")
    }
}

/// Whether `read` makes an object of all of the input, which `free` then gets.
fn whole(
    der: &[u8],
    read: impl FnOnce(&mut *const u8, c_long) -> *mut c_void,
    free: impl FnOnce(*mut c_void),
) -> bool {
    let mut at = der.as_ptr();
    let object = read(&mut at, der.len() as c_long);
    if object.is_null() {
        return false;
    }
    free(object);
    at == der.as_ptr_range().end
}
