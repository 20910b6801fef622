//! Whoever changes the tables outside of the program is found.

use std::sync::Arc;

use adamant::x509::extensions::RevocationReason;
use adamant_pki::ca::Settings;
use adamant_pki::ca::audit::audit;
use adamant_pki::store::audit::Fault;
use adamant_pki::store::{CaStore, CrlScope, Filter, SqliteCa};

use super::{request, root_with};

#[test]
fn every_table() {
    let changes = [
        "UPDATE certificates SET der = x'3000' WHERE id = 1",
        "DELETE FROM certificates WHERE id = 1",
        "UPDATE intents SET tbs = x'3000' WHERE id = 1",
        "UPDATE intents SET tbs_sha256 = zeroblob(32) WHERE id = 1",
        "DELETE FROM intents WHERE id = 2",
        "INSERT INTO intents SELECT 9, zeroblob(20), tbs, tbs_sha256, subject, profile, shard,
             not_before, not_after, at, lease, token FROM intents WHERE id = 1",
        "DELETE FROM revocations",
        "UPDATE documents SET contents = x'00' WHERE name = 'certificate'",
        "UPDATE crls SET der = x'3000'",
        "DELETE FROM crls",
        "UPDATE head SET crl_number = 0",
        "DELETE FROM batch_items",
        "UPDATE batch_items SET number = 2",
        "UPDATE batch_items SET digest = zeroblob(16)",
        "UPDATE batches SET name = 'tuesday'",
        "INSERT INTO batch_items VALUES (2, 1, 2, zeroblob(16))",
    ];
    for sql in changes {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.db");
        let store: Arc<dyn CaStore> = Arc::new(SqliteCa::open(&path).unwrap());
        let ca = root_with(store.clone(), Settings::default());
        let mut requests = [request("a.example"), request("b.example")];
        requests[0].item = ca.batch("monday").unwrap().item(1, b"a").unwrap();
        ca.issue_batch(&requests).unwrap();
        let entries = store.list(&Filter::default()).unwrap();
        let reason = RevocationReason::Superseded;
        ca.revoke(entries[0].serial, reason, None).unwrap();
        let full = CrlScope {
            shard: None,
            delta: false,
        };
        ca.make_crl(full).unwrap();
        assert!(audit(&*store, &[]).unwrap().is_ok());
        let other = rusqlite::Connection::open(&path).unwrap();
        assert_eq!(other.execute_batch(sql), Ok(()), "{sql}");
        let fault = audit(&*store, &[]).unwrap();
        let expected = matches!(fault, Err(Fault::Contents { .. } | Fault::Unlogged { .. }));
        assert!(expected, "{sql}: {fault:?}");
    }
}
