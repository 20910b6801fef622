//! What following prints on both architectures, and what it must say.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// What secrets went through, and what leaked.
pub(crate) struct Followed {
    /// The symbols of functions.
    functions: BTreeSet<String>,
    /// By the names of operations.
    leaks: BTreeMap<String, Vec<String>>,
}

impl Followed {
    /// From what was printed.
    pub(crate) fn read(lines: &str) -> Self {
        let mut functions = BTreeSet::new();
        let mut leaks: BTreeMap<_, Vec<String>> = BTreeMap::new();
        let mut operation = "the start";
        for line in lines.lines() {
            if let Some(name) = line.strip_prefix("operation: ") {
                operation = name;
                leaks.entry(name.to_owned()).or_default();
            } else if let Some(function) = line.strip_prefix("followed: ") {
                functions.insert(counted(function).to_owned());
            } else if !line.ends_with(" instructions") {
                let leaks = leaks.entry(operation.to_owned()).or_default();
                match leaks.last_mut() {
                    // A function that the instruction is in, too.
                    Some(leak) if line.starts_with(' ') => *leak += line,
                    _ => leaks.push(line.to_owned()),
                }
            }
        }
        Followed { functions, leaks }
    }

    /// Nothing leaked.
    pub(crate) fn check_clean(&self) {
        assert!(!self.leaks.is_empty(), "no operation was followed");
        for (name, leaks) in &self.leaks {
            assert!(leaks.is_empty(), "{name}: {}", leaks.join("\n"));
        }
    }

    /// What each planted leak's name begins with was found, in the file that it names if it does;
    /// nothing in those that are clean.
    pub(crate) fn check_planted(&self, least: usize, is_in: impl Fn(&str, &str) -> bool) {
        assert!(self.leaks.len() >= least, "{:#?}", self.leaks);
        for (name, leaks) in &self.leaks {
            let name = name.strip_prefix("control: ").expect("a control");
            let (kind, rest) = name.split_once(' ').expect("a name of some words");
            let file = rest
                .strip_prefix("in ")
                .filter(|f| f.starts_with("crates/"));
            let is_it =
                |leak: &String| leak.starts_with(kind) && file.is_none_or(|file| is_in(leak, file));
            match kind {
                "clean" => assert!(leaks.is_empty(), "{name}: {leaks:?}"),
                _ => assert!(leaks.iter().any(is_it), "{name}: {leaks:#?}"),
            }
        }
    }
}

/// The function after a number of instructions.
pub(crate) fn counted(line: &str) -> &str {
    line.split_once(' ').expect("a count and a function").1
}

/// Groups of operations, each of which is followed once, when it is first asked for.
pub(crate) struct Groups<const N: usize> {
    pub(crate) follow: fn(&str) -> Option<Followed>,
    pub(crate) followed: [(&'static str, OnceLock<Option<Followed>>); N],
}

impl<const N: usize> Groups<N> {
    /// None where it cannot be followed and need not.
    fn get(&self, group: &str) -> Option<&Followed> {
        let (_, followed) = self.followed.iter().find(|(name, _)| *name == group)?;
        followed.get_or_init(|| (self.follow)(group)).as_ref()
    }

    /// Nothing leaks in a group.
    pub(crate) fn check_clean(&self, group: &str) {
        if let Some(followed) = self.get(group) {
            followed.check_clean();
        }
    }

    /// Secrets went through each of these functions, but for those whose symbols have a part of
    /// `public`.
    pub(crate) fn check_functions<'a>(
        &self,
        functions: impl Iterator<Item = &'a str>,
        public: &[&str],
    ) {
        let names = self.followed.iter().map(|(group, _)| self.get(group));
        let Some(followed) = names.collect::<Option<Vec<_>>>() else {
            return;
        };
        let is_seen = |name: &str| followed.iter().any(|group| group.functions.contains(name));
        let missed: Vec<_> = functions
            .filter(|name| !is_seen(name))
            .filter(|name| !public.iter().any(|part| name.contains(part)))
            .collect();
        assert!(missed.is_empty(), "{missed:#?}");
    }
}

/// Tests, with these attributes, that nothing leaks in these groups, which `GROUPS` has.
macro_rules! groups {
    ($follow:ident $attributes:tt $($group:ident)*) => {
        const COUNT: usize = [$(stringify!($group)),*].len();
        static GROUPS: $crate::followed::Groups<COUNT> = $crate::followed::Groups {
            follow: $follow,
            followed: [$((stringify!($group), std::sync::OnceLock::new())),*],
        };
        $($crate::followed::groups!(@test $attributes $group);)*
    };
    (@test { $($attribute:tt)* } $group:ident) => {
        #[test]
        $($attribute)*
        fn $group() {
            GROUPS.check_clean(stringify!($group));
        }
    };
}
pub(crate) use groups;

/// As it is printed on x86-64, where a line names the functions that an instruction is in, and on
/// ARM64.
#[test]
fn what_is_printed_is_read() {
    let lines = "operation: control: Branch on a secret
Branch at 1f00: je short 1f10h
    in one (crates/one.rs:1)
    in other (crates/other.rs:2)
Address at 1f20: mov rax,[rax]
    in one (crates/one.rs:3)
7 instructions
operation: control: clean vectors
9 instructions
followed: 2 one";
    let followed = Followed::read(lines);
    assert_eq!(followed.functions, BTreeSet::from(["one".into()]));
    let [branch, address] = &followed.leaks["control: Branch on a secret"][..] else {
        panic!("{:?}", followed.leaks);
    };
    assert!(branch.starts_with("Branch") && branch.contains("crates/other.rs"));
    assert!(address.starts_with("Address") && !address.contains("crates/other.rs"));
    assert!(followed.leaks["control: clean vectors"].is_empty());
}
