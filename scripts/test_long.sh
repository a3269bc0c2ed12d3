#!/bin/sh
# The full sets of what CI runs in short: every Vulkan call, allocation, thread
# and file operation of several runs failed in every way that fits it, odd
# machines, kills, long runs, long fuzzing. About an hour and a half on two cores.
#
#   sh scripts/test_long.sh [FRAMES [SECONDS]]
#
# FRAMES (100000): of each soak; SECONDS (600): of each fuzz program. The last
# line is "long: N passed, N failed". docs/testing.md says what each part is.
set -eu

frames=${1:-100000}
seconds=${2:-600}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
sh "$root/scripts/install_packages.sh" tests lint
. "$root/scripts/find_nvcc.sh"
cd "$root"

[ -f build-plain/build.ninja ] || meson setup build-plain -Dtests=enabled
[ -f build-sanitize/build.ninja ] ||
    meson setup build-sanitize -Db_sanitize=address,undefined -Dtests=enabled
ninja -C build-plain
ninja -C build-sanitize
export ASAN_OPTIONS=exitcode=99:abort_on_error=0:detect_stack_use_after_return=1:protect_shadow_gap=0
export UBSAN_OPTIONS=halt_on_error=1:exitcode=99:print_stacktrace=1
export "LSAN_OPTIONS=exitcode=99:suppressions=$root/tests/lsan.supp:print_suppressions=0"

passed=0
failed=0

# part NAME COMMAND...
part() {
    name=$1
    shift
    echo "== $name"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "long: FAILED: $name"
    fi
}

layer=$root/build-sanitize/tests/fault/libfault_layer.so
part 'Vulkan calls' python3 tests/fault/fault_sweep.py build-sanitize/sinewave "$layer" --full
part 'a device that hangs' python3 tests/fault/fault_hang.py build-sanitize/sinewave "$layer" --full
part 'allocations, threads, files' python3 tests/fault/fault_system.py \
    build-sanitize/tests/fault/sinewave_faulty --full
part 'odd machines' python3 tests/fault/fault_environment.py build-plain/sinewave \
    "$root/build-plain/tests/fault/libfault_layer.so"
part 'odd machines, sanitized' python3 tests/fault/fault_environment.py build-sanitize/sinewave "$layer"
part 'signals and kills' python3 tests/fault/fault_signals.py build-plain/sinewave 200
for semaphore in timeline binary; do
    part "soak, $semaphore" python3 tests/fault/soak.py build-plain/sinewave "$frames" \
        --compute vulkan --semaphore "$semaphore"
done
part 'fuzzing' sh scripts/fuzz.sh "$seconds"

echo "long: $passed passed, $failed failed"
[ $failed -eq 0 ]
