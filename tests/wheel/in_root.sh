#!/usr/bin/env bash
# in_root.sh SUITE WHEEL SOURCES: installs the wheel in a minimal Debian (bookworm, trixie) that has python3-venv and nothing
# else of what politex is built with, and uses it as a new user would. Needs root and mmdebstrap. SKIPPED without the suite.
set -euo pipefail
suite=$1 wheel=$(realpath "$2") sources=$(realpath "$3")
here=$(mktemp -d)
root=$here/root
trap 'rm -rf --one-file-system "$here"' EXIT
options=()
for file in /etc/apt/apt.conf.d/99*; do [ ! -e "$file" ] || options+=(--aptopt="$(tr '\n' ' ' <"$file")"); done
# The mirror of this machine, which may be the only one that can be reached.
mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 || true)
start=$SECONDS
mmdebstrap --quiet --variant=apt --include=python3-venv,ca-certificates "${options[@]}" "$suite" "$root" ${mirror:+"${mirror%% *}"} \
  >"$here/log" 2>&1 || { echo "SKIPPED: no root of $suite could be made: $(tail -n 1 "$here/log")"; exit 0; }
echo "$suite: made in $((SECONDS - start)) s"
# What this machine needs to reach PyPI.
for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
  [ ! -e "$file" ] || { mkdir -p "$root$(dirname "$file")"; cp -L "$file" "$root$file"; }
done
cp "$wheel" "$root/root/"
mkdir -p "$root/root/sources/tests" "$root/root/sources/examples"
cp -r "$sources/tests/python" "$root/root/sources/tests/"
cp -r "$sources/examples/python" "$root/root/sources/examples/"
cp -r "$sources/experiments" "$root/root/sources/"
cp "$sources/tests/wheel/as_a_user.sh" "$root/root/"
unshare --mount --pid --fork bash -c '
  mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp"
  exec chroot "$1" env -i HOME=/root PATH=/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    POLITEX_SIGNATURE="${POLITEX_SIGNATURE:-}" bash /root/as_a_user.sh' _ "$root"
