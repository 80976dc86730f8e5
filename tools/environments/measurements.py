# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements of speed: the parts of the session `benchmark`."""

from __future__ import annotations

import nox

from .blenders import BlenderModule, bpy_wheel, install_module
from .numpys import python_without_blas
from .programs import ant_landscape, create_environment
from .project import BUILD, requirements

BEFORE = "93e3dcc"
"""Last commit whose noise was a product of matrices."""

NUMPY_OF_PYSHEDS = "numpy==1.26.4"

BLENDER_PARTS = ("enable", "terrain", "landscape", "live", "bake")
"""Scripts benchmarks/blender_*.py."""


def measure_in_blender(session: nox.Session, module: BlenderModule, *, is_newest: bool) -> None:
    """Measure terrains, live updates and images inside Blender, for the report."""
    install_module(session, module)
    pythons = {module.bpy: f"{session.bin}/python"}
    if is_newest and (without_blas := python_without_blas(session)):
        pythons[f"{module.bpy}-without-blas"] = without_blas
    folder = BUILD / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    for name, python in pythons.items():
        with (folder / f"blender-{name}.txt").open("w") as report:
            for part in BLENDER_PARTS:
                script = f"benchmarks/blender_{part}.py"
                session.run(python, script, stdout=report, external=True)
                report.write("\n")
                report.flush()


def compare_commits(session: nox.Session, module: BlenderModule) -> None:
    """Measure against an earlier commit for the report: arguments of benchmarks.before, or `BEFORE`.

    Arguments that begin with an option belong to the report, which the same run makes.
    """
    install_module(session, module)
    pythons = [f"{session.bin}/python", python_without_blas(session)]
    options = [f"--python={python}" for python in pythons if python]
    arguments = session.posargs
    is_commit = bool(arguments) and not arguments[0].startswith("-")
    session.run(
        "python", "-m", "benchmarks.before", *options, *(arguments if is_commit else [BEFORE])
    )


AVX2 = [f"--config-settings=--global-option={part}" for part in ("build", "--with-avx512=no")]
"""Options of pip that build pyfastnoisesimd as most processors run it: without AVX-512."""


def report_speed(session: nox.Session, oldest: BlenderModule) -> None:
    """Measure the noise core against other libraries and report all; ``--write`` writes docs/develop/benchmarks.md."""
    session.install("numpy", *requirements("benchmark"))
    try:
        session.install("--no-build-isolation", *AVX2, *requirements("benchmark-compiled"))
    except nox.command.CommandFailed:
        session.warn("pyfastnoisesimd does not build here; measuring without it")
    env = {**_ant_landscape(session, oldest), **_pysheds(session, oldest.python)}
    python, without_blas = f"{session.bin}/python", python_without_blas(session)
    if without_blas:  # what people's Blender has comes first
        env["TERRANE_OTHER_PYTHON"] = python
    run = (without_blas or python, "-m", "benchmarks", *session.posargs)
    session.run(*run, env=env, external=True)


def _ant_landscape(session: nox.Session, module: BlenderModule) -> dict[str, str]:
    """Return the environment in which a benchmark finds A.N.T. Landscape and a Python that runs it."""
    folder = ant_landscape(session)
    if folder is None:
        return {}
    packages = (str(bpy_wheel(session, module)), f"numpy{module.numpy}")
    python = create_environment(session, "blender", module.python, *packages)
    return {"TERRANE_ANT_LANDSCAPE": str(folder), "TERRANE_BPY_PYTHON": python}


def _pysheds(session: nox.Session, python: str) -> dict[str, str]:
    """Return the environment in which a benchmark finds a Python with pysheds and its NumPy."""
    packages = (NUMPY_OF_PYSHEDS, *requirements("benchmark-pysheds"))
    return {"TERRANE_PYSHEDS_PYTHON": create_environment(session, "pysheds", python, *packages)}
