#!/usr/bin/env bash
# Counts the instructions of our operations and of other libraries' on ARM64, in QEMU's emulator of
# programs, and prints a table in Markdown: `verify/arm64.sh [--model CORE] [ENGINE…] [-- OPERATION[:BYTES]…]`.
# With a core's name (`neoverse-v1`) it is the cycles that llvm-mca expects (`verify/model.py`). Needs
# Debian's qemu-user and gcc-aarch64-linux-gnu, for the model its llvm-19, and what the engines' own builds
# need. An engine that does not build has no column.
set -euo pipefail
cd "$(dirname "$0")/.."

target=aarch64-unknown-linux-gnu
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc CXX_aarch64_unknown_linux_gnu=aarch64-linux-gnu-g++

engines=() operations=() core=
if [ "${1:-}" = --model ]; then
    core=${2:?the name of a core}
    shift 2
fi
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    engines+=("$1")
    shift
done
[ $# = 0 ] || operations=("${@:2}")
[ ${#engines[@]} -gt 0 ] || engines=(aws-lc ring graviola libcrux dalek rustcrypto)
# For the model, in which an instruction takes as long as in the emulator a thousand: what calls the system
# for random numbers has no trace.
[ ${#operations[@]} -gt 0 ] || [ -z "$core" ] || operations=(
    {sha256,sha512,sha3-256}/digest:4096 {aes-128-gcm,aes-256-gcm,chacha20-poly1305}/seal:4096
    aes-128-gcm/open:4096 chacha20-poly1305/open:4096 {x25519,ecdh-p256}/derive ed25519/sign
    ml-kem-768/decapsulate ml-dsa-65/verify
)
[ ${#operations[@]} -gt 0 ] || operations=(
    {sha1,sha256,sha512,sha3-256,blake3}/digest:{1024,16384}
    {aes-128-gcm,aes-256-gcm,chacha20-poly1305}/seal:{64,1024,16384}
    aes-128-gcm/open:16384 chacha20-poly1305/open:16384
    ecdsa-p256/{sign,verify} ecdsa-p384/{sign,verify} ecdsa-p521/{sign,verify}
    ecdsa-brainpoolp{256,384}r1/{sign,verify} ecdh-p{384,521}/derive
    ed25519/{sign,verify} x25519/derive ed448/{sign,verify} x448/derive
    rsa-2048/{sign,verify}-pkcs1 ml-kem-768/{keygen,encapsulate,decapsulate} ml-dsa-65/{sign,verify}
)

rustup target add $target >/dev/null 2>&1 || true
mkdir -p target/arm64
if [ -n "$core" ]; then
    plugin=trace calls=1+2
    emulator="verify/model.py $core target/arm64/trace.so" words=cycles
else
    # Without SVE, whose vectors are longer here than those of any core.
    plugin=count calls=${ADAMANT_CALLS:-4+20}
    emulator="qemu-aarch64 -cpu max,sve=off -L /usr/aarch64-linux-gnu -plugin target/arm64/count.so -d plugin" words=instructions
fi
cc -O2 -shared -fPIC -o target/arm64/$plugin.so verify/$plugin.c
cargo build -q --release -p adamant-ops --example engine --target $target --target-dir target/arm64
programs=()
for engine in "${engines[@]}"; do
    if cargo build -q --release --locked --manifest-path "engines/$engine/Cargo.toml" --target $target \
        --target-dir "target/arm64/$engine" >&2; then
        programs+=("$engine=target/arm64/$engine/$target/release/adamant-engine-$engine")
    else
        echo "$engine: not built" >&2
    fi
done
cargo run -q --release -p adamant-bench --example instructions -- "$emulator" $words $calls \
    target/arm64/$target/release/examples/engine "${programs[@]}" -- "${operations[@]}"
