# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own extension builder, of every supported version, run with plain Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

Builder = Callable[..., None]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests with the fixture ``builder_folder`` once per version, with the version as its name."""
    if "builder_folder" in metafunc.fixturenames:
        folders = [Path(text) for text in os.environ["TERRANE_BUILDERS"].split(os.pathsep)]
        names = [folder.name for folder in folders]
        metafunc.parametrize("builder_folder", folders, ids=names, scope="session")


@pytest.fixture(scope="session")
def builder(builder_folder: Path) -> Builder:
    """Return a function that calls the builder and fails the test with its output."""

    def call(command: str, *arguments: str | Path) -> None:
        script, tags = builder_folder / "blender_ext.py", builder_folder / "tags.py"
        line = [sys.executable, script, command, "--valid-tags", tags, *arguments]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"

    return call


@pytest.fixture(scope="session")
def messy_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository with the rubbish that work leaves in it."""
    copy = tmp_path_factory.mktemp("repository") / "terrane"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "build", "dist")
    shutil.copytree(ROOT, copy, ignore=ignored)
    for name in RUBBISH:
        path = copy / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"rubbish")
    return copy


RUBBISH = (
    ".cache/blender/sid/usr/bin/blender",
    ".git/config",
    ".github/workflows/test.yml",
    ".idea/workspace.xml",
    ".mypy_cache/CACHEDIR.TAG",
    "__pycache__/__init__.cpython-311.pyc",
    "build/reports/core.xml",
    "dist/terrane-0.0.1.zip",
    "manual/.digest",
    "noise_core/.DS_Store",
    "noise_core/__pycache__/noise.cpython-311.pyc",
    "noise_core/noises/__pycache__/perlin.cpython-311.pyc",
    "scene.blend1",
    "terrane-0.0.1.zip",
    "terrane_noise_core.egg-info/PKG-INFO",
)


@pytest.fixture(scope="session")
def extension_zip(builder: Builder, messy_copy: Path, tmp_path_factory) -> Path:
    """Return the zip that this builder makes of the messy copy."""
    folder = tmp_path_factory.mktemp("zip")
    builder("build", "--source-dir", messy_copy, "--output-dir", folder)
    (package,) = folder.glob("*.zip")
    return package
