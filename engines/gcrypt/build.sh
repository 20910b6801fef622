#!/bin/sh
# Builds the engine of gcrypt from a clone: sh engines/gcrypt/build.sh DIR
. "$(dirname "$0")/../clone.sh"

of gcrypt https://github.com/GhostKellz/gcrypt src/protocols/ed25519.rs
need cargo
ln -sfn "$clone" "$engine/checkout"
program
ready
