# SPDX-License-Identifier: GPL-3.0-or-later
"""Users' type checkers see the types of the installed wheel: right uses pass, mistakes are reported."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.page_code import fenced, titled

ROOT = Path(__file__).resolve().parents[2]
CONSUMER = Path(__file__).parent / "consumer"
COOKBOOK = [
    path
    for path in sorted((ROOT / "docs" / "cookbook").glob("*.md"))
    if path.stem not in ("dask", "xarray")  # whose packages are not installed here
]

Checker = Callable[[Path, Path], set[tuple[str, int]]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment in which the wheel is installed, and little else."""
    folder = tmp_path_factory.mktemp("consumer")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    build = ("wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={folder}", str(ROOT))
    subprocess.run([*pip, *build], check=True)
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    subprocess.run([*pip, "install", "--no-deps", f"--target={site}", str(wheel)], check=True)
    return site


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project outside of the repository that uses the core, with the programs of the cookbook."""
    copy = Path(shutil.copytree(CONSUMER, tmp_path / "project"))
    for path in COOKBOOK:
        page = f"docs/cookbook/{path.name}"
        for name, text in titled(page).items():
            if name.endswith(".py"):
                (copy / name).write_text(text, encoding="utf-8")
        for number, code in enumerate(fenced(page)):
            (copy / f"{path.stem}_{number}.py").write_text(code, encoding="utf-8")
    return copy


def _check_with_mypy(project: Path, site: Path) -> set[tuple[str, int]]:
    """Return the file and the line of every error that mypy reports in a project."""
    # The folder of a test lies below that of the extension, which is a package itself.
    options = (
        *("--strict", "--no-error-summary", "--show-error-codes", "--follow-imports=silent"),
        "--explicit-package-bases",
    )
    cache = f"--cache-dir={project / 'cache'}"
    command = [sys.executable, "-m", "mypy", *options, cache, *_sources(project)]
    done = subprocess.run(
        command, cwd=project, env={"MYPYPATH": str(site)}, capture_output=True, text=True
    )
    assert done.stderr == ""
    errors = re.findall(r"^(\w+\.py):(\d+): error: ", done.stdout, re.MULTILINE)
    return {(name, int(line)) for name, line in errors}


def _check_with_pyright(project: Path, site: Path) -> set[tuple[str, int]]:
    """Return the file and the line of every error that pyright reports in a project."""
    settings = {"extraPaths": [str(site)], "reportMissingModuleSource": False}
    (project / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, *_sources(project)], cwd=project, capture_output=True, text=True
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1)
        for one in found
        if one["severity"] == "error"
    }


def _sources(project: Path) -> list[str]:
    return sorted(path.name for path in project.glob("*.py"))


def test_there_are_pages_of_the_cookbook():
    assert len(COOKBOOK) >= 13


@pytest.mark.parametrize("check", [_check_with_mypy, _check_with_pyright])
def test_mistakes_are_reported_and_right_uses_pass(check: Checker, project: Path, installed: Path):
    mistakes = (project / "mistakes.py").read_text().splitlines()
    wrong = {number for number, line in enumerate(mistakes, 1) if line.endswith("# wrong")}
    assert len(wrong) >= 20
    assert check(project, installed) == {("mistakes.py", number) for number in wrong}


def test_right_uses_are_twenty_and_more():
    assert (CONSUMER / "right_uses.py").read_text().count("\ndef ") >= 20
