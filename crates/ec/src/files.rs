//! Files of multiples beside the source, each computed again by a test.

use std::path::Path;

/// Checks that the file at this path under `src` holds what was computed. With `ADAMANT_WRITE=1` a
/// file that does not is written anew, for the next build.
pub(crate) fn check(path: &str, file: &[u8], computed: &[u8]) {
    if file == computed {
        return;
    }
    let written = std::env::var_os("ADAMANT_WRITE").is_some_and(|value| value == "1");
    if written {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
        std::fs::write(path, computed).unwrap();
    }
    panic!("{path} holds something else; ADAMANT_WRITE=1 writes it: {written}");
}
