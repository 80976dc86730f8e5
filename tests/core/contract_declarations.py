# SPDX-License-Identifier: GPL-3.0-or-later
"""Contract of all noises and modifiers on their parameters; see `contract.py`."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
import pickle
import re
from collections.abc import Iterator

import numpy as np
import pytest

from noise_core import ParameterError
from noise_core.base.params import Declared, Parameter
from noise_core.maps import Normal, Slope
from noise_core.masks import MapMask
from noise_core.modifiers import Blur
from noise_core.noises import Perlin

AMOUNTS = ("number", "integer", "number_or_noise")


def check_is_documented(cls: type[Declared]) -> None:
    """A type has a description; each parameter and each option of a choice has a help text."""
    text = cls.__doc__ or ""
    first = text.strip().splitlines()[0] if text.strip() else ""
    assert first.endswith(".") and not first.startswith(cls.__name__ + "("), "no docstring"
    assert cls.label.strip()
    for parameter in cls.parameters():
        assert parameter.help.strip(), f"{parameter.name} has no help"
        assert not parameter.help.endswith("."), (
            f"help of {parameter.name}: no full stop, it is a label"
        )
        assert parameter.title.strip()
        for key, meaning in parameter.options.items():
            assert re.fullmatch(r"[a-z0-9_]+", key), f"{parameter.name}: {key!r}"
            assert meaning.strip(), f"{parameter.name}: option {key} has no help"


def check_has_references(cls: type[Declared]) -> None:
    """An algorithm names its literature."""
    text = inspect.cleandoc(cls.__doc__ or "")
    assert re.search(r"^References\n-{10}\n\S", text, re.MULTILINE), (
        "no References in the docstring"
    )


def check_declaration_is_consistent(cls: type[Declared]) -> None:
    """Defaults lie within the slider's limits, these within the hard ones; conditions name choices."""
    names = {parameter.name: parameter for parameter in cls.parameters()}
    for parameter in names.values():
        if parameter.kind in AMOUNTS:
            assert parameter.minimum < parameter.maximum
            assert parameter.minimum <= parameter.soft_minimum < parameter.soft_maximum
            assert parameter.soft_maximum <= parameter.maximum
            default = parameter.default
            assert isinstance(default, (int, float))
            assert parameter.soft_minimum <= default <= parameter.soft_maximum, parameter.name
        if parameter.kind == "choice":
            assert len(parameter.options) > 1
            assert parameter.default in parameter.options
        if parameter.visible_when is not None:
            other, keys = parameter.visible_when
            assert other != parameter.name
            if isinstance(keys, bool):
                assert names[other].kind == "boolean", f"{parameter.name} watches {other}"
            elif isinstance(keys, float):
                assert names[other].kind in AMOUNTS, f"{parameter.name} watches {other}"
                assert names[other].minimum <= keys < names[other].maximum
            else:
                assert names[other].kind == "choice", f"{parameter.name} watches {other}"
                assert keys and set(keys) <= set(names[other].options), f"{parameter.name}: {keys}"


def _just_outside(parameter: Parameter) -> Iterator[object]:
    if parameter.kind == "integer":
        yield int(parameter.minimum) - 1
        yield int(parameter.maximum) + 1
    else:
        yield math.nextafter(parameter.minimum, -math.inf)
        yield math.nextafter(parameter.maximum, math.inf)


def check_limits_raise(cls: type[Declared]) -> None:
    """The limits themselves are allowed; just outside is refused, with the name, the limits and the value."""
    for parameter in cls.parameters():
        if parameter.kind not in AMOUNTS:
            continue
        who = f"{cls.__name__}.{parameter.name}"
        interval = f"[{parameter.minimum:g}, {parameter.maximum:g}]"
        convert = int if parameter.kind == "integer" else float
        for limit in (parameter.minimum, parameter.maximum):
            if math.isfinite(limit):
                made = cls(**{parameter.name: convert(limit)})
                assert getattr(made, parameter.name) == limit
        for value in _just_outside(parameter):
            with pytest.raises(ParameterError) as caught:
                cls(**{parameter.name: value})
            assert str(caught.value) == f"{who} must be in {interval}; got {value!r}"
        for value in (math.nan, math.inf, -math.inf, "1", None, True, 1j, [1.0]):
            with pytest.raises(ParameterError, match=rf"^{re.escape(who)} must be .*; got "):
                cls(**{parameter.name: value})


def check_other_kinds_refuse(cls: type[Declared]) -> None:
    """Choices, switches, vectors, curves, children and pixels refuse values of other kinds."""
    for parameter in cls.parameters():
        for value in _REFUSED.get(parameter.kind, ()):
            who = re.escape(f"{cls.__name__}.{parameter.name}")
            with pytest.raises(ParameterError, match=rf"^{who} must be .*; got "):
                cls(**{parameter.name: value})
        if parameter.kind == "vector":
            for wrong in ((0.0,) * (parameter.size + 1), (math.nan,) * parameter.size):
                with pytest.raises(ParameterError):
                    cls(**{parameter.name: wrong})
    with pytest.raises(TypeError):
        cls(no_such_parameter=1)
    if cls.parameters():
        with pytest.raises(TypeError):
            cls(cls.parameters()[0].default)


_REFUSED: dict[str, tuple[object, ...]] = {
    "choice": ("no such option", "", None, 3, ["fbm"]),
    "boolean": ("yes", None, 1, 0.0),
    "vector": ("ab", None, 1.0, (), ("a", "b", "c", "d")),
    "curve": ((), ((0.0, 0.0),), ((1.0, 0.0), (0.0, 1.0)), ((0.0, math.nan), (1.0, 0.0)), 3, "ab"),
    "noise": (None, "perlin", 1.0, Parameter),
    "chain": (None, "perlin", 1.0, Parameter),
    "filters": (None, (None,), (Perlin(),)),
    "layers": (None, 3, (None,), (Blur(),)),
    "text": (None, 3, b"x", "two\nlines", "x" * 256, "\x00", "\ud800"),
    "map": (None, "slope", Slope, Normal()),
    "mask": ("map", 1.0, MapMask, Slope()),
    "curves": (None, 3, "Road", (None,), ("",), ("two\nlines",), Slope()),
    "placements": (None, 3, "Hill", (None,), ("Hill",), Slope()),
    "pixels": (np.zeros(4), np.zeros((0, 3)), np.full((2, 2), np.nan), "picture", None),
}


def check_value_semantics(declared: Declared) -> None:
    """Equal values are equal and hash alike; any other value is not equal; copies are equal."""
    twin = type(declared)(**{p.name: getattr(declared, p.name) for p in declared.parameters()})
    assert twin == declared
    assert hash(twin) == hash(declared)
    assert declared.with_values() == declared
    assert copy.deepcopy(declared) == declared
    assert declared != object()
    assert type(declared).__name__ in repr(declared)
    for parameter in declared.parameters():
        for value in _other_values(parameter, getattr(declared, parameter.name)):
            try:
                changed = declared.with_values(**{parameter.name: value})
            except ParameterError as error:  # some numbers go together, as how far and how fine
                assert str(error).startswith(type(declared).__name__)
                continue
            assert changed != declared, parameter.name
            assert type(changed) is type(declared)
    assert pickle.loads(pickle.dumps(declared)) == declared


def _other_values(parameter: Parameter, value: object) -> Iterator[object]:
    if parameter.kind == "choice":
        yield from (key for key in parameter.options if key != value)
    elif parameter.kind == "boolean":
        yield not value
    elif parameter.kind == "text":
        yield f"{value}x"
    elif parameter.kind == "mask":
        yield MapMask() if value is None else None
    elif parameter.kind in AMOUNTS and isinstance(value, (int, float)):
        step = 1 if parameter.kind == "integer" else 1e-3
        yield value - step if value + step > parameter.maximum else value + step


def check_is_frozen(declared: Declared) -> None:
    """No parameter can be set, none added, and pixels cannot be written."""
    for parameter in declared.parameters():
        value = getattr(declared, parameter.name)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(declared, parameter.name, value)
        assert not (isinstance(value, np.ndarray) and value.flags.writeable)
    with pytest.raises(dataclasses.FrozenInstanceError):
        declared.something_else = 1  # type: ignore[attr-defined]
