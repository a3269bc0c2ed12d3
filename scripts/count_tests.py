"""Prints "N passed, N failed, N skipped" from the test logs of Meson build folders.

Usage: python3 count_tests.py BUILD...
A build without a log (it did not build, or its tests did not start) counts as
one failure. Exits non-zero on any failure and where no test ran.
"""

import json
import pathlib
import sys


def count(build):
    """Returns (passed, failed, skipped) of one build folder."""
    log = pathlib.Path(build, "meson-logs", "testlog.json")
    passed = failed = skipped = 0
    if not log.is_file():
        print(f"{build}: no tests ran", file=sys.stderr)
        return 0, 1, 0
    for line in log.read_text(encoding="utf-8").splitlines():
        test = json.loads(line)
        if test["result"] in ("OK", "EXPECTEDFAIL"):
            passed += 1
        elif test["result"] == "SKIP":
            skipped += 1
        else:
            failed += 1
            print(f"{build}: {test['name']}: {test['result']}", file=sys.stderr)
    return passed, failed, skipped


def main():
    counts = [count(build) for build in sys.argv[1:]]
    passed, failed, skipped = (sum(column) for column in zip(*counts))
    sys.stderr.flush()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
