//! The primes by their definition; known answers, computed with Python's integers; what is refused.

use crate::hazmat::Backend;
use crate::{
    Group, Named, PrivateKey, PublicKey, agree_batch, agree_batch_into, constants, generate_batch,
};
use adamant_base::ct::Choice;
use adamant_base::{Error, Rng};
use adamant_bignum::{hazmat::Task, limbs, prime};
use adamant_testkit::{BrokenRng, TestRng, table};
use hex_literal::hex;

/// A fraction of 8192 bits, 64 more for what is cut off, and 64 for the integer; the lowest limb
/// first.
type Fixed = Vec<u64>;
const LIMBS: usize = 130;

fn one() -> Fixed {
    let mut one = vec![0; LIMBS];
    one[LIMBS - 1] = 1;
    one
}

fn divide(x: &mut Fixed, by: u64) {
    let mut rest = 0u128;
    for limb in x.iter_mut().rev() {
        let with = rest << 64 | u128::from(*limb);
        *limb = (with / u128::from(by)) as u64;
        rest = with % u128::from(by);
    }
}

fn multiply(x: &mut Fixed, by: u64) {
    let mut carry = 0;
    for limb in x.iter_mut() {
        (*limb, carry) = limbs::mul_add_carry(0, *limb, by, carry);
    }
}

/// The sum of 1/k!.
fn e() -> Fixed {
    let (mut sum, mut term) = (vec![0; LIMBS], one());
    for k in 1.. {
        if term.iter().all(|limb| *limb == 0) {
            break;
        }
        limbs::add(&mut sum, &term);
        divide(&mut term, k);
    }
    sum
}

/// The arc tangent of 1/x.
fn arctan(x: u64) -> Fixed {
    let (mut sum, mut power) = (vec![0; LIMBS], one());
    divide(&mut power, x);
    for k in 0.. {
        if power.iter().all(|limb| *limb == 0) {
            break;
        }
        let mut term = power.clone();
        divide(&mut term, 2 * k + 1);
        match k % 2 {
            0 => limbs::add(&mut sum, &term),
            _ => limbs::sub(&mut sum, &term),
        };
        divide(&mut power, x * x);
    }
    sum
}

/// Machin's formula: pi / 4 = 4 arctan(1/5) - arctan(1/239).
fn pi() -> Fixed {
    let mut pi = arctan(5);
    multiply(&mut pi, 4);
    limbs::sub(&mut pi, &arctan(239));
    multiply(&mut pi, 4);
    pi
}

/// The first digits of e and pi are those of the constants: 2^8062 c is c shifted by 126 limbs less
/// two bits.
#[test]
fn the_digits_are_those_of_e_and_pi() {
    for (mut number, digits) in [(e(), &constants::E), (pi(), &constants::PI)] {
        for _ in 0..62 {
            limbs::shift_left(&mut number, 0);
        }
        // Now the integer is floor(2^62 c), the highest limb of floor(2^8062 c).
        let top = number.iter().rev();
        assert!(top.take(constants::MOST).eq(digits));
    }
}

/// What the documents print, at both ends and in the middle.
#[test]
fn the_printed_primes() {
    let p = Group::named(Named::Ffdhe2048).p();
    assert_eq!(p[..16], hex!("ffffffffffffffffadf85458a2bb4a9a"));
    assert_eq!(p[240..], hex!("886b423861285c97ffffffffffffffff"));
    let p = Group::named(Named::Modp2048).p();
    assert_eq!(p[..16], hex!("ffffffffffffffffc90fdaa22168c234"));
    assert_eq!(p[240..], hex!("15728e5a8aacaa68ffffffffffffffff"));
}

/// 2^q = 1 modulo p, and the test of Fermat for q. With the proof of Pocklington the one makes p a
/// prime where q is one.
#[test]
fn the_primes_are_safe() {
    for named in Named::ALL {
        let group = Group::named(named);
        assert_eq!(group.bits(), named.bits());
        let power = |modulus: &adamant_bignum::Modulus, exponent: &[u64]| {
            let mut base = vec![0; modulus.len()];
            base[0] = 2;
            let mut out = base.clone();
            Backend::best().power(&mut [Task {
                modulus,
                base: &base,
                exponent,
                out: &mut out,
            }]);
            limbs::equal(&out, &[1]).declassify()
        };
        assert!(power(group.modulus(), group.order()), "{named:?}");
        let q = adamant_bignum::Modulus::new(group.order()).expect("odd");
        let mut minus_one = group.order().to_vec();
        minus_one[0] -= 1;
        assert!(power(&q, &minus_one), "{named:?}");
        assert!(group.is_square(group.generator()));
    }
    let mut rng = TestRng::new(1);
    for named in [Named::Ffdhe2048, Named::Modp768] {
        let group = Group::named(named);
        for number in [group.modulus().limbs(), group.order()] {
            assert!(prime::is_prime_vartime(Backend::best(), number, &mut rng).unwrap());
        }
    }
}

/// The last bytes of 2^a and the first of 2^(a b) for two keys made of text.
#[test]
fn known_answers() {
    let answers = [
        (
            Named::Ffdhe2048,
            hex!("680e907fc4b3ca3286d92cb20fe5bc3f"),
            hex!("0fe55d350dccedbd9c770145df11ccc4"),
        ),
        (
            Named::Ffdhe3072,
            hex!("1d3bae4fdbd48aee2627f81b969bdc3d"),
            hex!("055764a8544887bb70924a1e6b2b9771"),
        ),
        (
            Named::Ffdhe4096,
            hex!("897ea03f7910272f3b6fc55d582b3359"),
            hex!("5e1496c47b70ed8c2ba6bb6c8836dd21"),
        ),
        (
            Named::Ffdhe6144,
            hex!("9b1c64af30e493422dc6dab150f9777d"),
            hex!("29e1c0dad8715962ea2fa21db93fb7fa"),
        ),
        (
            Named::Ffdhe8192,
            hex!("483e88872f6da7c19dd41919488602a9"),
            hex!("1f214953e6db6f2e8ae0dff615b2629a"),
        ),
        (
            Named::Modp2048,
            hex!("7234c7329fe4a2ab7443f566165491a4"),
            hex!("cc01b71eeca655e93fed86386f3fc6da"),
        ),
        (
            Named::Modp3072,
            hex!("4fa4463a6435bd7f4828e6345f079bc4"),
            hex!("64806240d8da509f1bf4f093483e50e6"),
        ),
        (
            Named::Modp4096,
            hex!("5998979b67e3b4fed8518ad2184b7a45"),
            hex!("3a26e206279b57bcb59dde88d60e9f77"),
        ),
        (
            Named::Modp6144,
            hex!("9ff16c18ebec8404f7dc564423d15ca6"),
            hex!("1e1ea60060c38a2da91dbd7851fa4cac"),
        ),
        (
            Named::Modp8192,
            hex!("6a2af60930142a618a2522cc9dda4626"),
            hex!("8a7862ded06cb9af3256d3394467bcc8"),
        ),
        (
            Named::Modp1536,
            hex!("efe2f10166069af660e78192746d706f"),
            hex!("ef61b055f6d94b45125a78770bebb915"),
        ),
        (
            Named::Modp1024,
            hex!("65f599a412ac0b7328fc7d8207c4746c"),
            hex!("e0cc4e03b96e3103757e8e4d7a0f6ba0"),
        ),
        (
            Named::Modp768,
            hex!("4d4f436bf6472aa853fbf3b14437a644"),
            hex!("4b818c4778792c00707451fd9ddaa7ff"),
        ),
    ];
    for (named, end, start) in answers {
        let group = Group::named(named);
        let alice = PrivateKey::from_bytes(&group, b"adamant alice 29 bytes long.").unwrap();
        let bob = PrivateKey::from_bytes(&group, b"adamant bob: 28 bytes long .").unwrap();
        assert_eq!(alice.public_key().to_bytes()[group.size() - 16..], end);
        for (key, peer) in [(&alice, &bob), (&bob, &alice)] {
            let secret = key.agree(&peer.public_key()).unwrap();
            assert_eq!((secret.len(), &secret[..16]), (group.size(), &start[..]));
        }
    }
}

#[test]
fn implementations_agree() {
    table!(Backend).against_portable(|backend, portable| {
        for (named, count) in [
            (Named::Modp768, 9),
            (Named::Ffdhe2048, 9),
            (Named::Ffdhe3072, 2),
        ] {
            let of = |backend| {
                let group = Group::named(named).with_backend(backend);
                let mut keys = generate_batch(count, &group, &mut TestRng::new(2)).unwrap();
                // One as long as the order.
                let mut long = group.p();
                long[0] >>= 2;
                keys.push(PrivateKey::from_bytes(&group, &long).unwrap());
                let public: Vec<_> = keys.iter().map(PrivateKey::public_key).collect();
                let pairs: Vec<_> = keys.iter().zip(public.iter().rev()).collect();
                let secrets = agree_batch(&pairs).into_iter();
                let secrets = secrets.map(|secret| secret.unwrap().to_vec());
                let public = public.iter().map(PublicKey::to_bytes);
                (public.collect::<Vec<_>>(), secrets.collect::<Vec<_>>())
            };
            let (public, secrets) = of(backend);
            let expected = of(portable);
            assert_eq!((&public, &secrets), (&expected.0, &expected.1));
            for (one, other) in secrets.iter().zip(secrets.iter().rev()) {
                assert_eq!(one, other);
            }
        }
    });
}

#[test]
fn batches_are_single_calls() {
    let group = Group::named(Named::Ffdhe2048);
    let keys = generate_batch(11, &group, &mut TestRng::new(3)).unwrap();
    let mut rng = TestRng::new(3);
    for key in &keys {
        let single = PrivateKey::generate(&group, &mut rng).unwrap();
        assert_eq!(single.to_bytes()[..], key.to_bytes()[..]);
        assert_eq!(single.public_key(), key.public_key());
        assert!(key.to_bytes()[..256 - 29].iter().all(|byte| *byte == 0));
    }
    let other = Group::named(Named::Modp2048);
    let stranger = PrivateKey::generate(&other, &mut rng).unwrap().public_key();
    let mut publics: Vec<_> = keys.iter().map(PrivateKey::public_key).collect();
    publics.reverse();
    publics[4] = stranger;
    let pairs: Vec<_> = keys.iter().zip(&publics).collect();
    let mut out = agree_batch(&pairs);
    for (i, ((key, peer), secret)) in pairs.iter().zip(&out).enumerate() {
        let bytes = |secret: &Result<crate::SharedSecret, Error>| {
            secret.as_ref().map(|s| s.to_vec()).map_err(|e| *e)
        };
        assert_eq!(bytes(secret), bytes(&key.agree(peer)));
        assert_eq!(secret.is_err(), i == 4);
    }
    assert!(agree_batch(&[]).is_empty());
    let wrong = agree_batch_into(&pairs, &mut out[1..]);
    let (expected, actual) = (11, 10);
    assert_eq!(wrong, Err(Error::BadLength { expected, actual }));
}

/// Values at both ends, and what lies outside.
#[test]
fn what_is_refused() {
    let group = Group::named(Named::Ffdhe2048);
    let p = group.p();
    let minus = |n: u8| {
        let mut bytes = p.clone();
        bytes[255] -= n;
        bytes
    };
    for (bytes, good) in [
        (vec![], false),
        (vec![0], false),
        (vec![1], false),
        (vec![2], true),
        (vec![0; 256], false),
        (minus(2), true),
        (minus(1), false),
        (p.clone(), false),
        (vec![0xff; 256], false),
        ([&[0][..], &minus(2)].concat(), false),
    ] {
        let key = PublicKey::from_bytes(&group, &bytes);
        assert_eq!(
            key.err(),
            (!good).then_some(Error::BadPublicKey),
            "{bytes:x?}"
        );
    }
    let key = |bytes: &[u8]| PublicKey::from_bytes(&group, bytes).unwrap();
    assert_eq!(key(&[2]).check_subgroup(), Ok(()));
    assert_eq!(key(&minus(2)).check_subgroup(), Err(Error::BadPublicKey));

    let mut q = p.clone();
    for i in (1..256).rev() {
        q[i] = q[i] >> 1 | q[i - 1] << 7;
    }
    q[0] >>= 1;
    let mut last = q.clone();
    last[255] -= 1;
    for (bytes, good) in [
        (&[][..], false),
        (&[0; 256], false),
        (&[1], true),
        (&last, true),
        (&q, false),
        (&p, false),
        (&[1; 257], false),
    ] {
        let key = PrivateKey::from_bytes(&group, bytes);
        assert_eq!(
            key.err(),
            (!good).then_some(Error::BadPrivateKey),
            "{bytes:x?}"
        );
    }
    // 2^(q - 1) = 1/2, with a long key.
    let key = PrivateKey::from_bytes(&group, &last).unwrap();
    let mut half = q;
    for byte in half.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
    assert_eq!(key.public_key().to_bytes(), half);
    assert_eq!(key.to_bytes()[..], last);

    let broken = PrivateKey::generate(&group, &mut BrokenRng);
    assert_eq!(broken.err(), Some(Error::NoEntropy));
}

#[test]
fn halves_of_two_keys_do_not_fit() {
    let group = Group::named(Named::Ffdhe2048);
    let [mut key, other] = [7, 8].map(|x| PrivateKey::from_bytes(&group, &[x]).unwrap());
    assert_eq!(key.check_pair(), Ok(()));
    key.public = other.public;
    assert_eq!(key.check_pair(), Err(Error::BadPrivateKey));
}

/// A secret of 1 or p - 1 needs an element of small order, which no import lets in: the check of
/// the result is looked at by itself.
#[test]
fn weak_secrets() {
    let group = Group::named(Named::Modp768);
    let mut number = adamant_bignum::Number::zero(12);
    number[0] = 1;
    assert_eq!(
        crate::key::secret(&group, &number).err(),
        Some(Error::WeakSharedSecret)
    );
    number.copy_from_slice(group.modulus().limbs());
    number[0] -= 1;
    assert_eq!(
        crate::key::secret(&group, &number).err(),
        Some(Error::WeakSharedSecret)
    );
    number[0] -= 1;
    assert_eq!(crate::key::secret(&group, &number).map(|s| s.len()), Ok(96));
}

/// The largest safe prime below 2^2048.
#[test]
fn groups_of_ones_own() {
    let mut rng = TestRng::new(4);
    let mut p = [0xff; 256];
    p[253..].copy_from_slice(&[0xe2, 0x5c, 0xef]);
    let group = Group::new(&p, &[4], &mut rng).unwrap();
    assert_eq!(
        (group.bits(), group.size(), group.name()),
        (2048, 256, None)
    );
    assert_eq!((group.p(), group.g()[255]), (p.to_vec(), 4));
    let keys = generate_batch(2, &group, &mut rng).unwrap();
    let public = keys[0].public_key();
    assert_eq!(public.check_subgroup(), Ok(()));
    let shared = keys[1].agree(&public).unwrap();
    assert_eq!(
        shared[..],
        keys[0].agree(&keys[1].public_key()).unwrap()[..]
    );

    let bad = |p: &[u8], g: &[u8], rng: &mut TestRng| Group::new(p, g, rng).err();
    let (bad_p, bad_g) = (
        Some(Error::BadParameter("p")),
        Some(Error::BadParameter("g")),
    );
    // No squares, and what is not an element.
    let mut last = p;
    last[255] -= 1;
    for g in [&[][..], &[1], &[5], &last, &p, &[1; 257]] {
        assert_eq!(bad(&p, g, &mut rng), bad_g, "{g:x?}");
    }
    // Composite, too short, too long, even; a prime that is not safe.
    let mut composite = p;
    composite[255] += 2;
    assert_eq!(bad(&composite, &[4], &mut rng), bad_p);
    assert_eq!(bad(&last, &[4], &mut rng), bad_p);
    assert_eq!(bad(&[], &[4], &mut rng), bad_p);
    assert_eq!(
        bad(&Group::named(Named::Modp1536).p(), &[4], &mut rng),
        bad_p
    );
    assert_eq!(bad(&[0xff; 1025], &[4], &mut rng), bad_p);
    let found = prime::search(Backend::best(), 2048, 4, |_| Choice::TRUE, &mut rng).unwrap();
    let unsafe_prime = crate::key::bytes(found.limbs(), 256);
    assert_eq!(bad(&unsafe_prime, &[4], &mut rng), bad_p);
    // The same numbers are the same group.
    let named = Group::named(Named::Ffdhe2048);
    let same = Group::new(&named.p(), &[0, 2], &mut rng).unwrap();
    assert_eq!(same, named);
    assert_ne!(same, group);
    assert_eq!(
        format!("{named:?} {same:?}"),
        "dh::Group(ffdhe2048) dh::Group(2048 bits)"
    );
    assert!(rng.fill(&mut [0]).is_ok());
}
