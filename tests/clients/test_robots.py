# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground for robots in the simulators that it is for: collision, friction, and places to begin.

Needs no Blender: `pip install pytest numpy mujoco newton pybullet usd-core`. A client that is not installed is skipped,
and the summary names it.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from lopsided_land import import_client, lopsided_land  # noqa: E402

from noise_core import Recipe  # noqa: E402
from noise_core.io.heightmaps import ExportOptions, export_heightmap  # noqa: E402
from noise_core.io.targets import MuJoCo, PyBullet, Usd  # noqa: E402
from noise_core.landscapes.look import Look  # noqa: E402
from noise_core.pictures.thumbnail import plan_of  # noqa: E402
from tests import drawing  # noqa: E402
from tests.export_keywords import sort_keywords  # noqa: E402

LAND = lopsided_land(height=1.2, size=40.0, frequency=2.0, octaves=3)

ROWS, COLUMNS = 97, 129
"""Not square, so that rows are not taken for columns."""

SPACING = LAND.size / (COLUMNS - 1)
RAYS = 10_000
SPAWNS = {"spawns": 8, "spawn_radius": 1.0, "spawn_slope": 20.0}


def export(target, folder, land=LAND, samples=(ROWS, COLUMNS), **keywords):
    arguments = sort_keywords(target=target, samples=samples, **keywords)
    report = export_heightmap(land, folder / "land", **arguments)
    return json.loads(report.sidecar.read_text(encoding="utf-8"))


def ground(height, places):
    """Return the height of the ground whose cells are cut from the south-west to the north-east."""
    across = places / SPACING + 0.5 * np.array([COLUMNS - 1, ROWS - 1])
    column, row = np.floor(across).astype(int).T
    u, v = across[:, 0] - column, across[:, 1] - row
    a, b = height[row, column].astype(float), height[row, column + 1].astype(float)
    c, d = height[row + 1, column].astype(float), height[row + 1, column + 1].astype(float)
    return np.where(u >= v, a + u * (b - a) + v * (d - b), a + v * (c - a) + u * (d - c))


def places_within(count, seed):
    half = 0.5 * SPACING * np.array([COLUMNS - 1, ROWS - 1])
    return np.random.default_rng(seed).uniform(-half * 0.999, half * 0.999, (count, 2))


def test_the_ground_of_usd_is_that_which_mujoco_sees(tmp_path, height):
    mujoco = import_client("mujoco")
    export("mujoco", tmp_path)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "land.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    places, down, geom = places_within(RAYS, 1), np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    met = np.array([
        50.0 - mujoco.mj_ray(model, data, np.array([*place, 50.0]), down, None, 1, -1, geom, None)
        for place in places
    ])  # fmt: skip
    off = np.abs(met - ground(height, places))
    assert off.max() <= 1e-4, off.max()


def test_newton_loads_the_land_of_mujoco(tmp_path):
    newton = import_client("newton")
    generator = drawing.generator("newton")
    for at in range(drawing.count_of(40)):
        shape = generator.randrange(2, 200), generator.randrange(2, 200)
        folder = tmp_path / str(at)
        folder.mkdir()
        export(MuJoCo(base=generator.uniform(0.1, 5.0)), folder, samples=shape)
        builder = newton.ModelBuilder()
        builder.add_mjcf(str(folder / "land.xml"))
        (field,) = builder.shape_source
        assert (field.nrow, field.ncol) == shape
        *middle, lowest = list(builder.shape_transform[0])[:3]
        assert middle == [0.0, 0.0]
        step = LAND.size / (shape[1] - 1)
        assert 2.0 * field.hx == pytest.approx(LAND.size)
        assert 2.0 * field.hy == pytest.approx(step * (shape[0] - 1))
        height = LAND.evaluate(LAND.grid(shape)).height  # row 0 at the smallest y, as Newton has it
        found = lowest + field.min_z + field.data * (field.max_z - field.min_z)
        np.testing.assert_allclose(found, height, atol=1e-5)
    assert builder.finalize(device="cpu").shape_count == 1


def sliding(friction, folder, slope):
    """Return how far a box slides in a second down a slope, in MuJoCo."""
    mujoco = import_client("mujoco")
    rows = np.linspace(0.0, 10.0 * math.tan(math.radians(slope)), 33)
    field = np.repeat(rows[:, np.newaxis], 33, axis=1).astype(np.float32)
    export_heightmap(
        field,
        folder / "land",
        target=MuJoCo(friction=friction),
        size=10.0,
        options=ExportOptions(overwrite=True),
    )
    text = (folder / "land.xml").read_text(encoding="utf-8")
    middle = 5.0 * math.tan(math.radians(slope))
    # The larger friction of two counts in MuJoCo, so the box has none of its own.
    box = (
        f'<body pos="0 0 {middle + 0.16}" euler="{slope} 0 0"><freejoint/>'
        '<geom type="box" size="0.3 0.3 0.1" mass="1" friction="0.001 0.005 0.0001"/></body>'
    )
    (folder / "world.xml").write_text(text.replace("</worldbody>", f"{box}</worldbody>"))
    model = mujoco.MjModel.from_xml_path(str(folder / "world.xml"))
    data = mujoco.MjData(model)
    while data.time < 1.0:
        mujoco.mj_step(model, data)
    return math.hypot(data.qpos[1], data.qpos[2] - middle - 0.16)


def test_friction_holds_a_box_in_mujoco(tmp_path):
    # A slope of 20 degrees holds what has a friction above 0.36.
    assert sliding(0.8, tmp_path, 20.0) < 0.1
    assert sliding(0.1, tmp_path, 20.0) > 0.6


def test_sites_of_mujoco_lie_on_the_ground(tmp_path):
    mujoco = import_client("mujoco")
    says = export(MuJoCo(friction=0.7, **SPAWNS), tmp_path)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "land.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert model.geom_friction[0].tolist() == [0.7, 0.005, 0.0001]
    assert model.nsite == 8 == len(says["spawn_points"])
    down, geom = np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    for one in says["spawn_points"]:
        place = data.site(one["name"]).xpos
        assert place.tolist() == [one["x"], one["y"], one["z"]]
        above = np.array([place[0] + 1e-4, place[1] + 2e-4, place[2] + 5.0])
        met = mujoco.mj_ray(model, data, above, down, None, 1, -1, geom, None)
        assert met == pytest.approx(5.0, abs=1e-3)


def test_spawn_points_and_friction_in_pybullet(tmp_path):
    bullet = import_client("pybullet")
    says = export(PyBullet(friction=0.35, **SPAWNS), tmp_path)
    fields = says["fields"]
    world = bullet.connect(bullet.DIRECT)
    try:
        shape = bullet.createCollisionShape(
            shapeType=getattr(bullet, fields["shapeType"]),
            meshScale=fields["meshScale"],
            heightfieldData=np.load(tmp_path / "land.npy").ravel().tolist(),
            numHeightfieldRows=fields["numHeightfieldRows"],
            numHeightfieldColumns=fields["numHeightfieldColumns"],
            physicsClientId=world,
        )
        body = bullet.createMultiBody(
            0, shape, basePosition=fields["basePosition"], physicsClientId=world
        )
        bullet.changeDynamics(
            body, -1, lateralFriction=fields["lateralFriction"], physicsClientId=world
        )
        assert bullet.getDynamicsInfo(body, -1, physicsClientId=world)[1] == 0.35
        assert len(says["spawn_points"]) == 8
        for one in says["spawn_points"]:
            x, y, z = one["x"] + 1e-3, one["y"] + 2e-3, one["z"]
            hit = bullet.rayTest([x, y, z + 5.0], [x, y, z - 5.0], physicsClientId=world)[0]
            assert hit[3][2] == pytest.approx(z, abs=5e-3)
    finally:
        bullet.disconnect(world)


def opened(path):
    import_client("pxr")
    from pxr import Usd as UsdFiles

    return UsdFiles.Stage.Open(str(path))


def mesh_of(stage):
    from pxr import UsdGeom

    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Land/Ground"))
    points = np.array(mesh.GetPointsAttr().Get())
    corners = np.array(mesh.GetFaceVertexIndicesAttr().Get()).reshape(-1, 3)
    return mesh, points, corners


def test_usd_opens_and_its_points_are_the_heights(tmp_path, height):
    says = export(Usd(), tmp_path)
    stage = opened(tmp_path / "land.usda")
    from pxr import UsdGeom

    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetDefaultPrim().GetPath() == "/Land"
    assert str(mesh_of(stage)[0].GetPath()) == says["fields"]["prim"]
    mesh, points, corners = mesh_of(stage)
    assert points.dtype == np.float32
    np.testing.assert_array_equal(points[:, 2].reshape(ROWS, COLUMNS), height)
    x = (np.arange(COLUMNS) - 0.5 * (COLUMNS - 1)) * SPACING
    y = (np.arange(ROWS) - 0.5 * (ROWS - 1)) * SPACING
    np.testing.assert_allclose(
        points[:, 0].reshape(ROWS, COLUMNS), np.tile(x, (ROWS, 1)), atol=1e-6
    )
    np.testing.assert_allclose(points[:, 1].reshape(ROWS, COLUMNS)[:, 0], y, atol=1e-6)
    assert set(mesh.GetFaceVertexCountsAttr().Get()) == {3}
    assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
    extent = np.array(mesh.GetExtentAttr().Get())
    np.testing.assert_allclose(extent, [points.min(axis=0), points.max(axis=0)], atol=1e-6)
    # All triangles look up, and together they cover the land once.
    a, b, c = (points[corners[:, k]].astype(float) for k in range(3))
    up = np.cross(b - a, c - a)[:, 2]
    assert len(up) == 2 * (ROWS - 1) * (COLUMNS - 1) and up.min() > 0.0
    assert 0.5 * up.sum() == pytest.approx(LAND.size**2 * (ROWS - 1) / (COLUMNS - 1), rel=1e-6)
    # The middle of each lies on the ground that MuJoCo sees.
    middle = (a + b + c) / 3.0
    np.testing.assert_allclose(middle[:, 2], ground(height, middle[:, :2]), atol=1e-5)


def test_usd_has_collision_and_a_physics_material(tmp_path):
    export(Usd(friction=0.9, dynamic_friction=0.6, restitution=0.1, **SPAWNS), tmp_path)
    stage = opened(tmp_path / "land.usda")
    from pxr import UsdPhysics, UsdShade

    ground_prim = stage.GetPrimAtPath("/Land/Ground")
    assert ground_prim.HasAPI(UsdPhysics.CollisionAPI)
    assert UsdPhysics.CollisionAPI(ground_prim).GetCollisionEnabledAttr().Get() is True
    assert ground_prim.HasAPI(UsdPhysics.MeshCollisionAPI)
    assert UsdPhysics.MeshCollisionAPI(ground_prim).GetApproximationAttr().Get() == "none"
    assert not ground_prim.HasAPI(UsdPhysics.RigidBodyAPI), "it does not move"
    bound, _ = UsdShade.MaterialBindingAPI(ground_prim).ComputeBoundMaterial("physics")
    seen, _ = UsdShade.MaterialBindingAPI(ground_prim).ComputeBoundMaterial()
    assert not seen, "it says nothing of what the ground looks like"
    material = UsdPhysics.MaterialAPI(bound.GetPrim())
    assert bound.GetPrim().HasAPI(UsdPhysics.MaterialAPI)
    assert material.GetStaticFrictionAttr().Get() == pytest.approx(0.9)
    assert material.GetDynamicFrictionAttr().Get() == pytest.approx(0.6)
    assert material.GetRestitutionAttr().Get() == pytest.approx(0.1)


def test_usd_has_a_frame_at_each_spawn_point(tmp_path, height):
    says = export(Usd(**SPAWNS), tmp_path)
    stage = opened(tmp_path / "land.usda")
    from pxr import UsdGeom

    assert len(says["spawn_points"]) == 8
    for one in says["spawn_points"]:
        frame = UsdGeom.Xformable(stage.GetPrimAtPath(f"/Land/SpawnPoints/{one['name']}"))
        place = frame.ComputeLocalToWorldTransform(0.0).ExtractTranslation()
        assert list(place) == [one["x"], one["y"], one["z"]]
        found = ground(height, np.array([[one["x"] + 1e-6, one["y"] + 1e-6]]))
        assert found == pytest.approx(one["z"], abs=1e-4)


def test_tiles_of_usd_join(tmp_path):
    says = export(Usd(**SPAWNS), tmp_path, samples=65, tiles=(2, 1))
    whole = LAND.evaluate(LAND.grid((65, 129))).height
    edges, frames = [], 0
    for file, part in zip(says["files"], (whole[:, :65], whole[:, 64:])):
        stage = opened(tmp_path / file["name"])
        _, points, _ = mesh_of(stage)
        np.testing.assert_array_equal(points[:, 2].reshape(65, 65), part)
        edges.append(points.reshape(65, 65, 3)[:, -1 if not edges else 0])
        spawns = stage.GetPrimAtPath("/Land/SpawnPoints")
        frames += len(spawns.GetChildren()) if spawns else 0
    np.testing.assert_array_equal(*edges)
    assert frames == 8


@pytest.mark.parametrize("name", ["stairs_up", "stairs_down"])
def test_steps_of_a_preset_are_steps_in_mujoco(tmp_path, name):
    mujoco = import_client("mujoco")
    recipe = Recipe.from_preset(name)
    export("mujoco", tmp_path, recipe, 257)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "land.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    down, geom = np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    treads = -4.0 + 0.3125 * np.arange(9) + 0.01
    met = [
        10.0 - mujoco.mj_ray(model, data, np.array([x, 0.1, 10.0]), down, None, 1, -1, geom, None)
        for x in treads
    ]
    sign = 1.0 if name == "stairs_up" else -1.0
    np.testing.assert_allclose(met, sign * 0.2 * np.arange(9), atol=1e-4)


# --- friction by material ------------------------------------------------------------------------

ALPINE = {"ground": "alpine"}


def friction_map(folder, says, name="land_friction.png"):
    """Return the friction at each sample, row 0 in the south, as the sidecar says it."""
    imageio = import_client("imageio.v3")
    numbers = imageio.imread(folder / name)
    entry = says["maps"]["friction"]
    found = entry["offset"] + entry["scale"] * numbers.astype(float)
    return found[::-1] if says["orientation"]["first_row"] == "north" else found


def subsets_of(mesh):
    """Return the material of each subset, and its triangles."""
    from pxr import UsdGeom, UsdPhysics, UsdShade

    for one in UsdGeom.Subset.GetGeomSubsets(mesh, UsdGeom.Tokens.face, "materialBind"):
        bound, _ = UsdShade.MaterialBindingAPI(one).ComputeBoundMaterial("physics")
        assert bound.GetPrim().HasAPI(UsdPhysics.MaterialAPI)
        seen, _ = UsdShade.MaterialBindingAPI(one).ComputeBoundMaterial()
        assert not seen, "it says nothing of what the ground looks like"
        yield UsdPhysics.MaterialAPI(bound.GetPrim()), np.array(one.GetIndicesAttr().Get())


@pytest.mark.parametrize(
    ("samples", "tiles"), [((ROWS, COLUMNS), (1, 1)), ((ROWS, 65), (2, 1))], ids=["one", "tiles"]
)
def test_triangles_of_usd_have_the_friction_of_their_material(tmp_path, samples, tiles):
    target = Usd(friction_by_material=True, friction=0.9, dynamic_friction=0.8, restitution=0.1)
    says = export(target, tmp_path, samples=samples, tiles=tiles, **ALPINE)
    known = {one["name"]: one for one in says["materials"]}
    for file, picture in zip(says["files"], says["maps"]["friction"]["files"]):
        stage = opened(tmp_path / file["name"])
        from pxr import UsdGeom

        mesh, _, corners = mesh_of(stage)
        is_valid, why = UsdGeom.Subset.ValidateFamily(mesh, UsdGeom.Tokens.face, "materialBind")
        assert is_valid, why
        assert UsdGeom.Subset.GetFamilyType(mesh, "materialBind") == UsdGeom.Tokens.partition
        friction = np.full(len(corners), np.nan)
        names = []
        for material, faces in subsets_of(mesh):
            name = material.GetPrim().GetName()
            at_rest = material.GetStaticFrictionAttr().Get()
            assert at_rest == pytest.approx(known[name]["friction"])
            sliding = material.GetDynamicFrictionAttr().Get()
            assert sliding == pytest.approx(known[name]["sliding_friction"])
            assert material.GetRestitutionAttr().Get() == pytest.approx(0.1)
            assert np.isnan(friction[faces]).all()
            friction[faces] = at_rest
            names.append(name)
        assert not np.isnan(friction).any() and len(names) >= 3
        # Where two corners have one material, the map says the same.
        at_corners = np.sort(friction_map(tmp_path, says, picture).ravel()[corners], axis=1)
        is_sure = (at_corners[:, 0] == at_corners[:, 1]) | (at_corners[:, 1] == at_corners[:, 2])
        np.testing.assert_allclose(friction[is_sure], at_corners[is_sure, 1], atol=0.006)
        assert is_sure.mean() > 0.9


def test_the_physics_of_usd_finds_the_materials_of_the_triangles(tmp_path):
    export(Usd(friction_by_material=True), tmp_path, **ALPINE)
    stage = opened(tmp_path / "land.usda")
    from pxr import UsdPhysics

    found = UsdPhysics.UsdPhysicsLoadStageFromPrimRange(stage, ["/"])
    (paths, shapes) = found[UsdPhysics.ObjectType.MeshShape]
    assert [str(one) for one in paths] == ["/Land/Ground"]
    wanted = [str(one.GetPath()) for one, _ in subsets_of(mesh_of(stage)[0])]
    # The last is the mesh's own, for programs without subsets.
    assert [str(one) for one in shapes[0].materials] == [*wanted, "/Land/PhysicsMaterial"]


def snow_over_rock():
    """Return how ground is colored that has snow on its upper half and rock below, without a fringe."""
    plan = plan_of(Look(palette="alpine", has_lakes=False))
    layers = {
        "rock": {"flattest": -90.0},
        "snow": {"lowest": 0.5, "fade": 0.01, "ragged": 0.0, "curvature": 0.0},
    }
    landscape = plan.landscape.with_layers(**layers)
    return dataclasses.replace(plan, landscape=landscape, layers=("soil", "rock", "snow"))


def slope_of_20_degrees():
    """Return heights on 10 m, and the rise of each; bodies with a friction above 0.36 stay on them."""
    rise = math.tan(math.radians(20.0))
    rows = np.linspace(0.0, 10.0 * rise, 33)
    return np.repeat(rows[:, np.newaxis], 33, axis=1).astype(np.float32), rise


def friction_at(friction, says, x, y):
    step = says["meters_per_sample"]
    return friction[
        round((y + 0.5 * says["depth"]) / step), round((x + 0.5 * says["width"]) / step)
    ]


def test_feet_take_their_friction_from_the_map_in_mujoco(tmp_path):
    mujoco = import_client("mujoco")
    field, rise = slope_of_20_degrees()
    report = export_heightmap(
        *(field, tmp_path / "land"),
        target=MuJoCo(friction_by_material=True),
        size=10.0,
        options=ExportOptions(ground=snow_over_rock()),
    )
    says = json.loads(report.sidecar.read_text(encoding="utf-8"))
    friction = friction_map(tmp_path, says)
    np.testing.assert_allclose(friction[:16], 0.85, atol=1e-6)
    np.testing.assert_allclose(friction[17:], 0.2, atol=1e-6)
    boxes, begin = "", {"rock": -2.5, "snow": 2.5}
    for name, y in begin.items():
        boxes += (
            f'<body name="{name}" pos="0 {y} {(5.0 + y) * rise + 0.12}" euler="20 0 0"><freejoint/>'
            f'<geom name="{name}" type="box" size="0.3 0.3 0.1" mass="1" priority="1"/></body>'
        )
    text = (tmp_path / "land.xml").read_text(encoding="utf-8")
    (tmp_path / "world.xml").write_text(text.replace("</worldbody>", f"{boxes}</worldbody>"))
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "world.xml"))
    assert model.geom("land").friction[0] == pytest.approx(friction.mean())
    data = mujoco.MjData(model)
    while data.time < 1.0:
        mujoco.mj_kinematics(model, data)
        for name in begin:
            x, y, _ = data.body(name).xpos
            model.geom(name).friction[0] = friction_at(friction, says, x, y)
        mujoco.mj_step(model, data)
    slid = {name: y - data.body(name).xpos[1] for name, y in begin.items()}
    assert abs(slid["rock"]) < 0.1 and slid["snow"] > 0.4, slid


def test_feet_take_their_friction_from_the_map_in_pybullet(tmp_path):
    bullet = import_client("pybullet")
    field, rise = slope_of_20_degrees()
    target = PyBullet(friction_by_material=True)
    report = export_heightmap(
        field,
        tmp_path / "land",
        target=target,
        size=10.0,
        options=ExportOptions(ground=snow_over_rock()),
    )
    says = json.loads(report.sidecar.read_text(encoding="utf-8"))
    friction, fields = friction_map(tmp_path, says), says["fields"]
    assert fields["lateralFriction"] == pytest.approx(friction.mean())
    world = bullet.connect(bullet.DIRECT)
    try:
        bullet.setGravity(0.0, 0.0, -9.81, physicsClientId=world)
        shape = bullet.createCollisionShape(
            shapeType=getattr(bullet, fields["shapeType"]),
            meshScale=fields["meshScale"],
            heightfieldData=np.load(tmp_path / "land.npy").ravel().tolist(),
            numHeightfieldRows=fields["numHeightfieldRows"],
            numHeightfieldColumns=fields["numHeightfieldColumns"],
            physicsClientId=world,
        )
        body = bullet.createMultiBody(
            0, shape, basePosition=fields["basePosition"], physicsClientId=world
        )
        bullet.changeDynamics(body, -1, lateralFriction=1.0, physicsClientId=world)
        cube = bullet.createCollisionShape(
            bullet.GEOM_BOX, halfExtents=[0.3, 0.3, 0.1], physicsClientId=world
        )
        turned = bullet.getQuaternionFromEuler([math.radians(20.0), 0.0, 0.0])
        begin = {"rock": -2.5, "snow": 2.5}
        boxes = {
            name: bullet.createMultiBody(
                1.0, cube, -1, [0.0, y, (5.0 + y) * rise + 0.12], turned, physicsClientId=world
            )
            for name, y in begin.items()
        }
        for _ in range(240):
            for box in boxes.values():
                x, y, _ = bullet.getBasePositionAndOrientation(box, physicsClientId=world)[0]
                own = friction_at(friction, says, x, y)
                bullet.changeDynamics(box, -1, lateralFriction=own, physicsClientId=world)
            bullet.stepSimulation(physicsClientId=world)
        slid = {
            name: y - bullet.getBasePositionAndOrientation(boxes[name], physicsClientId=world)[0][1]
            for name, y in begin.items()
        }
    finally:
        bullet.disconnect(world)
    assert abs(slid["rock"]) < 0.1 and slid["snow"] > 0.4, slid
