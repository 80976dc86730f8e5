# SPDX-License-Identifier: GPL-3.0-or-later
"""Every check of the project, one nox session per layer; what they run in is made by tools/environments.

    nox                         all layers (what tools/test.sh runs on a fresh machine)
    nox -s core wheel           the noise core on every NumPy, and installed from its wheel
    nox -s worlds               terrain larger than memory, on Dask and Zarr
    nox -s docs                 the site: build/site/index.html
    nox -s "blender(5.3)"       the installed zip inside one version of Blender's Python module
    nox -s blender_short        one short session in each version between those
    nox -s blender_app gui      a real Blender, without and with a window
    nox -s clients              exported files in the programs that they are for
    nox -s release              everything that a release needs, into dist/; never part of the default run
    nox -s deep                 all cases of tests that draw some of theirs at random; never part of the default run
    nox -s "pictures(relief)"   pictures of the documentation, by subject; never part of the default run
    nox -s benchmark            speed against other libraries; never part of the default run
    nox -s core -- -k perlin    arguments after -- go to pytest; a file replaces the whole folder

Downloads and Debian roots lie in ``.cache/`` (or ``$TERRANE_CACHE``), results in ``build/``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nox

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

from environments import blenders, measurements, numpys, programs, project, releases
from environments import pictures as drawings
from environments.blenders import BlenderModule
from environments.project import BUILD, ROOT, requirements
from environments.pytest_runs import files_with_random_draws, pytest_arguments, run_pytest

# Versions under test. The Python of a bpy wheel is the one its Blender ships.
PYTHONS = ("3.11", "3.13")
OLDEST, BETWEEN = "==1.24.4", "==1.26.4"
NUMPYS = [("3.13", ">=2"), ("3.13", numpys.WITHOUT_BLAS), ("3.11", OLDEST), ("3.11", BETWEEN)]
NUMPY_IDS = ["newest", "without-blas", "1.24.4", "1.26.4"]  # long sessions first
# The newest NumPy runs all tests, in two parallel halves. The others run those of one half that depend on NumPy: the
# digests of all recipes on grids and at points, types and errors, and sums of arrays of any size. The version between
# the oldest and the newest, which has the bits of both, leaves those sums out.
CORES = [
    (*NUMPYS[0], "not bits"),
    (*NUMPYS[0], "bits"),
    (*NUMPYS[1], "bits and not newest"),
    (*NUMPYS[2], "bits and not newest"),
    (*NUMPYS[3], "bits and not (newest or ends)"),
]
CORE_IDS = ["newest", "newest-bits", *NUMPY_IDS[1:]]
MODULES = [
    BlenderModule("3.11", "4.2", OLDEST),
    BlenderModule("3.13", "5.2", ">=2.2"),
    BlenderModule("3.13", "5.3", ">=2.2"),
]
NEWEST = MODULES[-1]
MODULES_BETWEEN = [
    *(BlenderModule("3.11", bpy, BETWEEN) for bpy in ("4.4", "4.5", "5.0")),
    BlenderModule("3.13", "5.1", ">=2.2"),
]
PACKAGER = MODULES_BETWEEN[1]  # its builder makes the zip that users install
SUITES = ("trixie", "sid")
SHORT_SESSION = "tests/blender/test_short_session.py"
QUICK = "not (slow or wide)"  # tests of all Blenders but the newest module
REMAINDER = "slow or wide or module"  # tests of the newest module where an executable of its version runs `QUICK`
DEEP = [
    ("3.13", "core"),
    ("3.13", "worlds"),
    ("3.13", "systems"),
    ("3.11", "clients"),
    (NEWEST.python, "blender"),
]
PICTURES = [
    (NEWEST.python if subject in ("landscapes", "drawn", "demo") else "3.11", subject)
    for subject in drawings.SUBJECTS
]

project.prepare(PYTHONS)

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = os.environ.get("TERRANE_VENV_BACKEND", "uv|virtualenv")
nox.options.download_python = "never"
nox.options.envdir = str(project.CACHE / "nox")
nox.options.reuse_venv = "yes"
nox.options.error_on_external_run = True
nox.options.error_on_missing_interpreters = True
nox.options.allow_parallel = True


def _in_each(modules: list[BlenderModule]) -> Callable[[Any], Any]:
    """Run a session in each of some Blender modules, under the Python of each."""
    parameters = [(module.python, module) for module in modules]
    ids = [module.bpy for module in modules]
    return nox.parametrize("python,module", parameters, ids=ids)


def _test_in_module(
    session: nox.Session, module: BlenderModule, tests: str, marks: str = "", **env: str
) -> None:
    """Run tests, a folder or a file, against the zip installed in Blender's Python module."""
    blenders.make_shipped(session)
    blenders.install_module(session, module, *requirements("test-blender"))
    run_pytest(session, tests, marks=marks, **env)


def _test_in_window(session: nox.Session, suite: str, folder: str) -> None:
    """Run the tests of a folder against the installed zip in a window of a real Blender."""
    blender = blenders.debian_blender(session, suite)
    session.install(*requirements("test-gui"))
    blenders.make_shipped(session)
    _, env = blenders.install_zip(session, blender)
    # All is drawn in software, landscapes too: the first test of a file plays for minutes.
    patience = "--override-ini=faulthandler_timeout=900"
    run_pytest(session, folder, patience, TERRANE_WINDOW=blender.window, **env)


# --- the layers: long sessions first, so that none is left alone at the end; windows after the core, because
# tools/test.sh makes their Debian systems meanwhile; an executable before the module that leaves some of its
# tests to it --------------------------------------------------------------------------------------


@nox.session
@nox.parametrize("python,numpy,marks", CORES, ids=CORE_IDS)
def core(session: nox.Session, numpy: str, marks: str) -> None:
    """Test the noise core, without Blender."""
    numpys.install_numpy(session, numpy)
    session.install(*requirements("test-core"))
    run_pytest(session, "tests/core", marks=marks, TERRANE_HYPOTHESIS="few")


@nox.session(python="3.11")
@nox.parametrize("suite", SUITES, ids=SUITES)
def blender_app(session: nox.Session, suite: str) -> None:
    """Test the zip, installed by command line, inside a real Blender executable.

    Trixie's version lies between two modules that run all tests, and runs the windows: a short session is enough.
    """
    blender = blenders.debian_blender(session, suite)
    tests = "tests/blender" if suite == "sid" else SHORT_SESSION
    if suite == "sid" and not session.posargs:
        _executable_marker(blender.version).touch()
    site = project.empty_folder(Path(session.create_tmp()) / "site")
    session.install("--target", str(site), *requirements("test-blender"))  # pure Python
    blenders.make_shipped(session)
    package, env = blenders.install_zip(session, blender)
    session.run(
        *(*blender, "--background", "--python-exit-code", "1"),
        *("--python", str(ROOT / "tests" / "run_in_blender.py")),
        *("--", *pytest_arguments(session, tests, marks=QUICK)),
        env={**env, "TERRANE_INSTALLED_ZIP": str(package), "TERRANE_TEST_SITE": str(site)},
        external=True,
    )


def _executable_marker(version: str) -> Path:
    """Return the file that marks a version, such as 5.2, whose executable runs all `QUICK` tests in this run."""
    project.REPORTS.mkdir(parents=True, exist_ok=True)
    return project.REPORTS / f"executable-{version}"


@nox.session(python="3.11")
def gui(session: nox.Session) -> None:
    """Test the panels in a real window; screenshots go to build/gui."""
    _test_in_window(session, "trixie", "tests/gui")


@nox.session(python="3.13")
def worlds(session: nox.Session) -> None:
    """Test worlds in tiles on Dask and Zarr, with the newest NumPy."""
    session.install("numpy>=2", *requirements("test-worlds"))
    # A judge's code takes longer to compile than to run uncompiled on the small lands of the tests.
    run_pytest(session, "tests/worlds", NUMBA_DISABLE_JIT="1")


@nox.session(python="3.13")
def systems(session: nox.Session) -> None:
    """Compare coordinate systems with PROJ and GDAL, of the versions that the table of codes is from."""
    session.install("numpy>=2", *requirements("test-systems"))
    run_pytest(session, "tests/systems")


@nox.session
@_in_each(MODULES[::-1])
def blender(session: nox.Session, module: BlenderModule) -> None:
    """Test the installed zip in Blender's Python module: the newest runs all tests, the others those not slow.

    In a whole run of tools/test.sh, an executable of the same version may run these tests: then an older module runs
    the short session, and the newest the remaining tests. Other modules leave out the quick tests of half of the files.
    """
    is_whole_run = "TERRANE_WHOLE_RUN" in os.environ
    is_covered = is_whole_run and _executable_marker(module.bpy).exists()
    is_shared = is_whole_run and any(project.REPORTS.glob("executable-*"))
    if module == NEWEST:
        tests, marks = "tests/blender", REMAINDER if is_covered else ""
    else:
        tests, marks = (SHORT_SESSION, "") if is_covered else ("tests/blender", QUICK)
    session.log(f"{tests}: {marks or 'all tests'}{', quick ones of half of the files' * is_shared}")
    env = {"TERRANE_HALF": "1"} if is_shared and tests != SHORT_SESSION else {}
    _test_in_module(session, module, tests, marks=marks, **env)


@nox.session(python="3.11")
def walk(session: nox.Session) -> None:
    """Play docs/first_terrain.md in a window of the newest Blender; pictures go to build/gui_walk."""
    _test_in_window(session, "sid", "tests/walk")


@nox.session
@nox.parametrize("python,numpy", NUMPYS, ids=NUMPY_IDS)
def wheel(session: nox.Session, numpy: str) -> None:
    """Install the core from its wheel beside each NumPy, and test the installed package."""
    numpys.install_numpy(session, numpy)
    session.install(*requirements("test-wheel"))
    folder = project.empty_folder(BUILD / f"wheel-{session.name.partition('(')[2].rstrip(')')}")
    pip = ("python", "-m", "pip")  # as users have it
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-cache-dir")
    session.run(*pip, "wheel", *options, f"--wheel-dir={folder}", str(ROOT))
    (built,) = folder.glob("*.whl")
    session.run(*pip, "install", "--quiet", "--no-deps", "--force-reinstall", str(built))
    marks = "" if numpy.startswith(">=") else "not newest"
    # Isolated, and without pytest's own setting: otherwise the repository's noise_core would be imported.
    arguments = pytest_arguments(session, "tests/wheel", marks)
    run = ("python", "-I", "-m", "pytest", "-o", "pythonpath=", *arguments)
    session.run(*run, env={"TERRANE_WHEEL": str(built)})


@nox.session(python="3.11")
def docs(session: nox.Session) -> None:
    """Build the site into build/site; check its links, its pictures, and the code on its pages."""
    session.install("numpy>=2", *requirements("docs"))
    session.run("python", "tools/draw_gallery.py", "--check")
    run_pytest(session, "tests/docs", TERRANE_HYPOTHESIS="few")


@nox.session(python="3.11")
@nox.parametrize("part", ["core", "blender-4-2", "blender-5-2"], ids=["core", "4.2", "5.2"])
def types(session: nox.Session, part: str) -> None:
    """Check types: strictly in the core, terrane_worlds and environments, at mypy's normal level with Blender's stubs."""
    if part == "core":
        session.install("numpy>=2", *requirements("types", "nox"))
        session.run("mypy", "--strict", "-p", "noise_core", "-p", "terrane_worlds")
        session.run("mypy", "--strict", "-p", "environments", env={"MYPYPATH": "tools"})
        return
    session.install("numpy>=2", *requirements(f"types-{part}"))
    # The package is the repository itself, whose folder may have any name: see CONTRIBUTING.md.
    link = Path(session.create_tmp()) / "terrane"
    link.unlink(missing_ok=True)
    link.symlink_to(ROOT, target_is_directory=True)
    packages = ("-p", "terrane.operators", "-p", "terrane.ui", "-p", "terrane.translations")
    config = f"--config-file={ROOT / 'tools' / 'mypy_blender.ini'}"
    with session.chdir(link.parent):
        session.run("mypy", config, *packages, env={"MYPYPATH": str(link.parent)})


@nox.session(python="3.11")
def clients(session: nox.Session) -> None:
    """Compare exported files with what the programs and libraries read that they are for."""
    session.install("numpy>=2", *requirements("test-clients"))
    missing = programs.install_clients(session)
    env = {"TERRANE_CLIENTS": "all", "TERRANE_WITHOUT": " ".join(missing)}
    if "npm" not in missing:
        env["TERRANE_NPM"] = str(programs.npm_packages())
    run_pytest(session, "tests/clients", **env)
    if missing:
        reason = (
            f"NOT COMPARED with {', '.join(missing)}: Debian's archive cannot give it at the moment"
        )
        project.report_path(session, "skipped").write_text(reason)
        session.warn(reason)


@nox.session(python="3.11")
def packaging(session: nox.Session) -> None:
    """Check the manifest and the zip with the builder of every supported Blender."""
    blenders.make_shipped(session)
    builders = [str(blenders.extension_builder(session, module)) for module in MODULES]
    session.install("numpy>=2", *requirements("test-packaging"))
    run_pytest(session, "tests/packaging", TERRANE_BUILDERS=os.pathsep.join(builders))


@nox.session
@_in_each(MODULES_BETWEEN)
def blender_short(session: nox.Session, module: BlenderModule) -> None:
    """Play a short session with the installed zip in the versions that have no run of all tests."""
    _test_in_module(session, module, SHORT_SESSION)


@nox.session(python="3.11")
def lint(session: nox.Session) -> None:
    """Check style and formatting."""
    session.install(*requirements("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


# --- never part of the default run ----------------------------------------------------------------


@nox.session(default=False)
@nox.parametrize("python,folder", DEEP, ids=[folder for _, folder in DEEP])
def deep(session: nox.Session, folder: str) -> None:
    """Run tests with random draws with all of their cases, of which other sessions run a twentieth; takes hours.

    ``TERRANE_SEED`` repeats the draws of an earlier run; a file after ``--`` replaces all of the folder's.
    """
    files = session.posargs or files_with_random_draws(folder)
    if not files:
        session.skip(f"no test in {folder} draws its cases")
    if folder == "blender":
        blenders.make_shipped(session)
        blenders.install_module(session, NEWEST, *requirements("test-blender"))
    else:
        session.install("numpy>=2", *requirements(f"test-{folder}"))
    report = f"--junitxml={project.report_path(session, 'xml')}"
    run = ("python", "-m", "pytest", *files, report, "--override-ini=faulthandler_timeout=7200")
    session.run(*run, env={"OPENBLAS_NUM_THREADS": "1", "TERRANE_DEEP": "1"})


@nox.session(python="3.11", default=False)
def shipped(session: nox.Session) -> None:
    """Make what the zip holds and the repository does not: the manual, and the translations as they are loaded."""
    blenders.make_shipped(session)


@nox.session(python=PACKAGER.python, default=False)
def translations(session: nox.Session) -> None:
    """Bring translations/*.po up to date with the texts of the interface; see CONTRIBUTING.md."""
    blenders.install_module(session, PACKAGER, *requirements("translations"))
    session.run("python", "tools/translations.py", *(session.posargs or ["--update"]))


@nox.session(python=PACKAGER.python, default=False)
def package(session: nox.Session) -> None:
    """Build the zip that users install: dist/terrane-<version>.zip."""
    blenders.make_shipped(session)
    blenders.build_zip(session, PACKAGER, ROOT / "dist")


@nox.session(python=PACKAGER.python, default=False)
def release(session: nox.Session) -> None:
    """Make everything that a release needs into dist/; see docs/develop/releasing.md."""
    releases.make_release(session, PACKAGER, ROOT / "dist", releases.present_commit(session))


@nox.session(python=PACKAGER.python, default=False)
def release_twice(session: nox.Session) -> None:
    """Make a release twice, and compare all of its bytes."""
    releases.compare_releases(session, PACKAGER)


@nox.session(default=False)
@nox.parametrize("python,subject", PICTURES, ids=list(drawings.SUBJECTS))
def pictures(session: nox.Session, subject: str) -> None:
    """Draw pictures of the documentation again: nox -s "pictures(targets)" -- unity.

    Arguments choose pages of ``targets``, presets of ``landscapes`` and pictures of ``drawn``; ``demo`` is for looking at.
    """
    drawings.SUBJECTS[subject](session, NEWEST)


@nox.session(default=False)
@nox.parametrize(
    "python,part",
    [*((module.python, module) for module in MODULES), ("3.13", "before"), ("3.13", "report")],
    ids=[*(f"blender-{module.bpy}" for module in MODULES), "before", "report"],
)
def benchmark(session: nox.Session, part: BlenderModule | str) -> None:
    """Measure speed in Blender, against an earlier commit and against others: nox -s benchmark -- --write.

    The last part, "benchmark(report)", adds the results of the others; with ``--write`` it makes docs/develop/benchmarks.md and the table of docs/speed.md.
    """
    if isinstance(part, BlenderModule):
        measurements.measure_in_blender(session, part, is_newest=part == NEWEST)
    elif part == "before":
        measurements.compare_commits(session, NEWEST)
    else:
        measurements.report_speed(session, MODULES[0])
