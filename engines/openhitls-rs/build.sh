#!/bin/sh
# Builds the engine of openHiTLS-rs from a clone: sh engines/openhitls-rs/build.sh DIR
. "$(dirname "$0")/../clone.sh"

of openHiTLS-rs https://github.com/dong-qiu/openhitls-rs crates/hitls-crypto/Cargo.toml
need cargo
ln -sfn "$clone" "$engine/checkout"
program
ready
