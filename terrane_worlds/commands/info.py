# SPDX-License-Identifier: GPL-3.0-or-later
"""Command that describes a store."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..builds.budget import format_bytes, size_of
from ..edges.notes import EDGES
from ..store.attributes import attributes_of
from ..store.layout import HEIGHT, array_facts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("store", help="a Zarr store that was built")
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def run(
    arguments: argparse.Namespace, say: Callable[[str], object], note: Callable[[str], object]
) -> None:
    """Describe a store; see `noise_core.commands.command_line.run`.

    Raises
    ------
    WorldError
        If it is no world.
    """
    store = Path(arguments.store)
    facts = attributes_of(store)
    arrays = {name: array_facts(store / name) for name in (HEIGHT, *facts["maps"])}
    edges = size_of(store / EDGES) if facts["edges"] is not None else 0
    if arguments.json:
        sizes = {"bytes": size_of(store), "edges_bytes": edges}
        say(json.dumps({**facts, "arrays": arrays, **sizes}))
        return
    state = f"digest {facts['digest']}" if "digest" in facts else "not finished"
    say(f"{store}: {state}")
    say(f"{facts['rows']} x {facts['columns']} samples in tiles of {facts['tile']}{_edges(facts)}")
    say(f"{facts['width']:g} x {facts['depth']:g} m, {facts['spacing']:g} m a sample")
    for name, entry in arrays.items():
        has_range = "minimum" in entry
        say(
            f"{name}: {entry['minimum']:g} to {entry['maximum']:g}"
            if has_range
            else f"{name}: unknown"
        )
    if facts["edges"] is not None:
        share = edges / (4 * facts["rows"] * facts["columns"])
        kind = ", without samples" if facts["edges"] == "only" else ""
        say(f"edges: {format_bytes(edges)}, {100 * share:.1f} % of the heights{kind}")
    say(f"seed {facts['seed']}, {facts['software']}, {format_bytes(size_of(store))} on disk")


def _edges(facts: dict[str, Any]) -> str:
    return ", meeting themselves at the edges" if facts["wrap"] else ""
