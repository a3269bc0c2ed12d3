#!/bin/sh
# Builds the libFuzzer programs into ./build-fuzz (clang, address and
# undefined-behaviour sanitizers) and runs each of them for SECONDS.
#
#   sh scripts/fuzz.sh SECONDS [PROGRAM...]
#
# What was found to reach new code stays in build-fuzz/corpus for the next run;
# an input that breaks something is kept as build-fuzz/crash-*. The last line is
# "fuzz: N executions, N programs, N failed".
set -eu

seconds=${1:?fuzz.sh: error: no time given: say how many seconds each program is to run}
shift
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build-fuzz
if [ ! -f "$build/build.ninja" ]; then
    CC=clang meson setup "$build" "$root" -Dfuzz=true -Dcuda=disabled -Dwindow=disabled \
        -Db_sanitize=address,undefined -Db_lundef=false >"$build.log" 2>&1 || {
        cat "$build.log"
        exit 1
    }
    rm -f "$build.log"
fi
ninja -C "$build" >"$build/ninja.log" 2>&1 || {
    cat "$build/ninja.log"
    exit 1
}
python3 "$root/tests/fuzz/seeds.py" "$build/corpus"
[ $# -gt 0 ] || set -- fuzz_options fuzz_png fuzz_cache

total=0
programs=0
failed=0
cd "$build"
for program in "$@"; do
    programs=$((programs + 1))
    # A reference of 16384x16384 pixels takes 1 GB; more is a finding.
    "$build/tests/fuzz/$program" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
        -rss_limit_mb=3000 -malloc_limit_mb=1100 -print_final_stats=1 -verbosity=0 \
        "corpus/$program" >"$program.log" 2>&1 || {
        failed=$((failed + 1))
        tail -n 40 "$program.log"
    }
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$program.log")
    total=$((total + ${executions:-0}))
    echo "$program: ${executions:-no} executions, $(find "corpus/$program" -type f | wc -l) inputs kept"
done
echo "fuzz: $total executions, $programs programs, $failed failed"
[ $failed -eq 0 ] && [ $total -gt 0 ]
