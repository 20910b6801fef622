#!/bin/sh
# Builds kctsb from a clone, as far as it compiles, and the engine on it:
# sh engines/kctsb/build.sh DIR
. "$(dirname "$0")/../clone.sh"

of kctsb https://github.com/kn1ghtc/kctsb include/kctsb/kctsb_api.h
need cargo cmake make c++ ar
library=$engine/target/kctsb
cmake -S "$clone" -B "$library" -DKCTSB_ENABLE_CUDA=OFF -DKCTSB_BUILD_SHARED=OFF \
    -DKCTSB_BUILD_TESTS=OFF -DKCTSB_BUILD_CLI=OFF
archive=$library/lib/libkctsb.a
if ! LC_ALL=C make -k -C "$library" 2>"$library/errors"; then
    # The hashes, MACs and AEADs do not need what fails.
    echo "kctsb does not compile as a whole; the first error:" >&2
    grep -m 1 'error' "$library/errors" >&2 || fail "make failed: $library/errors"
    echo "the engine gets the sources that compile" >&2
    mkdir -p "$library/lib"
    rm -f "$archive"
    find "$library" -path '*/src/*' -name '*.o' -exec ar rcs "$archive" {} +
fi
export KCTSB_LIB="$library/lib" KCTSB_COMMIT="$(commit)"
program
ready
