"""The documents say what the program does: options, defaults, keys, exit codes,
statistics, links, files and commands of README.md and docs/.

Usage: python3 readme.py SINEWAVE
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_DEVICE = 3
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)


def run(command, folder=None):
    """Runs a command; in a folder, the programs in its bin/ come first."""
    path = os.environ.get("PATH", os.defpath)
    environment = dict(os.environ, PATH=f"{folder}/bin{os.pathsep}{path}" if folder else path)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True,
                          timeout=300, stdin=subprocess.DEVNULL, check=False)


# ------------------------------------------------------------ what documents say


def section(text, title):
    """What stands under a heading, up to the next one of its level or above."""
    match = re.search(rf"^(#+) {re.escape(title)}$", text, re.M)
    assert match, f"no heading {title!r}"
    end = re.search(rf"^#{{1,{len(match[1])}}} ", text[match.end():], re.M)
    return text[match.end():match.end() + end.start() if end else len(text)]


def table(text, heading):
    """Rows of all tables whose first column has this heading, as lists of cells."""
    rows = []
    inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells[0] == heading:
            inside = True
        elif inside and set("".join(cells)) - set("-:"):
            rows.append(cells)
    assert rows, f"no table with {heading!r}"
    return rows


def bare(cell):
    return cell.replace("`", "")


def documents():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")),
            *sorted((ROOT / "assets").rglob("*.md"))]


def anchors(path):
    """The anchors that the headings of a document give."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def examples(text):
    """The fenced blocks marked `sh`, continued lines joined."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
    return [block.replace("\\\n", " ") for block in blocks]


def commands(block):
    """The simple commands of a block, as lists of words without redirections."""
    for line in block.splitlines():
        words = []
        lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
        lexer.whitespace_split = True
        lexer.commenters = "#"
        skip = False
        for token in [*lexer, ";"]:
            if skip:
                skip = False
            elif set(token) <= set("<>&") and set(token) & set("<>"):
                skip = True
            elif set(token) <= set(";|&()"):
                if words:
                    yield words
                words = []
            else:
                words.append(token)


# ------------------------------------------------------------- what the program says


def help_entries(text):
    """(what, explanation) of each entry, wrapped lines joined."""
    entries = []
    for line in text.splitlines():
        if re.match(r"  \S", line):
            what, _, rest = line[2:].partition("  ")
            entries.append([what.strip(), rest.strip()])
        elif line.startswith("   ") and entries:
            entries[-1][1] = f"{entries[-1][1]} {line.strip()}".strip()
        elif line and not line.startswith(" "):
            entries.append([line, None])  # a heading
    return entries


def options_of(text):
    options = {}
    for what, rest in help_entries(text):
        if what.startswith("--") and rest is not None:
            name, _, argument = what.partition(" ")
            default = re.search(r"\(default: (.*)\)$", rest)
            options[name] = (argument, default[1] if default else "")
    return options


def entries_under(text, title):
    entries = help_entries(text)
    start = entries.index([title, None]) + 1
    found = []
    for what, rest in entries[start:]:
        if rest is None:
            break
        found.append((what, rest))
    return found


# -------------------------------------------------------------------- the checks


def check_options(readme, program):
    told = run([program, "--help"]).stdout
    built = options_of(told) | options_of(run([program, "--help-tests"]).stdout)
    assert len(built) > 20, "--help cannot be read"
    listed = {}
    for cells in table(section(readme, "Options"), "option"):
        name, _, argument = bare(cells[0]).partition(" ")
        check(name not in listed, f"README lists {name} twice")
        listed[name] = (argument, bare(cells[2]))
    for name in built.keys() - listed.keys():
        check(False, f"README's tables lack {name}")
    for name in listed.keys() - built.keys():
        check(False, f"README lists {name}, which --help and --help-tests do not")
    for name in listed.keys() & built.keys():
        for what, in_readme, in_help in zip(("argument", "default"), listed[name], built[name]):
            check(in_readme == in_help,
                  f"{name}: its {what} is {in_readme!r} in README, {in_help!r} in the help")

    keys = {bare(cells[0]): cells[1] for cells in table(readme, "key")}
    for what, rest in entries_under(told, "In the window"):
        check(keys.pop(what, None) == rest, f"key {what}: not in README as {rest!r}")
    check(not keys, f"README lists keys that the help does not: {', '.join(keys)}")

    codes = {bare(cells[0]) for cells in table(readme, "exit code")}
    in_help = {what for what, _ in entries_under(told, "Exit codes")}
    check(codes == in_help, f"exit codes: {sorted(codes)} in README, {sorted(in_help)} in the help")


def check_mentions():
    """Options named as code exist."""
    source = (ROOT / "app" / "options_table.c").read_text(encoding="utf-8")
    known = set(re.findall(r'"(--[a-z-]+)"', source))
    # Of the tests' programs and of "meson test".
    known |= {"--benchmark", "--build", "--suite", "--tune"}
    for path in documents():
        text = path.read_text(encoding="utf-8")
        for option in re.findall(r"`(?:sinewave )?(--[a-z][a-z-]+)", text):
            check(option in known, f"{path.name} names {option}, which does not exist")


def check_links():
    for path in documents():
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            check(file.exists(), f"{path.name} links {target}, which is missing")
            if anchor and file.suffix == ".md" and file.exists():
                check(anchor in anchors(file), f"{path.name} links {target}: no such heading")
        # Files that are named as code, such as `app/stats.c`.
        rooms = "app|assets|docs|kernels|scripts|shaders|tests|vkbase"
        for name in re.findall(rf"`(?:sh )?((?:{rooms})/[\w./*-]*)", text):
            check(any(ROOT.glob(name.rstrip("./"))), f"{path.name} names {name}, which is missing")


def check_examples(program, folder):
    """Each example parses; those that are cheap and need no GPU run."""
    for path in documents():
        for block in examples(path.read_text(encoding="utf-8")):
            check_example(path.name, block, program, folder)


def check_example(document, block, program, folder):
    harmless = True
    for words in commands(block):
        called, arguments = pathlib.PurePath(words[0]).name, words[1:]
        if called == "sh":
            called, arguments = pathlib.PurePath(words[1]).name, words[2:]
            check((ROOT / words[1]).is_file(), f"{document}: {words[1]} is missing")
        elif "/" in words[0] and called != "sinewave":
            check((ROOT / words[0]).is_file(), f"{document}: {words[0]} is missing")
        if called in ("sinewave", "run.sh"):
            result = run([program, *arguments, "--help"])
            check(result.returncode == 0, f"{document}: {shlex.join(words)}: {result.stderr}")
        harmless = harmless and called == "sinewave" and "/" not in words[0] and cheap(arguments)
    if harmless:
        result = run(["sh", "-e", "-c", block], folder)
        check(result.returncode in (0, NO_DEVICE),
              f"{document}: {block.strip()}: exit code {result.returncode}: {result.stderr}")


def cheap(arguments):
    if "cuda" in arguments:
        return False
    if not {"--headless", "--with", "--list-devices", "--help", "--version"} & set(arguments):
        return False
    frames = arguments[arguments.index("--frames") + 1] if "--frames" in arguments else "1"
    return int(frames) <= 20 and "--validation" not in arguments


def check_picture(program, folder):
    """The picture of README is what the command beside it draws."""
    drawn = pathlib.Path(folder, "sinewave.png")
    if not drawn.exists():
        print("no device: the picture was not compared")
        return
    result = run([program, "--compare", str(ROOT / "assets" / "sinewave.png"), "--with", str(drawn),
                  "--threshold", "8", "--max-diff-ratio", "0.02"])
    check(result.returncode == 0, f"assets/sinewave.png: {result.stderr}")


TYPES = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array of 2 integers": lambda value: isinstance(value, list) and len(value) == 2
                                         and all(isinstance(v, int) for v in value),
}


def check_statistics(program):
    text = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    fields = {bare(cells[0]): cells[1] for cells in table(text, "field")}
    members = {bare(cells[0]): cells[1] for cells in table(text, "member of a stage")}
    documented = {}
    for name, kind in fields.items():
        if kind == "stage":
            documented |= {f"{name}.{member}": members[member] for member in members}
        else:
            documented[name] = kind

    frames = 40
    result = run([program, "--headless", "--size", "64x64", "--grid", "16x16", "--batch", "4",
                  "--frames", str(frames), "--compute", "vulkan", "--stats", "-"])
    if result.returncode == NO_DEVICE:
        print("no device: the statistics were not compared")
        return
    check(result.returncode == 0, f"--stats: exit code {result.returncode}: {result.stderr}")
    stats = json.loads(result.stdout)
    written = flatten(stats)
    for name in written.keys() - documented.keys():
        check(False, f"docs/statistics.md lacks {name}")
    for name in documented.keys() - written.keys():
        check(False, f"docs/statistics.md has {name}, which --stats does not write")
    for name in documented.keys() & written.keys():
        check(TYPES[documented[name]](written[name]),
              f"{name}: {written[name]!r} is no {documented[name]}")

    version = int(re.search(r"`schema` is (\d+)", text)[1])
    check(stats["schema"] == version, f"schema {stats['schema']}, {version} in the document")
    check(stats["frames"] == frames, f"frames: {stats['frames']}")
    check(stats["warmup_frames"] == frames // 4, f"warm-up: {stats['warmup_frames']}")
    frame = stats["microseconds"]["frame"]
    check(frame["count"] == frames - frames // 4, f"frames measured: {frame['count']}")
    order = [frame[name] for name in ("min", "p50", "p95", "p99", "max")]
    check(order == sorted(order), f"percentiles out of order: {order}")
    parts = sum(stats["microseconds"][stage]["mean"] for stage in ("host", "pacing"))
    check(abs(parts - frame["mean"]) < 0.01, f"host + pacing: {parts}, frame: {frame['mean']}")


def flatten(value, prefix=""):
    if not isinstance(value, dict):
        return {prefix: value}
    fields = {}
    for name, member in value.items():
        fields |= flatten(member, f"{prefix}.{name}" if prefix else name)
    return fields


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    check_options(readme, program)
    check_mentions()
    check_links()
    check_statistics(program)
    with tempfile.TemporaryDirectory() as folder:
        tools = pathlib.Path(folder, "bin")
        tools.mkdir()
        tools.joinpath("sinewave").symlink_to(program)
        check_examples(program, folder)
        check_picture(program, folder)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
