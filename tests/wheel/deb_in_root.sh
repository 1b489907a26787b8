#!/usr/bin/env bash
# deb_in_root.sh SUITE DEB: installs the package with apt in a minimal Debian (bookworm, trixie), uses the program as a new
# user would, builds examples/own_environment with the library, and removes the package. Needs root and mmdebstrap. SKIPPED
# only where the package source has no such suite.
set -euo pipefail
suite=$1 package=$(realpath "$2") sources=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
. "$sources/tests/wheel/root.sh"
make_root "$suite" ca-certificates
cp "$package" "$root/root/politex.deb"
cp -r "$sources/examples/own_environment" "$root/root/"
cat >"$root/root/use.sh" <<'USE'
set -euo pipefail
cd "$(mktemp -d)"
install() { apt-get -qq install -y --no-install-recommends "$@" >log 2>&1 || { cat log; exit 1; }; }
apt-get -qq update >log 2>&1 || { cat log; exit 1; }
install /root/politex.deb
politex --version
politex list experiments >list  # grep -q would end a pipe before politex has written all
grep -q deep_sea/tuned.toml list
politex reproduce deep_sea --quick --out out 2>&1 | tail -n 3
test -s out/report.html
install g++ cmake make libfmt-dev zlib1g-dev
cmake -S /root/own_environment -B own >log 2>&1 && cmake --build own --target own_program >log 2>&1 || { cat log; exit 1; }
own/own_program exact shop capacity=8 demand=0.6 | head -n 3
apt-get -qq remove -y politex >log 2>&1 || { cat log; exit 1; }
test ! -e /usr/bin/politex
echo "installed, used and removed by apt"
USE
run_in_root /root/use.sh
