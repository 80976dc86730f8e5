# SPDX-License-Identifier: GPL-3.0-or-later
"""Every block of Python for Blender runs: README, the cookbook, planets. Those without Blender: tests/docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/scripting.md", "docs/planets.md")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks() -> list:
    found = []
    for page in PAGES:
        codes = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
        for number, code in enumerate(codes):
            if "import bpy" in code:
                found.append(pytest.param(code, id=f"{Path(page).stem}-{number}"))
    return found


def test_there_are_blocks():
    assert len(blocks()) >= 7


@pytest.mark.slow
@pytest.mark.parametrize("code", blocks())
def test_the_block_runs(code, terrane):
    exec(compile(code, "<page>", "exec"), {})
