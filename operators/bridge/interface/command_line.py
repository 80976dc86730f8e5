# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands for ``blender --command``: those of the core, and others that need Blender.

Results go to the standard output, progress and errors to the standard error.
"""

# ruff: noqa: F401

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout

from ....noise_core.commands.command_line import COMMANDS, Commands, Say
from ....noise_core.commands.command_line import run as run_command
from ....noise_core.commands.options import options_of
from ....noise_core.commands.sources import new_files, pair_of, source_of


def run(program: str, arguments: Sequence[str], more: Commands) -> int:
    """Run the command in the arguments, and return the exit status.

    Parameters
    ----------
    program : str
        How it is called, for help and messages.
    arguments : sequence of str
        Without the program's name.
    more : mapping of str to Command and str
        Commands besides the core's.
    """
    say = functools.partial(print, flush=True)
    note = functools.partial(say, file=sys.stderr)
    return run_command(arguments, say, note, program, {**COMMANDS, **more})


@contextmanager
def redirect_output() -> Iterator[None]:
    """Send Blender's own output to the standard error: statistics of a render, names of files."""
    _flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):  # reports of operators come that way
            yield
    finally:
        _flush()
        os.dup2(kept, 1)
        os.close(kept)


def _flush() -> None:
    """Flush the output buffers of Python and of Blender."""
    sys.stdout.flush()
    ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).fflush(None)
