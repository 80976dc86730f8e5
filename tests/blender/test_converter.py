# SPDX-License-Identifier: GPL-3.0-or-later
"""The converter: what is written into properties and a text reads as the same values, whatever a declaration allows."""

from __future__ import annotations

import json
import math

import bpy
import pytest

from tests.blender.extension import module
from tests.drawing import count_of, generator

LARGEST = 1e30
"""Numbers that have no limit are drawn up to this one: Blender's floats end at 3.4e38."""


@pytest.fixture
def values(terrane):
    return module("operators.bridge.schema.values")


def drawn(draw, parameter):
    """Return a random allowed value of a parameter; its default if its kind has no simple property."""
    least, most = max(parameter.minimum, -LARGEST), min(parameter.maximum, LARGEST)
    if parameter.kind in ("number", "number_or_noise"):
        sign = draw.choice((-1.0, 1.0))
        return min(max(draw.choice((draw.uniform(least, most), sign * 10 ** draw.uniform(-6, 6), least, most)), least), most)  # fmt: skip
    if parameter.kind == "integer":
        return draw.randint(max(int(least), -0x80000000), min(int(most), 0x7FFFFFFF))
    if parameter.kind == "boolean":
        return draw.random() < 0.5
    if parameter.kind == "choice":
        return draw.choice(list(parameter.options))
    if parameter.kind == "vector":
        return tuple(draw.uniform(least, most) for _ in range(parameter.size))
    return parameter.default


def choices():
    """Yield each choice among types with what holds its groups, and the types that it is about."""
    schema = "operators.bridge.schema."
    group = bpy.context.scene.terrane
    module(schema + "settings").fill(group)
    layer = group.layers[0]
    bases = module("noise_core.noises.bases.noise"), module("noise_core.modifiers.bases.modifier")
    coloring = module("noise_core.materials.colorings.bases.coloring")
    elements, layers = module(schema + "elements"), module(schema + "layers")
    colorings = module(schema + "picture_settings").COLORINGS
    yield elements.NOISES, layer.chain[0], bases[0].noise_types()
    yield layers.LAYER_TYPES, layer, bases[1].modifier_types()
    yield colorings, group.image_options, coloring.coloring_types()


def test_every_type_reads_as_it_was_written(values):
    """Numbers of more digits than 32 bits hold, angles in radians and noises beside them included."""
    draw, tried = generator("converter"), 0
    for choice, owner, types in choices():
        assert set(choice.types) <= set(types)
        for key in choice.types:
            group, declared = choice.part(owner, key)
            parameters = [
                one
                for one in declared
                if one.kind not in ("noise", "pixels", "curves", "placements")
            ]
            for _ in range(count_of(100)):
                wanted = {one.name: drawn(draw, one) for one in parameters}
                written = object.__new__(types[key])  # conditions between values do not count here
                for name, value in {**values.defaults(types[key]), **wanted}.items():
                    object.__setattr__(written, name, value)
                text = values.write_object(written, (group, parameters))
                read = values.read_object(types[key], text, (group, parameters))
                assert {name: read[name] for name in wanted} == wanted, (key, text)
                assert not text or set(json.loads(text)) <= set(wanted)
                tried += 1
    assert tried >= 50


def test_numbers_that_properties_hold_leave_no_text(values):
    (choice, owner, types), *_ = choices()
    perlin = types["perlin"](frequency=0.1)
    assert values.write_object(perlin, choice.part(owner, "perlin")) == ""
    assert owner.perlin.frequency != 0.1
    assert values.read_object(types["perlin"], "", choice.part(owner, "perlin"))["frequency"] == 0.1
    exact = types["perlin"](frequency=1.0 / 3.0)
    text = values.write_object(exact, choice.part(owner, "perlin"))
    assert json.loads(text) == {"frequency": 1.0 / 3.0}
    owner.perlin.frequency = 0.25  # what was set since counts
    assert values.read_object(types["perlin"], text, choice.part(owner, "perlin")) == {
        **values.values_of(exact),
        "frequency": 0.25,
    }


def test_angles_are_degrees_in_the_core_and_radians_in_blender(values):
    _, (choice, owner, types), _ = choices()
    cls = types["thermal_erosion"]
    for degrees in (30.0, 33.3, 100.0 / 3.0):
        text = values.write_object(cls(talus_angle=degrees), choice.part(owner, cls.key))
        group, _ = choice.part(owner, cls.key)
        assert group.talus_angle == pytest.approx(math.radians(degrees))
        read = values.read_object(cls, text, choice.part(owner, cls.key))
        assert read["talus_angle"] == degrees


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", r"parameters must be a JSON object; got '\[\]'"),
        ("{", "parameters must be JSON; "),
        ('{"frequencies": 3}', r"^perlin\.parameters must be of frequency, .*; got 'frequencies'"),
        ('{"frequency": 3, "text": 4}', r"^perlin\.parameters must be of .*; got 'text'"),
    ],
)
def test_json_that_a_user_gives_is_refused_in_one_line(values, text, message):
    cls = module("noise_core.noises.perlin").Perlin
    with pytest.raises(module("noise_core.base.errors").ParameterError, match=message):
        values.parse_values(text, "perlin", cls.parameters())
    assert values.parse_values("", "perlin", cls.parameters()) == {}
    assert values.parse_values('{"frequency": 3}', "perlin", cls.parameters()) == {"frequency": 3}


def test_settings_of_scenes_read_as_they_were_written(values):
    settings = module("operators.bridge.scene.settings")
    draw = generator("settings")
    for cls, own in settings.OF.items():
        for _ in range(count_of(100)):
            wanted = {one.name: drawn(draw, one) for one in cls.parameters()}
            own.write(bpy.context.scene, wanted)
            read = own.read(bpy.context.scene)
            for one in cls.parameters():
                value = wanted[one.name]
                if one.kind in ("number", "vector"):
                    value = pytest.approx(value, rel=1e-6, abs=1e-30)
                assert read[one.name] == value, (cls, one.name)
