//! The tables of five documents that compare libraries, each row with the operation of ours that it
//! measures: `openhitls`, `bearssl`, `x509`, `kctsb`, `curve25519`.
//!
//! A document's figures are quotations from another machine: they are shown beside figures measured
//! here, never in a ratio with them. A suite keeps the document's tables, rows, order and units.
//!
//! A suite is a text file of facts beside this one, read by [`parse`]:
//!
//! ```text
//! document TITLE
//! machine WHERE IT WAS MEASURED
//! date WHEN
//! elsewhere MACHINE | …                     machines that no machine here stands for
//! feature NAME @IMPLEMENTATION …            what is built only with that feature of cargo
//!
//! table SECTION: TITLE
//! labels HEADING | …                        columns of words
//! unit MB/s
//! values GROUP: COLUMN [UNIT] | … = TARGET  columns of figures for one target
//! LABEL <KEY> | … | FIGURE | … ~ NOTE       a row; - where the document has no figure
//! ```
//!
//! A target is `NAME BYTES xBATCH @IMPLEMENTATION` (an operation of the registry, all but the name
//! optional, the implementation a pattern), a sum of such (`+ A + B`, `8 times A`), `stage NAME KEYS BATCH` (of
//! the pipeline), `~ OPERATION: MACHINE` where its instructions are counted in place of a machine
//! that is not here (see [`crate::emulate`]), `footprint NAME` of what a build takes (see
//! [`mod@crate::footprint`]), or `- WHY` where no machine here can run it: a row with nothing else
//! names a machine that is `elsewhere`, or nothing that could be measured. `{1}` in it stands for the
//! key of the first label, which is the label in lower case where none is given; of keys with `;`
//! each group of columns takes its own. A key that begins with `-` is a target by itself.
//!
//! | file | holds |
//! |---|---|
//! | [`parse`] | the reader of the files |
//! | [`mod@unit`] | the documents' units |
//! | [`choose`] | what is asked for and measured, and what stands for the rest |
//! | [`fill`] | measured figures for the cells |

use std::fmt;
use std::sync::LazyLock;

pub mod choose;
pub mod fill;
pub mod parse;
pub mod unit;

#[cfg(test)]
mod tests;

use adamant_pipeline::Algorithm;
use adamant_tool::text::distinct;
use unit::Unit;

/// The tables of a document.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The name that `--suite` takes.
    pub name: &'static str,
    /// The document's title.
    pub document: String,
    /// The machine that the document's figures are from.
    pub machine: String,
    /// The document's date.
    pub date: String,
    /// The machines that its figures are quoted for, as none here stands for them.
    pub elsewhere: Vec<String>,
    /// What is built only with a feature of cargo.
    pub features: Vec<Feature>,
    /// The tables, in the document's order.
    pub tables: Vec<Table>,
}

/// A feature of cargo, and patterns over the implementations that are built with it.
pub type Feature = (String, Vec<String>);

/// A table of a document.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Where it is: `3.2`.
    pub section: String,
    /// Its title.
    pub title: String,
    /// The headings of the labels.
    pub labels: Vec<String>,
    /// The unit of columns that do not name theirs.
    pub unit: Option<Unit>,
    /// Groups of columns, each of one target a row.
    pub groups: Vec<Group>,
    /// The rows.
    pub lines: Vec<Line>,
}

/// Columns of figures of the same thing.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its heading; empty where the table has one group.
    pub title: String,
    /// The document's columns, and their units.
    pub columns: Vec<(String, Unit)>,
    /// Its targets, with places for keys.
    pub target: String,
}

impl Group {
    /// The units that occur, each once.
    #[must_use]
    pub fn units(&self) -> Vec<Unit> {
        distinct(self.columns.iter().map(|(_, unit)| *unit))
    }
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the row is of.
    pub labels: Vec<String>,
    /// A cell for each group of the table.
    pub cells: Vec<Cell>,
    /// What a reader has to know.
    pub note: Option<String>,
}

/// What the document says of one target, and what the target is.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What stands for it here.
    pub target: Target,
    /// The document's figures as it writes them, without separators; `None` where it has none.
    pub quotes: Vec<Option<String>>,
}

/// What is here for a row of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One operation, or the sum of several.
    Operations(Vec<Operation>),
    /// A stage of the certificate pipeline.
    Stage {
        /// The stage's name.
        stage: String,
        /// The algorithm of the keys.
        algo: Algorithm,
        /// Certificates of the batch.
        batch: usize,
    },
    /// The instructions of an operation, for a machine that is not here.
    Emulated {
        /// What is counted.
        operation: Operation,
        /// The machine.
        machine: String,
    },
    /// What a build of a library takes, by its name in [`mod@crate::footprint`].
    Footprint(String),
    /// Nothing: the reason.
    NoMachine(String),
}

/// An operation of the registry at one size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Operation {
    /// Its name.
    pub op: String,
    /// Bytes, 0 where it has no message.
    pub bytes: usize,
    /// Items of the batch, 1 for single operations.
    pub batch: usize,
    /// A pattern over the names of its implementations; without it, the best.
    pub implementation: Option<String>,
    /// The feature of cargo without which that implementation is not built.
    pub feature: Option<String>,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.op)?;
        if self.bytes > 0 {
            write!(f, " {} B", self.bytes)?;
        }
        if self.batch > 1 {
            write!(f, " × {}", self.batch)?;
        }
        if let Some(implementation) = &self.implementation {
            write!(f, " on {implementation}")?;
        }
        Ok(())
    }
}

/// The documents' names, and the files called after them.
macro_rules! files {
    ($($name:literal)*) => {
        /// The names that [`find`] knows, in their order in the help.
        pub const NAMES: [&str; FILES.len()] = [$($name),*];
        const FILES: &[&str] = &[$(include_str!(concat!($name, ".txt"))),*];
    };
}
files!("openhitls" "bearssl" "x509" "kctsb" "curve25519");

static SUITES: LazyLock<Vec<Suite>> = LazyLock::new(|| {
    let read = |(name, text): (_, &&str)| match parse::suite(name, text) {
        Ok(suite) => suite,
        // The files are part of the program, and a test reads them all.
        Err((line, what)) => unreachable!("{name}.txt, line {line}: {what}"),
    };
    NAMES.into_iter().zip(FILES).map(read).collect()
});

/// Every suite.
#[must_use]
pub fn all() -> &'static [Suite] {
    &SUITES
}

/// The suite of this name.
///
/// ```
/// use adamant_bench::suites;
/// let suite = suites::find("kctsb").unwrap();
/// assert_eq!(suite.tables[0].title, "AES-128, blocks of 1 KB");
/// assert_eq!(suite.tables[0].lines[3].labels, ["GCM"]);
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static Suite> {
    all().iter().find(|suite| suite.name == name)
}
