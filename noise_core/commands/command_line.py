# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of the command line, and the exit statuses of errors."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn, Protocol

from ..base.errors import ParameterError, RecipeError, TerraneError
from ..base.version import __version__
from . import build, draw, export, figures, land, presets, robots, schema, texture

Say = Callable[[str], object]
"""Prints a line."""


class Command(Protocol):
    """A command: a module with these functions."""

    def add_arguments(self, parser: argparse.ArgumentParser, /) -> None:
        """Declare the command's arguments."""

    def run(self, arguments: argparse.Namespace, say: Say, note: Say, /) -> None:
        """Run the command of some arguments; see `run`. Raise a TerraneError if that is impossible."""


Commands = Mapping[str, tuple[Command, str]]
"""Commands by their names, each with a line of help."""

COMMANDS: Commands = MappingProxyType(
    {
        "build": (build, "build lands: recipes, a picture of each, and a contact sheet"),
        "draw": (draw, "draw roads, rivers and other paths of a file with lines on a land"),
        "export": (export, "write heightmaps for engines, robots and maps"),
        "figures": (figures, "print geomorphic figures, and draw them beside measured land"),
        "land": (land, "make a recipe of measured land: files that are joined, a box of it"),
        "presets": (presets, "list the presets"),
        "robots": (robots, "write ground for robots: kinds as columns, difficulties as rows"),
        "schema": (schema, "print the JSON Schema of recipes"),
        "texture": (texture, "make a seamless texture that looks like an example image"),
    }
)
"""Those that need no Blender."""

FAILED, BAD_ARGUMENTS = 1, 2
"""Exit statuses; 0 is success."""


class _Parser(argparse.ArgumentParser):
    """Parser that raises its errors."""

    def error(self, message: str) -> NoReturn:
        raise ParameterError("{}: {}", self.prog, message)


def run(
    arguments: Sequence[str],
    say: Say,
    note: Say,
    program: str = "noise_core",
    commands: Commands = COMMANDS,
) -> int:
    """Run the command of some arguments, and return the exit status.

    Parameters
    ----------
    arguments : sequence of str
        Without the program's name.
    say, note : callable
        Print a line of the result, and of progress or an error.
    program : str
        How it is called, for help and messages.
    commands : mapping of str to Command and str
        Its commands.
    """
    parser = _Parser(prog=program, description="Procedural terrain on the command line.")
    parser.add_argument("--version", action="version", version=f"Terrane {__version__}")
    try:
        _add_commands(parser, commands)
        parsed = parser.parse_args(arguments)
        parsed.run(parsed, say, note)
    except (ParameterError, RecipeError) as error:
        note(f"error: {error}")
        return BAD_ARGUMENTS
    except TerraneError as error:
        note(f"error: {error}")
        return FAILED
    return 0


def _add_commands(parser: argparse.ArgumentParser, commands: Commands) -> None:
    """Declare the arguments of all commands; some name types, which may have to be imported."""
    parsers = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    for name, (command, text) in commands.items():
        command_parser = parsers.add_parser(name, help=text, description=text)
        command.add_arguments(command_parser)
        command_parser.set_defaults(run=command.run)
