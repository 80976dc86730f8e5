# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's Python modules, Debian's Blender executables, and the zip installed in them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import nox

from .programs import NOT_IN_ARCHIVE
from .project import BUILD, CACHE, ROOT, empty_folder, locked_cache, requirements, skip_layer

SHIPPED_PYTHON = "3.11"  # of the tools that make the manual and compile translations
PIP = (sys.executable, "-m", "pip")  # of nox's environment: those made by uv have none


class BlenderModule(NamedTuple):
    """Blender's Python module with the versions of Python and NumPy that it runs with."""

    python: str
    bpy: str
    numpy: str


def bpy_wheel(session: nox.Session, module: BlenderModule) -> Path:
    """Return the wheel of Blender's Python module, some 350 MB, downloaded once."""
    with locked_cache("wheels") as wheels:
        if not list(wheels.glob(f"bpy-{module.bpy}.*.whl")):
            with tempfile.TemporaryDirectory(dir=wheels) as temporary:
                session.run(
                    *(*PIP, "download", "--quiet", "--no-cache-dir", "--no-deps"),
                    *("--only-binary=:all:", f"--python-version={module.python}"),
                    *(f"--dest={temporary}", f"bpy=={module.bpy}.*"),
                    external=True,
                )
                for wheel in Path(temporary).iterdir():
                    wheel.rename(wheels / wheel.name)
        return max(wheels.glob(f"bpy-{module.bpy}.*.whl"))


def install_module(session: nox.Session, module: BlenderModule, *more: str) -> None:
    """Install Blender's Python module with its NumPy and further packages.

    Nothing is compiled: Blender imports a small part of its code, and pip would compile all of it.
    """
    wheel = str(bpy_wheel(session, module))
    session.install("--no-compile", wheel, f"numpy{module.numpy}", *more)


def extension_builder(session: nox.Session, module: BlenderModule) -> Path:
    """Return a folder with Blender's extension builder, plain Python, and its list of tags."""
    folder = CACHE / "builders" / module.bpy
    with zipfile.ZipFile(bpy_wheel(session, module)) as wheel:
        for name in wheel.namelist():
            if name.endswith(("/bl_pkg/cli/blender_ext.py", "/_bpy_internal/extensions/tags.py")):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / Path(name).name).write_bytes(wheel.read(name))
    return folder


def build_zip(session: nox.Session, module: BlenderModule, folder: Path) -> None:
    """Build the extension's zip into a folder with Blender's builder."""
    builder = str(extension_builder(session, module) / "blender_ext.py")
    folder.mkdir(parents=True, exist_ok=True)
    build = ("build", "--source-dir", str(ROOT), "--output-dir", str(folder))
    session.run("python", builder, *build)


def unpack_zip(session: nox.Session, module: BlenderModule) -> Path:
    """Build the zip and unpack it as Blender does when it installs a file; return the profile."""
    profile = empty_folder(Path(session.create_tmp()) / "profile")
    build_zip(session, module, profile)
    (package,) = profile.glob("*.zip")
    with zipfile.ZipFile(package) as built:
        built.extractall(profile / "extensions" / "user_default" / "terrane")
    return profile


def make_shipped(session: nox.Session) -> None:
    """Make what the zip holds and the repository does not."""
    program = str(shipped_python(session))
    with locked_cache("shipped"):
        session.run(program, str(ROOT / "tools" / "make_shipped.py"), external=True)


def shipped_python(session: nox.Session) -> Path:
    """Return the Python of the tools that make the manual, the site and the compiled translations.

    It has an environment of its own, which keeps it away from the packages under test.
    """
    with locked_cache("shipped") as folder:
        program, installed = folder / "environment" / "bin" / "python", folder / "requirements.txt"
        packages = ("numpy>=2", *requirements("shipped"))
        content = "\n".join((f"python{SHIPPED_PYTHON}", *packages))
        if not installed.exists() or installed.read_text() != content:
            shutil.rmtree(program.parents[1], ignore_errors=True)
            session.run(
                f"python{SHIPPED_PYTHON}", "-m", "venv", str(program.parents[1]), external=True
            )
            pip = (str(program), "-m", "pip", "install", "--quiet", "--only-binary=:all:")
            session.run(*pip, *packages, external=True)
            installed.write_text(content)
        return program


class BlenderExecutable(NamedTuple):
    """Blender of a Debian suite: the script that starts it, and the suite."""

    script: str
    suite: str

    @property
    def version(self) -> str:
        """The version without the last number, such as 5.2."""
        command = [*self, "--version"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.split()[1].rpartition(".")[0]

    @property
    def window(self) -> str:
        """The command that starts it with a window on a virtual screen."""
        return f"{self.script} --window {self.suite}"


def debian_blender(session: nox.Session, suite: str) -> BlenderExecutable:
    """Return the Blender of a Debian suite, installed once; skip the session if Debian's archive has none."""
    script = str(ROOT / "tools" / "make_blender.sh")
    with locked_cache("blender"):
        done = subprocess.run([script, suite], stdin=subprocess.DEVNULL, check=False)
    if done.returncode == NOT_IN_ARCHIVE and suite == "sid":
        reason = f"NOT TESTED: Debian's archive cannot give the Blender of '{suite}' at the moment"
        skip_layer(session, reason)
    if done.returncode:
        session.error(f"no Blender of '{suite}': the layer could not run (see the lines above)")
    return BlenderExecutable(str(ROOT / "tools" / "blender.sh"), suite)


def install_zip(session: nox.Session, blender: BlenderExecutable) -> tuple[Path, dict[str, str]]:
    """Build, validate and install the zip with Blender's own commands into an empty profile.

    Returns the zip and the environment in which Blender finds that profile.
    """
    name = f"{session.name.split('(')[0]}-{blender.suite}"
    folder = empty_folder(BUILD / f"zip-{name}")
    profile = empty_folder(folder / "profile")  # has to exist, or Blender reads the user's own
    # Blenders that run in parallel map thumbnails and shaders into memory that another Blender truncates.
    cache = BUILD / f"cache-{name}"
    cache.mkdir(parents=True, exist_ok=True)
    env = {"BLENDER_USER_RESOURCES": str(profile), "XDG_CACHE_HOME": str(cache)}
    extension = (*blender, "--command", "extension")
    build = (*extension, "build", "--source-dir", str(ROOT), "--output-dir", str(folder))
    session.run(*build, env=env, external=True)
    (package,) = folder.glob("*.zip")
    session.run(*extension, "validate", str(package), env=env, external=True)
    install = (*extension, "install-file", "--repo", "user_default", "--enable", str(package))
    session.run(*install, env=env, external=True)
    return package, env
