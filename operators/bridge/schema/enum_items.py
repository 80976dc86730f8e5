# SPDX-License-Identifier: GPL-3.0-or-later
"""Items of enums, from options and from registered types.

An item is stored under a number computed from its key, so that new items never change saved ones.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ....noise_core.base.params import title_of
from ....noise_core.maps.bases.map import Map
from ....noise_core.noises.bases.noise import noise_types

EnumItem = tuple[str, str, str, str, int]


def enum_number(key: str) -> int:
    """Return the number that files store for an enum's key; it never changes."""
    return zlib.crc32(key.encode()) & 0x7FFFFFFF


def enum_label(key: str) -> str:
    """Return the label of a key: "ping_pong" is Ping Pong, "fbm" is FBM, "exr" is EXR."""
    is_acronym = key in ("uv", "exr") or not set(key) & set("aeiouy")
    return key.upper() if is_acronym else title_of(key)


def enum_items(
    options: Mapping[str, str], labels: Mapping[str, str] | None = None
) -> list[EnumItem]:
    """Return the items of an enum from keys with their help."""
    labels = labels or {}
    return [
        (key, labels.get(key) or enum_label(key), text, "NONE", enum_number(key))
        for key, text in options.items()
    ]


def type_items(
    types: Mapping[str, Any], icon: Callable[[str], str] = lambda key: "NONE"
) -> list[EnumItem]:
    """Return the items of an enum of registered types, by key."""
    return [
        (key, cls.label, summary(cls), icon(key), enum_number(key)) for key, cls in types.items()
    ]


def grouped_items(items: Iterable[EnumItem], group: Callable[[str], str]) -> list[Any]:
    """Return items under one heading per group, in the order of the first item of each."""
    by_group: dict[str, list[EnumItem]] = {}
    for item in items:
        by_group.setdefault(group(item[0]), []).append(item)
    if len(by_group) < 2:
        return list(itertools.chain.from_iterable(by_group.values()))
    headed = ([("", name, "", "NONE", 0), *members] for name, members in by_group.items())
    return list(itertools.chain.from_iterable(headed))


def summary(cls: type) -> str:
    """Return the first line of a type's description, as a tooltip."""
    return (cls.__doc__ or "").strip().splitlines()[0].rstrip(".")


def map_summary(cls: type[Map]) -> str:
    """Return the first line of a map's description with its unit, as a tooltip."""
    return f"{summary(cls)}{f', in {cls.unit}' if cls.unit else ''}"


def noise_label(key: str) -> str:
    """Return the label of a noise type in menus."""
    return noise_types()[key].label
