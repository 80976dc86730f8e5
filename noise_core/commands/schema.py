# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that prints the JSON Schema of recipes."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from ..recipes.recipe_schema import recipe_schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--json", action="store_true", help="in one line")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Print the schema; see `command_line.run`."""
    indent = None if arguments.json else 1
    say(json.dumps(recipe_schema(), indent=indent, ensure_ascii=False, allow_nan=False))
