# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices among declared types: noises, modifiers, sources of masks, colorings, surfaces, export targets.

Settings have the key of the chosen type in one property, and a group of properties for the parameters of each type, so
that a user finds former values again after another choice.

`TreeChoice` converts trees, of layers, their masks and chains of elements, between nodes and objects of the core. A
node is a group that holds one object of a declared type: the key of the type, the parameters that all types share,
the group of the type with the others, and a text with the values that no property can hold. Objects within the object
are in child nodes, as the kinds of their parameters tell: a chain is a collection of elements, a mask a group. The
text keeps those for which a node has no place.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import bpy

from ....noise_core.base.errors import RecipeError
from ....noise_core.base.params import Parameter
from ....noise_core.maps.bases.map import map_types
from ....noise_core.noises.bases.noise import Noise
from ....noise_core.recipes import chains
from . import curve_slots
from .properties import pointers, type_groups
from .values import Part, make_object, read_object, read_values, write_object, write_values

Types = Mapping[str, tuple[str, tuple[Parameter, ...]]]
"""Labels and parameters of types by key."""


class TypeChoice:
    """Types that settings choose from, each with a group of properties.

    Parameters
    ----------
    name : str
        Noun for the types in the names of the groups' classes: ``TERRANE_PG_<name>_<key>``.
    types : callable
        Returns the labels and the parameters of all types by key.
    prefix : str
        Start of the names of the properties that hold the groups.
    is_strict, animated
        See `properties.type_groups`.
    """

    def __init__(
        self,
        name: str,
        types: Callable[[], Types],
        *,
        prefix: str = "",
        is_strict: bool = True,
        animated: Collection[str] | None = (),
    ) -> None:
        self._name, self._find, self._prefix = name, types, prefix
        self._is_strict, self._animated = is_strict, animated

    _held: tuple[str, ...] = ()

    @functools.cached_property
    def types(self) -> Types:
        """The labels and the parameters of all types by key."""
        return self._find()

    @functools.cached_property
    def groups(self) -> tuple[type[bpy.types.PropertyGroup], ...]:
        """The classes of all groups, to be registered before the classes that hold them."""
        return tuple(self._by_key.values())

    @functools.cached_property
    def _by_key(self) -> Mapping[str, type[bpy.types.PropertyGroup]]:
        types = {
            key: (
                label,
                [parameter for parameter in parameters if parameter.kind not in self._held],
            )
            for key, (label, parameters) in self.types.items()
        }
        return type_groups(self._name, types, is_strict=self._is_strict, animated=self._animated)

    def properties(self, options: frozenset[Any] = frozenset()) -> dict[str, Any]:
        """Return the properties that hold the groups."""
        return pointers(self._by_key, self._prefix, options)

    def group(self, owner: Any, key: str) -> Any | None:
        """Return the group of a type in settings or in an operator, None if the type is not known."""
        return getattr(owner, self._prefix + key, None)

    def part(self, owner: Any, key: str) -> Part:
        """Return the group of a known type, and its parameters."""
        return self.group(owner, key), self.types[key][1]

    def read(
        self, owner: Any, key: str, base: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """Return the values of a known type; see `values.read_values`."""
        return read_values(*self.part(owner, key), base)

    def write(self, owner: Any, key: str, values: Mapping[str, Any]) -> None:
        """Write values of a known type into its group."""
        write_values(self.group(owner, key), values)


# Trees

INNER = "inner"
"""Name of the collection with a second source of an element, such as the displacement of a warp."""

CURVES, PLACEMENTS = "curves", "placements"
"""Kinds of the parameters that follow objects; the node has a collection of slots for each, by name."""

_PLACES = {"chain": "chain", "filters": "chain", "noise": INNER}
"""Names of the collections of elements by the kind of the parameter; masks have the names of their parameters."""

Bypassed = Sequence[tuple[int, Noise]]
"""The muted elements of a chain, by their place."""

Extras = Mapping[str, Any]
"""Parts of a tree that its objects do not have, by path: images that parameters take their pixels from ("0.pixels" is a
parameter of the first element of a layer's own chain, "mask.first.0.pixels" of a mask's), and the `Bypassed` elements
of a chain by the path of its holder, which is "" for the layer itself, and the states of `curve_slots`."""

NO_EXTRAS: Extras = MappingProxyType({})


class TreeChoice(TypeChoice):
    """Types of the objects that nodes hold; see the module.

    Parameters
    ----------
    name, types, prefix
        See `TypeChoice`; a type without parameters of its own may be missing.
    classes : callable
        Returns the declared types by the keys in the nodes.
    unknown : tuple of str
        Message about nodes of unknown types, and the names of the properties in it.
    shared : callable
        Returns the parameters of a type that are properties of the node itself.
    nested : mapping
        Choices of the child nodes by the kinds of the parameters that they stand for.
    held : tuple of str
        Kinds of parameters that are properties of the node itself, since groups of types may be parts of operators:
        these take no images and no objects.
    key, empty : str
        Name of the property with the key, and its value in a node without an object.
    """

    def __init__(
        self,
        name: str,
        types: Callable[[], Types],
        classes: Callable[[], Mapping[str, type[Any]]],
        unknown: tuple[str, ...],
        **options: Any,
    ) -> None:
        super().__init__(name, types, prefix=options.get("prefix", ""), animated=None)
        self._classes, self._unknown = classes, unknown
        self.nested: dict[str, TreeChoice] = dict(options.get("nested", {}))
        self._nested: dict[type[Any], list[tuple[Parameter, str, TreeChoice]]] = {}
        self._shared = options.get("shared", lambda cls: ())
        self._held = options.get("held", (CURVES,))
        self._key, self._empty = options.get("key", "type"), options.get("empty")

    @functools.cached_property
    def _kinds(self) -> Mapping[str, frozenset[str]]:
        """The kinds of the parameters of all types by key."""
        return {
            key: frozenset(parameter.kind for parameter in parameters)
            for key, (_, parameters) in self.types.items()
        }

    def find_class(self, node: Any) -> type[Any] | None:
        """Return the type of a node's object, None if it is not known."""
        return self._classes().get(getattr(node, self._key))

    def _own_parts(self, node: Any) -> list[Part]:
        """Return the group of a node's type with its parameters, if the type has one, and the node with the drawn curves."""
        key = getattr(node, self._key)
        if key not in self.types:
            return []
        group, parameters = self.part(node, key)
        held = [parameter for parameter in parameters if parameter.kind in self._held]
        if not all(hasattr(node, parameter.name) for parameter in held):
            return [(group, parameters)]
        return [
            (group, [parameter for parameter in parameters if parameter not in held]),
            (node, held),
        ]

    def _parts(self, node: Any, cls: type[Any]) -> list[Part]:
        """Return the groups with parameters of a node's object; that of a map's type is the map's."""
        shared = (node, self._shared(cls))
        return [shared] if cls.name_of("map") else [shared, *self._own_parts(node)]

    def _children(
        self, node: Any, cls: type[Any] | None
    ) -> Iterator[tuple[Parameter, Any, TreeChoice, str]]:
        """Yield parameters, the child nodes that stand for them, their choices, and the steps of paths to them.

        The first source of an element is the element before it.
        """
        for parameter, place, choice in () if cls is None else self._nested_in(cls):
            if hasattr(node, place):
                step = "" if place == "chain" else f"{place}."
                yield parameter, getattr(node, place), choice, step

    def _nested_in(self, cls: type[Any]) -> list[tuple[Parameter, str, TreeChoice]]:
        """Return the parameters of a type that child nodes may stand for, their names in nodes, and their choices."""
        found = self._nested.get(cls)
        if found is None:
            source = chains.primary_source(cls)
            found = self._nested[cls] = [
                (parameter, _PLACES.get(parameter.kind, parameter.name), choice)
                for parameter in cls.parameters()
                if parameter.name != source and (choice := self.nested.get(parameter.kind))
            ]
        return found

    def walk(self, node: Any, path: str = "") -> Iterator[tuple[str, TreeChoice, Any]]:
        """Yield a node and all within it, with the beginnings of the paths of their parameters."""
        yield path, self, node
        for parameter, child, choice, step in self._children(node, self.find_class(node)):
            if parameter.kind not in _PLACES:
                yield from choice.walk(child, path + step)
                continue
            for place, element in enumerate(child):
                yield from choice.walk(element, f"{path}{step}{place}.")

    def images(self, node: Any) -> Iterator[tuple[str, Any]]:
        """Yield the images that a tree takes pixels from, by path."""
        for path, choice, inner in self.walk(node):
            for name, group in choice._own_groups(inner):
                if (image := getattr(group, name)) is not None:
                    yield path + name, image

    def _own_groups(self, node: Any, kind: str = "pixels") -> list[tuple[str, Any]]:
        """Return the names of a node's parameters that are images, or of another kind, with their group."""
        if kind not in self._kinds.get(getattr(node, self._key), ()):
            return []  # most types: every change of a setting asks all nodes
        return [
            (parameter.name, group)
            for group, parameters in self._own_parts(node)
            for parameter in parameters
            if parameter.kind == kind
        ]

    def own_slots(self, node: Any) -> dict[str, Any]:
        """Return the lists of slots that a node itself has, by the names of their parameters."""
        return {
            name: getattr(group, name)
            for name, group in self._slot_groups(node)
            if hasattr(group, name)
        }

    def slots(self, node: Any) -> Iterator[tuple[str, Any]]:
        """Yield the lists of slots for objects that a tree follows, by path."""
        for path, choice, inner in self.walk(node):
            for name, group in choice._slot_groups(inner):
                yield path + name, getattr(group, name)

    def _slot_groups(self, node: Any) -> list[tuple[str, Any]]:
        """Return the names of a node's lists of slots, with their holders."""
        return [*self._own_groups(node, CURVES), *self._own_groups(node, PLACEMENTS)]

    # Reading

    def read_tree(self, node: Any, given: Mapping[str, object] = MappingProxyType({})) -> Any:
        """Return the object of a node, None if it has none; `given` are values that other nodes hold.

        Raises a TerraneError if a type is not known, or a value is not allowed.
        """
        key, cls = getattr(node, self._key), self.find_class(node)
        if key == self._empty:
            return None
        if cls is None:
            text, *names = self._unknown
            raise RecipeError(text, *(getattr(node, name) for name in names))
        values = read_object(cls, node.text, *self._parts(node, cls))
        if name := cls.name_of("map"):
            held = map_types()[key]
            values[name] = make_object(
                held, read_object(held, node.map_text, *self._own_parts(node))
            )
        for parameter, child, choice, _ in self._children(node, cls):
            if parameter.name in values:  # a text has it
                continue
            if parameter.kind == "filters":
                values[parameter.name] = choice.read_filters(child)
            elif parameter.kind == "mask":
                values[parameter.name] = choice.read_tree(child)
            elif len(child):
                values[parameter.name] = choice.read_chain(child)
        return make_object(cls, {**values, **given})

    def read_element(self, element: Any, source: Noise | None = chains.PLACEHOLDER) -> Noise:
        """Return the noise of an element on a source."""
        cls = self.find_class(element)
        name = None if cls is None else chains.primary_source(cls)
        noise: Noise = self.read_tree(element, {name: source} if name and source else {})
        return noise

    def read_chain(self, elements: Iterable[Any]) -> Noise:
        """Return the noise of a chain that begins with a basis, without its muted elements."""
        noise: Noise | None = None
        for place, element in enumerate(elements):
            if not (element.muted and place):
                noise = self.read_element(element, noise)
        if noise is None:
            raise RecipeError("a chain must begin with a noise; got no element")
        return noise

    def read_filters(self, elements: Iterable[Any]) -> tuple[Noise, ...]:
        """Return the filters of a chain without a basis and muted elements, each on a placeholder."""
        return tuple(self.read_element(element) for element in elements if not element.muted)

    # Writing

    def write_tree(
        self, node: Any, declared: Any, extras: Extras = NO_EXTRAS, path: str = ""
    ) -> None:
        """Write an object, or None, into a node; `path` begins the paths of its parameters in `extras`."""
        cls = type(declared)
        name = None if declared is None else cls.name_of("map")
        held = declared if name is None else getattr(declared, name)
        setattr(node, self._key, self._empty if declared is None else held.key)
        node.text = ""
        children = () if declared is None else tuple(self._children(node, cls))
        if not any(parameter.kind in _PLACES for parameter, *_ in children) and hasattr(
            node, "chain"
        ):
            node.chain.clear()
        if declared is None:
            return
        if name is not None:
            node.map_text = write_object(held, *self._own_parts(node))
        apart = {
            parameter.name
            for parameter, child, choice, step in children
            if choice._write_child(child, getattr(declared, parameter.name), extras, path + step)
        }
        for name, group in self._own_groups(node):
            image = extras.get(path + name)
            setattr(group, name, image)
            apart |= set() if image is None else {name}
        parts = (
            (group, [parameter for parameter in parameters if parameter.name not in apart])
            for group, parameters in self._parts(node, cls)
        )
        node.text = write_object(declared, *parts)
        for name, group in self._slot_groups(node):
            curve_slots.restore(getattr(group, name), extras.get(path + name, ()))

    def _write_child(self, child: Any, value: Any, extras: Extras, path: str) -> bool:
        """Write a mask into a node, or a chain into a collection; return whether it holds that.

        An inner chain does not hold noises that are joined.
        """
        if not isinstance(value, Noise | tuple):
            self.write_tree(child, value, extras, path)
            return True
        noises = chains.elements(value) if isinstance(value, Noise) else value
        is_held = not (
            path.endswith(f"{INNER}.") and any(chains.is_joint(type(noise)) for noise in noises)
        )
        self.write_chain(child, noises if is_held else (), extras, path)
        return is_held

    def write_chain(
        self, elements: Any, noises: Iterable[Noise], extras: Extras = NO_EXTRAS, path: str = ""
    ) -> None:
        """Write noises into a collection of elements, from the basis outward, without their sources."""
        noises, bypassed = list(noises), extras.get(path.rstrip("."), ())
        for place, noise in bypassed:
            noises.insert(place, noise)
        if [element.type for element in elements] != [noise.key for noise in noises]:
            elements.clear()
        muted = {place for place, _ in bypassed}
        for place, noise in enumerate(noises):
            element = elements[place] if place < len(elements) else elements.add()
            element.muted = place in muted
            self.write_tree(element, noise, extras, f"{path}{place}.")
