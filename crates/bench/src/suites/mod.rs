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
//! elsewhere MACHINE | …                     what figures are quoted for, machines or what nothing does
//!
//! table SECTION: TITLE
//! labels HEADING | …                        columns of words
//! unit MB/s
//! values GROUP: COLUMN [UNIT] | … = TARGET  columns of figures for one target
//! LABEL <KEY> | … | FIGURE | … ~ NOTE       a row; - where the document has no figure
//! ```
//!
//! A target is `NAME BYTES xBATCH @IMPLEMENTATION` (an operation of the registry, all but the name
//! optional, the implementation a pattern), a sum of such (`+ A + B`, `8 times A`), `stage NAME KEYS
//! BATCH` (of the pipeline), `~ OPERATION: MACHINE` where its instructions are counted in place of a machine
//! that is not here (see [`crate::emulate`]), `footprint NAME` of what a build takes (see
//! [`mod@crate::footprint`]), or `- WHY` where no machine here can run it: a figure that is quoted so
//! names one that is `elsewhere`. `{1}` in it stands for the key of the first label, which is the label
//! in lower case where none is given; of keys with `;` each group of columns takes its own. A key that
//! begins with `-` is a target by itself.
//!
//! | file | holds |
//! |---|---|
//! | [`parse`] | the reader of the files |
//! | [`mod@unit`] | the documents' units |
//! | [`choose`] | what is asked for and measured, and what stands for the rest |
//! | [`fill`] | measured figures for the cells |

use std::slice;
use std::sync::LazyLock;

pub mod choose;
pub mod fill;
pub mod parse;
pub mod unit;

#[cfg(test)]
mod tests;

use adamant_ops::Size;
use adamant_pipeline::Algorithm;

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
    /// What its figures can be quoted for: machines, as none here stands for them, or what nothing
    /// measures.
    pub elsewhere: Vec<String>,
    /// The tables, in the document's order.
    pub tables: Vec<Table>,
}

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
    pub unit: String,
    /// The columns of figures.
    pub columns: Vec<Column>,
    /// The rows.
    pub lines: Vec<Line>,
}

/// A column of figures.
#[derive(Clone, Debug)]
pub struct Column {
    /// Which group of columns it is of: those of one target a row.
    pub place: usize,
    /// The group's heading; empty where the table has one group.
    pub group: String,
    /// Its heading.
    pub name: String,
    /// What its figures count: one of [`mod@unit`].
    pub unit: String,
    /// Its targets, with places for keys.
    pub target: String,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the row is of.
    pub labels: Vec<String>,
    /// A cell for each column of the table.
    pub cells: Vec<Cell>,
    /// What a reader has to know.
    pub note: Option<String>,
}

/// What the document says of a target, and what the target is.
#[derive(Clone, Debug)]
pub struct Cell {
    /// What stands for it here.
    pub target: Target,
    /// The document's figure as it writes it, without separators; `None` where it has none.
    pub quote: Option<String>,
}

/// What is here for a row of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One operation, or the sum of several.
    Operations(Vec<Operation>),
    /// A stage of the certificate pipeline, the algorithm of the keys, certificates of the batch.
    Stage(String, Algorithm, usize),
    /// The instructions of an operation, for a machine that is not here.
    Emulated(Operation, String),
    /// What a build of a library takes, by its name in [`mod@crate::footprint`].
    Footprint(String),
    /// Nothing: the reason.
    NoMachine(String),
}

impl Target {
    /// The operations that it counts or measures.
    pub(crate) fn operations(&self) -> &[Operation] {
        match self {
            Target::Operations(operations) => operations,
            Target::Emulated(operation, _) => slice::from_ref(operation),
            _ => &[],
        }
    }
}

/// An operation of the registry at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name.
    pub op: String,
    /// Bytes, 0 where it has no message, and items of the batch, 1 for single operations.
    pub size: Size,
    /// A pattern over the names of its implementations; without it, the best.
    pub implementation: Option<String>,
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

/// Every suite.
pub static ALL: LazyLock<Vec<Suite>> = LazyLock::new(|| {
    let read = |(name, text): (_, &&str)| match parse::suite(name, text) {
        Ok(suite) => suite,
        // The files are part of the program, and a test reads them all.
        Err((line, text)) => unreachable!("{name}.txt, line {line}: {text}"),
    };
    NAMES.into_iter().zip(FILES).map(read).collect()
});

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
    ALL.iter().find(|suite| suite.name == name)
}
