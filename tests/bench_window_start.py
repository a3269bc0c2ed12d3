"""From the start of a run of one frame in a window until it has ended, on an X
display of its own: within a second.

Usage: python3 bench_window_start.py SINEWAVE LAYER-FOLDER
"""

import time

from display import Display, Program, arguments

SINEWAVE, _ = arguments()
LIMIT = 1.0  # seconds, the best of three; the sanitizer build takes longer


def once(display):
    start = time.monotonic()
    Program(display, SINEWAVE, "--frames", "1", validation=False).end()
    return time.monotonic() - start


with Display() as shown:
    best = min(once(shown) for _ in range(3))
print(f"first frame and out: {best:.2f} s")
assert best < LIMIT
