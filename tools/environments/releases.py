# SPDX-License-Identifier: GPL-3.0-or-later
"""A release: all its files, made from a commit alone, the same bytes each time."""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import tarfile
import tomllib
from pathlib import Path

import nox
from package_metadata import complete_package
from reproducible import checksums, rewrite_zip, zip_folder

from .blenders import BlenderModule, extension_builder, shipped_python
from .project import BUILD, ROOT, empty_folder, requirements

MISSING = {
    "website": "--website ADDRESS: where the site lies; F1 opens the offline manual until it is known",
    "maintainer": '--maintainer "NAME <ADDRESS>": whom the platform and users may write to',
}
"""What only the person who publishes knows, with its argument and what is missing without it."""


def present_commit(session: nox.Session) -> str:
    """Return the commit that is checked out; changes beside it would be left out and are refused."""
    if _git("status", "--porcelain"):
        session.error("a release is made from a commit: commit or remove what git status lists")
    return _git("rev-parse", "HEAD")


def make_release(session: nox.Session, packager: BlenderModule, folder: Path, commit: str) -> None:
    """Make all files of a release into a folder.

    Parameters
    ----------
    session : nox.Session
        Its arguments are those of `tools/release.sh`.
    packager : BlenderModule
        Its builder makes the zip.
    folder : Path
        Emptied first.
    commit : str
        See `present_commit`.
    """
    given = _arguments(session)
    seconds = int(_git("log", "-1", "--format=%ct", commit))
    version = given.pop("version")
    source = _checked_out(commit, Path(session.create_tmp()) / f"source-{folder.name}")
    _complete_manifest(source / "blender_manifest.toml", given)
    complete_package(source / "pyproject.toml", given)
    stem = f"terrane-{_manifest(source)['version']}"
    if version and f"terrane-{version.removeprefix('v')}" != stem:
        session.error(f"the manifest says {stem}, the tag {version}: raise the version first")
    env = {"SOURCE_DATE_EPOCH": str(seconds), "PYTHONHASHSEED": "0", "TZ": "UTC"}
    program = str(shipped_python(session))
    empty_folder(folder)
    session.run(program, str(source / "tools" / "make_shipped.py"), env=env, external=True)
    _build_zip(session, packager, source, folder, seconds)
    zip_folder(source / "manual", folder / f"{stem}-manual.zip", seconds)
    _build_site(session, program, source, folder / f"{stem}-site.zip", seconds, env)
    _build_packages(session, source, folder, env)
    pictures = (str(source / "tools" / "platform_listing.py"), str(source / "build" / "platform"))
    session.run(program, *pictures, env=env, external=True)
    zip_folder(source / "build" / "platform", folder / f"{stem}-platform.zip", seconds)
    files = [path for path in folder.iterdir() if path.is_file()]
    (folder / "SHA256SUMS").write_text(checksums(files), encoding="utf-8", newline="\n")
    for line in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        session.log(line)
    for name, told in MISSING.items():
        if not given[name]:
            session.warn(f"MISSING {name}: {told}")


def compare_releases(session: nox.Session, packager: BlenderModule) -> None:
    """Make a release twice, from two folders, and fail if any byte differs."""
    commit = present_commit(session)
    sums = []
    for count in (1, 2):
        folder = BUILD / f"release-{count}"
        make_release(session, packager, folder, commit)
        sums.append((folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
    if sums[0] != sums[1]:
        session.error("not the same: " + ", ".join(sorted({*sums[0]} ^ {*sums[1]})))
    session.log(f"{len(sums[0])} files came out the same twice")


def _arguments(session: nox.Session) -> dict[str, str]:
    """Return the values of the session's arguments by name, empty if not given."""
    parser = argparse.ArgumentParser(prog="tools/release.sh")
    parser.add_argument("--website", default="", help="address of the site, such as https://…")
    parser.add_argument("--maintainer", default="", help="name and address of who answers users")
    parser.add_argument("--version", default="", help="refuse to build another version than this")
    given = vars(parser.parse_args(session.posargs))
    if given["website"] and not re.fullmatch(r"https://[^\s\"\\]+", given["website"]):
        session.error(f"--website must be an address that begins with https://; got {given['website']!r}")  # fmt: skip
    if given["maintainer"] and not re.fullmatch(r"[^<>\"\\]+ <[^<>\s\"\\]+>", given["maintainer"]):
        session.error(f'--maintainer must be like "Name <address>"; got {given["maintainer"]!r}')
    return given


def _git(*arguments: str) -> str:
    command = ("git", "-C", str(ROOT), *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _checked_out(commit: str, folder: Path) -> Path:
    """Return a folder with the files of a commit, and nothing else."""
    command = ("git", "-C", str(ROOT), "archive", "--format=tar", commit)
    archive = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(empty_folder(folder), filter="data")
    return folder


def _complete_manifest(path: Path, given: dict[str, str]) -> None:
    """Write the website and the maintainer into a manifest, where they are given."""
    text = path.read_text(encoding="utf-8")
    if given["maintainer"]:
        line = f'maintainer = "{given["maintainer"]}"'
        text = re.sub(r"^maintainer = .*$", lambda _: line, text, flags=re.MULTILINE)
    if given["website"]:
        text = re.sub(r"^website = .*\n", "", text, flags=re.MULTILINE)
        line = f'website = "{given["website"]}"\ntype = '
        text = re.sub(r"^type = ", lambda _: line, text, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")


def _manifest(source: Path) -> dict[str, str]:
    return tomllib.loads((source / "blender_manifest.toml").read_text(encoding="utf-8"))


def _build_zip(
    session: nox.Session, packager: BlenderModule, source: Path, folder: Path, seconds: int
) -> None:
    """Build the extension's zip with Blender's builder, and validate it."""
    builder = extension_builder(session, packager)
    script, tags = str(builder / "blender_ext.py"), str(builder / "tags.py")
    build = ("build", "--source-dir", str(source), "--output-dir", str(folder))
    session.run("python", script, *build)
    (package,) = folder.glob("*.zip")
    rewrite_zip(package, seconds)
    session.run("python", script, "validate", "--valid-tags", tags, str(package))


def _build_site(
    session: nox.Session, program: str, source: Path, file: Path, seconds: int, env: dict[str, str]
) -> None:
    """Build the site with MkDocs."""
    folder = source / "build" / "site"
    command = (program, "-m", "mkdocs", "build", "--quiet", "--config-file")
    more = {**env, "NO_MKDOCS_2_WARNING": "1"}
    session.run(*command, str(source / "mkdocs.yml"), "--site-dir", str(folder), env=more, external=True)  # fmt: skip
    zip_folder(folder, file, seconds)


def _build_packages(session: nox.Session, source: Path, folder: Path, env: dict[str, str]) -> None:
    """Build the wheel and the sdist of the core, and check what an index shows of them."""
    session.install(*requirements("package"))
    with session.chdir(source):
        session.run("python", "-m", "hatchling", "build", "--directory", str(folder), env=env)
    files = [str(path) for path in sorted(folder.glob("terrane_noise_core-*"))]
    session.run("python", "-m", "twine", "check", "--strict", *files)
