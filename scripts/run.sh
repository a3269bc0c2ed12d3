#!/bin/sh
# Installs what is missing, builds into ./build and runs sinewave, with the
# arguments given. Without a display it runs headless and writes sinewave.png
# into the current folder.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$root/build

# Standard output is the program's own (--output -, --stats -).
sh "$root/scripts/install_packages.sh" >&2
. "$root/scripts/find_nvcc.sh"

[ -f "$build/build.ninja" ] || meson setup "$build" "$root" >&2
ninja -C "$build" >&2

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$build/sinewave" "$@"
fi

add=yes
picture=sinewave.png
for argument in "$@"; do
    case $argument in
    # The program's own help, lists and comparisons, and a run that is headless anyway.
    --headless | --help | --help-tests | --version | --list-devices | --with | --with=*) add=no ;;
    --screenshot | --screenshot=* | --output | --output=*) picture= ;;
    esac
done
if [ $add = no ]; then
    exec "$build/sinewave" "$@"
fi
if [ -z "$picture" ]; then
    echo "No display (DISPLAY and WAYLAND_DISPLAY are not set): running headless." >&2
    exec "$build/sinewave" --headless "$@"
fi
echo "No display (DISPLAY and WAYLAND_DISPLAY are not set): running headless, picture to $picture." >&2
"$build/sinewave" --headless --screenshot "$picture" "$@"
echo "Wrote $PWD/$picture" >&2
