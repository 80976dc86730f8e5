# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of exported ground in simulators, drawn by these: MuJoCo, PyBullet, and a mesh that OpenUSD has read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from oblique import SKY, SUN, Camera
from PIL import Image, ImageDraw
from target_files import WIDTH, export

from noise_core import Recipe
from noise_core.io.heightmaps import export_heightmap
from noise_core.io.targets import MuJoCo

TALL = 540
SOFTWARE_GL = {"MUJOCO_GL": "egl", "EGL_PLATFORM": "surfaceless", "LIBGL_ALWAYS_SOFTWARE": "1"}
"""Lets MuJoCo draw without a window and without a graphics card."""

COURSE = (("stairs_up", "rough_field"), ("obstacles", "waves"))
TILE, SPAWNS = 161, 8
SAND = (0.80, 0.69, 0.53)
BALLS = 110
COLORS = ((0.86, 0.30, 0.18, 1), (0.16, 0.46, 0.64, 1), (0.95, 0.73, 0.22, 1), (0.93, 0.93, 0.9, 1))


def draw_mujoco(folder: Path) -> Image.Image:
    """Return four kinds of ground in one height field, with a robot at each spawn point."""
    for name, value in SOFTWARE_GL.items():
        os.environ.setdefault(name, value)
    import mujoco

    target = MuJoCo(friction=0.8, spawns=SPAWNS, spawn_radius=0.55)
    export_heightmap(course(), folder / "course", target=target, size=8.0 * len(COURSE[0]))
    spec = mujoco.MjSpec.from_file(str(folder / "course.xml"))
    _dress(spec, mujoco)
    for number, site in enumerate(list(spec.sites)):
        _add_robot(spec, mujoco, site.pos, 47.0 * number)
        site.rgba = [0, 0, 0, 0]
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    camera = mujoco.MjvCamera()
    camera.lookat, camera.distance = [-0.1, -1.5, 0.0], 14.0
    camera.azimuth, camera.elevation = 62.0, -30.0
    with mujoco.Renderer(model, 2 * TALL, 2 * WIDTH) as renderer:
        renderer.update_scene(data, camera)
        drawn = renderer.render()
    return Image.fromarray(drawn).resize((WIDTH, TALL), Image.Resampling.LANCZOS)


def course() -> np.ndarray:
    """Return the heights of tiles side by side, which join at height 0."""
    step = TILE - 1
    ground = np.zeros((len(COURSE) * step + 1, len(COURSE[0]) * step + 1), np.float32)
    for row, kinds in enumerate(COURSE):
        for column, kind in enumerate(kinds):
            recipe = Recipe.from_preset(kind, seed=row + 1)
            height = recipe.evaluate(recipe.grid(TILE)).height
            part = np.s_[row * step : row * step + TILE, column * step : column * step + TILE]
            ground[part] = height
    return ground


def _dress(spec: Any, mujoco: Any) -> None:
    """Give a scene a sky, a sun, and squares of a meter on the ground."""
    visual = spec.visual
    visual.global_.offwidth, visual.global_.offheight = 2 * WIDTH, 2 * TALL
    visual.quality.shadowsize = 8192
    visual.headlight.ambient, visual.headlight.diffuse = [0.34, 0.36, 0.40], [0.10] * 3
    visual.headlight.specular = [0.0] * 3
    kinds, builtins = mujoco.mjtTexture, mujoco.mjtBuiltin
    gradient = {"type": kinds.mjTEXTURE_SKYBOX, "builtin": builtins.mjBUILTIN_GRADIENT}
    spec.add_texture(name="sky", rgb1=SKY[0], rgb2=SKY[1], width=512, height=512, **gradient)
    checker = {"type": kinds.mjTEXTURE_2D, "builtin": builtins.mjBUILTIN_CHECKER}
    light, dark = SAND, [0.92 * channel for channel in SAND]
    spec.add_texture(name="squares", rgb1=light, rgb2=dark, width=256, height=256, **checker)
    material = spec.add_material(name="ground", specular=0.0, shininess=0.0)
    material.texrepeat = [4 * len(COURSE[0]), 4 * len(COURSE)]
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "squares"
    spec.geoms[0].material = "ground"
    sun = spec.lights[0]
    sun.dir, sun.diffuse, sun.specular = [0.62, -0.30, -0.95], [0.88, 0.82, 0.72], [0.0] * 3


def _add_robot(spec: Any, mujoco: Any, place: np.ndarray, turned: float) -> None:
    """Put a figure with four legs on the ground."""
    kinds = mujoco.mjtGeom
    orange, dark = [0.93, 0.42, 0.10, 1.0], [0.16, 0.17, 0.20, 1.0]
    body = spec.worldbody.add_body(pos=place + [0.0, 0.0, 0.44], euler=[0.0, 0.0, turned])
    body.add_geom(type=kinds.mjGEOM_BOX, size=[0.38, 0.15, 0.09], rgba=orange)
    body.add_geom(type=kinds.mjGEOM_BOX, size=[0.1, 0.11, 0.07], pos=[0.44, 0.0, 0.06], rgba=dark)
    for along in (-1.0, 1.0):
        for across in (-1.0, 1.0):
            hip = np.array([0.28 * along, 0.18 * across, 0.0])
            knee = hip + [-0.12, 0.02 * across, -0.19]
            foot = knee + [0.11, 0.0, -0.20]
            for first, last, radius in ((hip, knee, 0.055), (knee, foot, 0.04)):
                ends = {"fromto": [*first, *last], "size": [radius, 0.0, 0.0]}
                body.add_geom(type=kinds.mjGEOM_CAPSULE, rgba=dark, **ends)


def draw_pybullet(folder: Path) -> Image.Image:
    """Return balls that have come to rest on a height field."""
    import pybullet

    options = ("--maps", "ambient_occlusion", "--option", "friction=0.6")
    fields = export(folder, "waves", "--target", "pybullet", "--samples", "129", *options)["fields"]
    pybullet.connect(pybullet.DIRECT)
    try:
        names = ("meshScale", "numHeightfieldRows", "numHeightfieldColumns")
        shape = pybullet.createCollisionShape(
            shapeType=getattr(pybullet, fields["shapeType"]),
            heightfieldData=np.load(folder / "waves.npy").ravel().tolist(),
            **{name: fields[name] for name in names},
        )
        ground = pybullet.createMultiBody(0, shape, basePosition=fields["basePosition"])
        pybullet.changeDynamics(ground, -1, lateralFriction=fields["lateralFriction"])
        shade = np.asarray(Image.open(folder / "waves_ambient_occlusion.png"), float) / 255.0
        skin = (np.array(SAND) * (0.3 + 0.7 * shade[..., np.newaxis]) * 255.0).astype(np.uint8)
        Image.fromarray(skin).resize((1024, 1024)).save(folder / "skin.png")
        skin_id = pybullet.loadTexture(str(folder / "skin.png"))
        pybullet.changeVisualShape(ground, -1, rgbaColor=[1, 1, 1, 1], textureUniqueId=skin_id)
        _drop_balls(pybullet)
        return _photograph(pybullet)
    finally:
        pybullet.disconnect()


def _drop_balls(pybullet: Any) -> None:
    """Let balls of three sizes fall, and wait until they lie still."""
    pybullet.setGravity(0, 0, -9.81)
    chance = np.random.default_rng(4)
    for number in range(BALLS):
        radius = (0.09, 0.13, 0.18)[number % 3]
        ball = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=radius)
        seen = pybullet.createVisualShape(
            pybullet.GEOM_SPHERE, radius=radius, rgbaColor=COLORS[number % len(COLORS)]
        )
        place = [*chance.uniform(-3.7, 3.7, 2), 0.8 + 0.02 * number]
        body = pybullet.createMultiBody(0.2, ball, seen, basePosition=place)
        pybullet.changeDynamics(body, -1, rollingFriction=0.002, angularDamping=0.3)
    for _ in range(240 * 5):
        pybullet.stepSimulation()


def _photograph(pybullet: Any) -> Image.Image:
    """Return the picture of PyBullet's renderer, before a sky."""
    columns, rows = 2 * WIDTH, 2 * TALL
    eye = pybullet.computeViewMatrixFromYawPitchRoll([0.0, 0.2, -0.3], 8.4, 35.0, -33.0, 0.0, 2)
    lens = pybullet.computeProjectionMatrixFOV(42.0, columns / rows, 0.5, 60.0)
    _, _, seen, _, parts = pybullet.getCameraImage(
        columns, rows, eye, lens,
        lightDirection=[-4.0, 1.6, 5.0], shadow=1, lightAmbientCoeff=0.45, lightDiffuseCoeff=0.62,
        lightSpecularCoeff=0.05, renderer=pybullet.ER_TINY_RENDERER,
    )  # fmt: skip
    picture = np.reshape(seen, (rows, columns, 4))[..., :3].astype(np.uint8)
    is_sky = np.reshape(parts, (rows, columns)) < 0
    share = np.clip(np.linspace(0.0, 2.2, rows), 0.0, 1.0)[:, np.newaxis, np.newaxis]
    sky = (SKY[0] * (1.0 - share) + SKY[1] * share) * 255.0
    picture = np.where(is_sky[..., np.newaxis], sky, picture).astype(np.uint8)
    return Image.fromarray(picture).resize((WIDTH, TALL), Image.Resampling.LANCZOS)


def draw_usd(folder: Path) -> Image.Image:
    """Return the triangles of a mesh as OpenUSD has read them."""
    from pxr import Usd, UsdGeom

    export(folder, "mesa", "--target", "usd", "--samples", "129")
    stage = Usd.Stage.Open(str(folder / "mesa.usda"))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Land/Ground"))
    points = np.array(mesh.GetPointsAttr().Get(), float)
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    points /= np.ptp(points[:, 0])
    camera = Camera(east=0.12, north=-0.66, above=0.27, heading=-8.0, down=20.0, angle=54.0)
    return _triangles(points, points[corners], _project(camera), corners)


def draw_meshes(folder: Path) -> Image.Image:
    """Return four chunks, each at another level of detail, as trimesh has read them."""
    import trimesh

    export(folder, "mesa", "--target", "gltf", "--samples", "129", "--tiles", "2x2", "--option", "error=3")  # fmt: skip
    points, corners, count = [], [], 0
    for name in ("lod0_x0_y0", "lod1_x1_y0", "lod2_x0_y1", "lod3_x1_y1"):
        mesh = trimesh.load(folder / f"mesa_{name}.glb", force="mesh", process=False)
        x, up, south = mesh.vertices.T
        points.append(np.stack((x, -south, up), axis=-1))
        corners.append(np.array(mesh.faces) + count)
        count += len(points[-1])
    places, faces = np.concatenate(points), np.concatenate(corners)
    places /= np.ptp(places[:, 0])
    camera = Camera(east=0.12, north=-0.72, above=0.42, heading=-8.0, down=30.0, angle=54.0)
    return _triangles(places, places[faces], _project(camera), faces)


def _project(camera: Camera) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Return a function that gives points their place in a picture and their distance."""
    turn, down = np.radians(camera.heading), np.radians(camera.down)
    ahead = np.array([np.sin(turn) * np.cos(down), np.cos(turn) * np.cos(down), -np.sin(down)])
    right = np.array([np.cos(turn), -np.sin(turn), 0.0])
    up = np.cross(right, ahead)
    focal = WIDTH / np.tan(0.5 * np.radians(camera.angle))

    def place(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        middle = np.array([0.0, 0.0, 0.5 * (points[..., 2].min() + points[..., 2].max())])
        seen = points - middle - [camera.east, camera.north, camera.above]
        far = seen @ ahead
        x, y = WIDTH + focal * (seen @ right) / far, TALL - focal * (seen @ up) / far
        return np.stack([x, y], axis=-1), far

    return place


def _triangles(
    points: np.ndarray,
    triangles: np.ndarray,
    project: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    corners: np.ndarray,
) -> Image.Image:
    """Return triangles with their edges in the sun, the farthest first."""
    places, far = project(points)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    sun = np.clip(0.18 + 0.82 * normals @ SUN, 0.0, 1.0)[:, np.newaxis] * [1.45, 1.30, 1.10]
    base, sky = np.array([0.58, 0.32, 0.18]), 0.6 + 0.4 * normals[:, 2:]
    colors = np.clip((base * (sun + sky * [0.20, 0.25, 0.34])) ** (1.0 / 2.2), 0.0, 1.0)
    share = np.clip(np.linspace(0.0, 2.2, 2 * TALL), 0.0, 1.0)[:, np.newaxis, np.newaxis]
    air = (SKY[0] * (1.0 - share) + SKY[1] * share) * 255.0
    picture = Image.fromarray(np.broadcast_to(air, (2 * TALL, 2 * WIDTH, 3)).astype(np.uint8))
    draw = ImageDraw.Draw(picture)
    distance = far[corners].mean(axis=1)
    for number in np.argsort(-distance):
        if far[corners[number]].min() < 0.02:
            continue
        color = tuple(int(255 * channel) for channel in colors[number])
        edge = tuple(int(0.72 * channel) for channel in color)
        draw.polygon([tuple(place) for place in places[corners[number]]], fill=color, outline=edge)
    return picture.resize((WIDTH, TALL), Image.Resampling.LANCZOS)
