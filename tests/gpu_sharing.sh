# gpu_sharing.sh: the parts of gpu.sh about what CUDA and Vulkan share: memory,
# images, and the handoff by semaphores. gpu.sh sources it.
# shellcheck shell=bash disable=SC2154,SC2034 # what gpu.sh sets and reads

# Three rounds through the largest ring, of 32 slots: each binary *free* is waited
# for twice at least. rounds() sees to it.
frames=96

# no_blocks NAME HEIGHTMAP: CUDA cannot have several slots in a block, and that is
# told.
no_blocks() {
    local options=(--headless --size 64x64 --compute cuda --memory suballocated --heightmap "$2")
    [[ $("$sinewave" "${options[@]}" 2>&1) == *"in dedicated allocations only"* ]] || return 1
    expect 3 "$1: suballocated ${2}s are refused" "$sinewave" "${options[@]}"
    skip "$1: suballocated ${2}s" "the driver exports dedicated allocations only"
}

# each_cell NAME FUNCTION MEMORIES BATCHES RINGS: calls FUNCTION for every way to
# hand over heights, with the options in `cell` and the words in `name`. Rings: 0
# is as large as suits, 2 is two batches.
each_cell() {
    local type memory heightmap batch ring name cell
    for heightmap in buffer image; do
        for memory in $3; do
            [ "$memory" = dedicated ] || ! no_blocks "$1" $heightmap || continue
            for type in timeline binary; do
                for batch in $4; do
                    for ring in $5; do
                        name="$1: $type $memory $heightmap, batch $batch, ring $ring"
                        cell=(--compute cuda --semaphore "$type" --memory "$memory"
                            --heightmap "$heightmap" --batch "$batch" --test-ring-slots "$ring")
                        "$2"
                    done
                done
            done
        done
    done
}

# The lines of --test-checksums that the last command printed go to FILE.
checksums() { # FILE
    grep '^sinewave: frame ' "$checked" >"$1" || true
}

# serial NAME OPTION...: draws without CUDA what all runs of a part must equal.
# Its checksums, one for each frame and no two the same, go to $serial.txt.
serial() {
    local name="$1: serial" count
    shift
    check "$name" "$sinewave" "$@" --compute vulkan --batch 1 --test-ring-slots 2 --test-checksums
    checksums "$serial.txt"
    count=$(cut -d ' ' -f 5 "$serial.txt" | sort -u | wc -l)
    verdict "$name, frames differ" "$([ "$count" -eq $frames ] || echo "$count checksums, $frames frames")"
}

# The last command, with --verbose, went through its ring three times; that of a
# cell was as the cell says.
rounds() { # NAME
    local slots why=
    slots=$(sed -n 's/^sinewave: memory: \([0-9]*\) height maps.*/\1/p' "$checked")
    if [ "${slots:-0}" -eq 0 ] || [ $((3 * slots)) -gt $frames ]; then
        why="$frames frames, ${slots:-no} slots"
    elif [ "$ring" -ne 0 ] && [ "$slots" -ne $((ring * batch)) ]; then
        why="$slots slots instead of $((ring * batch))"
    elif [ "$ring" -eq 0 ] && [ "$slots" -le $((2 * batch)) ]; then
        why="no more than two batches"
    fi
    verdict "$1: rounds through the ring" "$why"
}

# The last command's checksums are the serial run's.
equal() { # NAME
    checksums "$work/checksums.txt"
    check "$1: checksums" cmp "$serial.txt" "$work/checksums.txt"
}

# Every way to share a height map against a serial run without CUDA.
part_interop() {
    local serial=$work/interop-serial validation=()
    local common=(--headless --size 320x200 --grid 257x131 --frames "$frames")
    if has_validation; then
        validation=(--validation)
    else
        skip "interop: silent validation" "there is no validation layer"
    fi
    serial "interop" "${common[@]}" --screenshot "$serial.png" --heights "$serial.npy"
    each_cell "interop" interop_cell "dedicated suballocated" "1 3 8" "0 2"
}

interop_cell() {
    local file=$work/${name//[^a-z0-9]/-}
    check "$name" "$sinewave" "${common[@]}" "${cell[@]}" --test-checksums --verbose \
        --screenshot "$file.png" --heights "$file.npy" "${validation[@]}"
    rounds "$name"
    [ ${#validation[@]} -eq 0 ] || verdict "$name: silent validation" \
        "$(sed 1d "$checked" | grep -m 1 '^sinewave: validation')"
    equal "$name"
    same "$name" "$serial.png" "$file.png"
    same "$name" "$serial.npy" "$file.npy"
}

part_images() {
    local limit=300
    counted "images: every format, kind and usage" "$tests/gpu_images"
}

# A handoff that does not wait would draw heights of another frame.
part_synchronisation() {
    local type batch renderer serial=$work/synchronisation-serial
    local common=(--headless --grid 257x131 --frames "$frames") size=(--size 96x64)
    for renderer in raster compute; do
        mkdir -p "$serial-$renderer"
        serial "synchronisation: $renderer" "${common[@]}" "${size[@]}" --renderer $renderer \
            --output "$serial-$renderer/%02d.png"
        check "synchronisation: $renderer: serial, a picture a frame" test \
            "$(cksum "$serial-$renderer"/* | cut -d ' ' -f 1 | sort -u | wc -l)" -eq $frames
    done
    each_cell "synchronisation" synchronisation_cell dedicated "1 3 8" "0 2"
    for type in timeline binary; do
        for batch in 1 4; do
            expect 4 "synchronisation: $type, a dropped signal, batch $batch" "$sinewave" \
                "${common[@]}" "${size[@]}" --compute cuda --semaphore $type --batch $batch \
                --test-drop-signal 3
            said "synchronisation: $type, batch $batch, the semaphore is named" \
                "^sinewave: error: time-out in frame [0-9]+: semaphore \"ready [0-9]+\" \($type.* the cuda stepper did not signal it"
        done
    done
}

synchronisation_cell() {
    local renderer folder run=("$sinewave" "${common[@]}" "${cell[@]}" --verbose)
    check "$name, slow kernels" "${run[@]}" "${size[@]}" --test-checksums --test-kernel-delay 5
    equal "$name, slow kernels"
    # Checksums are copied from a slot, for which their runs wait too: that the
    # renderer's shader waits, pictures show.
    for renderer in raster compute; do
        folder=$work/${name//[^a-z0-9]/-}-$renderer
        mkdir -p "$folder"
        check "$name, slow kernels, $renderer" "${run[@]}" "${size[@]}" --test-kernel-delay 5 \
            --renderer $renderer --output "$folder/%02d.png"
        check "$name, slow kernels, $renderer: pictures" diff -rq "$serial-$renderer" "$folder"
        rm -rf "$folder"
    done
    check "$name, late submission" "${run[@]}" "${size[@]}" --test-checksums --test-submit-delay 5
    equal "$name, late submission"
    # A large picture: frames are still being drawn when the stepper, if it does
    # not wait for *free*, writes into their slots.
    check "$name, slow drawing" "${run[@]}" --test-checksums --size 4096x4096
    rounds "$name, slow drawing"
    equal "$name, slow drawing"
}

# Semaphores of the other type every few frames, amid rounds and after one.
part_switch() {
    local serial=$work/switch-serial
    local common=(--headless --size 96x64 --grid 257x131 --frames "$frames")
    serial "switch" "${common[@]}"
    each_cell "switch" switch_cell dedicated "1 3 8" "0 2"
}

switch_cell() {
    local every
    for every in 7 41; do
        check "$name, every $every" "$sinewave" "${common[@]}" "${cell[@]}" --test-checksums \
            --test-toggle-every $every --verbose
        said "$name, every $every: to timeline" '^sinewave: semaphore: timeline from frame'
        said "$name, every $every: to binary" '^sinewave: semaphore: binary from frame'
        equal "$name, every $every"
    done
}

# A run is made again and again, with either type in turn.
part_descriptors() {
    local limit=400 memory heightmap batch name
    for heightmap in buffer image; do
        for memory in dedicated suballocated; do
            [ $memory = dedicated ] || ! no_blocks "descriptors" $heightmap || continue
            for batch in 1 8; do
                name="descriptors and memory after 24 rounds, $memory $heightmap, batch $batch"
                check "$name" "$tests/fd_rounds" 24 --compute cuda --frames $((6 * batch)) \
                    --batch $batch --test-ring-slots 2 --size 64x64 --heightmap $heightmap \
                    --memory $memory
                say "    $(tail -n 1 "$checked")"
            done
        done
    done
    # As many as it takes to tell a leak of height maps from what caches take.
    check "descriptors and memory after 120 rounds" "$tests/fd_rounds" 120 --compute cuda \
        --frames 6 --batch 2 --grid 65536x1 --size 64x64
    say "    $(tail -n 1 "$checked")"
}

part_sanitizer() {
    local tool limit=300 common=(--headless --size 64x64 --grid 257x131)
    if ! tool=$(find_compute_sanitizer); then
        skip "compute-sanitizer" "it is not installed"
        return
    fi
    tool=("$tool" --tool memcheck --target-processes all --error-exitcode 98)
    each_cell "memcheck" memcheck_cell "dedicated suballocated" "1 8" 2
    check "memcheck: compute renderer" "${tool[@]}" "$sinewave" "${common[@]}" --frames 9 \
        --batch 3 --compute cuda --renderer compute
    said "memcheck: compute renderer: no errors" '^=+ ERROR SUMMARY: 0 errors'
}

memcheck_cell() {
    local run=("$sinewave" "${common[@]}" "${cell[@]}" --frames $((5 * batch + 1)))
    check "$name" "${tool[@]}" "${run[@]}"
    said "$name: no errors" '^=+ ERROR SUMMARY: 0 errors'
    # A line of its own: whatever the CUDA runtime leaves to the end of the process
    # would count too.
    check "$name, leaks, the runtime's too" "${tool[@]}" --leak-check full "${run[@]}"
    said "$name, leaks: none" '^=+ LEAK SUMMARY: 0 bytes leaked'
}
