# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/develop/adding_*.md are true: their code, added to a copy of the package, keeps the contract.

Nothing else in the copy is edited.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r'^```(\w+) title="([^"]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
COPIED = ("noise_core", "tests/core", "tests/golden", "benchmarks", "tools", "docs")
ROOTS = {path.split("/")[0] for path in COPIED}

PASSED = re.compile(r"(\d+) passed")


def blocks_of(page: str) -> dict[str, str]:
    """Return the code of a page by the files that it belongs into."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return {path: code for _, path, code in BLOCK.findall(text)}


@pytest.fixture
def copy(tmp_path):
    """Return a copy of the package and its tests."""
    for folder in COPIED:
        ignored = shutil.ignore_patterns("__pycache__", "images")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    for name in (
        "pyproject.toml",
        "tests/conftest.py",
        "tests/drawing.py",
        "tests/drawn_values.py",
    ):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def add(copy: Path, page: str) -> None:
    """Write the files of a page for the core into the copy; tests/blender has those for Blender."""
    blocks = {path: code for path, code in blocks_of(page).items() if path.split("/")[0] in ROOTS}
    assert blocks, f"{page} has no block with the name of a file"
    for path, code in blocks.items():
        assert not (copy / path).exists()
        (copy / path).write_text(code, encoding="utf-8")


def files_about(copy: Path, types: str) -> list[str]:
    """Return the files with tests that go through all types of a kind."""
    files = sorted((copy / "tests" / "core").glob("test_*.py"))
    return [str(path) for path in files if re.search(types, path.read_text(encoding="utf-8"))]


def run(copy: Path, chosen: str, *files: str, examples: str = "few") -> str:
    """Run the tests of a copy whose names hold a word; return the output of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen]
    env = {**os.environ, "TERRANE_HYPOTHESIS": examples}
    return subprocess.run(
        [*command, *files], cwd=copy, env=env, capture_output=True, text=True, check=False
    ).stdout


@pytest.mark.parametrize(
    "page, key, types, least",
    [
        ("develop/adding_a_noise.md", "checker", "noise_types|checkerboard", 60),
        ("develop/adding_a_modifier.md", "despike", "modifier_types", 30),
        ("develop/adding_a_map.md", "local_relief", "map_types", 15),
        ("adding_a_surface.md", "stucco", "surface_names", 5),
    ],
)
def test_a_new_type_keeps_the_contract(copy, page, key, types, least):
    add(copy, page)
    # With few examples only some surfaces are tested.
    examples = "ci" if key == "stucco" else "few"
    written = run(copy, key, *files_about(copy, types), examples=examples)
    passed = PASSED.search(written)
    assert passed and int(passed[1]) >= least, written[-4000:]
    assert " failed" not in written and " error" not in written, written[-4000:]


def test_lists_of_types_take_the_new_ones(copy):
    for page in ("noise", "modifier", "map"):
        add(copy, f"develop/adding_a_{page}.md")
    others = "sorted_and_distinct or stands_in_the_file or without_its or hides_a or that_exist or can_be_listed"
    written = run(copy, others, *files_about(copy, "(noise|modifier|map)_types"))
    passed = PASSED.search(written)
    assert passed and int(passed[1]) >= 8 and " failed" not in written, written[-4000:]
    program = (
        "import json, noise_core as n, noise_core.maps as m\n"
        "print(json.dumps([*n.noise_types(), *n.modifier_types(), *n.map_types(), "
        "m.local_relief_mask.__name__]))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=copy, capture_output=True, text=True)
    assert {"checker", "despike", "local_relief", "local_relief_mask"} <= set(json.loads(done.stdout)), done.stderr  # fmt: skip


def test_a_new_type_that_breaks_the_contract_is_found(copy):
    add(copy, "develop/adding_a_noise.md")
    path = copy / "noise_core/noises/checker.py"
    text = path.read_text(encoding="utf-8")
    changed = text.replace("0.5 * self.frequency", "self.frequency").replace("2.0 * axis", "axis")
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    written = run(copy, "checker and repeats", "tests/core/test_contract.py")
    assert "does not" in written or " failed" in written, written[-2000:]


def test_the_reference_describes_a_new_type(copy):
    add(copy, "develop/adding_a_noise.md")
    program = (
        f"import sys; sys.path[:0] = [{str(copy)!r}, {str(copy / 'tools' / 'docs')!r}]\n"
        "import type_topics\n"
        "print(*(entry.subject for topic in type_topics.topics() for entry in topic.entries))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=copy, capture_output=True, text=True)
    assert "noise_checker" in done.stdout.split(), done.stderr


def test_the_code_of_the_pages_is_in_the_house_style():
    ruff = shutil.which("ruff")
    if ruff is None:
        pytest.skip("no ruff here: the lint session has it")
    for page in ("noise", "modifier", "map"):
        for path, code in blocks_of(f"develop/adding_a_{page}.md").items():
            command = [ruff, "check", "--no-cache", "--stdin-filename", str(ROOT / path), "-"]
            done = subprocess.run(command, input=code, cwd=ROOT, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout
            command = [ruff, "format", "--check", "--no-cache", "--stdin-filename", path, "-"]
            done = subprocess.run(command, input=code, cwd=ROOT, capture_output=True, text=True)
            assert done.returncode == 0, f"{path} is not formatted"
