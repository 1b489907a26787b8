# Run by in_root.sh inside the root, from a machine without a compiler: the first minutes of a new user. No time is asserted,
# because the machine may be busy: times are printed beside their limits.
set -euo pipefail
cd "$(mktemp -d)"
since() { echo "$1: $((($(date +%s%N) - start) / 1000000)) ms${2:+; limit on an idle machine: $2 ms}"; }

python3 -m venv v
start=$(date +%s%N)
v/bin/pip install --quiet --disable-pip-version-check /root/politex-*.whl ||
  { echo "the wheel cannot be installed; it has a module for each Python that scripts/wheel --all finds with its headers, here is $(python3 --version)" >&2; exit 1; }
since "installed by pip, with NumPy and Gymnasium"
v/bin/python - <<'P'
import gymnasium as gym, politex
env = gym.make("politex/DeepSea-v0", size=20)
agent = politex.EEPolitex(env, explorer="always:1", features="additive", seed=1, eta=0.1)
agent.learn(1_000_000)
agent.plot("first.svg")
print(agent, politex.__version__)
P
test -s first.svg
since "time from pip install to the first picture" 20000
du -sh --apparent-size v/lib/python3*/site-packages/politex | sed 's/\t.*/ unpacked/'
v/bin/python /root/sources/tests/wheel/start_up.py v/bin/python v/bin/politex

# The bits of both libraries. Where the processor lacks x86-64-v3 the loader takes the other one.
v/bin/politex list experiments >list  # grep -q would end a pipe before politex has written all
grep -q deep_sea/tuned.toml list
signature=$(v/bin/politex run deep_sea/tuned.toml steps=200000 --json | sed -n 's/.*"signature": *"\([0-9a-f]*\)".*/\1/p')
echo "signature $signature"
[ -z "$POLITEX_SIGNATURE" ] || [ "$signature" = "$POLITEX_SIGNATURE" ] || { echo "the build from source has $POLITEX_SIGNATURE" >&2; exit 1; }
v/bin/python /root/sources/tests/wheel/signatures.py /root/sources/tests/run/signature_test.cpp v/bin/politex
v/bin/python /root/sources/tests/wheel/signatures.py /root/sources/tests/run/signature_test.cpp \
  env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2 v/bin/politex | tee said
grep -q '^x86-64: ' said || { echo "with AVX2 hidden the loader takes the same library" >&2; exit 1; }

# The Python lines of the README, as they stand there. -1.5 is the optimum.
sed -n '/^```python$/,/^```$/{/^```/!p}' /root/sources/README.md >readme.py
v/bin/python readme.py | tee said
grep -qx -- '-1\.4[0-9]* -1\.5' said || { echo "README.md promises -1.48 -1.5" >&2; exit 1; }
test -s deep_sea.politex

v/bin/politex reproduce deep_sea --quick --out out 2>&1 | tee said
grep -q 'gnuplot is not installed: figures are simpler' said || { echo "without gnuplot there is no sentence about it" >&2; exit 1; }
test -s out/report.html
ls out
v/bin/python /root/sources/examples/python/own_queue.py 20000 queue.svg

v/bin/pip install --quiet --disable-pip-version-check pytest pandas scipy
v/bin/python -m pytest -q -p no:cacheprovider /root/sources/tests/python
