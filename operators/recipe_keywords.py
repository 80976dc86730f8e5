# SPDX-License-Identifier: GPL-3.0-or-later
"""Mix-in and keywords of operators that make noise."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Iterable
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..noise_core.base.errors import TerraneError
from ..noise_core.base.json_texts import json_value
from ..noise_core.base.params import Parameter
from ..noise_core.landscapes.preset_library import PLAIN, ant_names, preset, preset_names
from ..noise_core.recipes import chain_keywords, chains
from ..noise_core.recipes.recipe import Recipe
from .bridge.schema import panel_texts, presets, recipe_texts, settings, state
from .bridge.schema.elements import basis_items
from .bridge.schema.enum_items import enum_number
from .bridge.schema.exact_numbers import number
from .bridge.schema.keywords import NOISE_KEYWORDS, TERRAIN_KEYWORDS, keywords
from .bridge.schema.properties import blender_property, declared_properties
from .bridge.terrain import terrains
from .options import HIDDEN, PanelOperator, chosen_values, from_panel_property, redo_layout

NOT_REMEMBERED = frozenset({"SKIP_SAVE"})
"""Options of keywords that operators do not remember: the panel stores the settings."""

Execute = Callable[..., set[str]]


def reports_errors(execute: Execute) -> Execute:
    """Report errors of the core to the user in one line; of `execute`, `invoke` and other methods with a status."""

    @functools.wraps(execute)
    def execute_or_report(operator: Any, context: bpy.types.Context, *events: Any) -> set[str]:
        try:
            return execute(operator, context, *events)
        except TerraneError as error:
            panel_texts.report_error(operator, error)
            return {"CANCELLED"}

    return execute_or_report


class RecipeOperator(PanelOperator):
    """Mix-in of operators that make noise; a given recipe or preset comes before the panel's."""

    panel_settings = staticmethod(state.active_settings)
    measured = False
    """Whether the operator also has the keywords of a terrain."""
    is_update = False
    """Whether a terrain is made anew, as far as Build to Here allows; new ones are made whole."""
    option_group = ""
    """Name of the group with the operator's own options in the settings."""
    option_parameters: tuple[Parameter, ...] = ()
    """Declarations of these options."""
    beginnings: tuple[str, ...] = ("preset",)
    """Keywords that choose the initial recipe: a new choice resets the values set by the old one."""

    def request(self, context: bpy.types.Context) -> terrains.Request:
        """Return the request of the keywords, and show it in the redo panel."""
        self._forget_after_new_preset()
        self._forget_after_new_picture()
        base = self._base(context)
        old = chain_values(base.recipe)
        values = {name: self._given_value(name, old.get(name)) for name in chain_keywords.KEYWORDS}
        values = {name: value for name, value in values.items() if value is not None}
        if (
            self.shown and base.recipe.base is not None
        ):  # the redo panel keeps the values of former choices
            for name in chain_keywords.unused_values(base.recipe.base.noise, values):
                del values[name]
        recipe = base.recipe.with_values(**values) if values else base.recipe
        recipe = dataclasses.replace(recipe, seed=self._given_value("seed", None, recipe.seed))
        measures = base.measures
        if self.measured:
            height = self._given_value("height", recipe.height, recipe.height)
            size = self._given_value("size", recipe.size, recipe.size)
            ratio = self._given_value("depth", recipe.depth_ratio, recipe.depth_ratio)
            keywords()["size"].check(size, "Terrain")
            keywords()["depth"].check(ratio, "Terrain")
            recipe = dataclasses.replace(recipe, height=height, size=size, depth=size * ratio)
            parameters = [keywords()[name] for name in terrains.MEASURES]
            values = chosen_values(self.properties, None, parameters, dataclasses.asdict(measures))
            measures = terrains.Measures(**values)
        settings.check_measures(recipe)
        request = dataclasses.replace(base, recipe=recipe, measures=measures)
        self._show(request)
        return request

    def chosen_options(self, context: bpy.types.Context) -> dict[str, Any]:
        """Return the operator's own options, and show them in the redo panel."""
        stored, declared = self.stored_options(context), self.option_parameters
        chosen = chosen_values(self.properties, stored, declared, self.usual_options())
        for name, value in chosen.items():
            setattr(self, name, value)
        return chosen

    def usual_options(self) -> dict[str, Any]:
        """Return the operator's own options where neither keywords nor settings say anything."""
        return {parameter.name: parameter.default for parameter in self.option_parameters}

    def stored_options(self, context: bpy.types.Context) -> Any | None:
        """Return the group with the operator's own options in the settings."""
        group = self.stored_settings(context)
        return None if group is None else getattr(group, self.option_group)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the redo panel."""
        layout = redo_layout(self)
        self.draw_recipe(layout)
        layout.separator()
        self.draw_options(layout, context)

    def draw_options(self, layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
        """Draw the options besides the noise."""
        column = layout.column(align=True)
        for name in TERRAIN_KEYWORDS:
            column.prop(self, name)

    def draw_recipe(self, layout: bpy.types.UILayout) -> None:
        """Draw the keywords of the noise in the order of scripts and panels; pale where they have no effect."""
        layout.prop(self, "preset")
        column = layout.column(align=True)
        for name in NOISE_KEYWORDS:
            row = column.row(align=True)
            row.active = (
                name not in chain_keywords.OF_FRACTALS or self.fractal != chain_keywords.NONE
            )
            row.prop(self, name)

    def _base(self, context: bpy.types.Context) -> terrains.Request:
        group = self.stored_settings(context)
        if self.recipe:
            return self._around(recipe_texts.recipe_of(self.recipe), group, PLAIN)
        # In a redo the shown preset is set even if the user has not chosen it.
        is_chosen = self.properties.is_property_set("preset") and not self.uses_settings
        if group is not None and not is_chosen:
            self.uses_settings = True
            base = self._around(settings.read(group), group, group.preset)
            states = settings.states if self.is_update else settings.whole_states
            return dataclasses.replace(base, states=states(group))
        shipped = preset(self.preset)
        return self._around(shipped.recipe, group, shipped.name)

    def usual_measures(self, preset_name: str) -> dict[str, Any]:
        """Return the measures of a terrain of a preset for keywords that are not given."""
        return {name: keywords()[name].default for name in terrains.MEASURES}

    def _around(self, recipe: Recipe, group: Any | None, name: str) -> terrains.Request:
        if group is None:
            measures = terrains.Measures(**self.usual_measures(name))
        else:
            measures = terrains.Measures.of(group)
        is_known = name in preset_names() or name in ant_names()
        return terrains.Request(recipe, measures, name if is_known else PLAIN)

    def _given_value(self, name: str, base: Any, otherwise: Any = None) -> Any:
        """Return a keyword's value if given, without Blender's rounding to float32."""
        if not self.properties.is_property_set(name):
            return otherwise
        value = getattr(self, name)
        return number(value, base) if isinstance(value, float) else value

    def _forget_after_new_preset(self) -> None:
        """Reset keywords if another preset, or another of `beginnings`, was chosen in the redo panel.

        Only keywords that still have the values set by the old one are reset.
        """
        shown = self.previous_values()
        previous = {name: shown.pop(name) for name in self.beginnings} if shown else {}
        changed = {name for name, value in previous.items() if getattr(self, name) != value}
        if not changed:
            return
        if "preset" not in changed:
            shown.pop("seed", None)  # only presets define a seed
        for name, value in shown.items():
            if getattr(self, name) == value:
                self.properties.property_unset(name)
        self.shown = ""
        if "preset" in changed:
            self.from_panel, self.uses_settings, self.recipe = False, False, ""

    def _forget_after_new_picture(self) -> None:
        """Reset the fractal if a picture was chosen in the redo panel; see `chains.is_picture`."""
        shown = self.previous_values()
        if shown.get("noise", self.noise) != self.noise and chains.is_picture(self.noise):
            for name in ("frequency", "fractal", "octaves", "persistence", "lacunarity"):
                if name in shown and getattr(self, name) == shown[name]:
                    self.properties.property_unset(name)

    def previous_values(self) -> dict[str, Any]:
        """Return the values that `_show` stored last; an empty dictionary if they are not readable."""
        try:
            stored: Any = json_value(self.shown) if self.shown else {}
        except ValueError:
            return {}
        is_known = isinstance(stored, dict) and set(self.beginnings) <= set(stored)
        properties = self.properties.bl_rna.properties
        return (
            {name: value for name, value in stored.items() if name in properties}
            if is_known
            else {}
        )

    def _show(self, request: terrains.Request) -> None:
        """Set the keywords to the values of a request."""
        measures = settings.measures(request.recipe)
        values = chain_values(request.recipe) | {"seed": measures["seed"], "preset": request.preset}
        if self.measured:
            values |= measures
        for name, value in values.items():
            setattr(self, name, value)
        shown = (*values, *self.beginnings)
        self.shown = json.dumps({name: getattr(self, name) for name in shown})
        if self.measured:
            for name in ("resolution", "seamless", "tile"):
                setattr(self, name, getattr(request.measures, name))


def chain_values(recipe: Recipe) -> dict[str, Any]:
    """Return the keywords of a recipe's first layer of noise; an empty dictionary if there is none."""
    return {} if recipe.base is None else dict(chain_keywords.values(recipe.base.noise))


def declared_keywords(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """Return the annotations of an operator's own options."""
    return declared_properties(parameters, NOT_REMEMBERED)


def recipe_keywords(*, measured: bool) -> dict[str, Any]:
    """Return the annotations of the keywords of a `RecipeOperator`."""
    declared = keywords()
    names = (*NOISE_KEYWORDS, *(TERRAIN_KEYWORDS if measured else ()))
    return {
        "preset": preset_property(),
        **declared_keywords(declared[name] for name in names),
        "noise": blender_property(
            declared["noise"], is_strict=False, options=NOT_REMEMBERED, items=basis_items()
        ),
        "recipe": StringProperty(
            name="Recipe", description="A whole recipe as JSON text", options=HIDDEN
        ),
        "from_panel": from_panel_property(),
        "uses_settings": BoolProperty(options=HIDDEN),
        "shown": StringProperty(options=HIDDEN),
    }


def preset_property() -> Any:
    """Return the property that chooses a preset; see `presets.items`."""
    return EnumProperty(
        name="Preset",
        description="Ready-made recipe to start from",
        items=presets.items,
        default=enum_number(PLAIN),
        options={"SKIP_SAVE"},
    )
