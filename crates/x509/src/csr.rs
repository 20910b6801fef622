//! Requests for certificates (PKCS #10, RFC 2986).

use alloc::vec::Vec;

use adamant_der::{Oid, Reader, Tag, Writer, oid};

use crate::element::{encodings, sequence, set_of, version, within};
use crate::extensions::{
    CertificateExtensions, ExtensionValue, Extensions, check_unique, write_extension,
    write_raw_extension,
};
use crate::signed::{Signed, signed};
use crate::{
    Element, ErrorKind, Name, PublicKey, Result, SigningKey, SubjectPublicKeyInfo, sign_tbs,
};

/// `extensionRequest` (RFC 2985, 5.4.2).
const EXTENSION_REQUEST: Oid = oid!("1.2.840.113549.1.9.14");

/// A request for a certificate, in an encoding that it borrows from.
///
/// See [`RequestBuilder`] for one that is made, read and verified.
#[derive(Clone, Copy, Debug)]
pub struct CertificationRequest<'a> {
    signed: Signed<'a>,
    /// Who asks.
    pub subject: Name<'a>,
    /// The key, in its structure.
    pub spki: SubjectPublicKeyInfo<'a>,
    /// The extensions that the certificate is to have.
    pub extensions: CertificateExtensions<'a>,
    attributes: Reader<'a>,
}

impl<'a> CertificationRequest<'a> {
    /// The key.
    ///
    /// # Errors
    /// As [`PublicKey::from_spki`].
    pub fn public_key(&self) -> Result<PublicKey> {
        PublicKey::from_spki(&self.spki)
    }

    /// Checks that the requester has the private key: the signature under the request's own key.
    ///
    /// # Errors
    /// As [`CertificationRequest::public_key`] and [`crate::verify_signature`].
    pub fn verify(&self) -> Result<()> {
        self.signed.verify(&self.public_key()?)
    }

    /// The attributes, extensions among them, in their order.
    pub fn attributes(&self) -> impl Iterator<Item = RequestAttribute<'a>> + use<'a> {
        let mut rest = self.attributes;
        // All were read when the request was.
        core::iter::from_fn(move || RequestAttribute::read(&mut rest).ok())
    }

    fn write_tbs(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.integer_u64(0);
            self.subject.write(w);
            self.spki.write(w);
            w.nested_set_of(
                Tag::context_constructed(0),
                self.attributes(),
                |w, attribute| {
                    if attribute.oid == EXTENSION_REQUEST {
                        write_request(w, |w| self.extensions.write(w));
                    } else {
                        attribute.write(w);
                    }
                },
            );
        });
    }
}

signed! { CertificationRequest.signed }
encodings! { CertificationRequest, "CERTIFICATE REQUEST" }

fn write_request(w: &mut Writer, extensions: impl FnOnce(&mut Writer)) {
    w.sequence(|w| {
        w.oid(&EXTENSION_REQUEST);
        w.set(extensions);
    });
}

impl<'a> Element<'a> for CertificationRequest<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let (signed, tbs) = Signed::read(r)?;
        within(tbs.reader, |r| {
            version(r, &[0])?;
            let subject = Name::read(r)?;
            let spki = SubjectPublicKeyInfo::read(r)?;
            let attributes = r.read(Tag::context_constructed(0))?;
            let mut extensions = None;
            set_of(&attributes, |r| {
                let attribute = RequestAttribute::read(r)?;
                if attribute.oid != EXTENSION_REQUEST {
                    return Ok(());
                }
                let list = within(attribute.values, Extensions::read)?;
                if extensions.is_some() {
                    let kind = ErrorKind::DuplicateExtension(EXTENSION_REQUEST);
                    return Err(kind.at(attribute.position));
                }
                extensions = Some(CertificateExtensions::decode(list)?);
                Ok(())
            })?;
            Ok(Self {
                signed,
                subject,
                spki,
                extensions: extensions.unwrap_or_default(),
                attributes: attributes.reader()?,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        self.signed.write_with(w, |w| self.write_tbs(w));
    }
}

/// An attribute of a request.
#[derive(Clone, Copy, Debug)]
pub struct RequestAttribute<'a> {
    /// Which.
    pub oid: Oid,
    values: Reader<'a>,
    position: usize,
}

impl<'a> RequestAttribute<'a> {
    /// The elements that its values are, one after another.
    pub const fn values(&self) -> &'a [u8] {
        self.values.rest()
    }

    fn read(r: &mut Reader<'a>) -> Result<Self> {
        let position = r.position();
        sequence(r, |r| {
            let oid = r.oid()?;
            let values = r.read(Tag::SET)?;
            if values.value.is_empty() {
                return Err(ErrorKind::Empty.at(values.position));
            }
            set_of(&values, |r| Ok(r.read_any().map(drop)?))?;
            Ok(Self {
                oid,
                values: values.reader()?,
                position,
            })
        })
    }

    fn write(&self, w: &mut Writer) {
        w.sequence(|w| {
            w.oid(&self.oid);
            w.set(|w| w.raw(self.values()));
        });
    }
}

/// Makes a request.
///
/// ```
/// use adamant_rand::SystemRng;
/// use adamant_x509::csr::{CertificationRequest, RequestBuilder};
/// use adamant_x509::extensions::{GeneralName, SubjectAltName};
/// use adamant_x509::{DistinguishedName, KeyAlgorithm, PrivateKey};
///
/// let key = PrivateKey::generate(KeyAlgorithm::Ed25519, &mut SystemRng)?;
/// let subject = DistinguishedName::new().common_name("adamant.example");
/// let names = [GeneralName::Dns("adamant.example")];
/// let der = RequestBuilder::new(subject.as_name())
///     .extension(&SubjectAltName((&names).into()))
///     .sign(key.signer()?)?;
///
/// let request = CertificationRequest::from_der(&der)?;
/// request.verify()?;
/// assert_eq!(request.extensions.subject_alt_name.unwrap().0, (&names).into());
/// # Ok::<(), adamant_x509::Error>(())
/// ```
#[derive(Clone)]
pub struct RequestBuilder<'a> {
    subject: Name<'a>,
    extensions: Writer,
    oids: Vec<Oid>,
}

impl<'a> RequestBuilder<'a> {
    /// A request without extensions.
    pub const fn new(subject: Name<'a>) -> Self {
        Self {
            subject,
            extensions: Writer::new(),
            oids: Vec::new(),
        }
    }

    /// With an extension, critical if the standard recommends it.
    pub fn extension<'b, T: ExtensionValue<'b>>(self, value: &T) -> Self {
        self.extension_with(T::CRITICAL, value)
    }

    /// With an extension.
    pub fn extension_with<'b, T: ExtensionValue<'b>>(mut self, critical: bool, value: &T) -> Self {
        self.oids.push(T::OID);
        write_extension(critical, value, &mut self.extensions);
        self
    }

    /// With an extension of a type that others define; `value` is its encoded value.
    pub fn raw_extension(mut self, oid: Oid, critical: bool, value: &[u8]) -> Self {
        self.oids.push(oid);
        write_raw_extension(&oid, critical, value, &mut self.extensions);
        self
    }

    /// The part that is signed.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateExtension`].
    pub fn tbs(&self, public_key: &PublicKey) -> Result<Vec<u8>> {
        check_unique(&self.oids)?;
        let mut w = Writer::with_capacity(self.extensions.len() + 512);
        w.sequence(|w| {
            w.integer_u64(0);
            w.raw(self.subject.as_der());
            public_key.write(w);
            w.nested(Tag::context_constructed(0), |w| {
                if !self.extensions.is_empty() {
                    write_request(w, |w| w.sequence(|w| w.raw(self.extensions.as_bytes())));
                }
            });
        });
        Ok(w.finish())
    }

    /// The request, signed by the key that it is for.
    ///
    /// # Errors
    /// As [`RequestBuilder::tbs`], and that of the key.
    pub fn sign<K: SigningKey + ?Sized>(&self, key: &K) -> Result<Vec<u8>> {
        sign_tbs(&self.tbs(&key.public_key())?, key)
    }
}
