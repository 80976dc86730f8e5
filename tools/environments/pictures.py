# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the documentation, drawn again: the subjects of the session `pictures`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import nox

from .blenders import (
    BlenderModule,
    debian_blender,
    install_module,
    install_zip,
    make_shipped,
    unpack_zip,
)
from .programs import install_clients, npm_packages
from .project import BUILD, ROOT, requirements

DEMO = [
    (
        "terrain",
        "--preset island --output {folder}/island.blend --render {folder}/island.png --pixels 960 --samples 16",
    ),
    ("terrain", "--preset alps --render {folder}/alps.png --pixels 960 --samples 16"),
    ("planet", "--resolution 512 --render {folder}/planet.png --pixels 960 --samples 16"),
    ("texture", "--preset marble --output {folder}/marble.png"),
    ("texture", "--preset cells --output {folder}/cells.png"),
]
"""Scripts in examples/ with their arguments."""

LANDSCAPE = "--preset NAME --resolution 1025 --pixels 960 --samples 16 --render {folder}/NAME.png"
"""Arguments for the landscape that the button adds, at twice the resolution of its default."""

HERO = "--preset alps --resolution 1025 --pixels 1920 --samples 16 --render {folder}/hero_landscape.png"
"""The same for the wide picture on top of README and of the site."""


def draw_relief(session: nox.Session, module: BlenderModule) -> None:
    """Draw the pictures of docs/relief.md."""
    session.install("numpy>=2", *requirements("pictures"))
    session.run("python", "tools/relief_pictures.py")


def draw_targets(session: nox.Session, module: BlenderModule) -> None:
    """Draw the pictures of docs/targets/, of all pages or of those that the arguments name."""
    session.install("numpy>=2", *requirements("test-clients", "pictures"))
    missing = install_clients(session)
    if missing:
        session.error(f"no pictures without {', '.join(missing)}")
    env = {"TERRANE_NPM": str(npm_packages())}
    session.run("python", "tools/target_pictures.py", *session.posargs, env=env)


def draw_looks(session: nox.Session, module: BlenderModule) -> None:
    """Draw the picture of docs/looks.md."""
    session.install("numpy>=2", *requirements("test-clients", "pictures"))
    missing = install_clients(session)
    if "xvfb" in missing:
        session.error("no picture without xvfb")
    session.run("python", "tools/look_pictures.py")


def take_walk(session: nox.Session, module: BlenderModule) -> None:
    """Take the pictures of docs/first_terrain.md in a window, with the defaults."""
    blender = debian_blender(session, "sid")
    make_shipped(session)
    _, env = install_zip(session, blender)
    session.run("python", "tools/walk_pictures.py", env={"TERRANE_WINDOW": blender.window, **env})


def make_film(session: nox.Session, module: BlenderModule) -> None:
    """Play and make the film of a minute: build/film/film.webp."""
    blender = debian_blender(session, "sid")
    make_shipped(session)
    _, env = install_zip(session, blender)
    session.install(*requirements("pictures"))
    session.run(
        "python", "tools/film.py", *session.posargs, env={"TERRANE_WINDOW": blender.window, **env}
    )


def render_landscapes(session: nox.Session, module: BlenderModule) -> None:
    """Render every landscape and the wide one (``hero``), or those that the arguments name, into build/renders/."""
    names = session.posargs or [*_landscape_presets(), "hero"]
    scripts = [
        ("terrain", HERO if name == "hero" else LANDSCAPE.replace("NAME", name)) for name in names
    ]
    _run_examples(session, module, scripts, BUILD / "renders")


def render_drawn(session: nox.Session, module: BlenderModule) -> None:
    """Render the pictures of drawn land, or those that the arguments name, and the film."""
    install_module(session, module)
    session.install(*requirements("pictures"))
    session.run("python", "tools/drawn_pictures.py", *session.posargs)


def render_demo(session: nox.Session, module: BlenderModule) -> None:
    """Make terrains, a planet and textures, and render them into build/demo/."""
    _run_examples(session, module, DEMO, BUILD / "demo")


SUBJECTS = {
    "relief": draw_relief,
    "targets": draw_targets,
    "looks": draw_looks,
    "walk": take_walk,
    "film": make_film,
    "landscapes": render_landscapes,
    "drawn": render_drawn,
    "demo": render_demo,
}


def _landscape_presets() -> list[str]:
    """Return the names of the presets that are landscapes: not for robots, and not flat."""
    files = sorted((ROOT / "noise_core").rglob("presets/*.json"))
    presets = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
    return [
        name
        for name, preset in presets.items()
        if not preset.get("group") and not preset["look"].get("is_flat")
    ]


def _run_examples(
    session: nox.Session, module: BlenderModule, scripts: Iterable[tuple[str, str]], folder: Path
) -> None:
    """Run examples, each with its arguments, with the zip installed in Blender's Python module."""
    install_module(session, module)
    profile = unpack_zip(session, module)
    folder.mkdir(parents=True, exist_ok=True)
    for script, arguments in scripts:
        words = arguments.format(folder=folder).split()
        run = ("python", f"examples/{script}.py", "--", *words)
        session.run(*run, env={"BLENDER_USER_RESOURCES": str(profile)})
        if text := caption(arguments):
            picture = Path(words[words.index("--render") + 1])
            picture.with_suffix(".txt").write_text(text, encoding="utf-8")


def caption(arguments: str) -> str:
    """Return how an example makes a picture, as pages say it; empty if the arguments do not say all of it."""
    said = dict(re.findall(r"--(resolution|pixels|samples) (\d+)", arguments))
    if len(said) < 3:
        return ""
    width = int(said["pixels"])  # examples render 16:9, with Cycles
    size = f"{width} x {width * 9 // 16} pixels"
    return f"Cycles ({said['samples']} samples, {size}) at {said['resolution']} vertices a side"
