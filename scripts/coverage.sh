#!/bin/sh
# Line and branch coverage of app/ and vkbase/: builds into ./build-coverage, runs
# all tests that need no GPU and the fault sweeps, and prints a table with the
# lines that nothing ran. docs/testing.md says why they are left.
#
#   sh scripts/coverage.sh [--full]
#
# --full: the fault sweeps with every result. Needs gcovr (Debian: gcovr). The
# last line is "coverage: lines N %, branches N %"; exit code 1 below 90 % of
# lines, or where a test failed.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build-coverage
full=${1:-}
sh "$root/scripts/install_packages.sh" tests
command -v gcovr >/dev/null 2>&1 || {
    echo "coverage.sh: error: gcovr not found: install gcovr" >&2
    exit 1
}
[ -f "$build/build.ninja" ] || CC=gcc meson setup "$build" "$root" --buildtype=debug \
    -Db_coverage=true -Dc_args=-fprofile-update=atomic -Dcuda=disabled -Dtests=enabled
ninja -C "$build"
find "$build" -name '*.gcda' -delete

status=0
meson test -C "$build" --no-rebuild --no-suite soak --print-errorlogs </dev/null || status=1
# They belong to the sanitizer build, but reach lines that nothing else does.
# shellcheck disable=SC2086 # no word where it is empty
python3 "$root/tests/fault/fault_sweep.py" "$build/sinewave" "$build/tests/fault/libfault_layer.so" \
    $full >"$build/sweep.txt" || status=1
grep -A 20 '^WRONG' "$build/sweep.txt" || tail -n 1 "$build/sweep.txt"
# What is counted writes its counts through the functions that fail here: no
# verdict.
# shellcheck disable=SC2086
python3 "$root/tests/fault/fault_system.py" "$build/tests/fault/sinewave_faulty" $full >/dev/null || true

gcovr --root "$root" --filter "$root/app/" --filter "$root/vkbase/" --gcov-ignore-parse-errors \
    --print-summary --txt "$build/coverage.txt" "$build" >"$build/summary.txt"
cat "$build/coverage.txt"
lines=$(sed -n 's/^lines: \([0-9.]*\)%.*/\1/p' "$build/summary.txt")
branches=$(sed -n 's/^branches: \([0-9.]*\)%.*/\1/p' "$build/summary.txt")
awk "BEGIN { exit !($lines >= 90) }" || status=1
echo "coverage: lines $lines %, branches $branches %"
exit $status
