//! Key exchange: the standard's example, and what has to be refused.

use crate::hazmat::sm2::Backend;
use crate::sm2::{DEFAULT_IDENTITY, Initiator, Party, PrivateKey, Responder};
use crate::weierstrass::sm2::exchange::test;
use crate::weierstrass::sm2::keys::to_bytes;
use crate::weierstrass::words;
use adamant_base::Error;
use adamant_base::hazmat::FromBytesOn;
use adamant_testkit::{BrokenRng, TestRng, table};
use hex_literal::hex;

/// GB/T 32918.5, A.4.
#[test]
fn the_example_of_the_standard() {
    let a = hex!("81EB26E941BB5AF16DF116495F90695272AE2CD63D6C4AE1678418BE48230029");
    let b = hex!("785129917D45A9EA5437A59356B82338EAADDA6CEB199088F14AE10DEFA229B5");
    let r_a = hex!("D4DE15474DB74D06491C440D305E012400990F3E390C7E87153C12DB2EA60BB3");
    let r_b = hex!("7E07124814B309489125EAED101113164EBF0F3458C5BD88335C1F9D596243D6");
    let point_a = hex!(
        "04"
        "64CED1BDBC99D590049B434D0FD73428CF608A5DB8FE5CE07F15026940BAE40E"
        "376629C7AB21E7DB260922499DDB118F07CE8EAAE3E7720AFEF6A5CC062070C0"
    );
    let point_b = hex!(
        "04"
        "ACC27688A6F7B706098BC91FF3AD1BFF7DC2802CDB14CCCCDB0A90471F9BD707"
        "2FEDAC0494B2FFC4D6853876C79B8F301C6573AD0AA50F39FC87181E1A1B46FE"
    );
    let tag_b = hex!("D3A0FE15DEE185CEAE907A6B595CC32A266ED7B3367E9983A896DC32FA20F8EB");
    let tag_a = hex!("18C7894B3816DF16CF07B05C5EC0BEF5D655D58F779CC1B400A4F3884644DB88");
    let key = hex!("6C89347354DE2484C60B4AB1FDE4C6E5");
    table!(Backend).for_each(|backend| {
        let [a, b] = [a, b].map(|d| PrivateKey::from_bytes_on(&d, backend).unwrap());
        let [public_a, public_b] = [a.public_key(), b.public_key()];
        assert_eq!(
            public_a.identity_digest(DEFAULT_IDENTITY),
            Ok(hex!(
                "3B85A57179E11E7E513AA622991F2CA74D1807A0BD4D4B38F90987A17AC245B1"
            ))
        );
        assert_eq!(
            public_b.identity_digest(DEFAULT_IDENTITY),
            Ok(hex!(
                "79C988D63229D97EF19FE02CA1056E01E6A7411ED24694AA8F834F4A4AB022F7"
            ))
        );
        let [of_a, of_b] = [&public_a, &public_b].map(|key| Party {
            key,
            identity: DEFAULT_IDENTITY,
        });
        let [r_a, r_b] = [&r_a, &r_b].map(|r| words::from_be_bytes(r));
        let initiator = || test::initiator(&a, DEFAULT_IDENTITY, of_b, &r_a);
        assert_eq!(initiator().point(), point_a);
        let responder = || test::responder(&b, DEFAULT_IDENTITY, of_a, &point_a, &r_b);
        assert_eq!(responder().point(), point_b);
        assert_eq!(responder().tag(), tag_b);
        let mut out = [0; 16];
        let tag = initiator().finish_confirmed(&point_b, &tag_b, &mut out);
        assert_eq!((tag, out), (Ok(tag_a), key));
        out = [0; 16];
        initiator().finish(&point_b, &mut out).unwrap();
        assert_eq!(out, key);
        out = [0; 16];
        responder().finish_confirmed(&tag_a, &mut out).unwrap();
        assert_eq!(out, key);
        out = [0; 16];
        responder().finish(&mut out).unwrap();
        assert_eq!(out, key);
    });
}

/// Runs an exchange in which `change` may spoil what is sent: R_A, R_B, S_B, S_A.
fn exchange(
    identities: [&[u8]; 2],
    change: impl Fn(usize, &mut Vec<u8>),
) -> Result<[[u8; 40]; 2], Error> {
    let mut rng = TestRng::new(1);
    let [a, b] = [(); 2].map(|()| PrivateKey::generate(&mut rng).unwrap());
    let [public_a, public_b] = [a.public_key(), b.public_key()];
    let sent = |i, bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        change(i, &mut bytes);
        bytes
    };
    let of_b = Party {
        key: &public_b,
        identity: b"bob",
    };
    let of_a = Party {
        key: &public_a,
        identity: identities[0],
    };
    let mut keys = [[7; 40]; 2];
    let initiator = Initiator::new(&a, b"alice", of_b, &mut rng)?;
    let point = sent(0, &initiator.point());
    let responder = Responder::new(&b, identities[1], of_a, &point, &mut rng)?;
    let (point, tag) = (sent(1, &responder.point()), sent(2, &responder.tag()));
    let result = initiator.finish_confirmed(&point, &tag, &mut keys[0]);
    if result.is_err() {
        assert_eq!(keys[0], [7; 40], "touched");
    }
    let tag = sent(3, &result?);
    let result = responder.finish_confirmed(&tag, &mut keys[1]);
    if result.is_err() {
        assert_eq!(keys[1], [7; 40], "touched");
    }
    result.map(|()| keys)
}

#[test]
fn both_sides_agree() {
    let [a, b] = exchange([b"alice", b"bob"], |_, _| {}).unwrap();
    assert_eq!(a, b);
}

#[test]
fn what_was_changed_is_noticed() {
    for (i, len) in [(0, 65), (1, 65), (2, 32), (3, 32)] {
        for at in [0, 1, len - 1] {
            let result = exchange([b"alice", b"bob"], |n, bytes| {
                if n == i {
                    bytes[at] ^= 1;
                }
            });
            let expected = [Error::BadPublicKey, Error::BadTag][i / 2];
            assert_eq!(result, Err(expected));
        }
        let result = exchange([b"alice", b"bob"], |n, bytes| {
            if n == i {
                bytes.pop();
            }
        });
        assert!(result.is_err());
    }
    // Another point, of the same curve.
    for i in [0, 1] {
        let result = exchange([b"alice", b"bob"], |n, bytes| {
            if n == i {
                *bytes = PrivateKey::from_bytes(&[7; 32])
                    .unwrap()
                    .public_key()
                    .to_sec1()
                    .to_vec();
            }
        });
        assert_eq!(result, Err(Error::BadTag));
    }
    assert_eq!(exchange([b"eve", b"bob"], |_, _| {}), Err(Error::BadTag));
    assert_eq!(exchange([b"alice", b"eve"], |_, _| {}), Err(Error::BadTag));
}

#[test]
fn identities_and_generators_are_checked() {
    let key = PrivateKey::from_bytes(&[7; 32]).unwrap();
    let public = key.public_key();
    let party = |identity| Party {
        key: &public,
        identity,
    };
    let mut rng = TestRng::new(2);
    let long = &[0; 8192][..];
    let error = Error::BadLength {
        expected: 8191,
        actual: 8192,
    };
    assert_eq!(
        Initiator::new(&key, long, party(b""), &mut rng).err(),
        Some(error)
    );
    assert_eq!(
        Initiator::new(&key, b"", party(long), &mut rng).err(),
        Some(error)
    );
    let point = public.to_sec1();
    let refused = Responder::new(&key, long, party(b""), &point, &mut rng).err();
    assert_eq!(refused, Some(error));
    let refused = Responder::new(&key, b"", party(long), &point, &mut rng).err();
    assert_eq!(refused, Some(error));
    let refused = Initiator::new(&key, b"", party(b""), &mut BrokenRng).err();
    assert_eq!(refused, Some(Error::NoEntropy));
    let refused = Responder::new(&key, b"", party(b""), &point, &mut BrokenRng).err();
    assert_eq!(refused, Some(Error::NoEntropy));
}

/// P + x̄ R = 0: a peer that knows its key can choose R so, and gets no key from it.
#[test]
fn the_point_at_infinity_is_refused() {
    use crate::weierstrass::sm2::ORDER;
    let mut rng = TestRng::new(3);
    let key = PrivateKey::generate(&mut rng).unwrap();
    let point = key.public_key().to_sec1();
    let x = words::from_be_bytes::<4>(&point[1..33]);
    let bar = [x[0], x[1] | 1 << 63, 0, 0];
    // R = r G and a peer's key d = -x̄ r.
    let d = ORDER.sub(&[0; 4], &ORDER.mul(&ORDER.to_residue(&bar), &key.d));
    let peer = PrivateKey::from_bytes(&to_bytes(&d)).unwrap().public_key();
    let party = Party {
        key: &peer,
        identity: b"",
    };
    let refused = Responder::new(&key, b"", party, &point, &mut rng).err();
    assert_eq!(refused, Some(Error::BadPublicKey));
}

/// P = x̄ R, whose sum is a double: both sides have the same key of it.
#[test]
fn equal_points_are_added() {
    use crate::weierstrass::sm2::ORDER;
    let mut rng = TestRng::new(4);
    let nonce = PrivateKey::generate(&mut rng).unwrap();
    let x = words::from_be_bytes::<4>(&nonce.public_key().to_sec1()[1..33]);
    let bar = [x[0], x[1] | 1 << 63, 0, 0];
    // R = r G and a key d = x̄ r.
    let d = ORDER.mul(&ORDER.to_residue(&bar), &nonce.d);
    let a = PrivateKey::from_bytes(&to_bytes(&d)).unwrap();
    let b = PrivateKey::generate(&mut rng).unwrap();
    let [public_a, public_b] = [a.public_key(), b.public_key()];
    let [of_a, of_b] = [&public_a, &public_b].map(|key| Party { key, identity: b"" });
    let initiator = test::initiator(&a, b"", of_b, &nonce.d);
    let responder = Responder::new(&b, b"", of_a, &initiator.point(), &mut rng).unwrap();
    let mut keys = [[0; 16]; 2];
    let (point, tag) = (responder.point(), responder.tag());
    let confirmed = initiator.finish_confirmed(&point, &tag, &mut keys[0]);
    responder
        .finish_confirmed(&confirmed.unwrap(), &mut keys[1])
        .unwrap();
    assert_eq!(keys[0], keys[1]);
}
