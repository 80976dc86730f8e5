# SPDX-License-Identifier: GPL-3.0-or-later
"""Every block of Python without Blender runs: README, the cookbook and other pages. The others: tests/blender."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/scripting.md", "docs/engines.md")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks() -> list:
    found = []
    for page in PAGES:
        codes = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
        for number, code in enumerate(codes):
            if "import bpy" not in code:
                found.append(pytest.param(code, id=f"{Path(page).stem}-{number}"))
    return found


def test_there_are_blocks():
    assert len(blocks()) >= 7


@pytest.mark.parametrize("code", blocks())
def test_the_block_runs(code, tmp_path):
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_raw_file_of_the_page_on_engines_has_the_heights(tmp_path):
    (code,) = BLOCK.findall((ROOT / "docs/engines.md").read_text(encoding="utf-8"))
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}\n"
        "written = np.fromfile('alps.r16', '<u2').reshape(513, 513)[::-1]\n"
        "assert written.min() == 0 and written.max() == 65535\n"
        "again = low + written / 65535.0 * (high - low)\n"
        "assert np.abs(again - height).max() <= 0.51 * (high - low) / 65535.0\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"12000 m wide, [\d.]+ m high, lowest point at -?[\d.]+ m\n", done.stdout)


WORDS = {"eight": 8, "nineteen": 19, "thirty-one": 31}


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md"])
def test_numbers_of_things_are_those_of_the_package(page):
    from noise_core import coloring_types
    from noise_core.materials.surfaces import surface_names
    from noise_core.preset_library import preset_names

    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"(\w+(?:-one)?) (?:seamless )?(presets|surfaces|colorings)\b", text)
    named = {(WORDS[word.lower()], what) for word, what in found if word.lower() in WORDS}
    true = {
        (len(preset_names()), "presets"),
        (len(surface_names()), "surfaces"),
        (len(coloring_types()), "colorings"),
    }
    assert len(named) >= 2 and named <= true
