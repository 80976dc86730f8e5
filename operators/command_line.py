# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of Blender: ``blender --command terrane export alps --target unreal --samples 2017``."""

from __future__ import annotations

from .bridge.interface.registering import ConsoleCommand

NAME = "terrane"


def run(arguments: list[str]) -> int:
    """Do what arguments say, and return the exit status."""
    from . import render_command
    from .bridge.interface import command_line

    more = {"render": (render_command, "render a preset or a recipe as a landscape")}
    return command_line.run(f"blender --command {NAME}", arguments, more)


_own = ConsoleCommand(NAME, run)
register, unregister = _own.register, _own.unregister
