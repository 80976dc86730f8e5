# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel and the sdist of the core: what an index shows of them, and tests that run from the sdist."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from tools.package_metadata import complete_package

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("packages")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def test_an_index_has_nothing_to_complain_about(built):
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASSED") == 2


def test_the_sdist_has_the_readme_and_tests_that_run(built, tmp_path):
    with tarfile.open(built[1]) as files:
        files.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    assert (folder / "LICENSE").is_file() and (folder / "noise_core" / "README.md").is_file()
    # All can be collected, and those of a noise, of recipes and of the public names run.
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*pytest_, "tests/core/test_constant.py", "tests/core/test_public_names.py"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0 and " passed" in run.stdout, run.stdout[-3000:]
    with zipfile.ZipFile(built[0]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
        assert message_from_bytes(wheel.read(name))["Name"] == "terrane-noise-core"


def test_a_release_completes_what_only_the_publisher_knows(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_bytes((ROOT / "pyproject.toml").read_bytes())
    assert "urls" not in tomllib.loads(path.read_text())["project"], "nobody here knows the address"
    complete_package(path, {"website": "", "maintainer": ""})
    assert path.read_bytes() == (ROOT / "pyproject.toml").read_bytes()
    complete_package(
        path, {"website": "https://terrane.invalid/", "maintainer": "A B <a@b.invalid>"}
    )
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Homepage"] == "https://terrane.invalid"
    assert project["maintainers"] == [{"name": "A B", "email": "a@b.invalid"}]
    assert project["scripts"] == {"terrane-core": "noise_core.__main__:main"}
