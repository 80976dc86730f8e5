# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that tests and benchmarks compare with: Debian's packages, npm's packages, an old add-on, pysheds."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import nox

from .project import ROOT, locked_cache

NOT_IN_ARCHIVE = 3
"""Exit status of tools/make_blender.sh and tools/install_clients.sh if Debian's archive lacks a package."""


def install_clients(session: nox.Session) -> list[str]:
    """Install the programs that read exported files; return those that Debian's archive lacks."""
    script = str(ROOT / "tools" / "install_clients.sh")
    with locked_cache("downloads"):
        done = subprocess.run(
            [script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False
        )
    if done.returncode not in (0, NOT_IN_ARCHIVE):
        session.error("no programs to compare with: the layer could not run (see the lines above)")
    return [*done.stdout.split(), *_without_godot()]


def _without_godot() -> list[str]:
    """Install Godot 4 in the system of Debian's sid that Blender's tests use; return its name if that fails."""
    with locked_cache("blender") as folder:
        script = str(ROOT / "tools" / "make_blender.sh")
        subprocess.run([script, "sid"], stdin=subprocess.DEVNULL, check=False)
        return [] if (folder / "sid" / "usr" / "bin" / "godot").exists() else ["godot"]


def npm_packages() -> Path:
    """Return a folder with the npm packages of the tests, downloaded once, without their dependencies."""
    versions = json.loads((ROOT / "tests" / "clients" / "package.json").read_text())["dependencies"]
    with locked_cache("npm") as folder:
        for name, version in versions.items():
            marker = folder / name / f".{version}"
            if not marker.exists():
                shutil.rmtree(folder / name, ignore_errors=True)
                _download_npm_package(f"{name}@{version}", folder / name)
                marker.touch()
        return folder


def _download_npm_package(package: str, folder: Path) -> None:
    """Download a package of npm and unpack it as a folder."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        pack = ("npm", "pack", "--silent", package)
        subprocess.run(pack, cwd=temporary, stdout=subprocess.DEVNULL, check=True)
        (archive,) = Path(temporary).glob("*.tgz")
        with tarfile.open(archive) as packed:
            packed.extractall(temporary, filter="data")
        (Path(temporary) / "package").rename(folder)


def ant_landscape(session: nox.Session) -> Path | None:
    """Return the folder of Blender's old add-on A.N.T. Landscape; None if Debian's archive lacks it."""
    script = [str(ROOT / "tools" / "get_ant_landscape.sh")]
    with locked_cache("downloads"):
        done = subprocess.run(script, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        session.warn("A.N.T. Landscape cannot be had here; measuring against fastscapelib alone")
        return None
    return Path(done.stdout.strip())


def create_environment(session: nox.Session, name: str, python: str, *packages: str) -> str:
    """Create an environment beside the session's own, with some packages; return its Python."""
    folder = Path(session.create_tmp()) / name
    program = str(folder / "bin" / "python")
    session.run(f"python{python}", "-m", "venv", str(folder), external=True)
    pip = (program, "-m", "pip", "install", "--quiet", "--only-binary=:all:")
    session.run(*pip, *packages, external=True)
    return program
