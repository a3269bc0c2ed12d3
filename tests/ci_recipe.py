"""The job in docs/ci.md does what it says: its drawing step passes, and fails
with a spoilt reference, whose picture and difference picture are then there.

Usage: python3 ci_recipe.py SINEWAVE MUTATE_PICTURE
"""

import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

import support
from support import check, main

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEP = "Draw and compare"


def step():
    """The shell script of the step."""
    lines = iter((ROOT / "docs" / "ci.md").read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line.strip() == f"- name: {STEP}":
            break
    head = next(lines, "")
    check(head.strip() == "run: |", f"no step {STEP!r} that runs a script")
    indent = len(head) - len(head.lstrip())
    script = []
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        script.append(line)
    return textwrap.dedent("\n".join(script))


def test_step():
    os.mkdir("build")
    os.symlink(os.path.abspath(support.PROGRAM), "build/sinewave")
    shutil.copytree(ROOT / "assets" / "reference", "assets/reference")
    devices = support.run("--list-devices", out=True).out
    if "llvmpipe" not in devices:
        support.skip("there is no llvmpipe")

    def run_step():
        # As the runner does it.
        return subprocess.run(["bash", "-e", "-c", step()], capture_output=True, text=True,
                              timeout=support.TIMEOUT, env=support.ENVIRONMENT, check=False)

    ended = run_step()
    check(ended.returncode == 0, ended)
    names = sorted(path.stem for path in pathlib.Path("assets/reference").glob("*.png"))
    pictures = sorted(os.listdir("pictures"))
    check(len(names) > 3 and pictures == sorted(
        [f"{name}.png" for name in names] + [f"{name}-difference.png" for name in names]), pictures)

    shutil.rmtree("pictures")
    spoilt = pathlib.Path("assets/reference/surface.png")
    subprocess.run([sys.argv[2], "shift-x", spoilt, spoilt], check=True)
    ended = run_step()
    check(ended.returncode == 1 and ended.stdout.strip() == "wrong: surface", ended)
    check({"surface.png", "surface-difference.png"} <= set(os.listdir("pictures")))


if __name__ == "__main__":
    main(globals())
