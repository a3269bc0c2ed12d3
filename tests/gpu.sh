#!/usr/bin/env bash
# Runs every check that needs an NVIDIA GPU, on the machine that has it.
#
#     tests/gpu.sh [--build DIR] [PART...]
#
# DIR is the build folder (default: ./build). The parts are the functions
# part_NAME below and in gpu_sharing.sh, with '-' for '_'; without one, or with
# "all", all of them run, with "headless" all that need no display; cuda-faults,
# soak-* and table take minutes and run by name alone. --list names them. A part that
# needs what this machine lacks (a display, a validation layer,
# compute-sanitizer) says so and counts as skipped.
#
# Needed: a driver, the Vulkan loader, and the programs of the build folder.
#
# Prints "ok NAME", "not ok NAME: why" or "skip NAME: why" for each check, what
# each part took, and last "N passed, N failed, N skipped". Exit code 0: some
# passed and none failed. With GPU_LOG=FOLDER all output and pictures are kept
# there.
set -uo pipefail

build=./build
if [ $# -gt 0 ] && [ "$1" = --build ]; then
    build=${2:?--build needs a folder}
    shift 2
fi
here=$(dirname "$0")
sinewave=$build/sinewave
tests=$build/tests

if [ -n "${GPU_LOG:-}" ]; then
    work=$GPU_LOG
    mkdir -p "$work" || exit 2
else
    work=$(mktemp -d) || exit 2
    trap 'rm -rf "$work"' EXIT
fi

passed=0
failed=0
skipped=0
checked=

# ---------------------------------------------------------------- the harness

say() {
    printf '%s\n' "$1"
    [ -z "${GPU_LOG:-}" ] || printf '%s\n' "$1" >>"$work/results.txt"
}

skip() { # NAME WHY
    skipped=$((skipped + 1))
    say "skip $1: $2"
}

# verdict NAME WHY: passes where WHY is empty.
verdict() {
    if [ -z "$2" ]; then
        passed=$((passed + 1))
        say "ok $1"
    else
        failed=$((failed + 1))
        say "not ok $1: $2"
        return 1
    fi
}

# expect CODE NAME COMMAND...: passes where the command exits with CODE within
# $limit seconds. The file $checked holds the command and its output.
limit=120
expect() {
    local want=$1 name=$2 code why=
    shift 2
    checked=$work/${name//[^A-Za-z0-9.]/_}.txt
    {
        printf '$'
        printf ' %q' "$@"
        printf '\n'
    } >"$checked"
    timeout -k 10 "$limit" "$@" >>"$checked" 2>&1 </dev/null
    code=$?
    if [ $code -eq 124 ]; then
        why="it took longer than $limit s"
    elif [ $code -ne "$want" ]; then
        why="exit code $code instead of $want: $(tail -n 1 "$checked")"
    fi
    verdict "$name" "$why"
}

check() { # NAME COMMAND...: the command must exit with 0
    expect 0 "$@"
}

# said NAME PATTERN: the last command's output has a line that matches.
said() {
    local why=
    # To the end: a writer whose reader has gone would fail the pipe.
    sed 1d "$checked" | grep -E -e "$2" >/dev/null || why="no line matches \"$2\": $(tail -n 1 "$checked")"
    verdict "$1" "$why"
}

# silent NAME: the program printed nothing in the last command. (Layers and X
# libraries may have.)
silent() {
    verdict "$1" "$(sed 1d "$checked" | grep -m 1 '^sinewave')"
}

# same NAME FILE FILE...: all are equal to the byte.
same() {
    local name=$1 first=$2 other
    shift 2
    for other in "$@"; do
        check "$name: $(basename "$first") and $(basename "$other")" cmp "$first" "$other"
    done
}

# count FILE: takes over the "ok", "not ok" and "skip" lines that a program
# printed; says the others as they are.
count() {
    local line
    while IFS= read -r line; do
        case $line in
        "ok "*) verdict "${line#ok }" "" ;;
        "not ok "*)
            line=${line#not ok }
            verdict "${line%%: *}" "${line#*: }"
            ;;
        "skip "*)
            line=${line#skip }
            skip "${line%%: *}" "${line#*: }"
            ;;
        *) say "$line" ;;
        esac
    done <"$1"
}

# counted NAME COMMAND...: a program that prints such lines, and exits with 77 where
# it could check nothing.
counted() {
    local name=$1 output=$work/${1//[^A-Za-z0-9.]/_}.txt code
    shift
    timeout -k 10 "$limit" "$@" >"$output" 2>&1 </dev/null
    code=$?
    count "$output"
    case $code in
    0) verdict "$name" "" ;;
    77) skip "$name" "nothing could be tested" ;;
    *) verdict "$name" "exit code $code: $(tail -n 1 "$output")" ;;
    esac
}

has_option() {
    "$sinewave" --help 2>/dev/null | grep -e "^ *$1\b" >/dev/null
}

# Windows and headless runs differ in how many samples they take unless told.
one_sample=()
! has_option --samples || one_sample=(--samples 1)

has_validation() {
    local output
    output=$("$sinewave" --headless --size 64x64 --validation --quiet 2>&1)
    [ $? -ne 3 ] || [[ $output != *"--validation:"* ]]
}

find_compute_sanitizer() {
    command -v compute-sanitizer && return
    local tool
    for tool in /usr/local/cuda*/bin/compute-sanitizer /opt/cuda*/bin/compute-sanitizer; do
        [ ! -x "$tool" ] || { printf '%s\n' "$tool"; return; }
    done
    return 1
}

# ------------------------------------------------------------------ the parts
# One function each: part_NAME. It may rely on a device that CUDA and Vulkan
# share; files go to $work.

# shellcheck source=tests/gpu_sharing.sh
. "$here/gpu_sharing.sh"

part_devices() {
    local uuid
    check "devices: list" "$sinewave" --list-devices
    said "devices: list shows a CUDA ordinal" '^ *CUDA: +device [0-9]+, '
    uuid=$(awk '/^ *UUID:/ { uuid = $2 } /^ *CUDA: +device/ { print uuid; exit }' "$checked")
    check "devices: by UUID" "$sinewave" --headless --size 64x64 --compute cuda --device "GPU-$uuid" --verbose
    said "devices: the one of this UUID" "UUID $uuid"
    said "devices: stepped by CUDA" 'stepper: cuda'
    check "devices: auto takes CUDA" "$sinewave" --headless --size 64x64
    said "devices: auto says so" 'stepping with CUDA'
    expect 3 "devices: none visible to CUDA, --compute cuda" \
        env CUDA_VISIBLE_DEVICES= "$sinewave" --headless --size 64x64 --compute cuda
    said "devices: none visible, the reason" '^sinewave: error: --compute cuda: .+; '
    check "devices: none visible to CUDA, auto" \
        env CUDA_VISIBLE_DEVICES= "$sinewave" --headless --size 64x64
    said "devices: none visible, auto says why" 'stepping with Vulkan: '
    check "devices: by CUDA_VISIBLE_DEVICES=UUID" env "CUDA_VISIBLE_DEVICES=GPU-$uuid" \
        "$sinewave" --headless --size 64x64 --compute cuda
    software_beside "$uuid"
}

# Both drivers' manifests, the software one first and last: CUDA's device is
# found by UUID wherever Vulkan lists it. Vulkan's order may be the loader's own.
software_beside() { # UUID
    local folder order nvidia="" software=""
    for folder in ${VK_DRIVER_FILES:+"$(dirname "${VK_DRIVER_FILES%%:*}")"} /etc/vulkan/icd.d \
        /usr/share/vulkan/icd.d /usr/local/*/share/vulkan/icd.d; do
        [ -n "$nvidia" ] || nvidia=$(find "$folder" -name 'nvidia_icd*.json' 2>/dev/null | head -n 1)
        [ -n "$software" ] || software=$(find "$folder" -name 'lvp_icd*.json' 2>/dev/null | head -n 1)
    done
    if [ -z "$nvidia" ] || [ -z "$software" ]; then
        skip "devices: a software device beside" "it needs nvidia_icd.json and lvp_icd.json"
        return
    fi
    for order in "$software:$nvidia" "$nvidia:$software"; do
        check "devices: ${order##*/} last" env "VK_DRIVER_FILES=$order" "$sinewave" --headless \
            --size 64x64 --compute cuda --verbose
        said "devices: ${order##*/} last, the GPU is taken" "UUID $1"
        check "devices: ${order##*/} last, software by name" env "VK_DRIVER_FILES=$order" \
            "$sinewave" --headless --size 64x64 --device llvmpipe --verbose
        said "devices: ${order##*/} last, software steps with Vulkan" 'stepping with Vulkan: no CUDA'
    done
}

part_heights() {
    local grid time type stepper name
    for grid in 256x256 257x131 1x1 4096x3 3x4096; do
        for time in 0 1 1000000; do
            name="heights $grid t=$time"
            # Frame 16 shows start + 16 * 0.25: exact in binary.
            local start=$((time - 4)) files=()
            for stepper in vulkan cuda-timeline cuda-binary; do
                type=${stepper#cuda-}
                [ "$stepper" != vulkan ] || type=timeline
                local file=$work/heights-$grid-$time-$stepper.npy
                files+=("$file")
                check "$name $stepper: run" "$sinewave" --headless --size 64x64 --grid "$grid" \
                    --frames 17 --batch 4 --start-time "$start" --time-step 0.25 \
                    --compute "${stepper%%-*}" --semaphore "$type" --heights "$file" --quiet
                check "$name $stepper: reference" "$tests/check_heights" "$file" "${grid%x*}" "${grid#*x}" "$time"
            done
            same "$name" "${files[@]}"
        done
    done
}

part_pictures() {
    local style compute type batch file
    for style in surface wireframe points; do
        local files=()
        for compute in vulkan cuda; do
            for type in timeline binary; do
                for batch in 1 8; do
                    # Vulkan's share of the combinations is tested without a GPU.
                    [ "$compute$type" != vulkanbinary ] || continue
                    [ "$compute$batch" != vulkan1 ] || continue
                    file=$work/picture-$style-$compute-$type-$batch.png
                    files+=("$file")
                    check "pictures: $style $compute $type batch $batch" "$sinewave" --headless \
                        --size 640x400 --frames 100 --style "$style" --compute "$compute" \
                        --semaphore "$type" --batch "$batch" --screenshot "$file" --verbose
                    said "pictures: $style $compute $type batch $batch, semaphore" "semaphore: $type"
                done
            done
        done
        same "pictures: $style" "${files[@]}"
    done
}

# How far off they are is printed by tests/gpu_references.sh.
part_references() {
    local name names compute type limit=300
    names=$(awk '!/^#/ && NF { print $1 }' "$here/../assets/reference/list.txt")
    if ! command -v python3 >/dev/null; then
        skip "references" "there is no python3"
        return
    fi
    for name in $names; do
        for compute in cuda vulkan; do
            for type in timeline binary; do
                check "reference $name $compute $type" python3 "$here/references.py" "$build" \
                    "$name" draw --compute "$compute" --semaphore "$type"
            done
        done
        check "reference $name compute renderer" python3 "$here/references.py" "$build" "$name" \
            draw --compute cuda --renderer compute
        check "reference $name mutations" python3 "$here/references.py" "$build" "$name" \
            mutations --compute cuda
    done
}

part_compute_renderer() {
    local compute type map limit=600
    # With the validation layer, where there is one.
    check "compute renderer: against the rasterizer" "$tests/test_renderers"
    check "compute renderer: from other places" "$tests/test_renderers" 7
    for type in timeline binary; do
        for compute in vulkan cuda; do
            for map in buffer image; do
                check "compute renderer: $compute $type $map" "$sinewave" --headless --frames 100 \
                    --size 640x400 --renderer compute --compute "$compute" --semaphore "$type" \
                    --heightmap "$map" --screenshot "$work/compute-$compute-$type-$map.png"
            done
        done
    done
    same "compute renderer: pictures" "$work"/compute-{vulkan,cuda}-{timeline,binary}-{buffer,image}.png
    check "compute renderer: auto" "$sinewave" --headless --size 1280x800 --renderer auto
    said "compute renderer: auto says both times" "drawing with .*: the rasterizer takes [0-9]+ us"
    say "    $(grep "drawing with" "$checked")"
    expect 2 "compute renderer: four samples" "$sinewave" --headless --renderer compute --samples 4
    if has_validation; then
        validate "validation compute renderer" --headless --size 320x200 --frames 40 --batch 4 \
            --compute cuda --renderer compute
    fi
}

part_wave_kernel() {
    local limit=300
    check "wave kernel: cuda_check" "$tests/cuda_check"
}

# validate NAME OPTION...: clean in both modes, and not clean where it must not be
validate() {
    local name=$1 type
    shift
    for type in timeline binary; do
        check "$name $type" "$sinewave" "$@" --validation --semaphore "$type" --quiet
        silent "$name $type: silent"
    done
    expect 1 "$name: an error is seen" "$sinewave" "$@" --validation --test-validation-error
}

part_validation() {
    if ! has_validation; then
        skip "validation" "there is no validation layer"
        return
    fi
    validate "validation cuda" --headless --size 320x200 --frames 40 --batch 4 --compute cuda
    validate "validation cuda batch 1" --headless --size 320x200 --frames 40 --batch 1 --compute cuda
    validate "validation cuda images" --headless --size 320x200 --frames 40 --batch 4 --compute cuda \
        --heightmap image
    validate "validation vulkan" --headless --size 320x200 --frames 40 --batch 4 --compute vulkan
}

part_two_gpus() {
    local limit=600
    counted "two gpus: all checks were made" python3 "$here/gpu_two.py" "$sinewave" "$work"
}

# A window needs a display; each of its parts asks this first.
no_display() { # NAME
    [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || return 1
    skip "$1" "there is no display (DISPLAY is not set)"
}

# by_copy COMMAND...: on surfaces that take no storage images (window_layer.c), so that
# the compute renderer draws beside them. The layer is the nearest to the program.
by_copy() {
    mkdir -p "$work/layers"
    sed 's|"library_path": "[^"]*"|"library_path": "'"$(realpath "$tests")"'/libwindow_layer.so"|' \
        "$tests/window_layer.json" >"$work/layers/window_layer.json"
    local folders=/etc/vulkan/explicit_layer.d:/usr/local/share/vulkan/explicit_layer.d
    folders+=:/usr/share/vulkan/explicit_layer.d
    VK_LAYER_PATH=$work/layers:${VK_LAYER_PATH:-$folders} \
        VK_INSTANCE_LAYERS=VK_LAYER_SINEWAVE_window${VK_INSTANCE_LAYERS:+:$VK_INSTANCE_LAYERS} \
        WINDOW_LAYER_USAGE=8 "$@"
}

part_window() {
    local renderer type compute file headless format='format '
    ! no_display "window" || return
    local common=(--size 1280x800 --frames 600 --time-step 0.015625 "${one_sample[@]}")
    for renderer in raster compute; do
        headless=$work/window-$renderer-headless.png
        check "window: $renderer headless for comparison" "$sinewave" --headless "${common[@]}" \
            --compute cuda --renderer $renderer --screenshot "$headless"
        # A layer whose surfaces are known to take storage images.
        [[ $renderer${VK_INSTANCE_LAYERS:-} != compute*VIRTUAL_wsi* ]] || format='format [A-Z0-9]+_UNORM,'
        for compute in cuda vulkan; do
            for type in timeline binary; do
                file=$work/window-$renderer-$compute-$type.png
                check "window: 600 frames $renderer $compute $type" "$sinewave" "${common[@]}" \
                    --renderer $renderer --compute "$compute" --semaphore "$type" --screenshot "$file" --verbose
                said "window: $renderer $compute $type, it is one" "target: window.*, $format"
                same "window: $renderer $compute $type" "$headless" "$file"
            done
        done
    done
    file=$work/window-copy.png
    by_copy check "window: 600 frames compute by copy" "$sinewave" "${common[@]}" --renderer compute \
        --compute cuda --screenshot "$file" --verbose
    said "window: compute by copy, it is one" 'target: window.*, format [A-Z0-9]+_SRGB,'
    same "window: compute by copy" "$headless" "$file"
}

part_window_validation() {
    ! no_display "window validation" || return
    # With layers of its own to present, theirs must lie below the validation
    # layer: the caller says so by naming both.
    case ${VK_INSTANCE_LAYERS:-validation} in
    *validation*) ;;
    *)
        skip "window validation" "VK_INSTANCE_LAYERS names other layers, but not the validation layer"
        return
        ;;
    esac
    if ! has_validation; then
        skip "window validation" "there is no validation layer"
        return
    fi
    validate "window validation cuda" --size 640x400 --frames 60 --compute cuda
    validate "window validation vulkan" --size 640x400 --frames 60 --compute vulkan
    validate "window validation compute renderer" --size 640x400 --frames 60 --compute cuda \
        --renderer compute
    by_copy validate "window validation compute renderer by copy" --size 640x400 --frames 60 \
        --compute cuda --renderer compute
}

# Semaphores of the other type every 100 frames while CUDA steps. Whatever makes
# the surface of this display change its size or vanish meanwhile is welcome;
# WINDOW_FRAMES changes the number of frames.
part_window_switch() {
    local renderer type limit=400 validation=()
    ! no_display "window switch" || return
    case ${VK_INSTANCE_LAYERS:-validation} in
    *validation*) ! has_validation || validation=(--validation) ;;
    esac
    [ ${#validation[@]} -gt 0 ] || skip "window switch: validation" "it is not to be had on this display"
    for renderer in raster compute; do
        for type in timeline binary; do
            check "window switch $renderer from $type" "$sinewave" --size 1280x800 --compute cuda \
                --renderer $renderer --semaphore "$type" --frames "${WINDOW_FRAMES:-3000}" \
                --time-step 0.015625 --test-toggle-every 100 --verbose "${validation[@]}"
            said "window switch $renderer from $type: to timeline" '^sinewave: semaphore: timeline from frame'
            said "window switch $renderer from $type: to binary" '^sinewave: semaphore: binary from frame'
        done
    done
}

# Not part of "all": minutes each.
part_cuda_faults() {
    local limit=580
    check "every CUDA call of a short run fails well" \
        python3 "$here/fault/fault_cuda.py" "$tests/fault/sinewave_cuda_fault"
    say "$(tail -n 2 "$checked")"
}

# A million frames in each semaphore mode; SOAK_FRAMES changes that.
part_soak_timeline() {
    local limit=580
    check "soak, timeline semaphores" \
        python3 "$here/fault/soak.py" "$sinewave" "${SOAK_FRAMES:-1000000}" --wall --compute cuda
    say "$(sed 1d "$checked")"
}

part_soak_binary() {
    local limit=580
    check "soak, binary semaphores" \
        python3 "$here/fault/soak.py" "$sinewave" "${SOAK_FRAMES:-1000000}" --wall --compute cuda \
        --semaphore binary
    say "$(sed 1d "$checked")"
}

# The table of docs/performance.md: all but its trials and two GPUs.
part_table() {
    local limit=580 window=()
    [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || window=(--window)
    check "table of ratios" python3 "$here/bench.py" "$sinewave" --runs 2 "${window[@]}"
    say "$(sed 1d "$checked")"
}

# -------------------------------------------------------------------- the run

known_parts=$(compgen -A function part_)
all_parts=$(printf '%s\n' "$known_parts" | grep -v -E '^part_(cuda_faults|soak_.*|table)$')
parts=
[ $# -gt 0 ] || set -- all
for name in "$@"; do
    case $name in
    --list)
        printf '%s\n' "$known_parts" | sed 's/^part_//; s/_/-/g'
        exit 0
        ;;
    -*)
        echo "usage: tests/gpu.sh [--build DIR] [--list | all | headless | PART...]" >&2
        exit 2
        ;;
    all) parts="$parts $all_parts" ;;
    headless) parts="$parts $(printf '%s\n' "$all_parts" | grep -v '^part_window')" ;;
    *)
        declare -F "part_${name//-/_}" >/dev/null || {
            echo "gpu.sh: no part $name; see tests/gpu.sh --list" >&2
            exit 2
        }
        parts="$parts part_${name//-/_}"
        ;;
    esac
done
for program in "$sinewave" "$tests/check_heights" "$tests/fd_rounds" "$tests/cuda_check" \
    "$tests/gpu_images"; do
    [ -x "$program" ] || {
        echo "gpu.sh: $program is missing; build it, with CUDA, or give --build DIR" >&2
        exit 2
    }
done

# Whoever runs this wants to know of CUDA: without it nothing here says a thing.
if check "a device for CUDA and Vulkan" "$sinewave" --headless --size 64x64 --compute cuda; then
    for part in $parts; do
        before="$passed $failed $skipped"
        start=$SECONDS
        "$part"
        read -r p f s <<<"$before"
        name=${part#part_}
        say "    part ${name//_/-}: $((SECONDS - start)) s, $((passed - p)) passed, $((failed - f)) failed, $((skipped - s)) skipped"
    done
fi
say "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
