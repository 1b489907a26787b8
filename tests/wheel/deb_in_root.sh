#!/usr/bin/env bash
# deb_in_root.sh DEB: installs the package with apt in a minimal Debian 12, uses the program as a new user would, and
# removes it. Needs root and mmdebstrap.
set -euo pipefail
package=$(realpath "$1")
here=$(mktemp -d)
root=$here/root
trap 'rm -rf --one-file-system "$here"' EXIT
options=()
for file in /etc/apt/apt.conf.d/99*; do [ ! -e "$file" ] || options+=(--aptopt="$(tr '\n' ' ' <"$file")"); done
mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 || true)
mmdebstrap --quiet --variant=apt --include=ca-certificates "${options[@]}" bookworm "$root" ${mirror:+"${mirror%% *}"} >"$here/log" 2>&1 ||
  { tail -n 5 "$here/log" >&2; exit 1; }
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
  [ ! -e "$file" ] || { mkdir -p "$root$(dirname "$file")"; cp -L "$file" "$root$file"; }
done
for file in /etc/apt/apt.conf.d/99*; do [ ! -e "$file" ] || cp "$file" "$root/etc/apt/apt.conf.d/"; done
cp "$package" "$root/root/politex.deb"
cat >"$root/root/use.sh" <<'USE'
set -euo pipefail
cd "$(mktemp -d)"
apt-get -qq install -y --no-install-recommends /root/politex.deb >log 2>&1 || { cat log; exit 1; }
politex --version
politex list experiments | grep -q deep_sea/tuned.toml
politex reproduce deep_sea --quick --out out 2>&1 | tail -n 3
test -s out/report.html
apt-get -qq remove -y politex >log 2>&1 || { cat log; exit 1; }
! command -v politex
echo "installed, used and removed by apt"
USE
unshare --mount --pid --fork bash -c '
  mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp"
  exec chroot "$1" env -i HOME=/root PATH=/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash /root/use.sh' _ "$root"
