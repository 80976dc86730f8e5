# SPDX-License-Identifier: GPL-3.0-or-later
"""What the examples share: where Terrane comes from, arguments from declarations, one-line errors.

The examples run in three ways:

* in a Blender that has Terrane installed;
* in a Blender that has not, from a checkout: the package around this folder is then registered as it
  is, under the name `terrane`, for this run only;
* with Blender as a Python module (``pip install bpy``): ``python examples/terrain.py -- ...``.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import bpy

ROOT = Path(__file__).resolve().parents[1]
BAD_ARGUMENTS = 2


@functools.cache
def load() -> ModuleType:
    """Return the package of Terrane, registered: the installed one, or else this checkout's."""
    import addon_utils  # found only after bpy is imported

    for module in addon_utils.modules():
        if module.__name__.startswith("bl_ext.") and module.__name__.endswith(".terrane"):
            enabled = addon_utils.enable(module.__name__)
            if enabled is not None:
                return enabled
    location = ROOT / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        "terrane", location, submodule_search_locations=[str(ROOT)]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules["terrane"] = package
    spec.loader.exec_module(package)
    package.register()
    return package


def part(package: ModuleType, name: str) -> ModuleType:
    """Return a module of Terrane."""
    return importlib.import_module(f"{package.__name__}.{name}")


def empty_scene() -> None:
    """Remove what a new file begins with."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    bpy.data.orphans_purge(do_recursive=True)


class Parser(argparse.ArgumentParser):
    """Reads what stands after ``--``; a mistake is one line and exit status 2."""

    def __init__(self, package: ModuleType, description: str) -> None:
        """Begin with the arguments that every example has."""
        script = Path(sys.argv[0] if not bpy.app.binary_path else _script_argument()).name
        super().__init__(prog=script, description=description, allow_abbrev=False)
        self._keywords = part(package, "operators.bridge.schema.keywords")
        names = part(package, "noise_core.landscapes.preset_library").preset_names()
        self.add_argument("--preset", choices=names, metavar="NAME", help=", ".join(names))
        for name in self._keywords.NOISE_KEYWORDS:
            self.add_declared(self._keywords.keywords()[name])

    def add_declared(self, parameter: Any) -> None:
        """Add an argument for a declared parameter, with its limits and its help."""
        flag = f"--{parameter.name.replace('_', '-')}"
        text = parameter.help.replace("%", "%%")
        if parameter.kind == "boolean":
            action = argparse.BooleanOptionalAction
            self.add_argument(flag, action=action, default=None, help=text)
        elif parameter.kind == "choice":
            keys = tuple(parameter.options)
            text = f"{text}: {', '.join(keys)}"
            self.add_argument(flag, choices=keys, metavar="NAME", help=text)
        elif parameter.kind == "vector":
            self.add_argument(flag, type=float, nargs=parameter.size, metavar="N", help=text)
        else:
            self.add_argument(flag, type=_checked(parameter), metavar="N", help=text)

    def add_output(self, flag: str, *suffixes: str, help: str, required: bool = False) -> None:
        """Add an argument for a file that will be written."""
        names = ", ".join(suffixes)
        self.add_argument(
            flag, type=_writable(suffixes), metavar="FILE", required=required,
            help=f"{help} ({names})",
        )  # fmt: skip

    def add_count(self, flag: str, default: int, limits: tuple[int, int], help: str) -> None:
        """Add an argument for a whole number that is not Terrane's."""

        def parse(text: str) -> int:
            if not text.isdecimal() or not limits[0] <= int(text) <= limits[1]:
                low, high = limits
                raise argparse.ArgumentTypeError(f"must be in [{low}, {high}]; got {text!r}")
            return int(text)

        self.add_argument(flag, type=parse, default=default, metavar="N", help=help)

    def add_render(self) -> None:
        """Add the arguments for rendering a picture."""
        self.add_output("--render", ".png", help="the picture to render")
        self.add_count("--samples", 64, (1, 4096), "of the render; more is cleaner and slower")
        self.add_count("--pixels", 1280, (64, 8192), "width of the picture")

    def parse(self) -> argparse.Namespace:
        """Return the arguments after ``--``."""
        start = sys.argv.index("--") + 1 if "--" in sys.argv else len(sys.argv)
        if start == len(sys.argv) and not bpy.app.binary_path and "--" not in sys.argv:
            start = 1
        return self.parse_args(sys.argv[start:])

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line and leave."""
        print(f"{self.prog}: {message}", file=sys.stderr)
        leave(BAD_ARGUMENTS)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Leave, as after ``--help``."""
        if message:
            print(message, end="", file=sys.stderr)
        leave(status)


def given(arguments: argparse.Namespace, *left_out: str) -> dict[str, Any]:
    """Return the operator's keywords: what was given on the command line."""
    return {
        name: value
        for name, value in vars(arguments).items()
        if value is not None and name not in left_out
    }


def render(path: Path, samples: int, width: int) -> None:
    """Render the scene with Cycles, as wide as told and 16:9."""
    package = load()
    renders = part(package, "operators.bridge.scene.renders")
    size = {"columns": width, "rows": width * 9 // 16}
    try:
        renders.render(bpy.context.scene, path, "cycles", samples=samples, **size)
    except part(package, "noise_core").TerraneError as error:
        raise RuntimeError(error) from error
    print(f"rendered {path}")


def save(path: Path) -> None:
    """Save the Blender file."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
    print(f"saved {path}")


def run(main: Callable[[], None]) -> NoReturn:
    """Run an example; what an operator refuses is one line and exit status 2."""
    status = 1
    try:
        main()
        status = 0
    except RuntimeError as error:  # how Blender hands on what an operator reports
        print(str(error).strip().removeprefix("Error: "), file=sys.stderr)
        status = BAD_ARGUMENTS
    finally:
        if status == 1:
            traceback.print_exc()
        # Blender itself would end with status 0 after an exception.
        leave(status)


def leave(status: int) -> NoReturn:
    """End Blender with an exit status, at once: its module of 4.2 and 4.5 does not end cleanly."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _script_argument() -> str:
    for flag in ("--python", "-P"):
        if flag in sys.argv:
            return sys.argv[sys.argv.index(flag) + 1]
    return sys.argv[0]


def _checked(parameter: Any) -> Callable[[str], Any]:
    convert = int if parameter.kind == "integer" else float

    def parse(text: str) -> Any:
        try:
            value = convert(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a number; got {text!r}") from None
        try:
            return parameter.check(value, "")
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error).lstrip(".")) from None

    return parse


def _writable(suffixes: tuple[str, ...]) -> Callable[[str], Path]:
    def parse(text: str) -> Path:
        path = Path(text).expanduser().absolute()
        if path.suffix.lower() not in suffixes:
            raise argparse.ArgumentTypeError(f"must end in {' or '.join(suffixes)}; got {text!r}")
        if not _mode(path.parent) or not path.parent.is_dir():
            raise argparse.ArgumentTypeError(f"there is no folder {path.parent}")
        there = path if _mode(path) else path.parent
        if (there == path and path.is_dir()) or not os.access(there, os.W_OK):
            raise argparse.ArgumentTypeError(f"cannot write {path}")
        return path

    return parse


def _mode(path: Path) -> int:
    """Return what kind of thing is there, 0 if nothing is; a name that cannot be is refused."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot write {path}: {error.strerror}") from None
