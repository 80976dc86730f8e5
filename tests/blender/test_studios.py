# SPDX-License-Identifier: GPL-3.0-or-later
"""The main path works in a studio's set-up, whose color spaces, views, looks and nodes have names of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.extension import PACKAGE, module

SCRIPT = Path(__file__).with_name("studio_session.py")
CONFIGURATIONS = Path(__file__).resolve().parents[1] / "data" / "ocio"
STUDIOS = ("aces", "minimal", "roles")
HEIGHTS = np.linspace(0.0, 1.0, 9, dtype=np.float32)
STEP = 1.0 / 65535.0

FOR_DATA = {"aces": "Raw", "minimal": "numbers", "roles": "scene"}
"""What each configuration, or Blender for want of a role, has for numbers."""

FOR_FLOATS = {
    "aces": ("Linear Rec.709 (sRGB)", "ACEScg"),
    "minimal": ("light",),
    "roles": ("scene",),
}
"""What they have for colors: linear Rec. 709, and what Blender's own colors are."""


def play(folder, studio, **more):
    """Play the session in a separate process, with more variables; return its report."""
    folder.mkdir(exist_ok=True)
    writing = module("noise_core.codecs.image_writing")
    (folder / "heights.png").write_bytes(writing.image_bytes(np.tile(HEIGHTS, (4, 1)), "png", 16))
    env = {**os.environ, **more}
    if studio:
        env["OCIO"] = str(CONFIGURATIONS / f"{studio}.ocio")
    binary = bpy.app.binary_path
    command = [binary, "--background", "--python"] if binary else [sys.executable]
    done = subprocess.run(
        [*command, str(SCRIPT), "--", PACKAGE, str(folder)],
        env=env, timeout=600, check=False, capture_output=True, text=True,
    )  # fmt: skip
    report = folder / "report.json"
    assert report.exists(), done.stdout + done.stderr
    return json.loads(report.read_text())


@pytest.fixture(scope="module")
def reports(terrane, tmp_path_factory):
    """Return a function that plays the session once for each set-up; that of Blender is ``""``."""
    played = {}
    folder = tmp_path_factory.mktemp("studios")

    def of(studio):
        if studio not in played:
            played[studio] = play(folder / (studio or "blender"), studio)
        return played[studio]

    return of


@pytest.mark.slow
@pytest.mark.parametrize("studio", ["", *STUDIOS])
def test_every_step_works(reports, studio):
    report = reports(studio)
    errors = {name: step["error"] for name, step in report.items() if "error" in step}
    assert not errors, "\n".join(errors.values())
    assert report["render"]["status"] == 0 and len(report["surfaces"]["images"]) > 10


@pytest.mark.slow
@pytest.mark.parametrize("studio", STUDIOS)
def test_images_are_the_same_and_marked_for_what_they_are(reports, studio):
    ours, usual = reports(studio), reports("")
    for step, report in ours.items():
        assert set(report["images"]) == set(usual[step]["images"]), step
        for name, image in report["images"].items():
            expected = usual[step]["images"][name]
            assert image["is_float"] == expected["is_float"], name
            if expected["is_data"]:
                assert image["is_data"] and image["space"] == FOR_DATA[studio], name
            if not expected["is_data"] and name != "heights.png":
                assert not image["is_float"] or image["space"] in FOR_FLOATS[studio], name
            if name != "heights.png":
                np.testing.assert_allclose(image["mean"], expected["mean"], atol=2e-3, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("studio", ["", *STUDIOS])
def test_heights_of_16_bits_are_those_of_the_file_or_refused(reports, studio):
    said = reports(studio)["loaded_heights"]
    if studio == "minimal":  # its screen is no sRGB
        assert (
            "has the color space screen, which bends its numbers: choose numbers" in said["refused"]
        )
    else:
        np.testing.assert_allclose(said["heights"], HEIGHTS, atol=2.0 * STEP)


@pytest.mark.skipif(
    not bpy.app.build_options.international, reason="this Blender has no languages but English"
)
@pytest.mark.parametrize("language", ["ja_JP"])
def test_names_of_new_datablocks_in_another_language(reports, tmp_path, language):
    ours = play(tmp_path / language, "", TERRANE_TEST_LANGUAGE=language)
    errors = {name: step["error"] for name, step in ours.items() if "error" in step}
    assert not errors, "\n".join(errors.values())
    for step, report in reports("").items():
        assert ours[step]["images"] == report["images"], step


def test_nothing_is_left_of_an_image_that_fails(terrane, monkeypatch):
    images = module("operators.bridge.datablocks.images")

    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(images, "write_content", fail)
    packed = images.content(np.zeros((2, 2), np.float32), float_buffer=True)
    with pytest.raises(MemoryError):
        images.create_image("Half", packed)
    assert not bpy.data.images
