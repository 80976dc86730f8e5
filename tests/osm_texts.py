# SPDX-License-Identifier: GPL-3.0-or-later
"""Extracts of OpenStreetMap, written as its editors write them."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr


class Extract:
    """Nodes, ways and relations of an extract; nodes at one place are one."""

    def __init__(self):
        self.nodes, self.ways, self.relations = {}, [], []

    def way(self, places, **tags):
        """Add a way through longitudes and latitudes; return its number."""
        numbers = [self.nodes.setdefault(tuple(place), 100 + len(self.nodes)) for place in places]
        self.ways.append((numbers, tags))
        return len(self.ways)

    def relation(self, members, **tags):
        """Add a multipolygon of pairs of a way and its role."""
        self.relations.append((members, {"type": "multipolygon", **tags}))

    def text(self, head='<?xml version="1.0" encoding="UTF-8"?>', leave_out=()):
        """Return the file, without some nodes and ways."""
        lines = [head, '<osm version="0.6" generator="test">']
        for (x, y), number in self.nodes.items():
            if number not in leave_out:
                lines.append(f'<node id="{number}" lat="{y!r}" lon="{x!r}" visible="true"/>')
        for number, (nodes, tags) in enumerate(self.ways, 1):
            if number not in leave_out:
                inner = "".join(f'<nd ref="{node}"/>' for node in nodes) + _tags(tags)
                lines.append(f'<way id="{number}">{inner}</way>')
        for number, (members, tags) in enumerate(self.relations, 1):
            parts = (f'<member type="way" ref="{way}" role="{role}"/>' for way, role in members)
            lines.append(f'<relation id="{number}">{"".join(parts)}{_tags(tags)}</relation>')
        return "\n".join([*lines, "</osm>"])


def _tags(tags):
    return "".join(f"<tag k={quoteattr(key)} v={quoteattr(text)}/>" for key, text in tags.items())


def cut(chance, ring):
    """Return a ring, without its first place again, as pieces that share their ends, in any order and direction."""
    count = chance.randint(1, min(5, len(ring) - 1))
    at = sorted(chance.sample(range(len(ring)), count))
    turned = ring[at[0] :] + ring[: at[0]]
    ends = [start - at[0] for start in at] + [len(ring)]
    whole = [*turned, turned[0]]
    pieces = [whole[start : end + 1] for start, end in zip(ends, ends[1:])]
    pieces = [piece[::-1] if chance.random() < 0.5 else piece for piece in pieces]
    chance.shuffle(pieces)
    return pieces


def star(chance, middle, radius, corners):
    """Return the corners of a drawn polygon around a place, anticlockwise, no two of its edges crossing."""
    import math

    angles = sorted(chance.uniform(0.0, math.tau) for _ in range(corners))
    radii = [radius * chance.uniform(0.4, 1.0) for _ in angles]
    return [
        (middle[0] + size * math.cos(angle), middle[1] + size * math.sin(angle))
        for angle, size in zip(angles, radii)
    ]
