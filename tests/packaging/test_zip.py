# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip holds the files that a user needs and nothing else."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tools.reproducible import checksums, rewrite_zip

ROOT = Path(__file__).resolve().parents[2]
SHIPPED_FOLDERS = ("noise_core", "operators", "translations", "ui")
MANUAL_SUFFIXES = (".css", ".html", ".webp")
SHIPPED_FILES = ("LICENSE", "__init__.py", "blender_manifest.toml")
SHIPPED_SUFFIXES = (".py", ".json", ".toml", ".txt", ".webp")
SIZE_LIMIT = 3_300_000


@pytest.fixture(scope="module")
def contents(extension_zip: Path) -> dict[str, bytes]:
    """Return every file of the zip by its name."""
    with zipfile.ZipFile(extension_zip) as package:
        return {name: package.read(name) for name in package.namelist() if name[-1] != "/"}


def _expected() -> set[str]:
    names = set(SHIPPED_FILES)
    for folder in SHIPPED_FOLDERS:
        for suffix in SHIPPED_SUFFIXES:
            files = (ROOT / folder).rglob(f"*{suffix}")
            names |= {path.relative_to(ROOT).as_posix() for path in files}
    for suffix in MANUAL_SUFFIXES:
        files = (ROOT / "manual").rglob(f"*{suffix}")
        names |= {path.relative_to(ROOT).as_posix() for path in files}
    return names


def test_the_source_tree_validates(builder):
    builder("validate", ROOT)


def test_the_zip_validates(builder, extension_zip):
    builder("validate", extension_zip)


def test_the_zip_is_named_after_id_and_version(extension_zip):
    assert extension_zip.name.startswith("terrane-")


def test_everything_of_the_extension_is_in(contents):
    assert _expected() - set(contents) == set()


def test_nothing_else_is_in(contents):
    assert set(contents) - _expected() == set()


def test_no_empty_folder_pretends_to_be_code(contents):
    # `[build] paths` in the manifest makes such zips without a word.
    for folder in SHIPPED_FOLDERS:
        assert contents.get(f"{folder}/__init__.py") is not None
    assert any(PurePosixPath(name).match("noise_core/noises/perlin.py") for name in contents)


def test_every_file_is_the_one_in_the_repository(contents):
    different = [name for name, data in contents.items() if (ROOT / name).read_bytes() != data]
    assert different == []


def test_every_python_file_compiles(contents):
    for name, data in contents.items():
        if name.endswith(".py"):
            compile(data, name, "exec", dont_inherit=True)  # warnings are errors here


def test_the_zip_is_small(extension_zip):
    assert extension_zip.stat().st_size < SIZE_LIMIT


def test_the_zip_of_a_release_is_the_same_wherever_and_whenever_it_is_made(
    builder, messy_copy, extension_zip, tmp_path
):
    # Another folder, with files that are newer, that others may write, and that a file system lists in another order.
    other = tmp_path / "other"
    for path in sorted(messy_copy.rglob("*"), reverse=True):
        if path.is_file():
            copied = other / path.relative_to(messy_copy)
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_bytes(path.read_bytes())
            copied.chmod(0o666)
    builder("build", "--source-dir", other, "--output-dir", tmp_path)
    (again,) = tmp_path.glob("*.zip")
    first = shutil.copy(extension_zip, tmp_path / "first.zip")
    assert first.read_bytes() != again.read_bytes(), "times differ as Blender's builder writes them"
    for package in (first, again):
        rewrite_zip(package, 1_796_000_000)
    assert first.read_bytes() == again.read_bytes()
    assert checksums([first]).split() == [
        hashlib.sha256(again.read_bytes()).hexdigest(),
        "first.zip",
    ]
    builder("validate", again)


_hashes: dict[str, str] = {}


def test_every_builder_makes_the_same_zip(builder_folder, extension_zip):
    _hashes[builder_folder.name] = hashlib.sha256(extension_zip.read_bytes()).hexdigest()
    assert len(set(_hashes.values())) == 1, _hashes
