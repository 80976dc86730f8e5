# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages that pages quote are those that Terrane says: they stand in the catalog of its texts."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CATALOG = ROOT / "translations" / "de.po"
VARIABLE = re.compile(r"\{[^{}]*\}")
QUOTED = {
    "docs/troubleshooting.md": re.compile(r"^\| `(.+?)` \|", re.MULTILINE),
    "docs/speed.md": re.compile('"(.*…[^"]*)"'),
}
"""Pages, and where messages stand on them."""


def texts() -> set[str]:
    """Return all texts of the interface, with … for what each time differs."""
    catalog = CATALOG.read_text(encoding="utf-8")
    entries = re.findall(r'^msgid ((?:"(?:[^"\\]|\\.)*"\n)+)', catalog, re.MULTILINE)
    plain = ("".join(map(ast.literal_eval, entry.splitlines())) for entry in entries)
    return {VARIABLE.sub("…", text) for text in plain}


def test_there_are_texts():
    assert len(texts()) > 3000
    assert "… has shape keys: remove them first" in texts()


@pytest.mark.parametrize("page", QUOTED)
def test_messages_are_said(page):
    quoted = QUOTED[page].findall((ROOT / page).read_text(encoding="utf-8"))
    assert len(quoted) >= (80 if "troubleshooting" in page else 1)
    assert set(quoted) - texts() == set()
