# SPDX-License-Identifier: GPL-3.0-or-later
"""Command line: ``python -m noise_core export alps --target unreal --samples 2017``, or ``terrane-core export ...``."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

from .commands.command_line import run


def main() -> int:
    """Run the command line with the arguments of this process, and return its exit status."""
    program = Path(sys.argv[0]).stem  # "__main__" if Python runs the package
    say = functools.partial(print, flush=True)
    note = functools.partial(say, file=sys.stderr)
    return run(sys.argv[1:], say, note, "noise_core" if program == "__main__" else program)


if __name__ == "__main__":
    sys.exit(main())
