# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages are English sentences that can be translated; errors have one each."""

from __future__ import annotations

import gc
import pickle
import weakref

import numpy as np
import pytest

from noise_core import Recipe
from noise_core.base.errors import (
    MAX_MESSAGE_LENGTH,
    Message,
    ParameterError,
    RecipeError,
    TerraneError,
)
from noise_core.noises import Perlin


def test_a_message_is_its_english_sentence():
    message = Message("{} must be in [{:g}, {:g}]; got {!r}", "size", 0.5, 2.0, "a")
    assert message == "size must be in [0.5, 2]; got 'a'"
    assert message.template == "{} must be in [{:g}, {:g}]; got {!r}"
    assert message.values == ("size", 0.5, 2.0, "a")
    assert Message(message) is message
    assert str(ParameterError(message)) == message and ParameterError(message).message is message


def test_a_translation_gets_the_same_values_in_its_own_order():
    message = Message("bits must be {} for {}; got {:d}", "8", "png", 7)
    assert message.fill("für {1} muss bits {0} sein; war {2:d}", *message.values) == (
        "für png muss bits 8 sein; war 7"
    )


@pytest.mark.parametrize("text", ["{", "}", "{}", "{0}", "{size}", "100 %", "%s", ""])
def test_texts_without_values_are_not_formatted(text):
    assert Message(text) == text and str(TerraneError(text)) == text
    assert Message(text).fill(text) == text
    assert Message("{}: {}", text, 1) == f"{text}: 1"


def test_an_error_within_a_message_keeps_its_parts():
    inner = RecipeError("format {} can no longer be read", 0)
    outer = RecipeError("preset {}: {}", "'mine'", inner)
    assert str(outer) == "preset 'mine': format 0 can no longer be read"
    assert isinstance(outer.message.values[1], Message)
    assert outer.message.values[1].template == "format {} can no longer be read"


def test_a_prefix_is_removed_from_translations_too():
    message = Message("Recipe: not JSON: {}", "line 1").removeprefix("Recipe: ")
    assert message == "not JSON: line 1"
    assert message.template == "Recipe: not JSON: {}"
    assert message.fill("Recipe: kein JSON: {}", "line 1") == "kein JSON: line 1"
    assert Message("not JSON").removeprefix("Recipe: ") == "not JSON"


def test_messages_are_lines():
    long = "a" * 1000
    message = Message("{}\n{}", long, "the end")
    assert len(message) == MAX_MESSAGE_LENGTH and "\n" not in message
    assert message.startswith("aaa") and message.endswith("a the end")
    filled = message.fill("{}\n{}", long, "das Ende")
    assert len(filled) == MAX_MESSAGE_LENGTH and filled.endswith("a das Ende")


def test_messages_and_errors_can_be_pickled():
    error = ParameterError("{} has no vertices", "Cube")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is ParameterError and str(copy) == str(error)
    assert copy.message.template == "{} has no vertices" and copy.message.values == ("Cube",)


def test_messages_do_not_keep_the_frames_of_errors():
    class Field(np.ndarray):
        pass

    def refuse():
        field = np.zeros(3).view(Field)
        alive.append(weakref.ref(field))
        raise OSError("disk full")

    alive: list[weakref.ref] = []
    try:
        refuse()
    except OSError as error:
        message = Message("cannot be read: {}", error)
    gc.collect()
    assert alive[0]() is None and message == "cannot be read: disk full"


def test_errors_of_the_core_have_templates():
    with pytest.raises(ParameterError) as refused:
        Perlin(frequency=-1.0)
    assert refused.value.rule.template == "{} must be in {}"
    assert refused.value.rule.values[0] == "Perlin.frequency"
    with pytest.raises(RecipeError) as refused:
        Recipe.from_json('{"format": 1, "layers": [{"type": "blur", "fades": 1}]}')
    assert refused.value.rule.template == "Recipe: {} ({}) has the parameters {}"
    with pytest.raises(RecipeError) as refused:
        Recipe.from_json('{"format": 1, "height": 1e99}')
    assert refused.value.rule.template == "Recipe.height must be in [{:g}, {:g}]"


def test_the_value_that_came_is_data_beside_the_rule():
    error = ParameterError("{} must be at most {}", "rows", 8, got=9)
    assert str(error) == error.message == "rows must be at most 8; got 9"
    assert error.rule == "rows must be at most 8"
    assert error.message.template == "{}; got {}" and error.message.values == (error.rule, 9)
    assert str(pickle.loads(pickle.dumps(error)).rule) == error.rule
    nothing = ParameterError("{} must be at most {}", "rows", 8)
    assert nothing.rule is nothing.message and ParameterError(error.message).rule == error.rule
    assert str(nothing) == error.rule
    for value, text in ((0, "0"), ("''", "''"), (Message("{} x {}", 2, 3), "2 x 3")):
        assert str(ParameterError("a{b}", got=value)) == f"a{{b}}; got {text}"
    with pytest.raises(ParameterError) as refused:
        Perlin(frequency=-1.0)
    assert str(refused.value).endswith("; got -1.0") and "got" not in refused.value.rule
