#!/usr/bin/env bash
# in_root.sh SUITE WHEEL SOURCES: installs the wheel in a minimal Debian (bookworm, trixie) that has python3-venv and nothing
# else of what politex is built with, and uses it as a new user would. Needs root and mmdebstrap. SKIPPED only where the
# package source has no such suite.
set -euo pipefail
suite=$1 wheel=$(realpath "$2") sources=$(realpath "$3")
. "$sources/tests/wheel/root.sh"
make_root "$suite" python3-venv,ca-certificates
cp "$wheel" "$root/root/"
mkdir -p "$root/root/sources/tests/run" "$root/root/sources/docs/guide"
cp -r "$sources/tests/python" "$sources/tests/wheel" "$root/root/sources/tests/"
cp "$sources/tests/run/signature_test.cpp" "$root/root/sources/tests/run/"
cp -r "$sources/examples" "$root/root/sources/"
cp -r "$sources/docs/guide/problems" "$root/root/sources/docs/guide/"
cp -r "$sources/experiments" "$sources/README.md" "$root/root/sources/"
cp "$sources/tests/wheel/as_a_user.sh" "$root/root/"
run_in_root /root/as_a_user.sh POLITEX_SIGNATURE="${POLITEX_SIGNATURE:-}"
