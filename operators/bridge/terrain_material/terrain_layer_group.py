# SPDX-License-Identifier: GPL-3.0-or-later
"""The group that lays one kind of ground over those below it."""

from __future__ import annotations

from typing import Any

from ..nodes.node_building import ANY, FAR, SHARE, Builder

_CRISP = 0.12
"""Over which part of the noise a spot of a broken edge fades."""

_HEAPED = 0.266
"""Half the width of a smooth step that makes ribs even from 0 to 1. They are about normal, with a
measured standard deviation of 0.1416; a smooth step 1.88 times as wide is as steep in its middle."""


def write_layer(group: Builder) -> None:
    """Write a layer: what lies below, what it is like, where it lies."""
    _sockets(group)
    given = group.begin().outputs
    mask = _mask(group, given)
    own = _color(group, given)
    bumps = group.joined(given["Ground Bump"], given["Rock Bump"], given["Crown Bump"], "Bumps")
    kept = group.inverse(group.product(mask, given["Smothers"]))
    bumps = group.vector(
        "ADD", group.vector("SCALE", bumps, mask), group.vector("SCALE", given["Bumps Below"], kept)
    )
    group.end(
        Color=group.mixed(mask, given["Color Below"], own),
        Roughness=group.mixed_numbers(mask, given["Roughness Below"], given["Roughness"]),
        Bumps=bumps,
        Mask=mask,
    )  # fmt: skip


def _sockets(group: Builder) -> None:
    number, color = group.number_socket, group.color_socket
    group.outputs("NodeSocketColor", [("Color", "Of all layers up to this one")])
    group.outputs(
        "NodeSocketFloat",
        (
            ("Roughness", "Of all layers up to this one"),
            ("Mask", "How much this layer covers, from 0 to 1"),
        ),
    )
    group.outputs("NodeSocketVector", [("Bumps", "Of all layers up to this one")])
    look = group.panel("Look")
    color("Color", (0.5, 0.5, 0.5), "What it looks like", look)
    color("Second Color", (0.4, 0.4, 0.4), "What takes turns with it", look)
    number("Tint", 0.0, SHARE, "How much of the second color comes with height", look, "FACTOR")
    number("Roughness", 0.95, SHARE, "0 is a mirror, 1 is chalk", look, "FACTOR")
    number("Detail", 0.6, SHARE, "How much the detail changes the color", look, "FACTOR")
    for name, text in (
        ("Ground Bump", "Height in meters of stones, ripples or blades"),
        ("Rock Bump", "Height in meters of cracks and ribs"),
        ("Crown Bump", "Height in meters of crowns of trees"),
    ):
        number(name, 0.0, (0.0, FAR), text, look, "DISTANCE")
    number("Smothers", 0.7, SHARE, "How much of the bumps below it covers", look, "FACTOR")
    where = group.panel("Limits")
    number(
        "Amount", 1.0, (-10.0, 10.0), "Share of the ground within the limits that is covered", where
    )
    number("Softness", 0.15, SHARE, "How soft the edges of patches are", where, "FACTOR")
    number(
        "Lowest",
        -10.0,
        ANY,
        "Height below which there is none: from 0 (foot) to 1 (top), or meters above the water",
        where,
    )
    number("Highest", 10.0, ANY, "Height above which there is none", where)
    number("Height Fade", 0.1, (1e-6, FAR), "Over which height it fades", where)
    number("Flattest", -90.0, (-180.0, 180.0), "Slope in degrees below which there is none", where)
    number("Steepest", 180.0, (-180.0, 360.0), "Slope in degrees above which there is none", where)
    number("Slope Fade", 8.0, (1e-6, 180.0), "Over how many degrees it fades", where)
    number(
        "Steeper", 0.0, (-180.0, 180.0), "Degrees by which Steepest grows from foot to top", where
    )
    number("Ragged", 0.5, (0.0, 10.0), "How far noise pushes the limits, in their fades", where)
    number(
        "Broken", 0.0, SHARE,
        "How far edges break up into spots instead of fading: half covered is then half of the spots",
        where, "FACTOR",
    )  # fmt: skip
    reach = group.panel("Traces")
    for name, text in (
        ("Flow", "Added to the amount where rivers are near; less than 0 takes away"),
        ("Wear", "Added to the amount where most has been worn away"),
        ("Deposit", "Added to the amount where most has been left"),
        ("Curvature", "Added to the amount on edges, taken away in crevices"),
    ):
        number(name, 0.0, (-10.0, 10.0), text, reach)
    linked = group.panel("From Masks", closed=True)
    group.vector_socket("Place", "Height, slope, curvature: Place or Shore of the masks", linked)
    group.vector_socket("Traces", "Flow, wear, deposit: one of the traces of the masks", linked)
    group.vector_socket("Noises", "Noises of the masks", linked)
    number("Grain", 0.5, SHARE, "Ribs of the masks: the spots that edges break up into", linked)
    details = group.panel("From Details", closed=True)
    color("Detail Color", (1.0, 1.0, 1.0), "Multiplies the color; 1 changes nothing", details)
    below = group.panel("From Below", closed=True)
    color("Color Below", (0.5, 0.5, 0.5), "Of the layers below", below)
    number("Roughness Below", 0.95, SHARE, "Of the layers below", below, "FACTOR")
    group.vector_socket("Bumps Below", "Of the layers below, in meters", below)


def _mask(group: Builder, given: Any) -> Any:
    height, slope, bend = group.parts(given["Place"], "Place")
    traces = (*group.parts(given["Traces"], "Traces"), bend)
    patches, push, _ = group.parts(given["Noises"], "Noises")
    push = group.product(push, given["Ragged"], label="Push")
    rise = group.product(given["Steeper"], height)
    by_height = _band(group, height, push, given["Lowest"], given["Highest"], given["Height Fade"])
    by_slope = _band(
        group, slope, push, given["Flattest"], group.total(given["Steepest"], rise),
        given["Slope Fade"],
    )  # fmt: skip
    amount = given["Amount"]
    for name, trace in zip(("Flow", "Wear", "Deposit", "Curvature"), traces, strict=True):
        # Not in one node: Cycles leaves out a product with 0, and a sum with it.
        amount = group.total(amount, group.product(given[name], trace))
    # Of the noise, which is even from 0 to 1, the share `amount` lies above the edge of patches.
    soft = group.math("MAXIMUM", group.product(given["Softness"], 2.0), 1e-3)
    lack = group.product(group.inverse(amount), group.total(soft, 1.0))
    over = group.math("SUBTRACT", patches, lack)
    covered = group.ranged(over, group.product(soft, -1.0), 0.0, smooth=True, label="Patches")
    return _broken(group, group.product(by_height, by_slope, covered), given)


def _broken(group: Builder, share: Any, given: Any) -> Any:
    """Return 1 in a share of the grains and 0 in the others, or the share itself, or between."""
    even = group.ranged(given["Grain"], 0.5 - _HEAPED, 0.5 + _HEAPED, smooth=True, label="Even")
    # Where all or nothing is covered, no spot is to differ.
    over = group.math("MULTIPLY_ADD", share, 1.0 + 2.0 * _CRISP, -_CRISP)
    over = group.math("SUBTRACT", over, even)
    spots = group.ranged(over, -_CRISP, _CRISP, smooth=True, label="Spots")
    return group.mixed_numbers(given["Broken"], share, spots)


def _band(group: Builder, value: Any, push: Any, low: Any, high: Any, fade: Any) -> Any:
    """Return 1 between two limits, 0 beyond, with soft and ragged edges."""
    pushed = group.math("MULTIPLY_ADD", push, fade, value)
    inside = group.math(
        "MINIMUM", group.math("SUBTRACT", pushed, low), group.math("SUBTRACT", high, pushed)
    )
    return group.ranged(group.math("DIVIDE", inside, fade), -0.5, 0.5, smooth=True, label="Within")


def _color(group: Builder, given: Any) -> Any:
    height, _, _ = group.parts(given["Place"])
    _, _, turns = group.parts(given["Noises"])
    high = group.product(given["Tint"], group.total(height, -0.45))
    share = group.math("ADD", turns, high, clamp=True)
    color = group.mixed(share, given["Color"], given["Second Color"])
    return group.mixed(given["Detail"], color, given["Detail Color"], "MULTIPLY")
