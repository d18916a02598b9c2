"""What no file of the project says: where, by whom and for which list of work it was written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.tidy.source import ROOT

# Spelt with a bracket, so that this file does not say them either.
FOREIGN = (
    r"/wor[k]/",
    r"/roo[t]/",
    r"/tmp/ven[v]",
    r"\.librar[y]\b",
    r"/share[d]/(?:design|tools|reference|seeds)",
    r"\bfar[m]-",
    r"\b(?:developer|worker) sessio[n]\b",
    r"pypi\.or[g]|pythonhoste[d]|registry\.npmj[s]",
    r"(?i:\bissue\s+#?\d)",
    r"(?i:\bpull request\s+#?\d)",
    r"(?i:co-authore[d]-by|generated (?:by|with) (?:an? )?(?:ai|llm)\b)",
)
_FOREIGN = re.compile("|".join(FOREIGN))


def files() -> list[Path]:
    """Every file that belongs to the project."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0:
        found = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:  # unpacked without its history
        tops = ("src", "tests", "docs", "bench", "examples")
        found = [path for top in tops for path in (ROOT / top).rglob("*")]
        found += ROOT.glob("*.*")
    return [path for path in found if path.is_file()]


def text(path: Path) -> str:
    """What a person could read in it; nothing where it is no text."""
    held = path.read_bytes()
    return "" if b"\0" in held else held.decode("utf-8", errors="replace")


def test_no_file_speaks_of_the_place_where_it_was_written() -> None:
    """A reader elsewhere finds no path, host or number that means nothing to them."""
    said = [
        f"{path.relative_to(ROOT)}:{number} {found[0]}"
        for path in files()
        for number, line in enumerate(text(path).splitlines(), 1)
        for found in _FOREIGN.finditer(line)
    ]

    assert said == []


def test_every_line_of_text_ends_as_it_should() -> None:
    """No white space at the end of a line of code or prose, and a line end at the end of a file."""
    ragged = [
        str(path.relative_to(ROOT))
        for path in files()
        if path.suffix in {".py", ".md", ".toml", ".yml"} or path.name == "Makefile"
        if (held := text(path)) and (re.search(r"[ \t]+$", held, re.MULTILINE) or held[-1] != "\n")
    ]

    assert ragged == []
