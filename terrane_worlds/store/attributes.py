# SPDX-License-Identifier: GPL-3.0-or-later
"""Attributes of groups: facts about a store, with a checksum of them.

Groups are a file each, which is written here in one piece and flushed to the disk; zarr would do neither.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from noise_core.base.errors import format_value

from ..base import durable
from ..base.errors import DamageError, WorldError
from . import checksums

FORMAT = 1
"""Version of the layout."""

METADATA = "zarr.json"
"""File of a group or an array."""

_CHECK = "check"
"""Attribute with the CRC-32C of the others."""


def write_group(folder: Path, attributes: Mapping[str, object] | None = None) -> None:
    """Make a group with these attributes, or give it these instead of others.

    Raises
    ------
    TerraneError
        If it cannot be written.
    """
    plain = dict(attributes or {})
    if plain:
        plain[_CHECK] = _check_of(plain)
    content = {"zarr_format": 3, "node_type": "group", "attributes": plain}
    durable.make_folder(folder)
    durable.write(folder / METADATA, [json.dumps(content, indent=2).encode()])


def attributes_of(store: Path) -> dict[str, Any]:
    """Return the attributes of a store. One that is finished has a digest; its metadata is checked.

    Raises
    ------
    WorldError
        If there is no store, or it is no world, damaged or of a later layout.
    """
    if not store.exists():
        raise WorldError("{}: there is no such store", store)
    attributes = _read(store / METADATA)
    layout = attributes.get("world")
    if isinstance(layout, bool) or not isinstance(layout, int) or layout < 1:
        raise WorldError("{}: is of no world of Terrane", store / METADATA)
    if layout > FORMAT:
        raise WorldError(
            "{}: layout {} is newer than this Terrane reads ({}); update Terrane",
            *(store, layout, FORMAT),
        )
    check = attributes.pop(_CHECK, None)
    if check != _check_of(attributes):
        raise DamageError("{}: is damaged: its checksum does not fit", store / METADATA)
    if checksums.read(store) is None:
        attributes.pop("digest", None)
    else:
        checksums.check_files(store, lambda path: path.endswith(METADATA))
    return attributes


def check_identity(store: Path, identity: Mapping[str, object]) -> dict[str, Any]:
    """Return the attributes of a store, or raise a WorldError if it holds something else."""
    attributes = attributes_of(store)
    for name, value in identity.items():
        if attributes.get(name) != value:
            raise WorldError(
                "{}: holds another world, whose {} differs: choose another name, or remove it",
                store,
                name,
            )
    return attributes


def finished_attributes(store: Path) -> dict[str, Any]:
    """Return the attributes of a store; raise a WorldError if it is not finished. See `attributes_of`."""
    attributes = attributes_of(store)
    if "digest" not in attributes:
        raise WorldError("{}: is not finished: go on with its build", store)
    return attributes


def _read(path: Path) -> dict[str, Any]:
    try:
        attributes: dict[str, Any] = json.loads(path.read_bytes())["attributes"]
        if not isinstance(attributes, dict):
            raise ValueError(f"attributes must be an object; got {format_value(attributes)}")
    except OSError as error:
        raise WorldError("{}: cannot be read: {}", path, error.strerror) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DamageError("{}: is damaged: {}", path, error) from error
    return attributes


def _check_of(attributes: Mapping[str, object]) -> str:
    plain = json.dumps(attributes, sort_keys=True, separators=(",", ":"))
    return f"{durable.crc_of(plain.encode()):08x}"
