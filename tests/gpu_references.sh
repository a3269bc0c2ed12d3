#!/usr/bin/env bash
# How far this machine's device is off the reference pictures: what their limits
# in assets/reference/list.txt are derived from. It judges nothing; the part
# "references" of tests/gpu.sh does.
#
#     tests/gpu_references.sh BUILD OUTDIR [OPTION...]
#
# Draws each reference with BUILD/sinewave and the options into OUTDIR, and
# prints the share of pixels that differ by more than each threshold, and the
# worst difference. Exit code 0 where all were drawn.
set -uo pipefail

if [ $# -lt 2 ]; then
    echo "usage: tests/gpu_references.sh BUILD OUTDIR [OPTION...]" >&2
    exit 2
fi
sinewave=$1/sinewave
out=$2
shift 2
references=$(dirname "$0")/../assets/reference
mkdir -p "$out" || exit 2

status=0
"$sinewave" --list-devices
while read -r name threshold ratio options; do
    case $name in '' | '#'*) continue ;; esac
    echo "$name (limit $threshold; $ratio): $options"
    # shellcheck disable=SC2086 # a list of words
    if ! "$sinewave" --headless $options "$@" --screenshot "$out/$name.png" </dev/null; then
        status=1
        continue
    fi
    for t in 0 1 2 4 8 16 32 64 128; do
        line=$("$sinewave" --compare "$references/$name.png" --with "$out/$name.png" \
            --threshold "$t" --max-diff-ratio 1 2>&1) || status=1
        echo "    ${line##*.png: }"
    done
done <"$references/list.txt"
exit $status
