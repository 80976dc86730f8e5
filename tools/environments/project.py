# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders, pinned requirements and locks of the project, which all sessions share."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import nox

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("TERRANE_CACHE", ROOT / ".cache")).resolve()
BUILD = ROOT / "build"
REPORTS = BUILD / "reports"

PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")


def prepare(pythons: Iterable[str]) -> None:
    """Set the environment of all sessions, and put the needed Pythons on the PATH.

    Tests start hundreds of processes. Each would compile all that it imports, for seconds, on a machine that keeps
    Python from writing compiled files, or beside files of a profile that each session replaces.
    """
    os.environ["TERRANE_CACHE"] = str(CACHE)  # for the scripts in tools/
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(BUILD / "bytecode")
    for version in pythons:
        _find_python(version)


def _find_python(version: str) -> None:
    """Put a Python that only pyenv knows, or hides behind a shim that does not start, on the PATH."""
    command = shutil.which(f"python{version}")
    if command and subprocess.run([command, "-V"], capture_output=True).returncode == 0:
        return
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for python in sorted(pyenv.glob(f"versions/{version}*/bin/python{version}")):
        os.environ["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"


def requirements(*groups: str) -> tuple[str, ...]:
    """Return the pinned requirements of dependency groups in pyproject.toml."""
    return nox.project.dependency_groups(PYPROJECT, *groups)


@contextmanager
def locked_cache(name: str) -> Iterator[Path]:
    """Give a folder of the cache to one session; a parallel session waits."""
    folder = CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def empty_folder(path: Path) -> Path:
    """Return a folder, created anew and empty."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def report_path(session: nox.Session, suffix: str) -> Path:
    """Return the file of a session's result, and remove that of an earlier run."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    name = session.name.replace("(", "-").replace(")", "")
    path = REPORTS / f"{name}.{suffix}"
    path.unlink(missing_ok=True)
    return path


def skip_layer(session: nox.Session, reason: str) -> NoReturn:
    """Skip a layer that cannot run here; the summary states the reason."""
    report_path(session, "skipped").write_text(reason)
    session.skip(reason)
