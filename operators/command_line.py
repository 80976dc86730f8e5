# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of Blender: ``blender --command terrane export alps --target unreal --samples 2017``."""

from __future__ import annotations

from . import import_command, render_command
from .bridge.interface import command_line

MORE: command_line.Commands = {
    "import": (import_command, "import a heightmap as a terrain"),
    "render": (render_command, "render a preset or a recipe as a landscape"),
}
"""Commands that need Blender."""


def run(arguments: list[str]) -> int:
    """Do what arguments say, and return the exit status."""
    return command_line.run("blender --command terrane", arguments, MORE)
