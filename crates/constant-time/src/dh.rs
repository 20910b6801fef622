//! Finite-field Diffie-Hellman.

use adamant_dh::hazmat::Backend;
use adamant_dh::{Group, Named, PrivateKey, generate_batch};
use adamant_testkit::taint::{self, Operation, SecretRng};

pub(crate) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "generate and agree",
        run: agree,
    },
    Operation {
        name: "import",
        run: import,
    },
];

/// The shortest group, which is long enough for every kernel.
fn groups() -> impl Iterator<Item = Group> {
    rows!(Backend).map(|backend| Group::named(Named::Modp768).with_backend(backend))
}

fn agree() {
    for group in groups() {
        let keys = generate_batch(9, &group, &mut SecretRng::new(1)).unwrap();
        let one = keys[0].agree(&keys[1].public_key()).unwrap();
        let other = keys[1].agree(&keys[0].public_key()).unwrap();
        for secret in [&one, &other] {
            adamant_base::ct::mark_public(secret);
        }
        assert_eq!(one[..], other[..]);
    }
}

/// A long key.
fn import() {
    for group in groups() {
        let bytes = taint::secret([0x55; 96]);
        let key = PrivateKey::from_bytes(&group, &bytes).unwrap();
        assert!(key.public_key().check_subgroup().is_ok());
        assert_eq!(key.check_pair(), Ok(()));
    }
}
