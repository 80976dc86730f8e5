# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of the command line, and what becomes of errors."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from ..base.errors import ParameterError, RecipeError, TerraneError
from . import export

Say = Callable[[str], object]
"""Prints a line."""

FAILED, BAD_ARGUMENTS = 1, 2
"""Exit statuses; 0 is success."""


class _Parser(argparse.ArgumentParser):
    """Parser that raises its errors."""

    def error(self, message: str) -> NoReturn:
        raise ParameterError("{}: {}", self.prog, message)


def run(arguments: Sequence[str], say: Say, note: Say) -> int:
    """Do what arguments say, and return the exit status.

    Parameters
    ----------
    arguments : sequence of str
        Without the program's name.
    say, note : callable
        Print a line of the result, and of progress or an error.
    """
    parser = _Parser(prog="noise_core", description="Procedural terrain without Blender.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    export.add_arguments(
        commands.add_parser("export", help="write heightmaps for engines, robots and maps")
    )
    try:
        export.run(parser.parse_args(arguments), say, note)
    except (ParameterError, RecipeError) as error:
        note(f"error: {error}")
        return BAD_ARGUMENTS
    except TerraneError as error:
        note(f"error: {error}")
        return FAILED
    return 0
