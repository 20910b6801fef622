#!/bin/sh
# Builds openHiTLS from a clone, with all its assembly for x86-64, and the engine that loads it:
# sh engines/openhitls/build.sh DIR
. "$(dirname "$0")/../clone.sh"

of openHiTLS https://gitcode.com/openhitls/openhitls.git include/crypto/crypt_eal_md.h
need cargo cmake make cc
library=$engine/target/openhitls
case $(uname -m) in
x86_64) assembly=-DHITLS_ASM_X8664_AVX512=ON ;;
*) assembly=-DHITLS_ASM=ON ;;
esac
cmake -S "$clone" -B "$library" -DHITLS_BUILD_PROFILE=none -DHITLS_BSL=ON -DHITLS_CRYPTO=ON \
    -DHITLS_BUILD_STATIC=OFF "$assembly"
make -C "$library"
program
ready "OPENHITLS=$library/libhitls_crypto.so "
