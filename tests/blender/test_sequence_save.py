# SPDX-License-Identifier: GPL-3.0-or-later
"""Sequences: the frames that the core paints, no jump where a loop closes, all files or none."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from tests.blender.extension import module
from tests.blender.helpers import load_pixels
from tests.blender.panels import shown_by


def save(folder, **keywords):
    given = {
        "coloring": "clouds", "motion": "loop", "frames": 5, "width": 24, "height": 16,
        "directory": str(folder), **keywords,
    }  # fmt: skip
    assert bpy.ops.terrane.sequence_save(**given) == {"FINISHED"}
    return sorted(folder.iterdir())


def painted(evolution, seed=0, key="clouds"):
    made = module("noise_core.materials.colorings.bases.coloring").coloring_types()[key]()
    return made.paint(module("noise_core").Grid(16, 24, wrap=True), seed, evolution)


def test_a_loop_goes_once_around(terrane, tmp_path):
    paths = save(tmp_path / "new", seed=3, loop_length=0.5, file_format="exr", bits="32")
    assert [path.name for path in paths] == [f"clouds_{frame:04}.exr" for frame in range(1, 6)]
    around = module("noise_core.noises.evolution").around
    for frame, path in enumerate(paths):
        expected = painted(around(0.5 * frame / 5, 0.5), 3)
        np.testing.assert_allclose(load_pixels(path, "Non-Color")[..., :3], expected, atol=2e-6)
    frames = [load_pixels(path, "Non-Color")[..., :3] for path in paths]
    steps = [np.abs(frames[number] - frames[number - 1]).mean() for number in range(5)]
    assert steps[0] < 2.0 * np.mean(steps[1:]), "a jump where the loop closes"


def test_an_endless_motion_goes_on(terrane, tmp_path):
    paths = save(tmp_path, motion="endless", evolution=0.3, step=0.1, frames=3, bits="16")
    encode = module("noise_core.materials.colors").linear_to_srgb
    for frame, path in enumerate(paths):
        expected = encode(painted((0.3 + 0.1 * frame,)))
        np.testing.assert_allclose(
            load_pixels(path, "Non-Color")[..., :3], expected, atol=1.0 / 65535
        )


def test_gray_is_written_as_numbers(terrane, tmp_path):
    paths = save(tmp_path, coloring="gray", name="height", frames=2, bits="16", seed=5)
    plain = module("noise_core.landscapes.preset_library").preset("none").recipe.noise
    grid = module("noise_core").Grid(16, 24, wrap=True)
    around = module("noise_core.noises.evolution").around
    for frame, path in enumerate(paths):
        noise = plain.sample_grid(grid, 5, evolution=around(frame / 2, 1.0))
        np.testing.assert_allclose(
            load_pixels(path, "Non-Color")[..., :3][..., 0], noise * 0.5 + 0.5, atol=1.0 / 65535
        )
    (image,) = bpy.data.images
    assert image.colorspace_settings.name == "Non-Color"


def test_the_files_become_one_image(terrane, tmp_path):
    save(tmp_path)
    (image,) = bpy.data.images
    assert (image.source, image.name) == ("SEQUENCE", "clouds_0001.png")
    assert image.colorspace_settings.name == "sRGB"
    assert bpy.path.abspath(image.filepath) == str(tmp_path / "clouds_0001.png")
    save(tmp_path, name="other", load=False)
    assert len(bpy.data.images) == 1


def test_the_image_is_kept_and_used_again(terrane, tmp_path):
    folder = tmp_path / "frames"
    save(folder, frames=2)
    (image,) = bpy.data.images
    image.name = "Clouds"
    assert image.use_fake_user
    for path in (tmp_path / "saved.blend", tmp_path / "other" / "saved.blend"):
        path.parent.mkdir(exist_ok=True)
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.data.images["Clouds"].filepath = bpy.path.relpath(bpy.data.images["Clouds"].filepath)
    assert bpy.data.images["Clouds"].filepath.startswith("//")
    for seed in (2, 3):
        save(folder, frames=2, seed=seed, coloring="gray", name="clouds", overwrite=True)
    (image,) = bpy.data.images
    assert (image.name, image.source) == ("Clouds", "SEQUENCE")
    assert image.colorspace_settings.name == "Non-Color"
    save(folder, frames=2, name="other")
    assert len(bpy.data.images) == 2


def test_an_image_of_one_frame_stays_what_it_is(terrane, tmp_path):
    path = save(tmp_path, load=False)[0]
    single = bpy.data.images.load(str(path))
    save(tmp_path, overwrite=True)
    assert len(bpy.data.images) == 2 and single.source == "FILE"


def test_nothing_is_overwritten_unless_told(terrane, tmp_path):
    paths = save(tmp_path, load=False)
    before = [path.read_bytes() for path in paths]
    with pytest.raises(RuntimeError, match=r"clouds_0001.png, .* and 2 more in .*: already there"):
        save(tmp_path, seed=2)
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == before
    assert [path.read_bytes() for path in save(tmp_path, seed=2, overwrite=True)] != before


def test_the_panels_settings(terrane, tmp_path):
    options, files = bpy.context.scene.terrane.image_options, bpy.context.scene.terrane_material
    options.kind, options.coloring, options.motion = "coloring", "marble", "endless"
    options.width, options.height, options.frames, options.step = 24, 16, 3, 0.25
    files.directory, files.file_format, files.bits = str(tmp_path), "exr", "32"
    assert bpy.ops.terrane.sequence_save(from_panel=True) == {"FINISHED"}
    paths = sorted(tmp_path.iterdir())
    assert [path.name for path in paths] == [f"marble_{frame:04}.exr" for frame in (1, 2, 3)]
    expected = painted((0.5,), bpy.context.scene.terrane.seed, "marble")
    np.testing.assert_allclose(load_pixels(paths[2], "Non-Color")[..., :3], expected, atol=2e-6)


def test_the_panel_shows_what_sequences_use(terrane):
    shown = shown_by(module("ui.image_editor").TERRANE_PT_image_sequence)
    assert {("TERRANE_PG_material", name) for name in ("file_format", "bits")} <= shown
    assert not {("TERRANE_PG_material", name) for name in ("packing", "normal", "storage")} & shown


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"motion": "still"},
            "Image.motion must be 'endless' or 'loop' for a sequence; got 'still'",
        ),
        ({"coloring": "gray", "levels": "stretched"}, "'stretched' flickers"),
        ({"coloring": "gray", "levels": "signed"}, "'signed' needs exr; png holds 0 to 1"),
        ({"name": "../x"}, "name must be the name of a file"),
        ({"name": "lpt1"}, "name must not be a name of a device on Windows; got 'lpt1'"),
        ({"name": "n" * 300}, "n_0001.png: cannot be written: File name too long"),
        (
            {"name": "n" * 300, "overwrite": True},
            "n_0001.png: cannot be written: File name too long",
        ),
        ({"frames": 0}, r"Sequence.frames must be in \[1, 100000\]; got 0"),
        ({"bits": "32"}, "bits must be 8 or 16 for png; got 32"),
        ({"loop_length": 0.0}, "Image.loop_length must be in"),
    ],
)
def test_wrong_values_are_one_line(terrane, tmp_path, keywords, message):
    with pytest.raises(RuntimeError, match=message) as caught:
        save(tmp_path, **keywords)
    assert len(str(caught.value).strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == [] and not bpy.data.images


def test_a_cancelled_sequence_leaves_no_file(terrane, tmp_path):
    pictures, sequences = (
        module("operators.bridge.textures.pictures"),
        module("operators.bridge.textures.image_files"),
    )
    clouds = module("noise_core.materials.colorings").Clouds()
    recipe = module("noise_core.landscapes.preset_library").preset("none").recipe
    shape = pictures.ImageShape(24, 16, True, True, "fixed", "loop")
    made = pictures.Picture(recipe, shape, clouds)
    files = module("operators.bridge.textures.image_files").ImageFiles(
        tmp_path, "clouds", sequences.frame_numbers(4), "png", 8
    )
    work, heard = (
        sequences.sequence_work(made, shape.grid(recipe), {}, files, 0.0, overwrite=False),
        [],
    )
    with pytest.raises(module("noise_core.base.errors").Cancelled):
        work(heard.append, lambda: bool(heard) and heard[-1] > 0.6)
    assert list(tmp_path.iterdir()) == []
    heard.clear()
    assert len(work(heard.append, lambda: False)) == 4
    assert heard[-1] == 1.0 and heard == sorted(heard)


def test_files_that_are_there_are_refused_before_the_work(terrane, tmp_path, monkeypatch):
    (tmp_path / "clouds_0003.png").write_text("mine")

    def never(*arguments, **keywords):
        raise AssertionError("worked in vain")

    monkeypatch.setattr(module("operators.bridge.textures.image_files"), "sequence_work", never)
    with pytest.raises(RuntimeError, match="clouds_0003.png in .*: already there"):
        save(tmp_path)


def test_a_file_that_appears_meanwhile_is_not_overwritten(terrane, tmp_path):
    writing = module("operators.bridge.textures.image_files")
    first, second = tmp_path / "a.png", tmp_path / "b.png"

    def content():
        first.write_bytes(b"mine")
        return b"ours"

    contents = {first: lambda: b"ours", second: content}
    with pytest.raises(
        module("noise_core.base.errors").TerraneError, match="a.png in .*already there"
    ):
        writing.write_all(contents, overwrite=False, done=lambda count: None)
    assert first.read_bytes() == b"mine" and [path.name for path in tmp_path.iterdir()] == ["a.png"]
    counts = []
    writing.write_all(contents, overwrite=True, done=counts.append)
    assert first.read_bytes() == second.read_bytes() == b"ours" and counts == [1, 2]


def test_all_files_are_replaced_or_none(terrane, tmp_path, monkeypatch):
    writing = module("operators.bridge.textures.image_files")
    files = [tmp_path / name for name in ("a.png", "b.png", "c.png")]
    for file in files[1:]:
        file.write_text("mine")
    replace = type(tmp_path).replace

    def failing(path, target):
        if path.name.startswith("c.png.") and ".old" not in path.name:
            raise PermissionError(13, "Permission denied")
        return replace(path, target)

    contents = {file: lambda: b"ours" for file in files}
    with monkeypatch.context() as patch:
        patch.setattr(type(tmp_path), "replace", failing)
        with pytest.raises(
            module("noise_core.base.errors").TerraneError, match="Permission denied"
        ):
            writing.write_all(contents, overwrite=True, done=lambda count: None)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {
        "b.png": "mine",
        "c.png": "mine",
    }
    writing.write_all(contents, overwrite=True, done=lambda count: None)
    assert sorted(tmp_path.iterdir()) == files
    assert all(file.read_text() == "ours" for file in files)
