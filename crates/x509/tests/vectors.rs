//! Known encodings: the examples of RFC 5280, 6979, 7914 and 8410.

use adamant_der::{oid, pem};
use adamant_x509::crl::FullCertificateList;
use adamant_x509::extensions::*;
use adamant_x509::pbes2::Limits;
use adamant_x509::{
    Certificate, DistinguishedName, ErrorKind, FullCertificate, PrivateKey, PublicKey, SerialNumber,
};
use hex_literal::hex;

fn base64(text: &str) -> Vec<u8> {
    let text = format!("-----BEGIN X-----\n{text}\n-----END X-----\n");
    pem::decode_first(&text, &["X"]).unwrap().into_der()
}

/// RFC 5280, C.1: a self-signed certificate with RSA and SHA-1.
const RFC5280_C1: &str = "\
MIICPjCCAaegAwIBAgIBETANBgkqhkiG9w0BAQUFADBDMRMwEQYKCZImiZPyLGQB
GRYDY29tMRcwFQYKCZImiZPyLGQBGRYHZXhhbXBsZTETMBEGA1UEAxMKRXhhbXBs
ZSBDQTAeFw0wNDA0MzAxNDI1MzRaFw0wNTA0MzAxNDI1MzRaMEMxEzARBgoJkiaJ
k/IsZAEZFgNjb20xFzAVBgoJkiaJk/IsZAEZFgdleGFtcGxlMRMwEQYDVQQDEwpF
eGFtcGxlIENBMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDC15dtKHCqW88j
LoBwOe7bb9Ut1WpPejQt+SJyR3Ad74DpyjCMAMSabltFtG6l5myUDfqR6UD8JZ3H
t2gZVo8RcGrX8ckRTzp+P5mNbnaldF9epFVT5cdoNlPHHTsSpoX+vW6hyt81UKwI
17m0flz+4qMs0SOEqpjAm2YYmmhH6QIDAQABo0IwQDAdBgNVHQ4EFgQUCGivhTPI
OUp6+IKTjnBqSiCELDIwDgYDVR0PAQH/BAQDAgEGMA8GA1UdEwEB/wQFMAMBAf8w
DQYJKoZIhvcNAQEFBQADgYEAbPgCdKZh4mQEplQMbHITrTxH+/ZlE6mFkDPqdqMm
2fzRDhVfKLfvk7888+I+fLlS/BZuKarh9Hpv1X/vs5XK82aIg06hNUWEy7ybuMit
xV5G2QsOjYDhMyvcviuSfkpDqWrvimNhs25HOL7oDaNnXfP6kYE8krvFXyUl63zn
2KE=";

/// RFC 5280, C.2: a certificate that the former issued.
const RFC5280_C2: &str = "\
MIICcTCCAdqgAwIBAgIBEjANBgkqhkiG9w0BAQUFADBDMRMwEQYKCZImiZPyLGQB
GRYDY29tMRcwFQYKCZImiZPyLGQBGRYHZXhhbXBsZTETMBEGA1UEAxMKRXhhbXBs
ZSBDQTAeFw0wNDA5MTUxMTQ4MjFaFw0wNTAzMTUxMTQ4MjFaMEMxEzARBgoJkiaJ
k/IsZAEZFgNjb20xFzAVBgoJkiaJk/IsZAEZFgdleGFtcGxlMRMwEQYDVQQDEwpF
bmQgRW50aXR5MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDhauQDMJcCPPQQ
87UeTX8Ue/b10HjppIrwo3Xs7bZWln+ImYWa8j5od4frntGfwLQX3KuJI6QdfhYj
TE+oTfUxuHyq4xpJCfRLJtsnZzCCEgFK6Rq2wQxTi2z8L3pD7DM2fjKye9WqzwEU
xhLsE/ItFHqLIVgUE0xGo5ryFpX/IwIDAQABo3UwczAhBgNVHREEGjAYgRZlbmQu
ZW50aXR5QGV4YW1wbGUuY29tMB0GA1UdDgQWBBQXe5Iw/0TWZuGQECJsFk/AjkHd
bTAfBgNVHSMEGDAWgBQIaK+FM8g5Snr4gpOOcGpKIIQsMjAOBgNVHQ8BAf8EBAMC
BsAwDQYJKoZIhvcNAQEFBQADgYEAACAoNFtoMgG7CjYOrXHFlRrhBM+urcdiFKQb
NjHA4gw92R7AANwQoLqFb0HLYnq3TGOBJl7SgEVeM+dwRTs5OyZKnDvyJjZpCHm7
+5ZDd0thi6GrkWTg8zdhPBqjpMmKsr9z1E3kWORi6rwgdJKGDs6EYHbpc7vHhdOR
RepiXc0=";

/// RFC 5280, C.3: a certificate with DSA and policies.
const RFC5280_C3: &str = "\
MIIDjjCCA06gAwIBAgICAQAwCQYHKoZIzjgEAzBHMRMwEQYKCZImiZPyLGQBGRYD
Y29tMRcwFQYKCZImiZPyLGQBGRYHZXhhbXBsZTEXMBUGA1UEAxMORXhhbXBsZSBE
U0EgQ0EwHhcNMDQwNTAyMTY0NzM4WhcNMDUwNTAyMTY0NzM4WjBHMRMwEQYKCZIm
iZPyLGQBGRYDY29tMRcwFQYKCZImiZPyLGQBGRYHZXhhbXBsZTEXMBUGA1UEAxMO
RFNBIEVuZCBFbnRpdHkwggG3MIIBLAYHKoZIzjgEATCCAR8CgYEAtosPlCuazqUl
xvLt/PuVMqwBEjO54BytkJu8SFSe85R3PCxxNVXm/k8iy9XYPomTM038vU9BZD6i
mHDsMbRQ3uvxmCgKyT5Es/0il5aD0Bij4701W//uoyFyanuW2rk/HlqQryTWIPAN
IafUArka/Kwh+56UnktCRZ5qskhj/kMCFQCyDbCxAd8MZiT8E5K6Vfd9V3SB5QKB
gQCav0ax9T9EPcmlZfuRwI5H8QrDAUfCREI2qZKB3lfF4GiGWAB7H/mbd6HFEKWA
kXhRUTz2/PzMRsaBeJKEPfSTPQw4fhpbmU6rFGT2DCEiTigInJK5Zp9A6JX21TEq
7zmiYseybZ5YxDqoEYGEba/4tBm0whGu0CI7qiB/7h5XGAOBhAACgYAwtnX3fCAx
rji7fg0rq6CcS98g1SQTPM2Y5V9st8G6SrqplYBT8A1y3DM39AEL9QQfnS4fYtiE
OpslCVotyEaOK9T1DTvHLcZsuZjBJTpETo7KlWE1fM4VMVwjEx6iBdF6JBzL03IJ
kP+bnSjAoQrsRp8NuNDc0BimK175j7WVvqOByjCBxzA5BgNVHREEMjAwhi5odHRw
Oi8vd3d3LmV4YW1wbGUuY29tL3VzZXJzL0RTQWVuZGVudGl0eS5odG1sMCEGA1Ud
EgQaMBiGFmh0dHA6Ly93d3cuZXhhbXBsZS5jb20wHQYDVR0OBBYEFN0lZpZDq3gR
Q0T+lRb52ba3AmaNMB8GA1UdIwQYMBaAFIbKpSKBYu+tCom8rXJBLClJ9IZWMBcG
A1UdIAQQMA4wDAYKYIZIAWUDAgEwCTAOBgNVHQ8BAf8EBAMCB4AwCQYHKoZIzjgE
AwMvADAsAhRlVwc03dzKzF70AvRWQixe4bM7gAIUYPQxF8r0z//u9Ain2bJhvrHD
2r8=";

/// RFC 5280, C.4: a list of revoked certificates.
const RFC5280_C4: &str = "\
MIIBYDCBygIBATANBgkqhkiG9w0BAQUFADBDMRMwEQYKCZImiZPyLGQBGRYDY29t
MRcwFQYKCZImiZPyLGQBGRYHZXhhbXBsZTETMBEGA1UEAxMKRXhhbXBsZSBDQRcN
MDUwMjA1MTIwMDAwWhcNMDUwMjA2MTIwMDAwWjAiMCACARIXDTA0MTExOTE1NTcw
M1owDDAKBgNVHRUEAwoBAaAvMC0wHwYDVR0jBBgwFoAUCGivhTPIOUp6+IKTjnBq
SiCELDIwCgYDVR0UBAMCAQwwDQYJKoZIhvcNAQEFBQADgYEAItwYffcIzsx10NBq
m60Q9HYjtIFutW2+DvsVFGzIF20f7pAXom9g5L2qjFXejoRvkvifEBInr0rUL4Xi
NkR9qqNMJTgV/wD9Pn7uPSYS69jnK2LiK8NGgO94gtEVxtCccmrLznrtZ5mLbnCB
fUNCdMGmr8FVF6IzTNYGmCuk/C4=";

const CA_KEY_ID: [u8; 20] = hex!("0868af8533c8394a7af882938e706a4a20842c32");

#[test]
fn rfc5280_self_signed() {
    let der = base64(RFC5280_C1);
    assert_eq!(der.len(), 578);
    let certificate = FullCertificate::from_der(&der).unwrap();
    assert_eq!(certificate.to_der(), der);
    assert_eq!(certificate.version(), 3);
    assert_eq!(*certificate.serial(), SerialNumber::from(17));
    assert_eq!(
        certificate.issuer.to_string(),
        "CN=Example CA,DC=example,DC=com"
    );
    assert_eq!(certificate.issuer, certificate.subject);
    let validity = certificate.validity;
    assert_eq!(validity.not_before().to_string(), "2004-04-30T14:25:34Z");
    assert_eq!(validity.not_after().to_string(), "2005-04-30T14:25:34Z");
    let extensions = &certificate.extensions;
    assert_eq!(
        extensions.subject_key_identifier,
        Some(SubjectKeyIdentifier(&CA_KEY_ID))
    );
    let usage = KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN;
    assert_eq!(extensions.key_usage, Some(usage));
    assert_eq!(
        extensions.basic_constraints,
        Some(BasicConstraints::ca(None))
    );
    assert!(
        extensions
            .raw()
            .find(&BasicConstraints::OID)
            .unwrap()
            .unwrap()
            .critical
    );

    let PublicKey::Rsa(key) = certificate.public_key().unwrap() else {
        panic!("another kind of key");
    };
    assert_eq!((key.bits(), key.e()), (1024, vec![1, 0, 1]));
    // The name can be made from its text, but for the type of its common name: PrintableString,
    // where UTF8String is written.
    let name: DistinguishedName = "CN=Example CA,DC=example,DC=com".parse().unwrap();
    assert_eq!(name.to_string(), certificate.subject.to_string());
    assert_eq!(name.as_der().len(), certificate.subject.as_der().len());
}

#[test]
fn rfc5280_end_entity() {
    let der = base64(RFC5280_C2);
    let certificate = FullCertificate::from_der(&der).unwrap();
    assert_eq!(certificate.to_der(), der);
    let extensions = &certificate.extensions;
    let names = extensions.subject_alt_name.unwrap().0;
    assert!(
        names
            .iter()
            .eq([GeneralName::Email("end.entity@example.com")])
    );
    let authority = AuthorityKeyIdentifier::new(&CA_KEY_ID);
    assert_eq!(extensions.authority_key_identifier, Some(authority));
    let usage = KeyUsage::DIGITAL_SIGNATURE | KeyUsage::NON_REPUDIATION;
    assert_eq!(extensions.key_usage, Some(usage));
}

#[test]
fn rfc5280_dsa() {
    let der = base64(RFC5280_C3);
    assert_eq!(der.len(), 914);
    let certificate = FullCertificate::from_der(&der).unwrap();
    assert_eq!(certificate.to_der(), der);
    let extensions = &certificate.extensions;
    let names = extensions.subject_alt_name.unwrap().0;
    let uri = "http://www.example.com/users/DSAendentity.html";
    assert!(names.iter().eq([GeneralName::Uri(uri)]));
    let names = extensions.issuer_alt_name.unwrap().0;
    assert!(
        names
            .iter()
            .eq([GeneralName::Uri("http://www.example.com")])
    );
    let policies = extensions.certificate_policies.unwrap().0;
    let policy = PolicyInformation::new(oid!("2.16.840.1.101.3.2.1.48.9"));
    assert!(policies.iter().eq([policy]));
    let PublicKey::Unknown(key) = certificate.public_key().unwrap() else {
        panic!("DSA is not implemented");
    };
    assert_eq!(key.parameters.unwrap().len(), 291);
    assert_eq!(
        PublicKey::from_der(certificate.spki_der())
            .unwrap()
            .to_der(),
        certificate.spki_der()
    );
}

#[test]
fn rfc5280_list() {
    let der = base64(RFC5280_C4);
    let list = FullCertificateList::from_der(&der).unwrap();
    assert_eq!(list.to_der(), der);
    assert_eq!(list.version(), 2);
    assert_eq!(list.this_update.to_string(), "2005-02-05T12:00:00Z");
    assert_eq!(
        list.next_update.unwrap().to_string(),
        "2005-02-06T12:00:00Z"
    );
    assert_eq!(list.len(), 1);
    let entry = list.find(&SerialNumber::from(18)).unwrap().unwrap();
    assert_eq!(entry.date.to_string(), "2004-11-19T15:57:03Z");
    assert_eq!(entry.reason(), Ok(Some(RevocationReason::KeyCompromise)));
    assert_eq!(
        list.extensions.crl_number,
        Some(CrlNumber(SerialNumber::from(12)))
    );
    let authority = AuthorityKeyIdentifier::new(&CA_KEY_ID);
    assert_eq!(list.extensions.authority_key_identifier, Some(authority));
    let ca = base64(RFC5280_C1);
    let key = Certificate::from_der(&ca).unwrap().public_key().unwrap();
    assert!(matches!(
        list.verify(&key).unwrap_err().kind(),
        ErrorKind::WeakAlgorithm(_)
    ));
    list.verify_legacy(&key).unwrap();
    let ca = Certificate::from_der(&ca).unwrap();
    ca.verify_legacy(&key).unwrap();
    let sha1 = ErrorKind::WeakAlgorithm(oid!("1.2.840.113549.1.1.5"));
    assert_eq!(ca.verify(&key).unwrap_err().kind(), sha1);
}

/// RFC 8410, 10.1 and 10.3.
const RFC8410_PUBLIC: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";
const RFC8410_PRIVATE: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
";
/// The same with an attribute and the public key.
const RFC8410_BOTH: &str = "-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
";

#[test]
fn rfc8410_keys() {
    let public = PublicKey::from_pem(RFC8410_PUBLIC).unwrap();
    assert_eq!(public.to_pem(), RFC8410_PUBLIC);
    for text in [RFC8410_PRIVATE, RFC8410_BOTH] {
        let private = PrivateKey::from_pem(text).unwrap();
        assert_eq!(private.public_key(), public);
        assert_eq!(&*private.to_pem(), RFC8410_PRIVATE);
    }
}

/// RFC 8410, 10.2, as printed: FALSE is encoded three times although it is the default.
const RFC8410_CERTIFICATE: &str = "\
MIIBLDCB36ADAgECAghWAUdKKo3DMDAFBgMrZXAwGTEXMBUGA1UEAwwOSUVURiBUZX
N0IERlbW8wHhcNMTYwODAxMTIxOTI0WhcNNDAxMjMxMjM1OTU5WjAZMRcwFQYDVQQD
DA5JRVRGIFRlc3QgRGVtbzAqMAUGAytlbgMhAIUg8AmJMKdUdIt93LQ+91oNvzoNJj
ga9OukqY6qm05qo0UwQzAPBgNVHRMBAf8EBTADAQEAMA4GA1UdDwEBAAQEAwIDCDAg
BgNVHQ4BAQAEFgQUmx9e7e0EM4Xk97xiPFl1uQvIuzswBQYDK2VwA0EAryMB/t3J5v
/BzKc9dNZIpDmAgs3babFOTQbs+BolzlDUwsPrdGxO3YNGhW7Ibz3OGhhlxXrCe1Cg
w1AH9efZBw==";

#[test]
fn rfc8410_certificate() {
    let der = base64(RFC8410_CERTIFICATE);
    let certificate = Certificate::from_der(&der).unwrap();
    assert_eq!(
        certificate.subject().unwrap().common_name().unwrap(),
        "IETF Test Demo"
    );
    assert!(matches!(certificate.public_key(), Ok(PublicKey::X25519(_))));
    let issuer = PublicKey::from_pem(RFC8410_PUBLIC).unwrap();
    certificate.verify(&issuer).unwrap();
    let error = FullCertificate::from_der(&der).unwrap_err();
    let kind = ErrorKind::Der(adamant_der::ErrorKind::ExplicitDefault);
    assert_eq!(error.kind(), kind);
}

/// RFC 6979, A.2.5, in the structures of RFC 5915 and 5958.
#[test]
fn p256_keys() {
    let sec1 = hex!(
        "3077020101"
        "0420c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
        "a00a06082a8648ce3d030107"
        "a144034200"
        "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    );
    let pkcs8 = hex!(
        "308187020100"
        "301306072a8648ce3d020106082a8648ce3d030107"
        "046d306b020101"
        "0420c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
        "a144034200"
        "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    );
    let spki = hex!(
        "3059301306072a8648ce3d020106082a8648ce3d030107034200"
        "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    );
    for key in [
        PrivateKey::from_sec1_der(&sec1).unwrap(),
        PrivateKey::from_der(&pkcs8).unwrap(),
    ] {
        assert_eq!(*key.to_sec1_der().unwrap(), sec1);
        assert_eq!(*key.to_der(), pkcs8);
        assert_eq!(key.public_key().to_der(), spki);
        let pem = key.to_sec1_pem().unwrap();
        assert!(pem.starts_with("-----BEGIN EC PRIVATE KEY-----\n"));
        assert_eq!(
            PrivateKey::from_pem(&pem).unwrap().public_key(),
            key.public_key()
        );
    }
    // The shortest form, and a point that is compressed.
    let bare = [&hex!("3025020101")[..], &sec1[5..39]].concat();
    let error = PrivateKey::from_sec1_der(&bare).err().unwrap();
    assert!(matches!(error.kind(), ErrorKind::WrongParameters(_)));
    let compressed = [
        &hex!("3039301306072a8648ce3d020106082a8648ce3d030107032200" "03")[..],
        &spki[27..59],
    ]
    .concat();
    let key = PublicKey::from_der(&compressed).unwrap();
    assert_eq!(key.to_der(), spki);
}

/// RFC 7914, section 13: a key under the password "Rabbit", in 1 GiB of memory.
#[test]
fn a_key_under_scrypt() {
    let text = "-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHiME0GCSqGSIb3DQEFDTBAMB8GCSsGAQQB2kcECzASBAVNb3VzZQIDEAAAAgEI
AgEBMB0GCWCGSAFlAwQBKgQQyYmguHMsOwzGMPoyObk/JgSBkJb47EWd5iAqJlyy
+ni5ftd6gZgOPaLQClL7mEZc2KQay0VhjZm/7MbBUNbqOAXNM6OGebXxVp6sHUAL
iBGY/Dls7B1TsWeGObE0sS1MXEpuREuloZjcsNVcNXWPlLdZtkSH6uwWzR0PyG/Z
+ZXfNodZtd/voKlvLOw5B3opGIFaLkbtLZQwMiGtl42AS89lZg==
-----END ENCRYPTED PRIVATE KEY-----
";
    let plain = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4RaNK5CuHY3CXr9f
/CdVgOhEurMohrQmWbbLZK4ZInyhRANCAARs2WMV6UMlLjLaoc0Dsdnj4Vlffc9T
t48lJU0RiCzXc280Vg/H5fm1xAP1B7UnIVcBqgDHDcfqWm1h/xSeCHXS
-----END PRIVATE KEY-----
";
    let key = PrivateKey::from_encrypted_pem(text, b"Rabbit", &Limits::default()).unwrap();
    assert_eq!(*key.to_pem(), *plain);
}
