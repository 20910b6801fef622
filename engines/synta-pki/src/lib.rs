//! A certification authority on `synta-certificate` with its backend of OpenSSL: builders, encoders,
//! parsers, keys and signatures are the library's alone.
//!
//! It is used as its documents say: the issuer's name, its hashes, the algorithm and the extensions
//! that all certificates have are encoded once, a public key is parsed once, and signers are made
//! of a key whose handle is held.

use adamant_engine::toolkit::{Extent, Facts, Functions, Item, Toolkit};
use synta::{BitStringRef, Decoder, Encoding, Integer};
use synta_certificate::crl::CertificateList;
use synta_certificate::ocsp::OCSPResponse;
use synta_certificate::{
    BackendPrivateKey, BackendPublicKey, Certificate, CertificateBuilder, CertificateListBuilder,
    ExtendedKeyUsageBuilder, KEY_USAGE_C_RLSIGN, KEY_USAGE_DIGITAL_SIGNATURE,
    KEY_USAGE_KEY_CERT_SIGN, KeyIdMethod, NameBuilder, OCSPResponseBuilder, PrivateKey,
    SingleResponseSpec, SubjectAlternativeNameBuilder, Time, default_key_id_hasher,
    encode_authority_key_identifier, encode_basic_constraints, encode_key_usage,
    encode_subject_key_identifier, oids, parse_time,
};

/// What the program loads.
#[unsafe(no_mangle)]
pub static ADAMANT_TOOLKIT: Functions = Functions::of::<Synta>();

/// `id-sha256`, the hash that names issuers in responses, as an AlgorithmIdentifier.
const SHA256: &[u8] = &[
    0x30, 11, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 0x04, 0x02, 1,
];
/// The number of the list, 1.
const CRL_NUMBER: &[u8] = &[0x02, 1, 1];

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// What an encoder gives that has no reasons.
fn encoded(der: Option<Vec<u8>>) -> Result<Vec<u8>, String> {
    der.ok_or_else(|| "an extension cannot be encoded".into())
}

/// A private key of a parameter set: curves and modulus by their names in the protocol.
fn generate(algorithm: &str) -> Result<BackendPrivateKey, String> {
    let key = match algorithm {
        "ecdsa-p256" => BackendPrivateKey::generate_ec("P-256"),
        "ecdsa-p384" => BackendPrivateKey::generate_ec("P-384"),
        "ecdsa-p521" => BackendPrivateKey::generate_ec("P-521"),
        "ed25519" => BackendPrivateKey::generate_ed25519(),
        "ed448" => BackendPrivateKey::generate_ed448(),
        "ml-dsa-44" => BackendPrivateKey::generate_ml_dsa("ML-DSA-44"),
        "ml-dsa-65" => BackendPrivateKey::generate_ml_dsa("ML-DSA-65"),
        "ml-dsa-87" => BackendPrivateKey::generate_ml_dsa("ML-DSA-87"),
        "rsa-2048" => BackendPrivateKey::generate_rsa(2048, 65537),
        "rsa-3072" => BackendPrivateKey::generate_rsa(3072, 65537),
        "rsa-4096" => BackendPrivateKey::generate_rsa(4096, 65537),
        _ => return Err(format!("{algorithm} is not offered")),
    };
    key.map_err(text)
}

/// The hash that certificates of these keys are signed with; there is none for the others.
fn digest(algorithm: &str) -> &'static str {
    match algorithm {
        "ecdsa-p384" => "sha384",
        "ecdsa-p521" => "sha512",
        _ => "sha256",
    }
}

/// `YYYYMMDDHHMMSSZ` in the Gregorian calendar.
fn generalized(unix: i64) -> String {
    let (day, second) = (unix.div_euclid(86_400), unix.rem_euclid(86_400));
    // Days from 0000-03-01 on: 400 years have 146,097, and months from March on begin at
    // (153 m + 2) / 5.
    let day = day + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (year, month + 3),
        _ => (year + 1, month - 9),
    };
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!(
        "{:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z",
        year + 400 * era
    )
}

struct Authority {
    key: BackendPrivateKey,
    digest: &'static str,
    spki: Vec<u8>,
    name: Vec<u8>,
    algorithm: Vec<u8>,
    name_hash: Vec<u8>,
    key_hash: Vec<u8>,
    now: String,
    /// The ends of the certificate, a subscriber's, a list and a response.
    ends: [String; 4],
    from: Time,
    until: Time,
    // Values of extensions.
    authority_key_id: Vec<u8>,
    constraints: Vec<u8>,
    usage: Vec<u8>,
    purposes: Vec<u8>,
}

impl Authority {
    fn sign(&self, tbs: &[u8]) -> Result<Vec<u8>, String> {
        let signer = self.key.as_signer(self.digest);
        signer.sign_tbs_erased(tbs).map_err(text)
    }

    /// A certificate from its builder.
    fn certificate(&self, builder: &CertificateBuilder) -> Result<Vec<u8>, String> {
        let tbs = builder.build_tbs(&self.algorithm).map_err(text)?;
        CertificateBuilder::assemble(&tbs, &self.algorithm, &self.sign(&tbs)?).map_err(text)
    }
}

fn subject_key_id(spki: &[u8]) -> Result<Vec<u8>, String> {
    let (method, hasher) = (KeyIdMethod::Rfc5280Sha1, default_key_id_hasher());
    encoded(encode_subject_key_identifier(spki, method, &hasher))
}

/// The magnitude of a number.
fn magnitude(number: &[u8; 8]) -> &[u8] {
    let zeros = number.iter().take_while(|&&octet| octet == 0).count();
    &number[zeros.min(7)..]
}

/// The elements of a SEQUENCE that ends with a BIT STRING: `N` as they are, and its contents.
fn parts<const N: usize>(der: &[u8]) -> Option<([&[u8]; N], &[u8])> {
    let mut d = Decoder::new(der, Encoding::Der);
    d.read_tag().ok()?;
    d.read_length().ok()?.definite().ok()?;
    let mut elements = [der; N];
    for element in &mut elements {
        let start = d.position();
        d.read_tag().ok()?;
        let length = d.read_length().ok()?.definite().ok()?;
        d.read_bytes(length).ok()?;
        *element = &der[start..d.position()];
    }
    let bits: BitStringRef<'_> = d.decode().ok()?;
    Some((elements, bits.as_bytes()))
}

/// The public key within a SubjectPublicKeyInfo.
fn key_bits(spki: &[u8]) -> Option<&[u8]> {
    let ([_algorithm], bits) = parts(spki)?;
    Some(bits)
}

struct Synta;

impl Toolkit for Synta {
    type Key = BackendPrivateKey;
    type Authority = Authority;
    type Verifier = BackendPublicKey;

    fn name() -> String {
        "synta-certificate 0.5.1".into()
    }

    fn has(algorithm: &str) -> bool {
        // Of RSA it has all, and a key takes long.
        algorithm.starts_with("rsa-") || generate(algorithm).is_ok()
    }

    fn generate(algorithm: &str) -> Result<BackendPrivateKey, String> {
        generate(algorithm)
    }

    fn spki(key: &BackendPrivateKey) -> Result<Vec<u8>, String> {
        key.public_key_spki_der().map_err(text)
    }

    fn authority(
        algorithm: &str,
        key: BackendPrivateKey,
        facts: &Facts<'_>,
    ) -> Result<Authority, String> {
        let digest = digest(algorithm);
        let spki = key.public_key_spki_der().map_err(text)?;
        let name = NameBuilder::new()
            .organization(facts.organization)
            .common_name(facts.common_name)
            .build()?;
        let signer = key.as_signer(digest);
        let algorithm = signer.signature_algorithm_der_erased().map_err(text)?;
        let hasher = default_key_id_hasher();
        let hash = |data: &[u8]| hasher.hash_erased(oids::ID_SHA256, data).map_err(text);
        let key_hash = hash(key_bits(&spki).ok_or("a public key cannot be read")?)?;
        let ends = facts.periods.map(|period| generalized(facts.now + period));
        let method = KeyIdMethod::Rfc5280Sha1;
        let purposes = ExtendedKeyUsageBuilder::new().server_auth().build()?;
        Ok(Authority {
            name_hash: hash(&name)?,
            key_hash,
            authority_key_id: encoded(encode_authority_key_identifier(&spki, method, &hasher))?,
            constraints: encoded(encode_basic_constraints(false, None))?,
            usage: encoded(encode_key_usage(1 << KEY_USAGE_DIGITAL_SIGNATURE))?,
            purposes,
            from: parse_time(&generalized(facts.now))?,
            until: parse_time(&ends[1])?,
            now: generalized(facts.now),
            ends,
            key,
            digest,
            spki,
            name,
            algorithm,
        })
    }

    fn self_sign(ca: &Authority) -> Result<Vec<u8>, String> {
        let usages = [
            KEY_USAGE_KEY_CERT_SIGN,
            KEY_USAGE_C_RLSIGN,
            KEY_USAGE_DIGITAL_SIGNATURE,
        ];
        let usage = usages.iter().fold(0, |bits, bit| bits | 1 << bit);
        let builder = CertificateBuilder::new()
            .issuer_name(&ca.name)
            .subject_name(&ca.name)
            .public_key_der(&ca.spki)
            .serial_number(Integer::from_unsigned_bytes(&ca.key_hash[..16]))
            .not_valid_before(ca.from.clone())
            .not_valid_after(parse_time(&ca.ends[0])?)
            .add_extension_oid(
                oids::BASIC_CONSTRAINTS,
                true,
                &encoded(encode_basic_constraints(true, Some(0)))?,
            )
            .add_extension_oid(oids::KEY_USAGE, true, &encoded(encode_key_usage(usage))?)
            .add_extension_oid(
                oids::SUBJECT_KEY_IDENTIFIER,
                false,
                &subject_key_id(&ca.spki)?,
            );
        ca.certificate(&builder)
    }

    fn issue(
        ca: &Authority,
        number: u64,
        host: &str,
        key: &BackendPrivateKey,
    ) -> Result<Vec<u8>, String> {
        let spki = key.public_key_spki_der().map_err(text)?;
        let subject = NameBuilder::new().common_name(host).build()?;
        let names = SubjectAlternativeNameBuilder::new()
            .dns_name(host)
            .build()?;
        let builder = CertificateBuilder::new()
            .issuer_name(&ca.name)
            .subject_name(&subject)
            .public_key_der(&spki)
            .serial_number(Integer::from_unsigned_bytes(magnitude(
                &number.to_be_bytes(),
            )))
            .not_valid_before(ca.from.clone())
            .not_valid_after(ca.until.clone())
            .add_extension_oid(oids::AUTHORITY_KEY_IDENTIFIER, false, &ca.authority_key_id)
            .add_extension_oid(oids::BASIC_CONSTRAINTS, true, &ca.constraints)
            .add_extension_oid(oids::KEY_USAGE, true, &ca.usage)
            .add_extension_oid(oids::EXTENDED_KEY_USAGE, false, &ca.purposes)
            .add_extension_oid(oids::SUBJECT_KEY_IDENTIFIER, false, &subject_key_id(&spki)?)
            .add_extension_oid(oids::SUBJECT_ALT_NAME, false, &names);
        ca.certificate(&builder)
    }

    fn crl(ca: &Authority, last: u64, extent: Extent) -> Result<Vec<u8>, String> {
        let mut builder = CertificateListBuilder::new()
            .issuer(&ca.name)
            .this_update(&ca.now)
            .next_update(&ca.ends[2])
            .signature_algorithm(&ca.algorithm)
            .add_crl_extension(oids::AUTHORITY_KEY_IDENTIFIER, false, &ca.authority_key_id)
            .add_crl_extension(oids::CRL_NUMBER, false, CRL_NUMBER);
        for number in 1..=last {
            builder = builder.revoke(magnitude(&number.to_be_bytes()), &ca.now, None);
        }
        let tbs = builder.build()?;
        match extent {
            Extent::Tbs => Ok(tbs),
            Extent::Signed => {
                CertificateListBuilder::assemble(&tbs, &ca.algorithm, &ca.sign(&tbs)?)
            }
        }
    }

    fn response(ca: &Authority, number: u64, extent: Extent) -> Result<Vec<u8>, String> {
        let tbs = OCSPResponseBuilder::new()
            .responder_name(&ca.name)
            .produced_at(&ca.now)
            .add_response(SingleResponseSpec {
                hash_algorithm_der: SHA256,
                issuer_name_hash: &ca.name_hash,
                issuer_key_hash: &ca.key_hash,
                serial: magnitude(&number.to_be_bytes()),
                status: 0,
                this_update: &ca.now,
                next_update: Some(&ca.ends[3]),
            })
            .build_tbs()?;
        match extent {
            Extent::Tbs => Ok(tbs),
            Extent::Signed => OCSPResponseBuilder::assemble(&tbs, &ca.algorithm, &ca.sign(&tbs)?),
        }
    }

    fn verifier(spki: &[u8]) -> Result<BackendPublicKey, String> {
        BackendPublicKey::from_der(spki).map_err(text)
    }

    fn verify(key: &BackendPublicKey, item: Item, der: &[u8]) -> Result<bool, String> {
        let mut decoder = Decoder::new(der, Encoding::Der);
        let response: OCSPResponse<'_>;
        let signed = match item {
            Item::Certificate => {
                decoder.decode::<Certificate<'_>>().map_err(text)?;
                der
            }
            Item::Crl => {
                decoder.decode::<CertificateList<'_>>().map_err(text)?;
                der
            }
            Item::Response => {
                response = decoder.decode().map_err(text)?;
                let bytes = response.response_bytes.as_ref();
                bytes
                    .ok_or("a response without contents")?
                    .response
                    .as_bytes()
            }
        };
        let ([tbs, algorithm], signature) = parts(signed).ok_or("an item cannot be read")?;
        Ok(key.verify_signature(tbs, algorithm, signature).is_ok())
    }
}
