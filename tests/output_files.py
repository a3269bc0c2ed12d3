"""Files that the program writes: whole, or not at all.

Usage: python3 output_files.py SINEWAVE
"""

import os
import pathlib
import subprocess
import threading

from support import TIMEOUT, check, headless, main, picture, run, same


def files():
    return sorted(os.listdir("."))


def test_new_files():
    headless("--screenshot", "a.png", "--heights", "a.npy", "--grid", "5x3")
    check(files() == ["a.npy", "a.png"], files())
    check(picture("a.png")[:2] == (96, 64), "size")
    # 10 bytes, the header up to a multiple of 64, 5 x 3 floats
    check(os.path.getsize("a.npy") % 64 == 60, os.path.getsize("a.npy"))


def test_a_file_is_replaced():
    headless("--screenshot", "new.png")
    pathlib.Path("old.png").write_bytes(b"old" * 100000)
    os.symlink("old.png", "link.png")
    headless("--screenshot", "link.png")
    check(os.path.islink("link.png"), "the link is gone")
    same("new.png", "old.png")
    check(files() == ["link.png", "new.png", "old.png"], files())


def test_a_foreign_cache_is_not_read():
    if os.geteuid() != 0:
        return  # only root can give a file away
    env = {"XDG_CACHE_HOME": os.path.abspath("cache")}
    headless(env=env)
    (cache,) = pathlib.Path("cache/sinewave").iterdir()
    written = cache.read_bytes()
    os.chown(cache, 65534, -1)
    headless(env=env)
    check(os.stat(cache).st_uid == 0, "a file of somebody else was taken for ours")
    check(cache.read_bytes() == written, "it was not made anew")


def test_what_cannot_be_written():
    os.mkdir("folder")
    pathlib.Path("file").write_text("", encoding="utf-8")
    for option in ("--screenshot", "--heights"):
        for path in ("missing/a", "folder", "folder/", "file/a", "new/", "/proc/a", "a" * 300, "a/" * 3000 + "a"):
            told = headless(option, path, code=4)
            check("cannot write" in told.err, told)
            check(files() == ["file", "folder"], files())
        headless(option, "/dev/null")
        told = headless(option, "/dev/full", code=4)
        check("No space left on device" in told.err, told)
    if os.geteuid() != 0:
        os.chmod("folder", 0o500)
        headless("--screenshot", "folder/a.png", code=4)
    check(os.listdir("folder") == [], os.listdir("folder"))


def test_the_second_file_cannot_be_written():
    """Found out before the run, so the first is not written either."""
    headless("--screenshot", "a.png", "--heights", "missing/a.npy", code=4)
    check(files() == [], files())


def test_a_failed_run_leaves_the_old_file():
    pathlib.Path("a.png").write_text("old", encoding="utf-8")
    headless("--screenshot", "a.png", "--device", "no such device", code=3)
    check(pathlib.Path("a.png").read_text(encoding="utf-8") == "old", "it was touched")
    check(files() == ["a.png"], files())


def test_a_fifo():
    os.mkfifo("fifo")
    got = []
    reader = threading.Thread(target=lambda: got.append(pathlib.Path("fifo").read_bytes()), daemon=True)
    reader.start()
    headless("--screenshot", "fifo")
    reader.join(TIMEOUT)
    headless("--screenshot", "a.png")
    check(got and got[0] == pathlib.Path("a.png").read_bytes(), "the FIFO's bytes differ")


def test_a_full_disk():
    """A limit on a file's size stands for it."""
    headless("--screenshot", "probe.png", "--size", "300x300")
    pathlib.Path("old.png").write_text("old", encoding="utf-8")
    import support  # pylint: disable=import-outside-toplevel
    ended = subprocess.run(
        ["sh", "-c", 'ulimit -f 4; trap "" XFSZ; exec "$@"', "sh", support.PROGRAM, "--headless", "--compute",
         "vulkan", "--size", "300x300", "--screenshot", "old.png"],
        capture_output=True, text=True, env=support.environment({"MESA_SHADER_CACHE_DISABLE": "1"}), check=False,
    )
    check(ended.returncode == 4, ended)
    check(ended.stderr.count("sinewave: error: ") == 1 and "File too large" in ended.stderr, ended)
    check(pathlib.Path("old.png").read_text(encoding="utf-8") == "old", "it was touched")
    check(files() == ["old.png", "probe.png"], files())


def test_nothing_else_is_written():
    run("--headless", "--size", "16x16", "--frames", 2, "--compute", "vulkan")
    check(files() == [], files())


if __name__ == "__main__":
    main(globals())
