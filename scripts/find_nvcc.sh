# shellcheck shell=sh
# Sourced by the other scripts. CUDA's installer does not put nvcc on PATH, and
# Meson looks nowhere else.
if ! command -v nvcc >/dev/null 2>&1 && [ -x /usr/local/cuda/bin/nvcc ]; then
    echo "Adding /usr/local/cuda/bin to PATH for nvcc." >&2
    PATH=$PATH:/usr/local/cuda/bin
    export PATH
fi
