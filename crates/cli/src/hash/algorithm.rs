//! The hashes by name, fed piece by piece.

use adamant::family::{Hash, Xof, XofReader};
use adamant_tool::select;

/// A hash at work.
pub(crate) trait Digester {
    /// Takes in more of the message.
    fn update(&mut self, data: &[u8]);
    /// The digest of everything taken in.
    fn finish(self: Box<Self>) -> Vec<u8>;
}

struct Fixed<H>(H);

impl<H: Hash> Digester for Fixed<H> {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
    fn finish(self: Box<Self>) -> Vec<u8> {
        self.0.finalize().as_ref().to_vec()
    }
}

struct Extendable<X> {
    xof: X,
    length: usize,
}

impl<X: Xof> Digester for Extendable<X> {
    fn update(&mut self, data: &[u8]) {
        self.xof.update(data);
    }
    fn finish(self: Box<Self>) -> Vec<u8> {
        let mut out = vec![0; self.length];
        self.xof.finalize_xof().read(&mut out);
        out
    }
}

/// How to begin.
enum Begin {
    /// The digest has one length.
    Fixed(fn() -> Box<dyn Digester>),
    /// The digest has any length.
    Extendable(fn(usize) -> Box<dyn Digester>),
    /// The same, and a customization string sets uses apart.
    Customizable(fn(usize, &[u8]) -> Box<dyn Digester>),
}

/// One hash.
pub(crate) struct Algorithm {
    /// Its name in the catalog.
    pub(crate) name: &'static str,
    /// Its name in lines that `--tag` writes.
    pub(crate) tag: &'static str,
    /// Bytes of a digest when no length is asked for.
    length: usize,
    begin: Begin,
}

fn fixed<H: Hash + 'static>() -> Begin {
    Begin::Fixed(|| Box::new(Fixed(H::new())))
}

fn extendable<X: Xof + 'static>() -> Begin {
    Begin::Extendable(|length| {
        Box::new(Extendable {
            xof: X::new(),
            length,
        })
    })
}

macro_rules! begin {
    (fixed $hash:ty) => {
        fixed::<$hash>()
    };
    (customizable $hash:ty) => {
        Begin::Customizable(|length, customization| {
            let xof = <$hash>::new(b"", customization);
            Box::new(Extendable { xof, length })
        })
    };
    ($kind:ident $hash:ty) => {
        extendable::<$hash>()
    };
}

macro_rules! algorithms {
    (hashes { $({
        $feature:tt ($($hash:tt)*) $table:ident $lanes:tt $name:literal $tag:literal $oid:tt
        $standard:literal $kind:ident $length:literal $($_h:tt)*
    })* }) => {
        /// Every hash of the list, in its order.
        pub(crate) fn algorithms() -> Vec<Algorithm> {
            vec![$(Algorithm {
                name: $name,
                tag: $tag,
                length: $length,
                begin: begin!($kind adamant::hash::$($hash)*),
            }),*]
        }
    };
}
adamant::hazmat::base::hashes!(algorithms);

/// A hash with its length and customization string chosen.
pub(crate) struct Chosen {
    pub(crate) algorithm: Algorithm,
    /// Bytes of a digest, where `--length` says so.
    length: Option<usize>,
    customization: String,
}

impl Chosen {
    /// The hash of this name, in capitals or not.
    ///
    /// # Errors
    /// A sentence: no such hash, or one without what was asked of it.
    pub(crate) fn new(
        name: &str,
        length: Option<usize>,
        customization: Option<&str>,
    ) -> Result<Self, String> {
        let name = name.to_ascii_lowercase();
        let mut all = algorithms();
        let Some(at) = all.iter().position(|a| a.name == name) else {
            let names: Vec<_> = all.iter().map(|a| a.name).collect();
            let near = match select::select(&names, std::slice::from_ref(&name)) {
                Err(unmatched) if !unmatched.near.is_empty() => unmatched.near,
                _ => names.iter().map(|&name| name.to_owned()).collect(),
            };
            return Err(format!(
                "no hash is called {name}; there is {}",
                near.join(", ")
            ));
        };
        let algorithm = all.swap_remove(at);
        if let (Begin::Fixed(_), Some(_)) = (&algorithm.begin, length) {
            return Err(format!(
                "a digest of {name} has {} bytes; --length is for functions with output of any length",
                algorithm.length
            ));
        }
        if customization.is_some() && !matches!(algorithm.begin, Begin::Customizable(_)) {
            return Err(format!(
                "{name} takes no customization string, cshake128 and cshake256 do"
            ));
        }
        Ok(Chosen {
            algorithm,
            length,
            customization: customization.unwrap_or_default().to_owned(),
        })
    }

    /// Bytes of a digest.
    pub(crate) fn length(&self) -> usize {
        self.length.unwrap_or(self.algorithm.length)
    }

    /// Whether a digest may have this many bytes.
    pub(crate) fn accepts(&self, length: usize) -> bool {
        match (&self.algorithm.begin, self.length) {
            (Begin::Fixed(_), _) => length == self.algorithm.length,
            (_, Some(asked)) => length == asked,
            (_, None) => length > 0,
        }
    }

    /// The hash before any input, for a digest of this many bytes.
    pub(crate) fn begin(&self, length: usize) -> Box<dyn Digester> {
        match self.algorithm.begin {
            Begin::Fixed(begin) => begin(),
            Begin::Extendable(begin) => begin(length),
            Begin::Customizable(begin) => begin(length, self.customization.as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use adamant::catalog::{ALGORITHMS, Family};

    use super::*;

    #[test]
    fn the_catalog_is_covered() {
        let of_catalog = ALGORITHMS.iter().filter(|a| a.family == Family::Hash);
        let catalog: Vec<_> = of_catalog.map(|a| a.name).collect();
        let ours: Vec<_> = algorithms().iter().map(|a| a.name).collect();
        assert_eq!(ours, catalog);
        for algorithm in ALGORITHMS {
            let digest = algorithm
                .parameters
                .iter()
                .find(|(name, _)| *name == "digest");
            if let (Family::Hash, Some((_, length))) = (algorithm.family, digest) {
                let chosen = Chosen::new(algorithm.name, None, None);
                let chosen = chosen.unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(chosen.length(), *length, "{}", algorithm.name);
                let digester = chosen.begin(*length);
                assert_eq!(digester.finish().len(), *length, "{}", algorithm.name);
            }
        }
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let error = |name: &str, length, customization| {
            Chosen::new(name, length, customization)
                .err()
                .unwrap_or_default()
        };
        assert_eq!(error("SHA256", None, None), "");
        assert!(error("sha-256", None, None).contains("sha256"));
        assert!(error("quite something else", None, None).contains("md5"));
        assert!(error("sha256", Some(16), None).contains("32 bytes"));
        assert!(error("shake128", None, Some("x")).contains("cshake128"));
        assert_eq!(error("cshake128", Some(7), Some("x")), "");
    }

    #[test]
    fn lengths() {
        let chosen = |name, length| Chosen::new(name, length, None).ok().unwrap();
        assert!(chosen("sha1", None).accepts(20) && !chosen("sha1", None).accepts(21));
        assert!(chosen("shake128", None).accepts(21) && !chosen("shake128", None).accepts(0));
        assert!(chosen("blake3", Some(9)).accepts(9) && !chosen("blake3", Some(9)).accepts(32));
    }
}
