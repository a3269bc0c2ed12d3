"""The documents say what the program does: options, defaults, keys, exit codes,
statistics, links, files and examples of README.md and docs/.

Usage: python3 readme.py SINEWAVE
"""

import json
import os
import pathlib
import re
import shlex
import subprocess

import support
from support import check, main, run

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_DEVICE = 3
# Of the tests' programs and of "meson test": documents name them, too.
OTHER_OPTIONS = {"--benchmark", "--build", "--only", "--runs", "--start", "--suite", "--tune",
                 "--window"}

# ---------------------------------------------------------- what documents say


def documents():
    """(name, path, text) of all of them."""
    folders = ROOT, ROOT / "docs", ROOT / "assets" / "reference"
    paths = [path for folder in folders for path in sorted(folder.glob("*.md"))]
    return [(path.name, path, path.read_text(encoding="utf-8")) for path in paths]


def document(name):
    return (ROOT / name).read_text(encoding="utf-8")


def table(text, heading):
    """Rows of all tables whose first column has this heading, as lists of cells
    without backquotes.
    """
    rows, inside = [], False
    for line in text.splitlines():
        cells = [cell.strip().replace("\\|", "|").replace("`", "")
                 for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells or cells[0] == heading:
            inside = bool(cells)
        elif inside and set("".join(cells)) - set("-:"):
            rows.append(cells)
    check(rows, f"no table with {heading!r}")
    return rows


def anchors(text):
    """The anchors that the headings of a document give."""
    titles = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def examples():
    """(document, block) of the fenced blocks marked `sh`, continued lines joined."""
    for name, _, text in documents():
        for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S):
            yield name, block.replace("\\\n", " ")


def commands(block):
    """The simple commands of a block, as lists of words without redirections."""
    for line in block.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
        lexer.whitespace_split = True
        words, target = [], False
        for token in [*lexer, ";"]:
            if target:
                target = False
            elif set(token) <= set("<>&") and set(token) & set("<>"):
                target = True
            elif set(token) <= set(";|&()"):
                if words:
                    yield words
                words = []
            else:
                words.append(token)


# ------------------------------------------------------- what the program says


def help_entries(option):
    """(what, explanation) of each entry, wrapped lines joined; None: a heading."""
    entries = []
    for line in run(option, out=True).out.splitlines():
        if re.match(r"  \S", line):
            what, _, rest = line[2:].partition("  ")
            entries.append([what.strip(), rest.strip()])
        elif line.startswith("   "):
            entries[-1][1] = f"{entries[-1][1]} {line.strip()}".strip()
        elif line:
            entries.append([line, None])
    return entries


def help_options(option):
    """Name to (argument, default)."""
    options = {}
    for what, rest in help_entries(option):
        if what.startswith("--"):
            name, _, argument = what.partition(" ")
            default = re.search(r"\(default: (.*)\)$", rest)
            options[name] = (argument, default[1] if default else "")
    return options


def help_under(title):
    entries = help_entries("--help")
    found = {}
    for what, rest in entries[entries.index([title, None]) + 1:]:
        if rest is None:
            break
        found[what] = rest
    return found


# -------------------------------------------------------------------- the tests


def differences(what, in_readme, in_help):
    return [f"{what} {name}: {in_readme.get(name)} in README, {in_help.get(name)} in the help"
            for name in sorted(in_readme.keys() | in_help.keys())
            if in_readme.get(name) != in_help.get(name)]


def test_options():
    built = help_options("--help") | help_options("--help-tests")
    check(len(built) > 20, "the help cannot be read", built)
    listed = {}
    for cells in table(document("README.md"), "option"):
        name, _, argument = cells[0].partition(" ")
        check(name not in listed, f"README lists {name} twice")
        listed[name] = (argument, cells[2])
    wrong = differences("option", listed, built)
    check(not wrong, *wrong)


def test_keys():
    keys = {cells[0]: cells[1] for cells in table(document("README.md"), "key")}
    wrong = differences("key", keys, help_under("In the window"))
    check(not wrong, *wrong)


def test_exit_codes():
    codes = [cells[0] for cells in table(document("README.md"), "exit code")]
    check(codes == list(help_under("Exit codes")), codes)


def test_options_named_as_code():
    known = set(re.findall(r'"(--[a-z-]+)"', document("app/options_table.c"))) | OTHER_OPTIONS
    wrong = [f"{name}: {option} does not exist" for name, _, text in documents()
             for option in re.findall(r"`(?:sinewave )?(--[a-z][a-z-]+)", text)
             if option not in known]
    check(not wrong, *wrong)


def test_links():
    wrong = []
    for name, path, text in documents():
        for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            place, _, anchor = target.partition("#")
            file = (path.parent / place).resolve() if place else path
            if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8"))):
                wrong.append(f"{name} links {target}, which is missing")
    check(not wrong, *wrong)


def test_every_document_is_linked():
    readme = document("README.md")
    missing = [path.name for path in sorted((ROOT / "docs").glob("*.md"))
               if f"](docs/{path.name})" not in readme]
    check(not missing, "README does not link, from docs/:", *missing)


def test_files_named_as_code():
    rooms = "app|assets|docs|kernels|scripts|shaders|tests|vkbase"
    wrong = [f"{name} names {file}, which is missing" for name, _, text in documents()
             for file in re.findall(rf"`(?:sh )?((?:{rooms})/[\w./*-]*)", text)
             if not any(ROOT.glob(file.rstrip("./")))]
    check(not wrong, *wrong)


def test_examples_parse():
    wrong = []
    for name, block in examples():
        for words in commands(block):
            script = words[1] if words[0] == "sh" else words[0]
            if "/" in script and pathlib.PurePath(script).name != "sinewave":
                if not (ROOT / script).is_file():
                    wrong.append(f"{name}: {script} is missing")
            if script in ("sinewave", "scripts/run.sh"):
                try:
                    run(*words[words.index(script) + 1:], "--help", out=True)
                except AssertionError as error:
                    wrong.append(f"{name}: {error}")
    check(not wrong, *wrong)


def cheap(words):
    """Whether an example draws little, and without a GPU or a layer."""
    kinds = {"--headless", "--with", "--list-devices", "--help", "--version"}
    frames = words[words.index("--frames") + 1] if "--frames" in words else "1"
    return (words[0] == "sinewave" and kinds & set(words) and int(frames) <= 20
            and not {"cuda", "--validation"} & set(words))


def test_cheap_examples_run():
    tools = pathlib.Path("bin").resolve()
    tools.mkdir()
    (tools / "sinewave").symlink_to(pathlib.Path(support.PROGRAM).resolve())
    path = f"{tools}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    for name, block in examples():
        if all(cheap(words) for words in commands(block)):
            ended = subprocess.run(
                ["sh", "-e", "-c", block], env=support.environment({"PATH": path}),
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                timeout=support.TIMEOUT, check=False,
            )
            check(ended.returncode in (0, NO_DEVICE), f"{name}: {block}", ended)
    if pathlib.Path("sinewave.png").exists():
        # README's picture is what the command beside it draws; other devices
        # smooth its edges in their own way.
        run("--compare", ROOT / "assets" / "sinewave.png", "--with", "sinewave.png",
            "--threshold", "8", "--max-diff-ratio", "0.02")


TYPES = {
    "string": lambda value: isinstance(value, str),
    "string or null": lambda value: value is None or isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "number or null": lambda value: value is None or type(value) in (int, float),
    "boolean": lambda value: isinstance(value, bool),
    "array of 2 integers": lambda value: [type(member) for member in value] == [int, int],
}


def flatten(value, prefix=""):
    """The leaves of nested objects by their paths, such as device.name."""
    if not isinstance(value, dict):
        return {prefix: value}
    return {path: leaf for name, member in value.items()
            for path, leaf in flatten(member, f"{prefix}.{name}".lstrip(".")).items()}


def test_statistics():
    text = document("docs/statistics.md")
    members = {cells[0]: cells[1] for cells in table(text, "member of a stage")}
    documented = flatten({cells[0]: members if cells[1] == "stage" else cells[1]
                          for cells in table(text, "field")})
    frames = 40
    ended = subprocess.run(
        [support.PROGRAM, "--headless", "--size", "64x64", "--grid", "16x16", "--batch", "4",
         "--frames", str(frames), "--compute", "vulkan", "--stats", "-"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=support.TIMEOUT,
        env=support.ENVIRONMENT, check=False,
    )
    if ended.returncode == NO_DEVICE:
        print("no device: the statistics were not compared")
        return
    check(ended.returncode == 0, ended)
    stats = json.loads(ended.stdout)
    written = flatten(stats)
    check(written.keys() == documented.keys(), "documented, or written, alone:",
          *sorted(written.keys() ^ documented.keys()))
    wrong = [f"{name}: {value!r} is no {documented[name]}" for name, value in written.items()
             if not TYPES[documented[name]](value)]
    check(not wrong, *wrong)

    check(f"`schema` is {stats['schema']}." in text, f"schema {stats['schema']}")
    check(stats["frames"] == frames, stats["frames"])
    check(stats["warmup_frames"] == frames // 4, stats["warmup_frames"])
    frame = stats["microseconds"]["frame"]
    check(frame["count"] == frames - frames // 4, frame)
    order = [frame[name] for name in ("min", "p50", "p95", "p99", "max")]
    check(order == sorted(order), order)
    parts = sum(stats["microseconds"][stage]["mean"] for stage in ("host", "pacing"))
    check(abs(parts - frame["mean"]) < 0.01, "host + pacing is not frame:", parts, frame)


if __name__ == "__main__":
    main(globals(), device=False)
