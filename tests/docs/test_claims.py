# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of pages for users, with a measured number or "exactly", name the test or the benchmark that holds them.

`claims.json` has a few words of each, by page, with two texts: what holds it, ``file::name``, and what stands there: the limit that a test asserts,
the comparison that it makes, what a benchmark measures, or the value that a program declares. It is looked for in the function and in all of its file
that it uses; the limit and the value must be the number of the claim, in whatever unit. A new claim without a holder fails here: hold it, or delete it.
The tables of docs/speed.md come from the report: tests/core/test_reports.py.
"""

from __future__ import annotations

import ast
import functools
import json
import math
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEDGER = json.loads((Path(__file__).parent / "claims.json").read_text(encoding="utf-8"))
PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
WORDS = {
    "half a per cent": 0.005,
    "half a percent": 0.005,
    "a millimeter": 1e-3,
    "a centimeter": 0.01,
    "a third of a stop": 1.0 / 3.0,
    "half a level": 0.5,
    "a hundredth": 0.01,
}
"""Numbers that pages write out."""

SAME = (
    *(
        r"\bexactly?\b",
        r"\bto the (last )?bit\b",
        r"\b(same|equal) bits\b",
        r"\bthe same numbers\b",
    ),
    r"\bidentical\b",
)
NUMBER = r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:[eE]-?\d+)?"
UNITS = (
    r"%|per ?cent|times|MB|GB|ns|ms|bytes|hundredth|millionth|million samples|microseconds"
    r"|milliseconds|of a stop|rays|files in Blender"
)
CLAIM = re.compile(
    "|".join([*SAME, *(rf"\b{words}\b" for words in WORDS)])
    + rf"|within {NUMBER}(?! to )|\d[eE]-\d|{NUMBER} ?(?:{UNITS})(?!\w)"
)
COMPARED = re.compile(r"array_equal|==|digest|tobytes|read_bytes|same_bits|sum\(\)|<=? 0|\bnot ")
MEASURING = ("benchmarks", "tools")
HOLDERS = ("tests", *MEASURING, "noise_core", "terrane_worlds", "operators")
SCALES = (1.0, 1e-2, 1e2, 1e-3, 1e3, 1e-6, 1e6, 1e-9, 1e9)
"""From the unit of a page to that of a program: per cent, millimeters, megabytes and so on."""


def sentences(page: str) -> list[str]:
    """Return the sentences and rows of a page that claim something; its code, and what reports write, claim nothing."""
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"```.*?```|<!-- measured -->.*?<!-- /measured -->", "", text, flags=re.DOTALL)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    parts = re.split(r"(?<=[.:;])\s+|\n\n|\n\* |\n(?=\|)", text)
    return [" ".join(part.split()) for part in parts if CLAIM.search(part)]


def numbers(text: str) -> set[float]:
    """Return the numbers in a text, those that are written out too."""
    written = {value for words, value in WORDS.items() if words in text}
    shares = re.findall(r"(\d[\d.]*) / (\d[\d.]*)", text)
    written |= {float(part) / float(whole) for part, whole in shares}
    return written | {
        float(one.replace(",", "")) for one in re.findall(NUMBER, text.replace("_", ""))
    }


@functools.cache
def definitions(file: str) -> dict[str, tuple[str, frozenset[str]]]:
    """Return the text of each name that a file defines at its top, or in a class, and the names used there."""
    text = (ROOT / file).read_text(encoding="utf-8")
    found: dict[str, tuple[str, frozenset[str]]] = {}
    body = ast.parse(text).body
    body += [inner for node in body if isinstance(node, ast.ClassDef) for inner in node.body]
    for node in body:
        used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        names = {getattr(node, "name", "")} - {""}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}  # fmt: skip
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        lines = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
        found |= {name: (lines, frozenset(used)) for name in names}
    return found


def held_by(holder: str) -> str:
    """Return the text of a function and of all that it uses in its file."""
    file, _, name = holder.partition("::")
    known, left, seen = definitions(file), [name], set()
    assert name in known, f"{file} has no {name}"
    while left:
        one = left.pop()
        if one in known and one not in seen:
            seen.add(one)
            left += known[one][1]
    return "\n".join(known[one][0] for one in sorted(seen))


def flaw(words: str, holder: str, what: str) -> str:
    """Return why a function does not hold a claim, or nothing."""
    file = holder.partition("::")[0]
    kind = next((one for one in HOLDERS if file.startswith(f"{one}/")), None)
    if kind is None or not (ROOT / file).is_file():
        return f"no test, benchmark or program {file}"
    if " ".join(what.split()) not in " ".join(held_by(holder).split()):
        return f"{holder} does not say: {what}"
    if kind in MEASURING:
        return ""
    said, limits = numbers(words), numbers(what)
    fits = any(
        math.isclose(abs(number) * scale, share, rel_tol=1e-9)
        for number in said
        for scale in SCALES
        for limit in limits
        for share in (abs(limit), abs(limit) - 1.0)
    )
    if said and not fits:
        return f"{words}: not the number of {what}"
    if not said and not COMPARED.search(what):
        return f"{words}: nothing is compared by {what}"
    return ""


@pytest.mark.parametrize("page", PAGES)
def test_claims_are_held(page):
    words = LEDGER.get(page, {})
    lost = [one for one in sentences(page) if not any(each in one for each in words)]
    assert lost == []


@pytest.mark.parametrize("page", LEDGER)
def test_what_holds_a_claim_says_so(page):
    claimed = sentences(page)
    for words, (holder, what) in LEDGER[page].items():
        assert any(words in one for one in claimed), f"{page} says it no more: {words}"
        assert flaw(words, holder, what) == ""


def test_a_claim_is_seen():
    assert sum(len(sentences(page)) for page in PAGES) > 100


HOLDER = "tests/docs/test_claims.py::test_what_does_not_hold_is_found"


@pytest.mark.parametrize(
    ("words", "holder", "what", "message"),
    [
        ("within 2 %", HOLDER, "0.02", ""),
        ("half a per cent", HOLDER, "0.005", ""),
        ("to the bit", HOLDER, 'message == ""', ""),
        ("within 2 %", HOLDER, "0.03", "not the number"),
        ("to the bit", HOLDER, "0.03", "nothing is compared"),
        ("within 2 %", HOLDER, "0.02" + "5", "does not say"),
        ("within 2 %", "docs/index.md::test", "0.02", "no test, benchmark"),
        ("within 2 %", "tests/docs/test_claims.py", "0.02", "has no "),
    ],
)
def test_what_does_not_hold_is_found(words, holder, what, message):
    try:
        found = flaw(words, holder, what)
    except AssertionError as error:
        found = str(error)
    assert (found == "") == (message == "") and message in found
