# SPDX-License-Identifier: GPL-3.0-or-later
"""Every check of the project, one nox session per layer.

    nox                         all layers (what tools/test.sh runs on a fresh machine)
    nox -s core wheel           the noise core on every NumPy, and installed from its wheel
    nox -s worlds               terrain larger than memory, on Dask and Zarr
    nox -s docs                 the site: build/site/index.html
    nox -s "blender(5.3)"       the installed zip inside one version of Blender's Python module
    nox -s blender_short        one short session in each version between those
    nox -s blender_app gui      a real Blender, without and with a window
    nox -s clients              exported files in the programs that they are for
    nox -s deep                 all cases of tests that draw some of theirs at random; never part of the default run
    nox -s benchmark            speed against other libraries; never part of the default run
    nox -s core -- -k perlin    arguments after -- go to pytest; a file replaces the whole folder

Downloads and Debian roots live in ``.cache/`` (or ``$TERRANE_CACHE``), results in ``build/``.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import nox

ROOT = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("TERRANE_CACHE", ROOT / ".cache")).resolve()
os.environ["TERRANE_CACHE"] = str(CACHE)  # for the scripts in tools/
BUILD = ROOT / "build"
# Tests start hundreds of processes. Each would compile all that it imports, for seconds, on a machine that
# keeps Python from writing what it has compiled, or beside files of a profile that is made anew each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = str(BUILD / "bytecode")
REPORTS = BUILD / "reports"
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")

# What is under test. The Python of a bpy wheel is the one its Blender ships.
PYTHONS = ("3.11", "3.13")
WITHOUT_BLAS = "2.3.4 without BLAS"  # what a downloaded Blender 5.2 has; made of PyPI's source
OLDEST, BETWEEN = "==1.24.4", "==1.26.4"
NUMPYS = [("3.13", ">=2"), ("3.13", WITHOUT_BLAS), ("3.11", OLDEST), ("3.11", BETWEEN)]
NUMPY_IDS = ["newest", "without-blas", "1.24.4", "1.26.4"]  # what takes long first
# The newest NumPy sees all, in two halves side by side. The others see of one half what a NumPy decides on: the
# digests of all recipes on grids and at points, types and errors, and how it adds up in arrays of any size, which
# one between the oldest and the newest need not show: it has the bits of both.
CORES = [
    (*NUMPYS[0], "not bits"),
    (*NUMPYS[0], "bits"),
    (*NUMPYS[1], "bits and not newest"),
    (*NUMPYS[2], "bits and not newest"),
    (*NUMPYS[3], "bits and not (newest or ends)"),
]
CORE_IDS = ["newest", "newest-bits", *NUMPY_IDS[1:]]
BPYS = [("3.11", "4.2", OLDEST), ("3.13", "5.2", ">=2.2"), ("3.13", "5.3", ">=2.2")]
NEWEST = BPYS[-1]
BPY_IDS = [bpy for _, bpy, _ in BPYS]
BPYS_BETWEEN = [
    *(("3.11", bpy, BETWEEN) for bpy in ("4.4", "4.5", "5.0")),
    ("3.13", "5.1", ">=2.2"),
]
BPYS_BETWEEN_IDS = [bpy for _, bpy, _ in BPYS_BETWEEN]
BEFORE = "93e3dcc"  # the last commit whose noise was a product of matrices
NUMPY_OF_PYSHEDS = "numpy==1.26.4"
SUITES = ("trixie", "sid")
SHORT_SESSION = "tests/blender/test_short_session.py"
SOME = "not (slow or wide)"  # what Blenders but the newest module run
OTHERS = "slow or wide or module"  # what is left to the newest module where an executable of its version runs `SOME`
DEEP = [("3.13", "core"), ("3.13", "worlds"), ("3.11", "clients"), (NEWEST[0], "blender")]
DEEP_IDS = [folder for _, folder in DEEP]  # of tests with random draws
DRAWN = re.compile(r"^from tests(\.drawing import | import .*\bdrawing\b)", re.MULTILINE)
DEMO = [
    (
        "terrain",
        "--preset island --output {folder}/island.blend --render {folder}/island.png --pixels 960 --samples 16",
    ),
    ("terrain", "--preset alps --render {folder}/alps.png --pixels 960 --samples 16"),
    ("planet", "--resolution 512 --render {folder}/planet.png --pixels 960 --samples 16"),
    ("texture", "--preset marble --output {folder}/marble.png"),
    ("texture", "--preset cells --output {folder}/cells.png"),
]
RENDER = "--preset NAME --resolution 1025 --pixels 960 --samples 16 --render {folder}/NAME.png"
"""What the button makes, at twice the resolution that it begins with."""

NOT_IN_ARCHIVE = 3  # exit status of tools/make_blender.sh and tools/install_clients.sh
PIP = (sys.executable, "-m", "pip")  # nox's own: what uv makes has none
SELDOM_CALLED = ("fft", "linalg", "random")  # parts of NumPy
NO_COMPILER = ("Unknown compiler(s)", "cannot compile programs")  # what Meson says of it

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = os.environ.get("TERRANE_VENV_BACKEND", "uv|virtualenv")
nox.options.download_python = "never"
nox.options.envdir = str(CACHE / "nox")
nox.options.reuse_venv = "yes"
nox.options.error_on_external_run = True
nox.options.error_on_missing_interpreters = True
nox.options.allow_parallel = True


def _make_pythons_findable() -> None:
    """Put each needed Python that only pyenv knows, or hides behind a shim, on the PATH."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for version in PYTHONS:
        command = shutil.which(f"python{version}")
        if command and subprocess.run([command, "-V"], capture_output=True).returncode == 0:
            continue
        for python in sorted(pyenv.glob(f"versions/{version}*/bin/python{version}")):
            os.environ["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"


_make_pythons_findable()


# --- what the sessions share -------------------------------------------------------------------


def _tools(*groups: str) -> tuple[str, ...]:
    """Return the pinned requirements of dependency groups in pyproject.toml."""
    return nox.project.dependency_groups(PYPROJECT, *groups)


def _report(session: nox.Session, suffix: str) -> Path:
    """Return where the session leaves its result; what an earlier run left there is gone."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    name = session.name.replace("(", "-").replace(")", "")
    path = REPORTS / f"{name}.{suffix}"
    path.unlink(missing_ok=True)
    return path


def _pytest_arguments(session: nox.Session, folder: str, marks: str = "") -> list[str]:
    """Return what pytest is to run: the tests of a folder with some marks, or the files that stand after ``--``.

    Each session has a folder of temporary files: in a common one those that end at once empty each other's.
    """
    given, report = session.posargs, _report(session, "xml")
    (BUILD / "tests").mkdir(parents=True, exist_ok=True)
    arguments = [f"--junitxml={report}", f"--basetemp={BUILD / 'tests' / report.stem}", *given]
    if any((ROOT / argument.split("::")[0]).is_file() for argument in given):
        return arguments
    return [*(("-m", marks) if marks else ()), folder, *arguments]


def _pytest(session: nox.Session, folder: str, *options: str, marks: str = "", **env: str) -> None:
    """Run the tests of a folder under the session's Python, those with some marks, with options of pytest's.

    Sessions run side by side, and the matrix library's threads would wait for each other: on a busy
    machine that takes many times as long. Inside `blender_app` it has threads, as for users.
    """
    arguments = _pytest_arguments(session, folder, marks)
    run = ("python", "-m", "pytest", *options, *arguments)
    session.run(*run, env={"OPENBLAS_NUM_THREADS": "1", **env})


@contextmanager
def _one_at_a_time(name: str) -> Iterator[Path]:
    """Give a folder of the cache to one session; a parallel one waits."""
    folder = CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def _bpy_wheel(session: nox.Session, python: str, bpy: str) -> Path:
    """Return the wheel of Blender's Python module, downloaded once: it has some 350 MB."""
    with _one_at_a_time("wheels") as wheels:
        if not list(wheels.glob(f"bpy-{bpy}.*.whl")):
            with tempfile.TemporaryDirectory(dir=wheels) as half:
                session.run(
                    *(*PIP, "download", "--quiet", "--no-cache-dir", "--no-deps"),
                    *("--only-binary=:all:", f"--python-version={python}", f"--dest={half}"),
                    f"bpy=={bpy}.*",
                    external=True,
                )
                for wheel in Path(half).iterdir():
                    wheel.rename(wheels / wheel.name)
        return max(wheels.glob(f"bpy-{bpy}.*.whl"))


def _numpy_without_blas(session: nox.Session, *, is_fast: bool) -> Path | None:
    """Return the wheel of a NumPy without BLAS, built once; None where there is no C compiler.

    It has the name that PyPI's wheel would have, so it stays in a folder that says what it is, out
    of pip's own cache too. One that is not fast is little optimized, and has code for the oldest processors alone on
    which Blender runs: it gives the same, as the other NumPys do with and without newer code, and is built sooner.
    """
    pattern = f"numpy-*-cp{str(session.python).replace('.', '')}-*.whl"
    options = ["-Dblas=none", "-Dlapack=none", "-Dallow-noblas=true"]
    if not is_fast:
        options += ["-Doptimization=1", "-Dcpu-baseline=SSE42", "-Dcpu-dispatch=none"]
        options += ["-Ddisable-intel-sort=true"]
    kind = "" if is_fast else "-for-any-processor"
    with _one_at_a_time(f"numpy-{WITHOUT_BLAS.replace(' ', '-')}{kind}") as folder:
        if not list(folder.glob(pattern)):
            session.install(*_tools("pip"))
            with tempfile.TemporaryDirectory(dir=folder) as half:
                command = [
                    *(f"{session.bin}/python", "-m", "pip", "wheel", "--no-cache-dir", "--no-deps"),
                    *("--no-binary=numpy", f"numpy=={WITHOUT_BLAS.split()[0]}", f"--wheel-dir={half}"),
                    # Without a folder of its own all is compiled twice: for the metadata, then for the wheel.
                    f"--config-settings=build-dir={half}/build",
                    *(f"--config-settings=setup-args={option}" for option in options),
                ]  # fmt: skip
                env = {} if is_fast else _hasty_compilers(Path(half))
                build = subprocess.run(
                    command, env={**os.environ, **env}, capture_output=True, text=True, check=False
                )
                for wheel in Path(half).glob(pattern):
                    wheel.rename(folder / wheel.name)
            if any(words in build.stdout + build.stderr for words in NO_COMPILER):
                return None
            if build.returncode:
                session.error(f"no NumPy without BLAS: {(build.stdout + build.stderr)[-3000:]}")
        return max(folder.glob(pattern))


def _hasty_compilers(folder: Path) -> dict[str, str]:
    """Write compilers that do not optimize what the noise core seldom calls, most of NumPy; return their variables."""
    seldom = "|".join(f"*numpy/{name}*" for name in SELDOM_CALLED)
    env = {}
    for variable, usual in (("CC", "cc"), ("CXX", "c++")):
        compiler = os.environ.get(variable, usual)
        script = folder / usual
        lines = (
            "#!/bin/sh",
            f'case "$*" in {seldom}) exec {compiler} "$@" -O0;; esac',
            f'exec {compiler} "$@"',
        )
        script.write_text("\n".join((*lines, "")))
        script.chmod(0o755)
        env[variable] = str(script)
    return env


def _install_numpy(session: nox.Session, numpy: str) -> None:
    """Install the NumPy that a session tests; skip the session if it cannot be made here."""
    if numpy != WITHOUT_BLAS:
        session.install(f"numpy{numpy}")
        return
    wheel = _numpy_without_blas(session, is_fast=False)
    if wheel is None:
        _skip(session, "NOT TESTED: there is no C compiler that could build NumPy without BLAS")
    session.install("--force-reinstall", "--no-deps", str(wheel))
    session.run("python", "-m", "benchmarks.blas", "none")


def _skip(session: nox.Session, reason: str) -> NoReturn:
    """Skip a layer that cannot run here, so that the summary says so."""
    _report(session, "skipped").write_text(reason)
    session.skip(reason)


def _builder(session: nox.Session, python: str, bpy: str) -> Path:
    """Take Blender's extension builder, plain Python, and its list of tags out of a wheel."""
    folder = CACHE / "builders" / bpy
    with zipfile.ZipFile(_bpy_wheel(session, python, bpy)) as wheel:
        for name in wheel.namelist():
            if name.endswith(("/bl_pkg/cli/blender_ext.py", "/_bpy_internal/extensions/tags.py")):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / Path(name).name).write_bytes(wheel.read(name))
    return folder


def _real_blender(session: nox.Session, suite: str) -> str:
    """Make the Blender of a Debian suite; return the script that starts it."""
    script = str(ROOT / "tools" / "make_blender.sh")
    with _one_at_a_time("blender"):
        made = subprocess.run([script, suite], stdin=subprocess.DEVNULL, check=False)
    if made.returncode == NOT_IN_ARCHIVE and suite == "sid":
        reason = f"NOT TESTED: Debian's archive cannot give the Blender of '{suite}' at the moment"
        _skip(session, reason)
    if made.returncode:
        session.error(f"no Blender of '{suite}': the layer could not run (see the lines above)")
    return str(ROOT / "tools" / "blender.sh")


def _install_programs(session: nox.Session) -> list[str]:
    """Install the programs that read exported files; return those that the archive cannot give."""
    script = str(ROOT / "tools" / "install_clients.sh")
    with _one_at_a_time("downloads"):
        done = subprocess.run(
            [script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False
        )
    if done.returncode not in (0, NOT_IN_ARCHIVE):
        session.error("no programs to compare with: the layer could not run (see the lines above)")
    return done.stdout.split()


def _npm_packages() -> Path:
    """Return a folder with the npm packages of the tests, downloaded once, without what they depend on."""
    wanted = json.loads((ROOT / "tests" / "clients" / "package.json").read_text())["dependencies"]
    with _one_at_a_time("npm") as folder:
        for name, version in wanted.items():
            marker = folder / name / f".{version}"
            if marker.exists():
                continue
            shutil.rmtree(folder / name, ignore_errors=True)
            with tempfile.TemporaryDirectory(dir=folder) as half:
                pack = ("npm", "pack", "--silent", f"{name}@{version}")
                subprocess.run(pack, cwd=half, stdout=subprocess.DEVNULL, check=True)
                (archive,) = Path(half).glob("*.tgz")
                with tarfile.open(archive) as packed:
                    packed.extractall(half, filter="data")
                (Path(half) / "package").rename(folder / name)
            marker.touch()
        return folder


def _make_manual(session: nox.Session) -> None:
    """Make the manual that belongs into the zip, unless it is there and up to date.

    Its tools have an environment of their own: what is under test has to do without them.
    """
    with _one_at_a_time("manual") as folder:
        python, installed = folder / "environment" / "bin" / "python", folder / "requirements.txt"
        requirements = ("numpy>=2", *_tools("manual"))
        wanted = "\n".join((f"python{PYTHONS[0]}", *requirements))
        if not installed.exists() or installed.read_text() != wanted:
            shutil.rmtree(python.parents[1], ignore_errors=True)
            session.run(f"python{PYTHONS[0]}", "-m", "venv", str(python.parents[1]), external=True)
            pip = (str(python), "-m", "pip", "install", "--quiet", "--only-binary=:all:")
            session.run(*pip, *requirements, external=True)
            installed.write_text(wanted)
        session.run(str(python), str(ROOT / "tools" / "make_manual.py"), external=True)


def _install_zip(session: nox.Session, blender: str, suite: str) -> tuple[Path, dict[str, str]]:
    """Build, validate and install the zip with Blender's own commands into an empty profile.

    Returns the zip and the environment in which Blender finds that profile.
    """
    _make_manual(session)
    folder = BUILD / f"zip-{session.name.split('(')[0]}-{suite}"
    shutil.rmtree(folder, ignore_errors=True)
    profile = folder / "profile"  # has to exist, or Blender reads the user's own
    profile.mkdir(parents=True)
    extension = (blender, suite, "--command", "extension")
    # Blenders at work side by side map thumbnails and shaders into memory that another one truncates.
    cache = BUILD / f"cache-{session.name.split('(')[0]}-{suite}"
    cache.mkdir(parents=True, exist_ok=True)
    env = {"BLENDER_USER_RESOURCES": str(profile), "XDG_CACHE_HOME": str(cache)}
    build = (*extension, "build", "--source-dir", str(ROOT), "--output-dir", str(folder))
    session.run(*build, env=env, external=True)
    (package,) = folder.glob("*.zip")
    session.run(*extension, "validate", str(package), env=env, external=True)
    install = (*extension, "install-file", "--repo", "user_default", "--enable", str(package))
    session.run(*install, env=env, external=True)
    return package, env


def _test_in_module(
    session: nox.Session, bpy: str, numpy: str, tests: str, marks: str = ""
) -> None:
    """Run tests, a folder or a file, against the zip installed in Blender's Python module."""
    _make_manual(session)
    wheel = _bpy_wheel(session, str(session.python), bpy)
    # Blender imports little of its own code, which pip would compile whole.
    session.install("--no-compile", str(wheel), f"numpy{numpy}", *_tools("test-blender"))
    _pytest(session, tests, marks=marks)


def _test_in_window(session: nox.Session, suite: str, folder: str) -> None:
    """Run the tests of a folder against the installed zip in a window of a real Blender."""
    blender = _real_blender(session, suite)
    session.install(*_tools("test-gui"))
    _, env = _install_zip(session, blender, suite)
    # All is drawn in software, landscapes too: the first test of a file plays for minutes.
    patience = "--override-ini=faulthandler_timeout=900"
    _pytest(session, folder, patience, TERRANE_WINDOW=f"{blender} --window {suite}", **env)


# --- the layers: what takes long first, so that nothing is left alone at the end; windows after the
# core, because tools/test.sh makes their Debian systems meanwhile; an executable before the module that
# leaves some of its tests to it -------------------------------------------------------------------


@nox.session
@nox.parametrize("python,numpy,marks", CORES, ids=CORE_IDS)
def core(session: nox.Session, numpy: str, marks: str) -> None:
    """Test the noise core, without Blender."""
    _install_numpy(session, numpy)
    session.install(*_tools("test-core"))
    _pytest(session, "tests/core", marks=marks, TERRANE_HYPOTHESIS="few")


@nox.session(python="3.11")
@nox.parametrize("suite", SUITES, ids=SUITES)
def blender_app(session: nox.Session, suite: str) -> None:
    """Test the zip, installed by command line, inside a real Blender executable.

    Trixie's lies between two modules that run all tests, and plays the windows: here a short session will do.
    """
    blender = _real_blender(session, suite)
    tests = "tests/blender" if suite == "sid" else SHORT_SESSION
    if suite == "sid" and not session.posargs:
        _executable(_version(blender, suite)).touch()
    site = Path(session.create_tmp()) / "site"  # pure Python: any Blender can import it
    shutil.rmtree(site, ignore_errors=True)
    session.install("--target", str(site), *_tools("test-blender"))
    package, env = _install_zip(session, blender, suite)
    session.run(
        *(blender, suite, "--background", "--python-exit-code", "1"),
        *("--python", str(ROOT / "tests" / "run_in_blender.py")),
        *("--", *_pytest_arguments(session, tests, marks=SOME)),
        env={**env, "TERRANE_INSTALLED_ZIP": str(package), "TERRANE_TEST_SITE": str(site)},
        external=True,
    )


def _executable(version: str) -> Path:
    """Return the file that says that an executable of a version, such as 5.2, plays all tests that are not slow."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    return REPORTS / f"executable-{version}"


def _version(blender: str, suite: str) -> str:
    """Return a Blender's version, such as 5.2."""
    said = subprocess.run([blender, suite, "--version"], capture_output=True, text=True, check=True)
    return said.stdout.split()[1].rpartition(".")[0]


@nox.session(python="3.11")
def gui(session: nox.Session) -> None:
    """Add a terrain through the panel of a real window; screenshots go to build/gui."""
    _test_in_window(session, "trixie", "tests/gui")


@nox.session(python="3.13")
def worlds(session: nox.Session) -> None:
    """Test worlds in tiles on Dask and Zarr, with the newest NumPy."""
    session.install("numpy>=2", *_tools("test-worlds"))
    # A judge's code takes longer to compile than to run uncompiled on the small lands of the tests.
    _pytest(session, "tests/worlds", NUMBA_DISABLE_JIT="1")


@nox.session(python="3.13")
def systems(session: nox.Session) -> None:
    """Compare coordinate systems with PROJ and GDAL, of the versions that the table of codes is from."""
    session.install("numpy>=2", *_tools("test-systems"))
    _pytest(session, "tests/systems")


@nox.session
@nox.parametrize("python,bpy,numpy", BPYS[::-1], ids=BPY_IDS[::-1])
def blender(session: nox.Session, bpy: str, numpy: str) -> None:
    """Test the installed zip inside Blender's Python module: the newest sees all, the others what is not slow.

    Tests that an executable of the same version plays in the same whole run, of tools/test.sh, need not be
    played here again: a short session will do, and the newest plays what is left.
    """
    is_played = "TERRANE_WHOLE_RUN" in os.environ and _executable(bpy).exists()
    if bpy == NEWEST[1]:
        tests, marks = "tests/blender", OTHERS if is_played else ""
    else:
        tests, marks = (SHORT_SESSION, "") if is_played else ("tests/blender", SOME)
    session.log(f"{tests}: {marks or 'all tests'}")
    _test_in_module(session, bpy, numpy, tests, marks=marks)


@nox.session(python="3.11")
def walk(session: nox.Session) -> None:
    """Play docs/first_terrain.md in a window of the newest Blender; pictures go to build/gui_walk."""
    _test_in_window(session, "sid", "tests/walk")


@nox.session
@nox.parametrize("python,numpy", NUMPYS, ids=NUMPY_IDS)
def wheel(session: nox.Session, numpy: str) -> None:
    """Install the core from its wheel beside each NumPy, and test what lies there."""
    _install_numpy(session, numpy)
    session.install(*_tools("test-wheel"))
    folder = BUILD / f"wheel-{session.name.partition('(')[2].rstrip(')')}"
    shutil.rmtree(folder, ignore_errors=True)
    pip = ("python", "-m", "pip")  # as users have it
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-cache-dir")
    session.run(*pip, "wheel", *options, f"--wheel-dir={folder}", str(ROOT))
    (built,) = folder.glob("*.whl")
    session.run(*pip, "install", "--quiet", "--no-deps", "--force-reinstall", str(built))
    marks = "" if numpy.startswith(">=") else "not newest"
    # Isolated, and without pytest's own setting: otherwise the repository's noise_core would be imported.
    arguments = _pytest_arguments(session, "tests/wheel", marks)
    run = ("python", "-I", "-m", "pytest", "-o", "pythonpath=", *arguments)
    session.run(*run, env={"TERRANE_WHEEL": str(built)})


@nox.session(python="3.11")
def docs(session: nox.Session) -> None:
    """Build the site into build/site; check its links, its pictures, and that what the pages say works."""
    session.install("numpy>=2", *_tools("docs"))
    session.run("python", "tools/draw_gallery.py", "--check")
    _pytest(session, "tests/docs", TERRANE_HYPOTHESIS="few")


@nox.session(python="3.11")
@nox.parametrize("part", ["core", "blender-4-2", "blender-5-2"], ids=["core", "4.2", "5.2"])
def types(session: nox.Session, part: str) -> None:
    """Check types: strictly in the core and in terrane_worlds, at mypy's normal level where Blender's stubs rule."""
    if part == "core":
        session.install("numpy>=2", *_tools("types"))
        session.run("mypy", "--strict", "-p", "noise_core", "-p", "terrane_worlds")
        return
    session.install("numpy>=2", *_tools(f"types-{part}"))
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
    session.install("numpy>=2", *_tools("test-clients"))
    without = _install_programs(session)
    env = {"TERRANE_CLIENTS": "all", "TERRANE_WITHOUT": " ".join(without)}
    if "npm" not in without:
        env["TERRANE_NPM"] = str(_npm_packages())
    _pytest(session, "tests/clients", **env)
    if without:
        reason = (
            f"NOT COMPARED with {', '.join(without)}: Debian's archive cannot give it at the moment"
        )
        _report(session, "skipped").write_text(reason)
        session.warn(reason)


@nox.session(python="3.11")
def packaging(session: nox.Session) -> None:
    """Check the manifest and the zip with the builder of every supported Blender."""
    _make_manual(session)
    builders = [_builder(session, python, bpy) for python, bpy, _ in BPYS]
    session.install("numpy>=2", *_tools("test-packaging"))
    _pytest(session, "tests/packaging", TERRANE_BUILDERS=os.pathsep.join(map(str, builders)))


@nox.session
@nox.parametrize("python,bpy,numpy", BPYS_BETWEEN, ids=BPYS_BETWEEN_IDS)
def blender_short(session: nox.Session, bpy: str, numpy: str) -> None:
    """Play a short session with the installed zip in the versions that have no run of all tests."""
    _test_in_module(session, bpy, numpy, SHORT_SESSION)


def _drawn_files(folder: str) -> list[str]:
    """Return the files of a folder of tests whose cases are drawn at random."""
    files = sorted((ROOT / "tests" / folder).rglob("test_*.py"))
    drawn = [path for path in files if DRAWN.search(path.read_text(encoding="utf-8"))]
    return [str(path.relative_to(ROOT)) for path in drawn]


@nox.session(default=False)
@nox.parametrize("python,folder", DEEP, ids=DEEP_IDS)
def deep(session: nox.Session, folder: str) -> None:
    """Run tests with random draws with all of their cases, of which other sessions run a twentieth; takes hours.

    ``TERRANE_SEED`` repeats the draws of an earlier run; a file after ``--`` replaces all of the folder's.
    """
    files = session.posargs or _drawn_files(folder)
    if not files:
        session.skip(f"no test in {folder} draws its cases")
    if folder == "blender":
        _make_manual(session)
        wheel = str(_bpy_wheel(session, *NEWEST[:2]))
        session.install("--no-compile", wheel, f"numpy{NEWEST[2]}", *_tools("test-blender"))
    else:
        session.install("numpy>=2", *_tools(f"test-{folder}"))
    arguments = [
        f"--junitxml={_report(session, 'xml')}",
        "--override-ini=faulthandler_timeout=7200",
    ]
    env = {"OPENBLAS_NUM_THREADS": "1", "TERRANE_DEEP": "1"}
    session.run("python", "-m", "pytest", *files, *arguments, env=env)


@nox.session(python="3.11")
def lint(session: nox.Session) -> None:
    """Check style and formatting."""
    session.install(*_tools("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session(python="3.11", default=False)
def relief_pictures(session: nox.Session) -> None:
    """Draw the pictures of docs/relief.md anew."""
    session.install("numpy>=2", *_tools("pictures"))
    session.run("python", "tools/relief_pictures.py")


@nox.session(python="3.11", default=False)
def target_pictures(session: nox.Session) -> None:
    """Draw the pictures of docs/targets/ anew; names of pages after ``--`` choose some."""
    session.install("numpy>=2", *_tools("test-clients", "pictures"))
    without = _install_programs(session)
    if without:
        session.error(f"no pictures without {', '.join(without)}")
    env = {"TERRANE_NPM": str(_npm_packages())}
    session.run("python", "tools/target_pictures.py", *session.posargs, env=env)


@nox.session(python="3.11", default=False)
def walk_pictures(session: nox.Session) -> None:
    """Take the pictures of docs/first_terrain.md anew, with the defaults; then tools/shrink_pictures.py."""
    blender = _real_blender(session, "sid")
    _, env = _install_zip(session, blender, "sid")
    window = {"TERRANE_WINDOW": f"{blender} --window sid", **env}
    session.run("python", "tools/walk_pictures.py", env=window)


@nox.session(python="3.11", default=False)
def manual(session: nox.Session) -> None:
    """Make the manual that the zip holds: manual/index.html. A checkout in Blender opens it too."""
    _make_manual(session)


@nox.session(python="3.11", default=False)
def translations(session: nox.Session) -> None:
    """Bring translations/*.po up to date with the texts of the interface; see CONTRIBUTING.md."""
    wheel = _bpy_wheel(session, "3.11", "4.5")
    session.install(str(wheel), "numpy==1.26.4", *_tools("translations"))
    session.run("python", "tools/translations.py", *(session.posargs or ["--update"]))


@nox.session(python="3.11", default=False)
def package(session: nox.Session) -> None:
    """Build the zip that users install: dist/terrane-<version>.zip."""
    _make_manual(session)
    builder = _builder(session, "3.11", "4.5")
    (ROOT / "dist").mkdir(exist_ok=True)
    build = ("build", "--source-dir", str(ROOT), "--output-dir", str(ROOT / "dist"))
    session.run("python", str(builder / "blender_ext.py"), *build)


@nox.session(python=NEWEST[0], default=False)
def demo(session: nox.Session) -> None:
    """Install the zip, make a terrain, a planet and textures, and render them into build/demo/."""
    _play_examples(session, DEMO, BUILD / "demo")


@nox.session(python=NEWEST[0], default=False)
def renders(session: nox.Session) -> None:
    """Install the zip and render every landscape into build/renders/; some names after ``--`` will do."""
    files = sorted((ROOT / "noise_core" / "recipes" / "presets").glob("*.json"))
    presets = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
    landforms = [
        name
        for name, plain in presets.items()
        if not plain.get("is_for_robots") and not plain["look"].get("is_flat")
    ]
    names = session.posargs or landforms
    played = [("terrain", RENDER.replace("NAME", name)) for name in names]
    _play_examples(session, played, BUILD / "renders")


def _play_examples(session: nox.Session, played: Iterable[tuple[str, str]], folder: Path) -> None:
    """Run examples, each with its arguments, with the zip installed in the newest Python module."""
    session.install(str(_bpy_wheel(session, *NEWEST[:2])), f"numpy{NEWEST[2]}")
    profile = Path(session.create_tmp()) / "profile"
    shutil.rmtree(profile, ignore_errors=True)
    build = (str(_builder(session, *NEWEST[:2]) / "blender_ext.py"), "build")
    profile.mkdir(parents=True)
    session.run("python", *build, "--source-dir", str(ROOT), "--output-dir", str(profile))
    (package,) = profile.glob("*.zip")
    with zipfile.ZipFile(package) as built:  # as Blender does when it installs a file
        built.extractall(profile / "extensions" / "user_default" / "terrane")
    folder.mkdir(parents=True, exist_ok=True)
    for script, arguments in played:
        run = ("python", f"examples/{script}.py", "--", *arguments.format(folder=folder).split())
        session.run(*run, env={"BLENDER_USER_RESOURCES": str(profile)})


def _ant_landscape(session: nox.Session) -> dict[str, str]:
    """Return the environment in which a benchmark finds Blender's old add-on, and a Python that runs it."""
    script = [str(ROOT / "tools" / "get_ant_landscape.sh")]
    with _one_at_a_time("downloads"):
        got = subprocess.run(script, stdout=subprocess.PIPE, text=True, check=False)
    if got.returncode:
        session.warn("A.N.T. Landscape cannot be had here; measuring against fastscapelib alone")
        return {}
    python, bpy, numpy = BPYS[0]
    folder = Path(session.create_tmp()) / "blender"
    session.run(f"python{python}", "-m", "venv", str(folder), external=True)
    pip = (str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet")
    session.run(*pip, str(_bpy_wheel(session, python, bpy)), f"numpy{numpy}", external=True)
    own = {"TERRANE_BPY_PYTHON": pip[0]}  # its noise is of Blender's own module
    return {"TERRANE_ANT_LANDSCAPE": got.stdout.strip(), **own}


def _pysheds(session: nox.Session) -> dict[str, str]:
    """Return the environment in which a benchmark finds a Python with pysheds and its NumPy."""
    folder = Path(session.create_tmp()) / "pysheds"
    python = str(folder / "bin" / "python")
    session.run(f"python{PYTHONS[0]}", "-m", "venv", str(folder), external=True)
    requirements = (NUMPY_OF_PYSHEDS, *_tools("benchmark-pysheds"))
    pip = (python, "-m", "pip", "install", "--quiet", "--only-binary=:all:")
    session.run(*pip, *requirements, external=True)
    return {"TERRANE_PYSHEDS_PYTHON": python}


def _beside_without_blas(session: nox.Session) -> str | None:
    """Return a Python that has all of the session's packages, but NumPy without BLAS; None without a compiler."""
    wheel = _numpy_without_blas(session, is_fast=True)
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


@nox.session(python="3.13", default=False)
def benchmark(session: nox.Session) -> None:
    """Measure speed against others: nox -s benchmark -- --write makes docs/benchmarks.md."""
    session.install("numpy", *_tools("benchmark"))
    try:
        session.install("--no-build-isolation", *_tools("benchmark-compiled"))
    except nox.command.CommandFailed:
        session.warn("pyfastnoisesimd does not build here; measuring without it")
    env = {**_ant_landscape(session), **_pysheds(session)}
    python, own = _beside_without_blas(session), f"{session.bin}/python"
    if python:  # what people's Blender has comes first
        env["TERRANE_OTHER_PYTHON"] = own
    session.run(python or own, "-m", "benchmarks", *session.posargs, env=env, external=True)


@nox.session(python="3.13", default=False)
def benchmark_before(session: nox.Session) -> None:
    """Measure against an earlier commit, given after ``--``; the next benchmark tells the result."""
    python, bpy, numpy = NEWEST
    session.install(str(_bpy_wheel(session, python, bpy)), f"numpy{numpy}")
    pythons = [f"{session.bin}/python", _beside_without_blas(session)]
    given = [f"--python={one}" for one in pythons if one]
    session.run("python", "-m", "benchmarks.before", *given, *(session.posargs or [BEFORE]))


@nox.session(default=False)
@nox.parametrize("python,bpy,numpy", BPYS, ids=BPY_IDS)
def benchmark_blender(session: nox.Session, bpy: str, numpy: str) -> None:
    """Measure terrains, live updates and images inside Blender; the next benchmark puts the result into its report."""
    session.install(str(_bpy_wheel(session, str(session.python), bpy)), f"numpy{numpy}")
    pythons = {bpy: f"{session.bin}/python"}
    if bpy == BPY_IDS[-1] and (without := _beside_without_blas(session)):
        pythons[f"{bpy}-without-blas"] = without
    folder = BUILD / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    for name, python in pythons.items():
        with (folder / f"blender-{name}.txt").open("w") as report:
            for part in ("enable", "terrain", "landscape", "live", "bake"):
                script = f"benchmarks/blender_{part}.py"
                session.run(python, script, stdout=report, external=True)
                report.write("\n")
                report.flush()
