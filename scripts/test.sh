#!/bin/sh
# Installs what is missing, then builds and runs all tests twice: as users get
# the program, and with the address and undefined-behaviour sanitizers.
# Arguments go to "meson test" (such as --suite unit).
# The last line printed is "N passed, N failed, N skipped" over both runs.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
sh "$root/scripts/install_packages.sh" tests
. "$root/scripts/find_nvcc.sh"

status=0

# test_build FOLDER SETUP-OPTION... -- TEST-ARGUMENT...
test_build() {
    build=$root/$1
    shift
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # Never count an earlier run.
    rm -f "$build/meson-logs/testlog.json"
    # shellcheck disable=SC2086 # a list of words without spaces
    if [ -f "$build/build.ninja" ]; then
        meson configure "$build" -Dtests=enabled $options || { status=1; return; }
    else
        meson setup "$build" "$root" -Dtests=enabled $options || { status=1; return; }
    fi
    ninja -C "$build" || { status=1; return; }
    meson test -C "$build" --no-rebuild --print-errorlogs "$@" </dev/null || status=1
}

# A newer compiler's new warning must not stop a user; in CI it must be seen.
# (A sanitizer makes GCC warn where there is nothing.)
werror=false
[ -z "${CI:-}" ] || werror=true

test_build build-plain "-Dwerror=$werror" -- "$@"
test_build build-sanitize -Db_sanitize=address,undefined -- "$@"

python3 "$root/scripts/count_tests.py" "$root/build-plain" "$root/build-sanitize" || status=1
exit $status
