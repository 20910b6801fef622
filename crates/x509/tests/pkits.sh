#!/usr/bin/env bash
# Fetches NIST's PKITS with the Python package cryptography-vectors into a temporary folder and
# runs all its tests.
set -euo pipefail
cd "$(dirname "$0")/../../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip download -q --no-deps --only-binary :all: -d "$folder" cryptography-vectors
(cd "$folder" && python3 -m zipfile -e ./*.whl .)
ADAMANT_PKITS=$folder/cryptography_vectors/x509/PKITS_data \
    cargo test --release --locked -p adamant-x509 --test suites pkits -- --ignored
