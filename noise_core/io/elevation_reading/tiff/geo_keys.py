# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of GeoTIFF, from the tags that hold them.

References
----------
OGC (2019). GeoTIFF standard 1.1, 19-008r4, section 7.1.
"""

from __future__ import annotations

from .directory import TiffDirectory

_KEYS, _DOUBLES, _TEXTS = 34735, 34736, 34737
_MOST_KEYS, _MOST_DOUBLES, _LONGEST = 512, 4096, 1 << 16


def read_keys(tags: TiffDirectory) -> dict[int, int | float | str]:
    """Return the values of the keys by their numbers; the first of several."""
    shorts = [int(value) for value in tags.numbers(_KEYS, 4 + 4 * _MOST_KEYS)]
    doubles = tags.doubles(_DOUBLES, _MOST_DOUBLES)
    texts = tags.numbers(_TEXTS, _LONGEST).tobytes().decode("latin-1")
    keys: dict[int, int | float | str] = {}
    for at in range(4, len(shorts) - 3, 4):
        key, place, count, value = shorts[at : at + 4]
        if place == 0:
            keys[key] = value
        elif place == _KEYS and value < len(shorts):
            keys[key] = shorts[value]
        elif place == _DOUBLES and count >= 1 and value < len(doubles):
            keys[key] = doubles[value]
        elif place == _TEXTS:
            keys[key] = texts[value : value + count].rstrip("|\0")
    return keys
