# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise layers and groups, and lists of layers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast, dataclass_transform

from ..base import blending
from ..base.checks import CHECKS, MAX_LAYERS, Declaration
from ..base.declared import declared_type
from ..base.errors import ParameterError, format_value
from ..base.params import chain, choice, filters, layer_list, number
from ..lattice.hash import child_seed
from ..modifiers.bases.layer import Layer
from ..modifiers.bases.modifier import modifier_types
from ..noises.bases.noise import DEEPEST, DEEPEST_BUILT, Noise
from ..noises.bases.pointwise import Pointwise
from ..noises.fractal import Fractal
from . import chains

if TYPE_CHECKING:
    from ..base.georeference import Georeference
    from ..noises.blend import Blend

_OWN_SEED = 0x100
"""Seed offsets count from here, beyond the numbers of any fractal's octaves and of modifiers."""


@declared_type
class BlendedLayer(Layer):
    """Base of noise layers and groups, which are blended with the layers below.

    Notes
    -----
    The modes are those of the noise `Blend`. All of them count in units of `height`: ground as
    high as that is a noise of 1. Two of them depend on it in another way: `multiply` takes the
    ground times the plain noise at any height, and `screen` takes `height` for white.

    References
    ----------
    Thomas Porter, Tom Duff (1984). Compositing digital images. SIGGRAPH (opacity)
    """

    mode: str = choice("add", help="Blend mode with the layers below", options=blending.OPTIONS)
    height: float = number(
        0.0,
        help="Height of a noise of 1 in meters",
        automatic=(1.0, "recipe height"),
        minimum=0.0,
        maximum=1e6,
        soft_maximum=2000.0,
        unit="length",
        visible_when=("mode", tuple(one for one in blending.OPTIONS if one != "multiply")),
    )
    smoothness: float = number(
        0.2,
        help="Blend distance of smooth min and max, relative to the height",
        minimum=0.0,
        maximum=4.0,
        soft_maximum=1.0,
        visible_when=("mode", blending.ROUNDED),
    )

    def seed_in(self, parent: int) -> int:
        """See `Layer.seed_in`: the parent's own for an offset of 0."""
        return child_seed(parent, _OWN_SEED + self.seed_offset) if self.seed_offset else parent

    def mask_seed_in(self, parent: int) -> int:
        """Return the seed of a noise that masks the layer and has a seed offset of 0."""
        return child_seed(parent, _OWN_SEED + self.seed_offset + 1) if self.seed_offset else parent


BlendedType = TypeVar("BlendedType", bound=type[BlendedLayer])

_TYPES: dict[str, type[BlendedLayer]] = {}


@dataclass_transform(kw_only_default=True, frozen_default=True)
def _blended_type(key: str, label: str) -> Callable[[BlendedType], BlendedType]:
    def decorate(cls: BlendedType) -> BlendedType:
        cls.key, cls.label = key, label
        declared_type(cls)
        _TYPES[key] = cls
        return cls

    return decorate


@_blended_type("noise", "Noise")
class NoiseLayer(BlendedLayer):
    """A chain of a noise and its filters, blended with the layers below.

    Examples
    --------
    >>> from noise_core import NoiseLayer, Recipe
    >>> from noise_core.noises import Fractal, Gradient, Perlin

    Hills that lie on an island, at a third of their height:

    >>> island = NoiseLayer(noise=Gradient(shape="radial"))
    >>> hills = NoiseLayer(
    ...     noise=Fractal(source=Perlin(frequency=6.0)), mode="add", opacity=0.3, seed_offset=1
    ... )
    >>> recipe = Recipe(layers=(island, hills), height=150.0, size=3000.0)
    >>> len(recipe.layers), recipe.needs_grid
    (2, False)
    """

    noise: Noise = chain(Fractal, help="The noise and its filters")

    def with_noise(self, noise: Noise) -> NoiseLayer:
        """Return the layer with another noise.

        Parameters
        ----------
        noise : Noise
            A chain without joints.

        Examples
        --------
        >>> from noise_core import NoiseLayer
        >>> from noise_core.noises import Perlin, Simplex
        >>> layer = NoiseLayer(name="Base", noise=Perlin())
        >>> changed = layer.with_noise(Simplex())
        >>> changed.name, changed.noise == Simplex()
        ('Base', True)
        """
        return dataclasses.replace(self, noise=noise)


@_blended_type("group", "Group")
class Group(BlendedLayer):
    """Noise layers and groups whose result is filtered, masked and blended as one.

    Notes
    -----
    Its layers lie on a plain of 0. Their masks see the ground below the group. If one of
    them reads the ground, filters that move the noise, such as warps, cannot follow.

    Examples
    --------
    >>> from noise_core import Group, NoiseLayer, Recipe
    >>> from noise_core.noises import Clamp, Craters, Fractal, Perlin

    Craters and their worn rims, cut off together and laid over plains:

    >>> craters = Group(
    ...     name="Craters",
    ...     mode="add",
    ...     layers=(
    ...         NoiseLayer(noise=Craters(frequency=3.0), seed_offset=1),
    ...         NoiseLayer(noise=Perlin(frequency=20.0), mode="add", opacity=0.1, seed_offset=3),
    ...     ),
    ...     chain=(Clamp(minimum=-0.5, maximum=0.5),),
    ... )
    >>> moon = Recipe(layers=(NoiseLayer(noise=Fractal()), craters), height=300.0, size=20000.0)
    >>> moon.evaluate(moon.grid(33)).height.shape
    (33, 33)
    """

    layers: tuple[BlendedLayer, ...] = layer_list(help="Noise layers and groups, bottom to top")
    chain: tuple[Noise, ...] = filters(help="Filters on the result, in their order")

    @property
    def needs_neighbors(self) -> bool:
        """See `Layer.needs_neighbors`: also by the masks of layers in it that take part."""
        inside = (inner for inner in self.layers if not inner.muted)
        return super().needs_neighbors or any(inner.needs_neighbors for inner in inside)


def layer_types() -> Mapping[str, type[Layer]]:
    """Return every type of layer by its key: noise layers, groups, and all modifiers.

    Examples
    --------
    >>> from noise_core import layer_types
    >>> {"noise", "group", "stream_erosion"} <= set(layer_types())
    True
    """
    return {**_TYPES, **modifier_types()}


# --- lists -------------------------------------------------------------------------------------


def flatten(layers: Sequence[Layer]) -> Iterator[tuple[int, Layer]]:
    """Yield all layers with their depth: each group, then the layers in it, one deeper.

    The order is that of a list with groups unfolded; layers are counted in it from 0.

    Parameters
    ----------
    layers : sequence of Layer
        From bottom to top.

    Examples
    --------
    >>> from noise_core import Group, NoiseLayer
    >>> from noise_core.noises import Perlin
    >>> from noise_core.recipes.layers import flatten
    >>> inner = NoiseLayer(name="Inner", noise=Perlin())
    >>> layers = (NoiseLayer(name="Base", noise=Perlin()), Group(name="Group", layers=(inner,)))
    >>> [(depth, layer.name) for depth, layer in flatten(layers)]
    [(0, 'Base'), (0, 'Group'), (1, 'Inner')]
    """
    for layer in layers:
        yield 0, layer
        if isinstance(layer, Group):
            for depth, inner in flatten(layer.layers):
                yield depth + 1, inner


def number_layers(layers: Sequence[Layer], start: int = 0) -> Iterator[tuple[int, Layer]]:
    """Yield layers with their numbers: their places in the order of `flatten`, from `start` on.

    Parameters
    ----------
    layers : sequence of Layer
        From bottom to top.
    start : int
        Number of the first one.

    Examples
    --------
    >>> from noise_core import Group, NoiseLayer
    >>> from noise_core.noises import Perlin
    >>> from noise_core.recipes.layers import number_layers
    >>> inner = NoiseLayer(noise=Perlin())
    >>> layers = (Group(layers=(inner, inner)), NoiseLayer(name="Top", noise=Perlin()))
    >>> [number for number, _ in number_layers(layers)]
    [0, 3]
    """
    for layer in layers:
        yield start, layer
        start += 1
        if isinstance(layer, Group):
            start += sum(1 for _ in flatten(layer.layers))


def nest(rows: Sequence[tuple[int, Layer]]) -> tuple[Layer, ...]:
    """Return the layers of a list such as `flatten` yields; groups take the deeper rows that follow them.

    Parameters
    ----------
    rows : sequence of pairs (depth, layer)
        The layers of groups in it are replaced. A layer deeper than a group has room for is
        put where there is room.

    Examples
    --------
    >>> from noise_core import Group, NoiseLayer
    >>> from noise_core.noises import Perlin
    >>> from noise_core.recipes.layers import flatten, nest
    >>> layers = (Group(layers=(NoiseLayer(noise=Perlin()),)), NoiseLayer(noise=Perlin()))
    >>> nest(list(flatten(layers))) == layers
    True
    """
    nested, place = _nest(rows, 0, 0)
    while place < len(rows):  # a first row that is not at depth 0
        more, place = _nest(rows, place, rows[place][0])
        nested.extend(more)
    return tuple(nested)


def _nest(rows: Sequence[tuple[int, Layer]], place: int, depth: int) -> tuple[list[Layer], int]:
    nested: list[Layer] = []
    while place < len(rows) and rows[place][0] >= depth:
        layer = rows[place][1]
        place += 1
        if isinstance(layer, Group):
            inner, place = _nest(rows, place, depth + 1)
            layer = cast(Group, layer.with_values(layers=tuple(inner)))
        nested.append(layer)
    return nested, place


def replace_layer(layers: Sequence[Layer], number: int, layer: Layer) -> tuple[Layer, ...]:
    """Return layers with another one at a number; see `number_layers`.

    Parameters
    ----------
    layers : sequence of Layer
        From bottom to top.
    number : int
        Counted from 0 in the order of `flatten`.
    layer : Layer
        The new one.

    Examples
    --------
    >>> from noise_core import NoiseLayer
    >>> from noise_core.noises import Perlin, Simplex
    >>> from noise_core.recipes.layers import replace_layer
    >>> layers = (NoiseLayer(noise=Perlin()), NoiseLayer(noise=Perlin(), seed_offset=1))
    >>> changed = replace_layer(layers, 1, NoiseLayer(name="Top", noise=Simplex()))
    >>> [layer.name for layer in changed]
    ['', 'Top']
    """
    rows = list(flatten(layers))
    rows[number] = (rows[number][0], layer)
    return nest(rows)


def active_numbers(layers: Sequence[Layer], start: int = 0) -> Iterator[int]:
    """Yield the numbers of the noise layers that take part: neither they nor their groups are muted."""
    for place, layer in number_layers(layers, start):
        if isinstance(layer, Group) and not layer.muted:
            yield from active_numbers(layer.layers, place + 1)
        elif isinstance(layer, NoiseLayer) and not layer.muted:
            yield place


def find_georeference(layers: Sequence[Layer]) -> Georeference | None:
    """Return the place on Earth of tiles, of the first layer that takes part and has one; None without.

    A filter that moves a noise on the plain, such as a warp, leaves it none.
    """
    for layer in layers:
        place = None
        if isinstance(layer, NoiseLayer) and not layer.muted:
            place = layer.noise.georeference
        elif isinstance(layer, Group) and not layer.muted:
            is_moved = not all(isinstance(element, Pointwise) for element in layer.chain)
            place = None if is_moved else find_georeference(layer.layers)
        if place is not None:
            return place
    return None


def layers_of(source: object, who: str) -> tuple[Layer, ...]:
    """Return a noise, a layer, or a sequence of both as layers; see `split`.

    Plain noises become noise layers. The first one has the seed of the recipe, the others get
    seed offsets that no other layer has.

    Raises
    ------
    ParameterError
        If it holds something else, too many layers, or groups in groups too deep.
    """
    items = source if isinstance(source, (tuple, list)) else (source,)
    layers: list[Layer] = []
    for item in items:
        if isinstance(item, Noise):
            offset = free_seed_offset([*layers, *_only_layers(items)]) if layers else 0
            item = NoiseLayer(noise=item, seed_offset=offset)
        if not isinstance(item, Layer):
            raise ParameterError(
                "{} must be noises, groups and modifiers", who, got=format_value(item)
            )
        layers.extend(split(item, is_first=not layers))
    check_layers(layers, who)
    return tuple(layers)


def free_seed_offset(layers: Sequence[Layer]) -> int:
    """Return the least odd seed offset above all that the layers have; even ones are their masks'.

    Parameters
    ----------
    layers : sequence of Layer
        With all of those in groups.

    Examples
    --------
    >>> from noise_core import NoiseLayer
    >>> from noise_core.recipes.layers import free_seed_offset
    >>> free_seed_offset(()), free_seed_offset((NoiseLayer(seed_offset=1),))
    (1, 3)
    """
    taken = max((layer.seed_offset for _, layer in flatten(layers)), default=0)
    return taken + 1 + taken % 2


def _only_layers(items: Sequence[object]) -> list[Layer]:
    return [item for item in items if isinstance(item, Layer)]


def check_layers(layers: Sequence[Layer], who: str) -> None:
    """Raise a ParameterError if there are too many layers, or groups in groups too deep."""
    depths = [depth for depth, _ in flatten(layers)]
    if len(depths) > MAX_LAYERS:
        raise ParameterError("{} must be at most {} layers", who, MAX_LAYERS, got=len(depths))
    if max(depths, default=0) > DEEPEST:
        raise ParameterError("{} must be at most {} groups deep", who, DEEPEST, got=max(depths))
    for _, layer in flatten(layers):
        if isinstance(layer, NoiseLayer):
            layer.noise.check_extent(f"{who}: {layer.name or layer.label}")


# --- joints ------------------------------------------------------------------------------------


def split(layer: Layer, *, is_first: bool) -> tuple[Layer, ...]:
    """Return layers instead of one whose chain joins noises, with the same result.

    Parameters
    ----------
    layer : Layer
    is_first : bool
        Whether nothing lies below. Then the joined noises need not be in a group.
    """
    if not isinstance(layer, NoiseLayer) or not chains.has_joint(layer.noise):
        return (layer,)
    parts = chains.elements(layer.noise)
    last = max(place for place, element in enumerate(parts) if chains.is_joint(type(element)))
    inner = _join(chains.from_elements(parts[: last + 1]))
    shared = {
        parameter.name: getattr(layer, parameter.name)
        for parameter in layer.parameters()
        if parameter.name != "noise"
    }
    if is_first and last == len(parts) - 1 and shared == _plain_values(layer.muted):
        return tuple(dataclasses.replace(part, muted=layer.muted) for part in inner)
    return (Group(**shared, layers=inner, chain=parts[last + 1 :]),)


def _plain_values(muted: bool) -> dict[str, object]:
    """Return the shared values of a layer that is nothing but a noise."""
    defaults = {parameter.name: parameter.default for parameter in BlendedLayer.parameters()}
    return {**defaults, "muted": muted}


def _join(joint: Noise) -> tuple[BlendedLayer, ...]:
    """Return the layers with the result of a joint, which is the outermost noise."""
    from ..masks.noise_mask import NoiseMask
    from ..noises.blend import Blend

    assert isinstance(joint, Blend)
    blend: Blend = joint
    number = blend.factor if isinstance(blend.factor, float) else None
    upper = NoiseLayer(
        noise=blend.second,
        mode=blend.mode,
        opacity=1.0 if number is None else number,
        mask=NoiseMask(noise=blend.factor) if isinstance(blend.factor, Noise) else None,
        smoothness=blend.smoothness,
        seed_offset=blend.seed_offset,
    )
    lower = split(NoiseLayer(noise=blend.first), is_first=True)
    return cast("tuple[BlendedLayer, ...]", (*lower, *split(upper, is_first=False)))


# --- checks of what groups declare -----------------------------------------------------------------


def _check_filters(parameter: Declaration, value: object, who: str) -> tuple[Noise, ...]:
    elements = value if isinstance(value, (tuple, list)) else (value,)
    for element in elements:
        if not isinstance(element, Noise) or not chains.is_filter(type(element)):
            raise ParameterError(
                "{} must be noises with a source each", who, got=format_value(element)
            )
    if len(elements) > DEEPEST_BUILT:
        raise ParameterError("{} must be at most {} noises", who, DEEPEST_BUILT, got=len(elements))
    return tuple(chains.unplug(element) for element in elements)


def _check_layers(parameter: Declaration, value: object, who: str) -> tuple[Layer, ...]:
    layers = layers_of(value, who)
    for layer in layers:
        if not isinstance(layer, BlendedLayer):
            raise ParameterError(
                "{} must be noise layers and groups", who, got=type(layer).__name__
            )
    return layers


CHECKS.update({"filters": _check_filters, "layers": _check_layers})
