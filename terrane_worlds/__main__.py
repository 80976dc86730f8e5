# SPDX-License-Identifier: GPL-3.0-or-later
"""Command line: ``python -m terrane_worlds build alps alps.zarr --samples 16384 --workers 2``."""

from __future__ import annotations

import functools
import sys
from types import MappingProxyType

from noise_core.commands import command_line

from .commands import build, export, info, picture, region, verify

COMMANDS: command_line.Commands = MappingProxyType(
    {
        "build": (build, "build a world into a Zarr store, or go on with it"),
        "info": (info, "say what a store holds"),
        "verify": (verify, "check that all files of a store are as they were built"),
        "picture": (picture, "draw a world, as large as its overviews"),
        "region": (region, "write a window of a world"),
        "export": (export, "write a world for other programs, a few rows at a time"),
    }
)


def main() -> int:
    """Run the command line with the arguments of this process, and return its exit status."""
    say = functools.partial(print, flush=True)
    note = functools.partial(say, file=sys.stderr)
    return command_line.run(sys.argv[1:], say, note, "terrane_worlds", COMMANDS)


if __name__ == "__main__":
    sys.exit(main())
