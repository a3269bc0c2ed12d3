#!/bin/sh
# Installs with apt-get what is missing to build sinewave; does nothing, and
# needs no rights, where all is there. Debian 12 and Ubuntu 24.04 use the same
# package names.
#
#   sh scripts/install_packages.sh [tests] [lint]
#
# tests: also what the tests run; lint: also what scripts/lint.sh runs.
# CUDA is never installed: with an nvcc of 12.0 or newer on PATH it is used.
set -eu

missing=

# tool COMMAND PACKAGE
tool() {
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

# library PKG-CONFIG-NAME PACKAGE
library() {
    pkg-config --exists "$1" 2>/dev/null || missing="$missing $2"
}

# one_of PACKAGE FILE...: the package unless one of the files exists
one_of() {
    package=$1
    shift
    for file in "$@"; do
        [ ! -e "$file" ] || return 0
    done
    missing="$missing $package"
}

tool "${CC:-cc}" gcc
printf '#include <stdio.h>\n' | "${CC:-cc}" -E - >/dev/null 2>&1 || missing="$missing libc6-dev"
tool meson meson
tool ninja ninja-build
tool pkg-config pkg-config
tool glslangValidator glslang-tools
library vulkan libvulkan-dev
library glfw3 libglfw3-dev
library cglm libcglm-dev
library libpng libpng-dev
# Any Vulkan driver will do to run; the tests want the software one.
if [ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]; then
    one_of mesa-vulkan-drivers /usr/share/vulkan/icd.d/*.json /usr/local/share/vulkan/icd.d/*.json \
        /etc/vulkan/icd.d/*.json
fi

for part in "$@"; do
    case $part in
    tests)
        tool python3 python3
        tool Xvfb xvfb
        tool xdotool xdotool
        tool openbox openbox
        tool wmctrl wmctrl
        tool ffmpeg ffmpeg
        tool parallel parallel
        tool xprop x11-utils
        tool xwd x11-apps
        library cmocka libcmocka-dev
        one_of mesa-vulkan-drivers /usr/share/vulkan/icd.d/lvp_icd*.json
        one_of vulkan-validationlayers \
            /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
        ;;
    lint)
        tool clang clang
        one_of libclang-rt-dev /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a \
            /usr/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
        tool clang-format clang-format
        tool clang-tidy clang-tidy
        tool cppcheck cppcheck
        tool shellcheck shellcheck
        ;;
    *)
        echo "install_packages.sh: error: unknown part '$part': use tests or lint" >&2
        exit 2
        ;;
    esac
done

[ -n "$missing" ] || exit 0

echo "Missing packages:$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "install_packages.sh: error: no apt-get here: install the packages above (or what your" \
        "system calls them), then run this again" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "install_packages.sh: error: neither root nor sudo: run as root:" \
            "apt-get install$missing" >&2
        exit 1
    fi
    as_root='sudo'
fi
echo "Installing them: ${as_root:+$as_root }apt-get install$missing"
$as_root apt-get -q update
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing
