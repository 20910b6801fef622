//! The stores of schedules.
//!
//! Most of a schedule's time would go into opening connections and preparing their statements. So
//! a schedule has the stores of the one before, with their rows put back to those of the beginning,
//! and a process that starts again has the connection that it had. One of [`Place::ANEW`] schedules has a
//! place of its own, where each process opens a store and closes it at its end, and SQLite ends the
//! log with the last one. What a schedule comes to is the same.

use std::path::Path;
use std::sync::{Arc, Mutex};

use adamant_pki::store::{CaStore, Failpoints, SqliteCa};
use rusqlite::Connection;
use tempfile::TempDir;

use super::{MOST, Site, simulate};

/// The store of the process of this number, at its start; [`MOST`] is the check.
pub(super) type Open<'a> = dyn Fn(usize, Failpoints) -> Arc<dyn CaStore> + Sync + 'a;

/// Where stores lie that begin as one that was prepared.
pub(super) trait Place: Sync {
    /// One of so many schedules opens everything anew.
    const ANEW: u64;

    fn site(&self) -> &Site;
    /// Stores at a place of their own, opened anew each time.
    fn own(&self) -> Box<Open<'_>>;
    fn keep(&self) -> Kept;

    /// What follows a schedule.
    fn anew(&self, seed: u64) -> (u64, u64) {
        simulate(seed, self.site(), &*self.own())
    }

    /// The rows are put back after it: if it leaves a transaction open, that is its own failure.
    fn again(&self, kept: &mut Kept, seed: u64) -> (u64, u64) {
        let end = simulate(seed, self.site(), &*kept.open);
        (kept.reset)();
        end
    }
}

/// Stores that schedules have one after another.
pub(super) struct Kept {
    open: Box<Open<'static>>,
    /// Puts the rows back to those of the beginning.
    reset: Box<dyn FnMut() + Send>,
}

impl Kept {
    fn new(
        open: impl Fn(Failpoints) -> Arc<dyn CaStore>,
        mut reset: impl FnMut() + Send + 'static,
    ) -> Self {
        // A place may be new.
        reset();
        // Failpoints are those of the process that has the store.
        let stores = (0..=MOST).map(|_| {
            let of_process = Arc::new(Mutex::new(Failpoints::default()));
            let now = of_process.clone();
            let store = open(Failpoints::new(move |point| {
                let failpoints = now.lock().unwrap().clone();
                failpoints.at(point)
            }));
            (of_process, store)
        });
        let stores: Vec<_> = stores.collect();
        let open = move |place: usize, failpoints| {
            let (of_process, store) = &stores[place];
            *of_process.lock().unwrap() = failpoints;
            store.clone()
        };
        Self {
            open: Box::new(open),
            reset: Box::new(reset),
        }
    }
}

/// A transaction that puts the rows of tables back to those of the same tables elsewhere.
fn putting_back(tables: &[String], from: &str) -> Vec<String> {
    let tables = tables.iter().flat_map(|table| {
        [
            format!("DELETE FROM {table}"),
            format!("INSERT INTO {table} SELECT * FROM {from}.{table}"),
        ]
    });
    let begin = std::iter::once("BEGIN".to_owned());
    begin.chain(tables).chain(["COMMIT".to_owned()]).collect()
}

/// Files in one folder, in memory where there is such a place.
pub(super) struct OnSqlite {
    site: Site,
    folder: TempDir,
}

impl OnSqlite {
    pub(super) fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let folder = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let (site, folder) = (Site::new(), folder.unwrap());
        let first = SqliteCa::open(&folder.path().join("first"));
        site.prepare(Arc::new(first.unwrap()));
        Self { site, folder }
    }

    /// A folder with a copy of the first file.
    fn copy(&self) -> TempDir {
        let copy = tempfile::tempdir_in(&self.folder).unwrap();
        std::fs::copy(self.folder.path().join("first"), copy.path().join("ca")).unwrap();
        copy
    }
}

fn open(folder: &TempDir, failpoints: Failpoints) -> Arc<dyn CaStore> {
    let store = SqliteCa::open(&folder.path().join("ca")).unwrap();
    Arc::new(store.with_failpoints(failpoints))
}

impl Place for OnSqlite {
    const ANEW: u64 = 10;

    fn site(&self) -> &Site {
        &self.site
    }

    fn own(&self) -> Box<Open<'_>> {
        let folder = self.copy();
        Box::new(move |_, failpoints| open(&folder, failpoints))
    }

    fn keep(&self) -> Kept {
        let folder = self.copy();
        let connection = Connection::open(folder.path().join("ca")).unwrap();
        let first = self.folder.path().join("first");
        let attach = "ATTACH $1 AS first";
        connection
            .execute(attach, [first.to_str().unwrap()])
            .unwrap();
        let tables = {
            let sql = "SELECT name FROM first.sqlite_schema WHERE type = 'table'";
            let mut tables = connection.prepare(sql).unwrap();
            let names = tables.query_map([], |row| row.get(0)).unwrap();
            names.collect::<Result<Vec<_>, _>>().unwrap()
        };
        let statements = putting_back(&tables, "first");
        connection.set_prepared_statement_cache_capacity(statements.len());
        let reset = move || {
            for sql in &statements {
                connection.prepare_cached(sql).unwrap().execute([]).unwrap();
            }
        };
        Kept::new(move |failpoints| open(&folder, failpoints), reset)
    }
}

/// Schemas of one server.
#[cfg(feature = "postgres")]
pub(super) struct OnPostgres {
    site: Site,
    server: &'static crate::conformance::server::Server,
    /// The schema that the others begin as.
    first: String,
}

#[cfg(feature = "postgres")]
impl OnPostgres {
    /// Nothing where there is no server.
    pub(super) fn new() -> Option<Self> {
        let server = crate::conformance::server::shared()?;
        let site = Site::new();
        let place = server.place();
        site.prepare(Self::open(&place, Failpoints::default()));
        let mut client = server.client(&place);
        let first = client.query_one("SELECT current_schema()::text", &[]);
        let first = first.unwrap().get(0);
        Some(Self {
            site,
            server,
            first,
        })
    }

    fn open(place: &str, failpoints: Failpoints) -> Arc<dyn CaStore> {
        let store = adamant_pki::store::PostgresCa::open(place).unwrap();
        Arc::new(store.with_failpoints(failpoints))
    }
}

#[cfg(feature = "postgres")]
impl Place for OnPostgres {
    const ANEW: u64 = 2;

    fn site(&self) -> &Site {
        &self.site
    }

    fn own(&self) -> Box<Open<'_>> {
        let place = self.server.place();
        self.site.prepare(Self::open(&place, Failpoints::default()));
        Box::new(move |_, failpoints| Self::open(&place, failpoints))
    }

    fn keep(&self) -> Kept {
        let place = self.server.place();
        drop(Self::open(&place, Failpoints::default()));
        let mut client = self.server.client(&place);
        let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = $1";
        let tables = client.query(sql, &[&self.first]).unwrap();
        let tables: Vec<_> = tables.iter().map(|row| row.get(0)).collect();
        let statements = putting_back(&tables, &self.first).join(";");
        let reset = move || client.batch_execute(&statements).unwrap();
        Kept::new(|failpoints| Self::open(&place, failpoints), reset)
    }
}
