# SPDX-License-Identifier: GPL-3.0-or-later
"""What is due for a wish at this moment, or why nothing is."""

from __future__ import annotations

import bpy

from ....noise_core.errors import TerraneError
from ..work import jobs
from . import live_scenes
from .live_wishes import Wishes
from .live_work import Due, Wish, text_of

REFUSALS = (TerraneError, MemoryError)
"""What may be raised where something cannot be done; all else is a mistake of ours."""


def due(wishes: Wishes, wish: Wish) -> Due | None:
    """Return what is due for a wish, None if nothing is, or not now; a wish that is over is dropped."""
    target = wish.target
    owner = target.found()
    if owner is None or not live_scenes.is_live(owner):
        wishes.fulfil(target.key)
        return None
    if target.must_wait(owner):
        return None
    try:
        plan = target.plan(owner, is_thorough=wish.is_thorough)
    except REFUSALS as error:
        wishes.refuse(target.key, text_of(error))
        return None
    if plan is None:
        wishes.fulfil(target.key)
        return None
    if reason := target.refusal(owner):
        wishes.refuse(target.key, reason)
        return None
    return Due(owner, plan)


def is_due_in(wishes: Wishes, scene: bpy.types.Scene) -> bool:
    """Return whether there is something to do for what a render of a scene may show."""
    found = [(wish.target, wish.target.found()) for wish in wishes.waiting.values()]
    return jobs.running() is None and any(
        owner is not None and not target.must_wait(owner) and live_scenes.shows(scene, owner)
        for target, owner in found
    )
