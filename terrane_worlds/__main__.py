# SPDX-License-Identifier: GPL-3.0-or-later
"""Command line: ``python -m terrane_worlds build alps alps.zarr --samples 16384 --workers 2``."""

from __future__ import annotations

import functools
import sys

from noise_core.commands import command_line

from .base.extra import require_extra


def main() -> int:
    """Run the command line with the arguments of this process, and return its exit status."""
    say = functools.partial(print, flush=True)
    note = functools.partial(say, file=sys.stderr)
    try:
        require_extra()
    except ImportError as error:
        note(f"error: {error}")
        return command_line.FAILED
    from .commands.all_commands import COMMANDS  # needs the extra

    return command_line.run(sys.argv[1:], say, note, "terrane_worlds", COMMANDS)


if __name__ == "__main__":
    sys.exit(main())
