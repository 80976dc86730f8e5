# SPDX-License-Identifier: GPL-3.0-or-later
"""A few knobs for a tree of noises: what panels, operators and scripts offer of any recipe.

A recipe may be any tree, but most have a *spine*: the way from the root through each type's first
child down to a noise without children, the *leaf*. The knobs stand for what lies on it:

* ``noise``, ``frequency``: the leaf's type and frequency;
* ``fractal``, ``octaves``, ``persistence``, ``lacunarity``: the first `Fractal` on the way, whose
  kind is ``"none"`` if there is none;
* ``warp``: the strength of the first `Warp` on the way, 0 if there is none.

Turning one knob leaves the rest of the tree as it is; turning none gives the identical tree.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import cast

from .errors import ParameterError
from .noise import Noise, noise_types
from .noises.fractal import Fractal
from .noises.warp import Warp

NONE = "none"
"""The fractal knob's value for no fractal."""

_OF_FRACTALS = ("octaves", "persistence", "lacunarity")
"""Knobs that only a fractal has."""

Values = Mapping[str, object]
"""Parameters by name."""


@dataclasses.dataclass(frozen=True)
class Step:
    """One noise on the way to the leaf, and the name of the parameter that leads on."""

    noise: Noise
    child: str


@dataclasses.dataclass(frozen=True)
class Spine:
    """The way through a tree of noises.

    Attributes
    ----------
    root, leaf : Noise
        Its ends; the same noise if it has no children.
    steps : tuple of Step
        From the root to the leaf's parent.
    """

    root: Noise
    leaf: Noise
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, root: Noise) -> Spine:
        """Return the spine of a tree."""
        steps = []
        noise = root
        while (child := primary_child(type(noise))) is not None:
            steps.append(Step(noise, child))
            noise = getattr(noise, child)
        return cls(root, noise, tuple(steps))

    @property
    def fractal(self) -> Fractal | None:
        """The first fractal on the way."""
        return next((step.noise for step in self.steps if isinstance(step.noise, Fractal)), None)

    @property
    def warp(self) -> Warp | None:
        """The first warp on the way."""
        return next((step.noise for step in self.steps if isinstance(step.noise, Warp)), None)

    @property
    def frequency(self) -> float | None:
        """The leaf's frequency, or else the first in the tree; None if nothing has one."""
        return next(
            (
                cast(float, parts(noise)["frequency"])
                for noise in (self.leaf, *_all(self.root))
                if _has_frequency(type(noise))
            ),
            None,
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Knobs:
    """Values of the knobs; None leaves what is there."""

    noise: str | None = None
    frequency: float | None = None
    fractal: str | None = None
    octaves: float | None = None
    persistence: float | None = None
    lacunarity: float | None = None
    warp: float | None = None


def primary_child(cls: type[Noise]) -> str | None:
    """Return the name of the parameter that holds a type's first child, None for a leaf type."""
    return next((one.name for one in cls.parameters() if one.kind == "noise"), None)


def leaf_types() -> Mapping[str, type[Noise]]:
    """Return the noise types without children, by key."""
    return {key: cls for key, cls in noise_types().items() if primary_child(cls) is None}


def is_picture(key: str) -> bool:
    """Return whether a leaf type shows a stored picture; False for a key that is not known.

    A picture is shown as it is when it is chosen: octaves would lay smaller copies of it over it.
    """
    cls = leaf_types().get(key)
    return cls is not None and any(one.kind == "pixels" for one in cls.parameters())


def knobs(noise: Noise) -> Knobs:
    """Return the knobs as a tree has them; those of a missing fractal are None."""
    spine = Spine.of(noise)
    fractal, warp = spine.fractal, spine.warp
    return Knobs(
        noise=spine.leaf.key,
        frequency=spine.frequency,
        fractal=NONE if fractal is None else fractal.kind,
        octaves=None if fractal is None else fractal.octaves,
        persistence=None if fractal is None else fractal.persistence,
        lacunarity=None if fractal is None else fractal.lacunarity,
        warp=0.0 if warp is None else warp.strength,
    )


def with_knobs(noise: Noise, turned: Knobs) -> Noise:
    """Return the tree with some knobs turned.

    Octaves and the like bring a plain fractal with them where there is none, unless `turned`
    says ``fractal="none"``. A picture that takes the place of another noise has no fractal and a
    frequency of 1, unless `turned` says more; see `is_picture`.

    Raises
    ------
    ParameterError
        If a value is not allowed.
    """
    spine = Spine.of(noise)
    turned = _with_picture_as_it_is(spine, turned)
    return with_parts(
        noise,
        leaf=_leaf(spine, turned.noise),
        fractal=_fractal_values(spine, turned),
        warp=_warp_values(spine, turned.warp),
        frequency=turned.frequency,
    )


def with_parts(
    noise: Noise,
    *,
    leaf: Noise,
    fractal: Values | None,
    warp: Values | None,
    frequency: float | None = None,
) -> Noise:
    """Return the tree with the parts of its spine replaced.

    Parameters
    ----------
    noise : Noise
        The tree as it is.
    leaf : Noise
        Stands in for its leaf.
    fractal, warp : mapping of str to value, or None
        Parameters of the first fractal and the first warp, without their source. Where there is
        no such noise it is put in: the fractal around the leaf, the warp around the fractal.
        None takes it out.
    frequency : float, optional
        If given and not what the tree has, the frequencies of the whole tree are scaled by the
        same ratio, so that the picture keeps its composition.

    Raises
    ------
    ParameterError
        If a value is not allowed.
    """
    spine = Spine.of(noise)
    old_fractal, old_warp = spine.fractal, spine.warp
    node = leaf
    if old_fractal is None:
        node = _wrapped(Fractal, node, fractal)
        if old_warp is None:
            node = _wrapped(Warp, node, warp)
    for step in reversed(spine.steps):
        if step.noise is old_fractal:
            node = _rebuilt(step, node, fractal)
            if old_warp is None:
                node = _wrapped(Warp, node, warp)
        elif step.noise is old_warp:
            node = _rebuilt(step, node, warp)
        else:
            node = _rebuilt(step, node, {})
    return _with_frequency(node, frequency)


def with_leaf(noise: Noise, leaf: Noise) -> Noise:
    """Return the tree with another leaf at the end of its spine."""
    for step in reversed(Spine.of(noise).steps):
        leaf = _rebuilt(step, leaf, {})
    return leaf


def parts(noise: Noise, without: frozenset[str] = frozenset()) -> Values:
    """Return a noise's own parameters by name, without its primary child."""
    left_out = without | {primary_child(type(noise)) or ""}
    return {
        one.name: getattr(noise, one.name) for one in noise.parameters() if one.name not in left_out
    }


def scaled(noise: Noise, old: float, new: float) -> Noise:
    """Return the tree with all frequencies multiplied by new / old, and `old` itself exactly `new`."""
    values: dict[str, object] = {}
    for parameter in noise.parameters():
        value = getattr(noise, parameter.name)
        if isinstance(value, Noise):
            values[parameter.name] = scaled(value, old, new)
        elif parameter.unit == "frequency" and isinstance(value, float):
            values[parameter.name] = new if value == old else value * (new / old)
    return _changed(noise, values)


def _leaf(spine: Spine, key: str | None) -> Noise:
    if key is None or key == spine.leaf.key:
        return spine.leaf
    types = leaf_types()
    if key not in types:
        raise ParameterError("{} must be one of {}; got {}", "noise", ", ".join(types), repr(key))
    if _has_frequency(types[key]) and spine.frequency is not None:
        return types[key](**{"frequency": spine.frequency})
    return types[key]()


def _with_picture_as_it_is(spine: Spine, turned: Knobs) -> Knobs:
    if turned.noise is None or turned.noise == spine.leaf.key or not is_picture(turned.noise):
        return turned
    has_octaves = any(getattr(turned, name) is not None for name in _OF_FRACTALS)
    fractal = turned.fractal or (None if has_octaves else NONE)
    frequency = 1.0 if turned.frequency is None else turned.frequency
    return dataclasses.replace(turned, fractal=fractal, frequency=frequency)


def _fractal_values(spine: Spine, turned: Knobs) -> Values | None:
    given = {name: value for name in _OF_FRACTALS if (value := getattr(turned, name)) is not None}
    if turned.fractal == NONE:
        return None
    if turned.fractal is not None:
        given["kind"] = turned.fractal
    if spine.fractal is None:
        return given or None
    return {**parts(spine.fractal), **given}


def _warp_values(spine: Spine, strength: float | None) -> Values | None:
    if spine.warp is None:
        return {"strength": strength} if strength else None
    if strength is None or strength == spine.warp.strength:
        return parts(spine.warp)
    return {**parts(spine.warp), "strength": strength} if strength else None


def _wrapped(cls: type[Noise], node: Noise, values: Values | None) -> Noise:
    """Return a new noise of type `cls` around `node`, or `node` itself."""
    if values is None:
        return node
    return cls(**{str(primary_child(cls)): node, **values})


def _rebuilt(step: Step, node: Noise, values: Values | None) -> Noise:
    """Return a step of the spine above a new child, or that child if the step is taken out."""
    return node if values is None else _changed(step.noise, {step.child: node, **values})


def _changed(noise: Noise, values: Values) -> Noise:
    """Return `noise` itself if it has all these values already."""
    if all(
        value is getattr(noise, name) or _equal(value, getattr(noise, name))
        for name, value in values.items()
    ):
        return noise
    return cast(Noise, noise.with_values(**values))


def _equal(left: object, right: object) -> bool:
    is_plain = isinstance(left, (bool, int, float, str, tuple, Noise))
    return is_plain and left == right


def _with_frequency(noise: Noise, frequency: float | None) -> Noise:
    old = Spine.of(noise).frequency
    if frequency is None or old is None or frequency == old:
        return noise
    return scaled(noise, old, frequency)


def _has_frequency(cls: type[Noise]) -> bool:
    return any(one.name == "frequency" and one.kind == "number" for one in cls.parameters())


def _all(noise: Noise) -> list[Noise]:
    """Return a tree's noises, each before its children."""
    return [noise, *(one for child in noise.children().values() for one in _all(child))]
