//! `pki/cert_gen`: one certificate of the pipeline on one core.
//!
//! The CA signs with ECDSA on P-256; the subscriber's key was made beforehand. The measurement
//! covers the steps between the two: the fields and extensions, the signature, the whole.

use adamant::hazmat::ec::p256;
use adamant::x509::{Error, FullCertificate, PrivateKey, PublicKey, SerialNumber};

use crate::keys::{self, KeyPair};
use crate::stream::Stream;
use crate::task::{Judge, Registry, Task, Wrong, field, item, one_field};
use crate::weierstrass::P256;
use crate::x509::Ca;
use crate::{Item, Length};

pub(crate) fn register(to: &mut Registry) {
    to.single::<CertGen>("pki/cert_gen");
}

struct CertGen;

struct Ready {
    ca: Ca,
    key: PublicKey,
    serial: SerialNumber,
}

impl CertGen {
    fn judge(input: &Item, output: &Item) -> Result<(), Wrong> {
        let Ready { ca, key, serial } = Self::ready(p256::Backend::portable(), input, 0)?;
        let certificate = FullCertificate::from_der(field(output, "certificate")?);
        let certificate = certificate?;
        certificate.verify(&ca.key.public_key())?;
        if certificate.spki_der() != key.to_der() {
            return Err("another key is certified".into());
        }
        if certificate.serial().as_bytes() != serial.as_bytes() {
            return Err("the serial number is another".into());
        }
        Ok(())
    }
}

impl Task for CertGen {
    type Table = p256::Backend;
    type State = Ready;
    type Output = Result<Vec<u8>, Error>;
    const LENGTH: Length = Length::None;
    const JUDGE: Judge = Judge::Each(Self::judge);

    fn input(stream: &mut Stream, _: usize) -> Item {
        let (ca, subscriber) = (keys::input::<P256>(stream), keys::input::<P256>(stream));
        item([
            ("private_key", &ca["private_key"]),
            ("public_key", &ca["public_key"]),
            ("subscriber_public_key", &subscriber["public_key"]),
            ("serial", &[&[1], &stream.array::<15>()[..]].concat()),
        ])
    }
    fn ready(table: p256::Backend, input: &Item, _: usize) -> Result<Ready, Wrong> {
        let ca_key = P256::private(field(input, "private_key")?, table)?;
        let key = P256::public(field(input, "subscriber_public_key")?, table);
        let serial = SerialNumber::new(field(input, "serial")?)?;
        Ok(Ready {
            ca: Ca::new(PrivateKey::P256(ca_key))?,
            key: PublicKey::P256(key?),
            serial,
        })
    }
    fn run(state: &mut Ready) -> Self::Output {
        state.ca.certify(&state.key, state.serial)
    }
    fn encode(_: &Ready, der: &Self::Output) -> Item {
        one_field("certificate", der.as_deref().ok())
    }
}
