# Sourced: minimal roots of Debian, which need root and mmdebstrap.

# has_suite MIRROR SUITE: false where the mirror answers that it has no such suite. Other failures end the script.
has_suite() {
  local said place status=0
  place=$(mktemp -d)
  said=$(/usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file "$1/dists/$2/Release" "$place/Release" 2>&1) || status=$?
  rm -r "$place"
  [ $status != 0 ] || return 0
  ! grep -qE '\b404\b|File not found' <<<"$said" || return 1
  echo "$1 cannot be asked for $2: $said" >&2
  exit 1
}

# make_root SUITE PACKAGES: makes $root, a minimal SUITE with these packages (comma-separated). SKIPPED where the package
# source of this machine has no such suite, but not for bookworm, which is what the checks run on.
make_root() {
  local suite=$1 here options=() file mirror start=$SECONDS
  here=$(mktemp -d)
  root=$here/root
  trap "rm -rf --one-file-system '$here'" EXIT
  for file in /etc/apt/apt.conf.d/99*; do [ ! -e "$file" ] || options+=(--aptopt="$(tr '\n' ' ' <"$file")"); done
  # The mirror of this machine, which may be the only one that can be reached.
  mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 || true)
  mirror=${mirror%% *}
  mirror=${mirror:-http://deb.debian.org/debian}
  if [ "$suite" != bookworm ] && ! has_suite "$mirror" "$suite"; then
    echo "SKIPPED: $mirror has no $suite"
    exit 0
  fi
  mmdebstrap --quiet --variant=apt --include="$2" "${options[@]}" "$suite" "$root" "$mirror" >"$here/log" 2>&1 ||
    { echo "no root of $suite could be made:" >&2; tail -n 20 "$here/log" >&2; exit 1; }
  echo "$suite: made in $((SECONDS - start)) s"
  # What this machine needs to reach its package sources.
  for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt /etc/apt/apt.conf.d/99*; do
    [ ! -e "$file" ] || { mkdir -p "$root$(dirname "$file")"; cp -L "$file" "$root$file"; }
  done
}

# run_in_root SCRIPT [NAME=VALUE...]: runs a file of $root by bash inside it.
run_in_root() {
  unshare --mount --pid --fork bash -c '
    root=$1 script=$2
    shift 2
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount -t tmpfs tmpfs "$root/tmp"
    exec chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      PIP_CERT=/etc/ssl/certs/ca-certificates.crt "$@" bash "$script"' _ "$root" "$@"
}
