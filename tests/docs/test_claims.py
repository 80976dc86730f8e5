# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of pages for users, with a measured number or "exactly", name the test or the benchmark that holds them.

`claims.json` has a few words of each, by page, and the file that holds it. A new claim without one fails here: hold it, or delete it.
The tables of docs/speed.md come from the report: tests/core/test_reports.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEDGER = json.loads((Path(__file__).parent / "claims.json").read_text(encoding="utf-8"))
ELSEWHERE = {
    "speed": "its tables come from the report of the benchmarks",
    "live_materials": "its table is compared by tests/blender/test_nodes_add.py",
    "curves": "its figures name their benchmarks: benchmarks/curves.py, drawn_land.py and drawn_flows.py",
    "landscapes": "its numbers are defaults, in the reference, and sizes of images",
    "planets": "one identity, held by tests/blender/test_planet.py",
    "scripting": "its code runs in tests/docs/test_code.py and tests/blender/test_code_of_pages.py",
}
"""Pages whose claims are held in another way."""

PAGES = [
    "README.md",
    *(
        f"docs/{path.name}"
        for path in sorted((ROOT / "docs").glob("*.md"))
        if path.stem not in ELSEWHERE
    ),
]
CLAIM = re.compile(
    r"\bexactly?\b|\bto the bit\b|half a per cent|to a millimeter|within a centimeter"
    r"|\d+(\.\d+)? ?(%|per cent|times|ms|MB|GB|ns|hundredth|millionth|million samples)(?!\w)"
)


def sentences(page: str) -> list[str]:
    """Return the sentences of a page that claim something; its code claims nothing."""
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    parts = re.split(r"(?<=[.:;])\s+|\n\n|\n\* ", text)
    return [" ".join(part.split()) for part in parts if CLAIM.search(part)]


@pytest.mark.parametrize("page", PAGES)
def test_claims_are_held(page):
    words = LEDGER.get(page, {})
    lost = [one for one in sentences(page) if not any(each in one for each in words)]
    assert lost == []


@pytest.mark.parametrize("page", LEDGER)
def test_what_holds_a_claim_is_there(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    for words, holder in LEDGER[page].items():
        assert words in text, f"{page} says it no more: {words}"
        assert (ROOT / holder).is_file() and holder.startswith(("tests/", "benchmarks/")), holder


def test_a_claim_is_seen():
    found = [part for page in PAGES for part in sentences(page)]
    assert len(found) > 40
