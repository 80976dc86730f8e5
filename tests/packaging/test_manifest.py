# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of the manifest that Blender's validator lets pass and a reviewer or a user would not."""

from __future__ import annotations

import fnmatch
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

REQUIRED = {
    *("schema_version", "id", "version", "name", "tagline", "maintainer"),
    *("type", "license", "blender_version_min"),
}
OPTIONAL = {
    *("blender_version_max", "website", "copyright", "tags", "platforms", "wheels"),
    *("permissions", "build"),
}
PERMISSIONS = {"files", "network", "clipboard", "camera", "microphone"}
GPL_3_COMPATIBLE = {"GPL-3.0-or-later", "GPL-2.0-or-later", "MIT", "BSD-2-Clause", "BSD-3-Clause"}
DEFAULT_EXCLUDES = {"__pycache__/", ".*", "/*.zip", "*.blend[1-9]"}


@pytest.fixture(scope="module")
def manifest() -> dict:
    return tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))


def test_every_key_is_known(manifest):
    assert REQUIRED - set(manifest) == set()
    assert set(manifest) - REQUIRED - OPTIONAL == set()
    assert set(manifest["permissions"]) <= PERMISSIONS
    assert set(manifest["build"]) == {"paths_exclude_pattern"}, "`paths` builds empty folders"


def test_it_is_the_schema_we_know(manifest):
    assert manifest["schema_version"] == "1.0.0"


def test_no_address_is_a_placeholder(manifest):
    # RFC 2606: names that belong to nobody. Blender would offer them as buttons.
    addresses = f"{manifest['maintainer']} {manifest.get('website', '')}"
    assert not re.search(r"example\.(org|com|net)|\.(example|invalid|test)\b|localhost", addresses)


def test_no_optional_key_is_empty(manifest):
    assert [key for key in OPTIONAL & set(manifest) if not manifest[key]] == []


def test_the_identity_never_changes(manifest):
    assert (manifest["id"], manifest["name"], manifest["type"]) == ("terrane", "Terrane", "add-on")


def test_the_name_leaves_blender_out(manifest):
    assert "blender" not in manifest["name"].lower()


def test_the_licenses_are_spdx_identifiers_that_go_with_the_gpl(manifest):
    for license in manifest["license"]:
        prefix, _, identifier = license.partition(":")
        assert prefix == "SPDX"
        assert identifier in GPL_3_COMPATIBLE
    assert "SPDX:GPL-3.0-or-later" in manifest["license"]
    assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_extensions_exist_since_blender_4_2(manifest):
    minimum = tuple(map(int, manifest["blender_version_min"].split(".")))
    assert minimum >= (4, 2, 0)


def test_short_texts_fit_and_end_without_a_stop(manifest):
    for text in (manifest["tagline"], *manifest["permissions"].values()):
        assert 0 < len(text) <= 64
        assert re.search(r"[\w)]$", text)


def test_what_the_code_reaches_for_is_declared(manifest):
    """Blender shows the requests of an extension before it is installed."""
    used = {
        "files": r"\b(read_text|read_bytes|write_bytes)\(",
        "clipboard": r"\.clipboard\b",
        "network": r"^\s*(import|from) (socket|urllib\.request|http|ssl|ftplib|requests)\b",
    }
    folders = ("noise_core", "operators", "ui", "translations")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    reached = {name for name, sign in used.items() if re.search(sign, code, re.MULTILINE)}
    assert reached == set(manifest["permissions"])


def test_holders_of_what_is_bundled_are_named(manifest):
    bundled = {
        "noise_core/recipes/presets/from_ant": "Jimmy Hazevoet",
        "noise_core/io/spatial_reference/epsg.txt": "Oil & Gas Producers",
    }
    for path, holder in bundled.items():
        assert (ROOT / path).exists() and holder in " ".join(manifest["copyright"])
    for line in manifest["copyright"]:
        assert re.match(r"\d{4}(-\d{4})? \w", line)


def test_tags_are_those_of_the_platform(manifest):
    """Each says what a menu of Terrane does; `validate` compares them with Blender's own list."""
    assert manifest["tags"] == ["Add Mesh", "Mesh", "Material", "Game Engine", "Import-Export"]


def test_nothing_is_bundled_that_the_core_does_not_need(manifest):
    assert "wheels" not in manifest
    assert "platforms" not in manifest


def test_blenders_own_excludes_are_repeated(manifest):
    assert set(manifest["build"]["paths_exclude_pattern"]) >= DEFAULT_EXCLUDES


def test_every_anchored_exclude_names_something(manifest):
    """A pattern that matches nothing is a spelling mistake, unless git ignores the same path."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    lost = [
        pattern
        for pattern in manifest["build"]["paths_exclude_pattern"]
        if pattern.startswith("/") and "*" not in pattern
        if pattern not in ignored and not (ROOT / pattern.strip("/")).exists()
    ]
    assert lost == []


def test_every_file_in_the_root_is_shipped_or_excluded_by_name(manifest):
    listing = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    tops = {path.split("/")[0] for path in listing.stdout.split()}
    folders = {"noise_core", "operators", "translations", "ui"}
    shipped = {"LICENSE", "__init__.py", "blender_manifest.toml", *folders}
    excluded = {p.strip("/") for p in manifest["build"]["paths_exclude_pattern"]}
    undecided = {top for top in tops - shipped - excluded if not top.startswith(".")}
    assert undecided == set()


def test_what_the_pages_write_into_the_checkout_stays_out_of_the_zip(manifest):
    pages = ("README.md", "docs/scripting.md")
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in pages)
    written = re.findall(r"--output ([^\s/]+)", text)
    assert {"alps.blend", "marble.png"} <= set(written)
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    for patterns in (manifest["build"]["paths_exclude_pattern"], ignored):
        for name in written:
            assert any(fnmatch.fnmatch(f"/{name}", pattern) for pattern in patterns), name


def test_the_version_is_the_same_everywhere(manifest):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", changelog, re.MULTILINE)
    assert newest, "CHANGELOG.md has no entry like `## [1.2.3]`"
    assert manifest["version"] == project["version"] == newest[1]
