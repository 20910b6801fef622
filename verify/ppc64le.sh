#!/usr/bin/env bash
# Counts the instructions of our operations and of BearSSL's on POWER8, in QEMU's emulator of programs, and
# prints a table in Markdown: `verify/ppc64le.sh BEARSSL [OPERATION[:BYTES]…]`, where BEARSSL is a folder with
# its sources. Needs Debian's qemu-user and gcc-powerpc64le-linux-gnu.
set -euo pipefail
bearssl=$(realpath "${1:?a folder with the sources of BearSSL}")
operations=("${@:2}")
cd "$(dirname "$0")/.."

target=powerpc64le-unknown-linux-gnu triple=powerpc64le-linux-gnu built=$PWD/target/ppc64le
export CARGO_TARGET_POWERPC64LE_UNKNOWN_LINUX_GNU_LINKER=$triple-gcc CC_powerpc64le_unknown_linux_gnu=$triple-gcc
[ ${#operations[@]} -gt 0 ] || operations=(
    {md5,sha1,sha256,sha512}/digest:8192
    aes-{128,256}-{cbc/encrypt,cbc/decrypt,ctr/encrypt}:8192 3des-cbc/{encrypt,decrypt}:8192
    chacha20/encrypt:8192 ghash/mac:8192 aes-{128,256}-gcm/seal:8192 chacha20-poly1305/seal:8192
    ecdsa-p{256,384,521}/{sign,verify} ecdh-p256/derive x25519/derive
    rsa-2048/{sign,verify}-pkcs1
)

rustup target add $target >/dev/null 2>&1 || true
mkdir -p "$built/bearssl"
cc -O2 -shared -fPIC -o "$built/count.so" verify/count.c
make -s -C "$bearssl" CC=$triple-gcc AR=$triple-ar CFLAGS="-O3 -fPIC -mcpu=power8" \
    BUILD="$built/bearssl" OBJDIR="$built/bearssl" lib >&2
cargo build -q --release -p adamant-ops --example engine --target $target --target-dir "$built"
BEARSSL_LIB=$built/bearssl cargo build -q --release --locked --manifest-path engines/bearssl/Cargo.toml \
    --target $target --target-dir "$built/engine" >&2
cargo run -q --release -p adamant-bench --example instructions -- \
    "qemu-ppc64le -cpu power8 -L /usr/$triple -plugin $built/count.so -d plugin" instructions \
    "$built/$target/release/examples/engine" \
    "bearssl=$built/engine/$target/release/adamant-engine-bearssl" -- "${operations[@]}"
