# SPDX-License-Identifier: GPL-3.0-or-later
"""Code of the pages: blocks of Python between fences, and indented ones."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_FENCED = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)((?: {4}.*\n|\n(?= {4}))+)")


def fenced(page: str) -> list[str]:
    """Return the blocks of Python of a page between fences."""
    return _FENCED.findall((ROOT / page).read_text(encoding="utf-8"))


def indented(page: str) -> list[str]:
    """Return the indented blocks of a page, of any language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [textwrap.dedent(block).strip() + "\n" for block in _INDENTED.findall(text)]
