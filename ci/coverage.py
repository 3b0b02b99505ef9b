#!/usr/bin/env python3
"""Writes docs/coverage.md: which function of the standard is reached from where.

A public function says which C functions it stands for by `#[doc(alias = "MPI_…")]`; this reads those, and the list of
all functions that mpi-sys commits. With `--check` it only compares.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs/coverage.md"
ITEM = re.compile(r"^\s*pub (?:const |unsafe )*(fn|struct|enum|const|trait) (\w+)")
IMPL = re.compile(r"^impl(?:<[^{]*?>)? (?:[\w:]+(?:<.*?>)? for )?([A-Z]\w*)")


def reached(source):
    """Pairs (C function, Rust item) of one file."""
    owner, aliases = None, []
    for line in source.splitlines():
        if found := IMPL.match(line):
            owner = found[1]
        elif line.startswith("}"):
            owner = None
        if "doc(alias" in line:
            aliases += re.findall(r'"(MPI_\w+)"', line)
        elif found := ITEM.match(line):
            place = f"{owner}::{found[2]}" if owner and line.startswith(" ") else found[2]
            yield from ((alias, place) for alias in aliases)
            aliases = []


def table():
    known = (ROOT / "mpi-sys/names/functions.txt").read_text().split()
    names = {name for name in known if name.startswith("MPI_") and not name.startswith("MPI_T_")}
    where = {}
    for path in sorted((ROOT / "src").rglob("*.rs")):
        for function, place in reached(path.read_text()):
            if function in names:
                where.setdefault(function, {})[f"`{place}`"] = str(path.relative_to(ROOT))
    lines = [
        "# Coverage",
        "",
        "Which function of the standard is reached from where. Written by `ci/coverage.py`, which CI checks.",
        "",
        f"{len(where)} functions are reached by name; others are called on the way (freeing, committing, asking).",
        "",
        "| C | Rust | file |",
        "|---|---|---|",
    ]
    for function in sorted(where):
        places = where[function]
        lines.append(f"| `{function}` | {', '.join(sorted(places))} | {', '.join(sorted(set(places.values())))} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = table()
    if "--check" in sys.argv:
        if not OUT.exists() or OUT.read_text() != text:
            sys.exit("docs/coverage.md is out of date: run ci/coverage.py")
    else:
        OUT.write_text(text)
