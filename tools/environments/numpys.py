# SPDX-License-Identifier: GPL-3.0-or-later
"""NumPys under test, and the builds of NumPy without BLAS, which is in Blender's own downloads."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import nox

from .project import locked_cache, requirements, skip_layer

WITHOUT_BLAS = "2.3.4 without BLAS"
"""NumPy of a downloaded Blender 5.2, built from PyPI's source package."""

WITHOUT_OPTIMIZATION = ("fft", "linalg", "random")
"""Parts of NumPy that the noise core seldom calls."""

NO_COMPILER = ("Unknown compiler(s)", "cannot compile programs")
"""Messages of Meson on a machine without a C compiler."""

BLAS_OPTIONS = ("-Dblas=none", "-Dlapack=none", "-Dallow-noblas=true")

QUICK_OPTIONS = (
    "-Doptimization=1",
    "-Dcpu-baseline=SSE42",  # the oldest processors that Blender runs on
    "-Dcpu-dispatch=none",
    "-Ddisable-intel-sort=true",
)
"""Options of a build that takes a few minutes: the same results, little optimized."""


def install_numpy(session: nox.Session, numpy: str) -> None:
    """Install the NumPy that a session tests; skip the session if it cannot be built here."""
    if numpy != WITHOUT_BLAS:
        session.install(f"numpy{numpy}")
        return
    wheel = build_without_blas(session, is_fast=False)
    if wheel is None:
        skip_layer(
            session, "NOT TESTED: there is no C compiler that could build NumPy without BLAS"
        )
    session.install("--force-reinstall", "--no-deps", str(wheel))
    session.run("python", "-m", "benchmarks.blas", "none")


def build_without_blas(session: nox.Session, *, is_fast: bool) -> Path | None:
    """Return the wheel of a NumPy without BLAS, built once; None on a machine without a C compiler.

    The wheel has the name of PyPI's wheel, so it stays in a folder that tells its kind, and out of pip's cache.
    Tests take the build that is not fast, benchmarks the other.
    """
    pattern = f"numpy-*-cp{str(session.python).replace('.', '')}-*.whl"
    kind = "" if is_fast else "-for-any-processor"
    with locked_cache(f"numpy-{WITHOUT_BLAS.replace(' ', '-')}{kind}") as folder:
        if not list(folder.glob(pattern)):
            session.install(*requirements("pip"))
            build = _build(session, folder, pattern, is_fast=is_fast)
            output = build.stdout + build.stderr
            if any(words in output for words in NO_COMPILER):
                return None
            if build.returncode:
                session.error(f"no NumPy without BLAS: {output[-3000:]}")
        return max(folder.glob(pattern))


def _build(
    session: nox.Session, folder: Path, pattern: str, *, is_fast: bool
) -> subprocess.CompletedProcess[str]:
    """Build a wheel of NumPy without BLAS into a folder; return the finished process."""
    options = [*BLAS_OPTIONS, *(() if is_fast else QUICK_OPTIONS)]
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        command = [
            *(f"{session.bin}/python", "-m", "pip", "wheel", "--no-cache-dir", "--no-deps"),
            *("--no-binary=numpy", f"numpy=={WITHOUT_BLAS.split()[0]}", f"--wheel-dir={temporary}"),
            # Without a build folder all is compiled twice: for the metadata, then for the wheel.
            f"--config-settings=build-dir={temporary}/build",
            *(f"--config-settings=setup-args={option}" for option in options),
        ]
        env = {**os.environ, **({} if is_fast else _quick_compilers(Path(temporary)))}
        build = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        for wheel in Path(temporary).glob(pattern):
            wheel.rename(folder / wheel.name)
    return build


def _quick_compilers(folder: Path) -> dict[str, str]:
    """Write compiler wrappers that leave most of NumPy without optimization; return their variables."""
    parts = "|".join(f"*numpy/{name}*" for name in WITHOUT_OPTIMIZATION)
    env = {}
    for variable, usual in (("CC", "cc"), ("CXX", "c++")):
        compiler = os.environ.get(variable, usual)
        script = folder / usual
        lines = (
            "#!/bin/sh",
            f'case "$*" in {parts}) exec {compiler} "$@" -O0;; esac',
            f'exec {compiler} "$@"',
        )
        script.write_text("\n".join((*lines, "")))
        script.chmod(0o755)
        env[variable] = str(script)
    return env


def python_without_blas(session: nox.Session) -> str | None:
    """Return a Python with the session's packages, but NumPy without BLAS; None without a C compiler."""
    wheel = build_without_blas(session, is_fast=True)
    if wheel is None:
        session.warn("no C compiler could build NumPy without BLAS; measuring without it")
        return None
    folder = Path(session.create_tmp()) / "without-blas"
    python = str(folder / "bin" / "python")
    session.run("python", "-m", "venv", "--clear", str(folder))
    session.run(python, "-m", "pip", "install", "--quiet", str(wheel), external=True)
    session.run(python, "-m", "benchmarks.blas", "none", external=True)
    packages = f"lib/python{session.python}/site-packages"
    (folder / packages / "session.pth").write_text(f"{Path(session.bin).parent / packages}\n")
    return python
