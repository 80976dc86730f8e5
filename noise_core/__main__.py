# SPDX-License-Identifier: GPL-3.0-or-later
"""Command line: ``python -m noise_core export alps --target unreal --samples 2017``."""

from __future__ import annotations

import functools
import sys

from .commands.command_line import run

if __name__ == "__main__":
    say = functools.partial(print, flush=True)
    sys.exit(run(sys.argv[1:], say, functools.partial(say, file=sys.stderr)))
