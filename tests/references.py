"""A reference picture of assets/reference: what the program draws passes, what
is wrong fails, at the limits that the list gives.

Usage: python3 references.py BUILD NAME draw|mutations [OPTION...]

draw       the picture passes, drawn with the options added
mutations  these fail: the picture shifted by a pixel, blank, red and blue
           swapped, mirrored, encoded as sRGB twice or never; the next and the
           last frame; a wave that runs the wrong way in x; another size; a
           missing reference

BUILD is the build folder. Prints what each comparison found.
"""

import os
import subprocess
import sys
import tempfile

REFERENCES = os.path.join(os.path.dirname(__file__), "..", "assets", "reference")
PICTURE_MUTATIONS = (
    "shift-x",
    "shift-y",
    "blank",
    "swap-red-blue",
    "mirror-x",
    "srgb-twice",
    "srgb-never",
)


def entry(name):
    """Limits and options of the reference, from the list."""
    with open(os.path.join(REFERENCES, "list.txt"), encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words and words[0] == name:
                return words[1], words[2], words[3:]
    sys.exit(f"references.py: {name} is not in list.txt")


class Reference:
    def __init__(self, build, name, more):
        self.build = build
        self.name = name
        threshold, ratio, self.options = entry(name)
        self.more = more
        self.path = os.path.join(REFERENCES, name + ".png")
        self.limits = ["--threshold", threshold, "--max-diff-ratio", ratio]
        self.failures = 0

    def expect(self, code, what, command, said=""):
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=600)
        found = done.stderr.strip().splitlines() or [""]
        good = done.returncode == code and said in done.stderr
        print(f"{'ok' if good else 'WRONG'} {what}: exit code {done.returncode}: {found[-1]}")
        self.failures += not good

    def drawn(self, *more, program="sinewave", options=None, path=None):
        options = self.options if options is None else options
        return [os.path.join(self.build, program), "--headless", *options, *self.more, *more,
                "--compare", path or self.path, *self.limits]

    def with_file(self, path):
        return [os.path.join(self.build, "sinewave"), "--compare", self.path, "--with", path,
                *self.limits]

    def changed(self, option, change):
        """The options, with one of them changed."""
        options = list(self.options)
        at = options.index(option) + 1
        options[at] = change(options[at])
        return options

    def other_frame(self, step):
        """Another frame of the same run; none before the first."""
        option = "--first-frame" if "--first-frame" in self.options else "--frames"
        number = int(self.options[self.options.index(option) + 1]) + step
        return self.changed(option, lambda _: str(number)) if number > 0 else None


def mutations(reference, folder):
    picture = os.path.join(folder, "picture.png")
    reference.expect(0, "the picture itself", reference.drawn("--screenshot", picture))
    for how in PICTURE_MUTATIONS:
        spoilt = os.path.join(folder, how + ".png")
        program = os.path.join(reference.build, "tests", "mutate_picture")
        subprocess.run([program, how, picture, spoilt], check=True)
        reference.expect(1, how, reference.with_file(spoilt), said="are off by more")
    for step in (-1, 1):
        options = reference.other_frame(step)
        if options:
            reference.expect(1, f"frame {step:+}", reference.drawn(options=options),
                             said="are off by more")
    mirrored = os.path.join("tests", "sinewave_mirrored")
    reference.expect(1, "wave mirrored in x", reference.drawn(program=mirrored),
                     said="are off by more")

    def wider(size):
        width, height = size.split("x")
        return f"{int(width) + 1}x{height}"

    reference.expect(1, "a size of one pixel more",
                     reference.drawn(options=reference.changed("--size", wider)),
                     said="give pictures of one size")
    missing = os.path.join(folder, "missing.png")
    reference.expect(2, "a missing reference", reference.drawn(path=missing), said=missing)
    if os.path.exists(missing):
        print("WRONG a missing reference was made")
        reference.failures += 1


def main():
    if len(sys.argv) < 4 or sys.argv[3] not in ("draw", "mutations"):
        sys.exit(__doc__)
    reference = Reference(sys.argv[1], sys.argv[2], sys.argv[4:])
    if sys.argv[3] == "draw":
        reference.expect(0, "drawn", reference.drawn())
    else:
        with tempfile.TemporaryDirectory() as folder:
            mutations(reference, folder)
    return 1 if reference.failures else 0


if __name__ == "__main__":
    sys.exit(main())
