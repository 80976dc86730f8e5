# SPDX-License-Identifier: GPL-3.0-or-later
"""The modifier of docs/develop/adding_a_modifier.md works in tiles, with nothing else written for it."""

from __future__ import annotations

import shutil

from tests.docs.test_adding import PASSED, ROOT, add, copy, run

__all__ = ["copy"]


def test_a_new_modifier_works_in_tiles(copy):
    for folder in ("terrane_worlds", "tests/worlds"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    add(copy, "develop/adding_a_modifier.md")
    files = [
        str(copy / "tests" / "worlds" / f"test_{name}.py") for name in ("every_modifier", "costs")
    ]
    written = run(copy, "despike", *files)
    passed = PASSED.search(written)
    assert passed and int(passed[1]) >= 2, written[-4000:]
    assert " failed" not in written and " error" not in written, written[-4000:]
