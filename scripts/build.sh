# Sourced by ./reproduce, ./check and .ci/run; expects $root, the directory of the project.

# configure PRESET [cmake arguments]: starts from scratch if the directory was configured from another place or for
# another generator, which cmake would refuse.
configure() {
  local preset=$1 directory=$root/build
  shift
  [ "$preset" = release ] || directory=$root/build-$preset
  local cache=$directory/CMakeCache.txt fresh=()
  if [ -e "$cache" ] && ! { grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" &&
                            grep -qx "CMAKE_GENERATOR:INTERNAL=Ninja" "$cache"; }; then
    fresh=(--fresh)
  fi
  mkdir -p "$directory"
  (cd "$root" && cmake "${fresh[@]}" --preset "$preset" "$@") >"$directory/configure.log" 2>&1 ||
    { cat "$directory/configure.log" >&2; return 1; }
}

# build PRESET [targets]
build() {
  local preset=$1
  shift
  (cd "$root" && cmake --build --preset "$preset" ${1:+--target "$@"})
}

# run_tests DIRECTORY [ctest arguments], started through "${with[@]}": prints ctest's summary and the output of failed tests.
with=()
run_tests() {
  local log=$1/ctest.log
  "${with[@]}" ctest --test-dir "$1" -j "$(nproc)" --output-on-failure --no-tests=error "${@:2}" >"$log" 2>&1 ||
    { grep -Ev ' (Passed|Start +[0-9]+:) ' "$log"; return 1; }
  sed -n "/tests passed/,\$p" "$log"; echo
}

# python_with DIRECTORY PIP-ARGUMENTS...: makes a virtual environment with these packages; its pip.log explains failures.
python_with() {
  local place=$1
  shift
  [ -x "$place/bin/pip" ] || /usr/bin/python3 -m venv "$place" || return 1
  "$place/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 15 "$@" >"$place/pip.log" 2>&1
}

# part NAME COMMAND...: runs one part of the checks, prints its time, and continues after a failure.
parts=() failed=()
part() {
  local name=$1 start=$SECONDS status=0
  shift
  printf '\n== %s\n' "$name"
  # In a subshell with -e, so that `part` can read the status.
  set +e
  (set -e; "$@")
  status=$?
  set -e
  local line
  line=$(printf '%-28s %5d s   %s' "$name" $((SECONDS - start)) "$([ $status = 0 ] && echo passed || echo FAILED)")
  parts+=("$line")
  [ $status = 0 ] || failed+=("$name")
  printf '== %s\n' "$line"
}

# Prints the table of all parts; fails if one of them failed.
summary() {
  printf '\n'
  printf '%s\n' "${parts[@]}"
  printf '%-28s %5d s\n' 'all parts' "$SECONDS"
  [ ${#failed[@]} = 0 ] || { printf 'FAILED: %s\n' "${failed[*]}"; return 1; }
}
