//! Every kind of keys, and its uses.

use adamant::x509::{KeyAlgorithm, PrivateKey, PublicKey, SubjectPublicKeyInfo};
use adamant_tool::select;

use super::roles::{Agrees, Decapsulates, Decrypts, Encapsulates, Encrypts};
use super::schemes::{Signs, Verifies};
use crate::Failure;
use crate::text::shown;

/// What a private key does; nothing where it is not for that.
#[derive(Clone, Copy, Default)]
pub(super) struct Private<'a> {
    pub(super) sign: Option<&'a dyn Signs>,
    pub(super) derive: Option<&'a dyn Agrees>,
    pub(super) encapsulate: Option<&'a dyn Decapsulates>,
    pub(super) encrypt: Option<&'a dyn Decrypts>,
}

/// What a public key does; nothing where it is not for that.
#[derive(Clone, Copy, Default)]
pub(super) struct Public<'a> {
    pub(super) sign: Option<&'a dyn Verifies>,
    pub(super) encapsulate: Option<&'a dyn Encapsulates>,
    pub(super) encrypt: Option<&'a dyn Encrypts>,
}

/// Makes the two of a row for each kind: what the private key does, and the public one.
macro_rules! kinds {
    ($($kind:ident: $($private:ident)* / $($public:ident)*;)*) => {
        impl<'a> Private<'a> {
            pub(super) fn of(key: &'a PrivateKey) -> Self {
                match key {
                    $(PrivateKey::$kind(key) => Private {
                        $($private: Some(key),)*
                        ..Private::default()
                    },)*
                    _ => Private::default(),
                }
            }
        }

        impl<'a> Public<'a> {
            // Keys that only agree do nothing by themselves.
            #[allow(unused_variables)]
            pub(super) fn of(key: &'a PublicKey) -> Self {
                match key {
                    $(PublicKey::$kind(key) => Public {
                        $($public: Some(key),)*
                        ..Public::default()
                    },)*
                    _ => Public::default(),
                }
            }
        }

        /// The uses of a kind of keys.
        pub(super) fn uses(algorithm: KeyAlgorithm) -> &'static [&'static str] {
            match algorithm {
                $(KeyAlgorithm::$kind => &[$(stringify!($private)),*],)*
                _ => &[],
            }
        }
    };
}

/// The rows, of the list of the schemes.
macro_rules! rows {
    (
        curves { $({ $cf:tt $curve:ident $($_c:tt)* })* }
        signatures { $({ $sf:tt $signs:ident $($_s:tt)* })* }
        agreements { $({ $af:tt $agrees:ident $($_a:tt)* })* }
        kems { $({ $kf:tt $kem:ident $($_k:tt)* })* }
    ) => {
        kinds! {
            Rsa: sign encrypt / sign encrypt;
            Sm2: sign encrypt / sign encrypt;
            $($curve: sign derive / sign;)*
            $($signs: sign / sign;)*
            $($agrees: derive / ;)*
            $($kem: encapsulate / encapsulate;)*
        }
    };
}
adamant::hazmat::base::schemes!(rows);

/// The name of a kind in commands: that of the standard in small letters.
pub(super) fn name(algorithm: KeyAlgorithm) -> String {
    algorithm.name().to_ascii_lowercase()
}

/// The kind of this name, in capitals or not, with hyphens or without.
///
/// # Errors
/// There is none: which there are.
pub(crate) fn find(asked: &str) -> Result<KeyAlgorithm, Failure> {
    let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
    let all = KeyAlgorithm::ALL;
    let found = all.iter().find(|kind| plain(kind.name()) == plain(asked));
    found.copied().ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|kind| name(*kind)).collect();
        let borrowed: Vec<_> = names.iter().map(String::as_str).collect();
        // The beginning of a name, a part of one, or one with a slip.
        let with = |fits: &dyn Fn(&str) -> bool| -> Vec<String> {
            let fitting = names.iter().filter(|name| fits(&plain(name)));
            fitting.cloned().collect()
        };
        let asked_plain = plain(asked);
        let begins = with(&|name| !asked_plain.is_empty() && name.starts_with(&asked_plain));
        let has = with(&|name| asked_plain.len() > 1 && name.contains(&asked_plain));
        let near = match select::select(&borrowed, &[asked.to_ascii_lowercase()]) {
            _ if !begins.is_empty() => begins,
            _ if !has.is_empty() => has,
            Err(unmatched) if !unmatched.near.is_empty() => unmatched.near,
            _ => names,
        };
        let (near, asked) = (near.join(", "), shown(asked));
        Failure::Usage(format!(
            "no kind of keys is called {asked}; there is {near}"
        ))
    })
}

/// The octets of a public key, as they are in its SubjectPublicKeyInfo.
pub(super) fn octets(key: &PublicKey) -> Vec<u8> {
    let der = key.to_der();
    let spki = SubjectPublicKeyInfo::from_der(&der);
    // What has just been written can be read.
    spki.map(|spki| spki.key.to_vec()).unwrap_or_default()
}

/// That keys of an algorithm are not for what is asked of them.
pub(super) fn unfit(algorithm: Option<KeyAlgorithm>, what: &str) -> Failure {
    Failure::Run(match algorithm.map(|a| (a.name(), uses(a))) {
        None => format!("keys of this algorithm do not {what} here"),
        Some((name, uses)) => {
            let uses = uses.join(", ");
            format!("{name} keys do not {what}; what they are for: {uses}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row for every kind.
    #[test]
    fn all_kinds() {
        for algorithm in KeyAlgorithm::ALL {
            assert!(!uses(*algorithm).is_empty(), "{}", algorithm.name());
            let found = find(&name(*algorithm)).ok();
            assert_eq!(found, Some(*algorithm));
        }
        assert_eq!(find("P256").ok(), Some(KeyAlgorithm::P256));
        assert_eq!(find("mlkem768").ok(), Some(KeyAlgorithm::MlKem768));
        for (asked, near) in [
            ("p257", "p-256"),
            ("ed255", "ed25519"),
            ("ED-255", "ed25519"),
            ("519", "ed25519, x25519"),
            ("ml-dsa", "ml-dsa-44, ml-dsa-65, ml-dsa-87"),
            ("rsb", "rsa"),
        ] {
            let told = find(asked).err().unwrap().sentence();
            assert!(told.ends_with(&format!("; there is {near}")), "{told}");
        }
    }
}
