#!/bin/sh
# Installs what is missing, then checks the sources: format, the seam between
# the rooms, sources that no build names, file lengths, shell scripts, warnings of
# clang, clang-tidy, cppcheck, gcc -fanalyzer, a short fuzzing. The last line printed is "lint: N passed, N failed".
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
sh scripts/install_packages.sh tests lint
. scripts/find_nvcc.sh

passed=0
failed=0

# check NAME COMMAND...: passes where the command exits 0
check() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "lint: ok: $name"
    else
        failed=$((failed + 1))
        echo "lint: FAILED: $name"
    fi
}

# Files that git knows or would add.
files() {
    git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
        [ ! -f "$file" ] || printf '%s\n' "$file"
    done
}

format() {
    files '*.c' '*.h' '*.cu' | xargs -r clang-format --dry-run -Werror
}

# no_match PATTERN FILE-PATTERN...: fails and shows where a line matches
no_match() {
    pattern=$1
    shift
    # /dev/null: grep names the file, and has one where none matches.
    ! files "$@" | xargs grep -nE "$pattern" /dev/null
}

include='^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]'

seam() {
    seam_status=0
    no_match "$include(cuda|nv|GLFW|kernels/|app/)" 'vkbase/*' || seam_status=1
    no_match '\bcuda[A-Z][A-Za-z]*\(|\bglfw[A-Z][A-Za-z]*\(' 'vkbase/*.c' || seam_status=1
    no_match "$include(vulkan|GLFW|app/)" 'kernels/*' || seam_status=1
    no_match '\bvk[A-Z][A-Za-z]*\(' 'kernels/*.c' 'kernels/*.cu' || seam_status=1
    # Of vkbase/, kernels/ may see the plain data alone.
    files 'kernels/*' | xargs grep -nE "$include"'vkbase/' /dev/null |
        grep -vE 'vkbase/(error|interop)\.h"' && seam_status=1
    no_match "$include(cuda|nv)" 'app/*' || seam_status=1
    # GLFW is known to the window alone.
    files 'app/*' | grep -v '^app/window' | xargs grep -nE "$include"'GLFW' /dev/null && seam_status=1
    return $seam_status
}

# A source that no meson.build names is never compiled, or never run.
all_built() {
    files '*.c' '*.cu' '*.vert' '*.frag' '*.comp' 'tests/*.py' | (
        built_status=0
        while read -r file; do
            name=${file##*/}
            grep -qF -e "'${name%.py}'" -e "'$name'" "$(dirname "$file")/meson.build" meson.build ||
                grep -qF "${file}" meson.build app/meson.build ||
                grep -qF "\$here/$name" tests/gpu.sh || {
                echo "$file: in no meson.build"
                built_status=1
            }
        done
        exit $built_status
    )
}

lengths() {
    files '*.c' '*.h' '*.cu' '*.py' '*.sh' '*.build' '*.vert' '*.frag' '*.comp' '*.glsl' |
        xargs -r wc -l | awk '$1 > 600 && $2 != "total" { print $2 ": " $1 " lines, at most 600"; bad = 1 }
                              END { exit bad }'
}

scripts() {
    files '*.sh' .ci/run | xargs -r shellcheck --external-sources
}

# The sources as clang sees them, with a compile_commands.json.
clang_build() {
    if [ ! -f build-clang/build.ninja ]; then
        output=$(CC=clang meson setup build-clang -Dwerror=true -Dtests=enabled 2>&1) || {
            printf '%s\n' "$output"
            return 1
        }
    fi
    output=$(ninja -C build-clang 2>&1) || {
        printf '%s\n' "$output"
        return 1
    }
}

# C files of this project that the clang build compiles.
compiled() {
    python3 -c 'import json, os
for entry in json.load(open("build-clang/compile_commands.json")):
    path = os.path.relpath(os.path.join(entry["directory"], entry["file"]))
    if path.endswith(".c"):
        print(path)' | sort -u
}

tidy() {
    [ -f build-clang/compile_commands.json ] || return 1
    # One file at a time: version 14 mixes up the va_lists of several. Its counts
    # of what the filters hid go to stderr, its findings to stdout.
    compiled | xargs -r -n 1 -P "$(nproc)" clang-tidy --quiet -p build-clang 2>/dev/null
}

# Its leak check takes a struct that is filled for a leak; clang's does not.
cpp_check() {
    files 'vkbase/*.c' 'kernels/*.c' 'app/*.c' 'tests/*.c' |
        xargs -r cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -I. \
            --enable=warning,performance,portability --suppress=missingInclude --suppress=memleak -j "$(nproc)"
}

# GCC's path analysis. It does not see that a struct is kept by a pointer to its
# first member, and calls that a leak; the allocation sweep and the address
# sanitizer look for leaks in earnest.
analyzer() {
    if [ ! -f build-analyzer/build.ninja ]; then
        output=$(CC=gcc meson setup build-analyzer -Dtests=disabled -Dcuda=disabled -Dwerror=true \
            -Dc_args='-fanalyzer -Wno-analyzer-malloc-leak' 2>&1) || {
            printf '%s\n' "$output"
            return 1
        }
    fi
    output=$(ninja -C build-analyzer 2>&1) || {
        printf '%s\n' "$output"
        return 1
    }
}

check 'clang-format' format
check 'seam between the rooms' seam
check 'every source is built' all_built
check 'file lengths' lengths
check 'shellcheck' scripts
check 'clang build without warnings' clang_build
check 'clang-tidy' tidy
check 'cppcheck' cpp_check
check 'gcc -fanalyzer' analyzer
check 'fuzzing, 10 s each' sh scripts/fuzz.sh 10

echo "lint: $passed passed, $failed failed"
[ $failed -eq 0 ]
