#!/bin/sh
# Builds the engine of BearSSL from a clone, from a folder with a libbearssl.a in it, or, without a
# folder, from the library that is installed: sh engines/bearssl/build.sh [DIR]
. "$(dirname "$0")/../clone.sh"

need cargo
if [ -n "$given" ] && [ -f "$given/libbearssl.a" ]; then
    BEARSSL_LIB=$(cd "$given" && pwd)
    export BEARSSL_LIB
elif [ -n "$given" ]; then
    of BearSSL https://www.bearssl.org/git/BearSSL inc/bearssl.h
    need make cc
    # Its makefile builds beside itself; the clone stays as it is.
    library=$engine/target/bearssl
    make -C "$clone" BUILD="$library" OBJDIR="$library" lib
    export BEARSSL_LIB="$library"
fi
program
ready
