#!/bin/bash -eu
# Runs in the image's working folder, the repository: cargo-fuzz adds to the image's RUSTFLAGS what
# `.ci/fuzz` has.
. .ci/fuzz
RUSTFLAGS='' cargo run --release --locked -p adamant-x509 --example seeds -- fuzz/corpus
cargo fuzz build --release --debug-assertions
for target in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$target" .rs)
    cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
    unpack_seeds "$target"
    find "fuzz/corpus/$target" "fuzz/seeds/$target" -type f -print0 |
        xargs -0 -r zip -jq "$OUT/${target}_seed_corpus.zip"
done
