# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that checks whether a store is as it was built."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from ..store import checksums
from ..store.attributes import finished_attributes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("store", help="a Zarr store that was built")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Read all files of the store; see `noise_core.commands.command_line.run`.

    Raises
    ------
    WorldError
        If one is missing or damaged, or the store is not finished.
    """
    store = Path(arguments.store)
    digest = finished_attributes(store)["digest"]
    count = checksums.check_files(store)
    say(f"{store}: all {count} files are as they were built, digest {digest}")
