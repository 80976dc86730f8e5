# SPDX-License-Identifier: GPL-3.0-or-later
"""Import rules of the design, and calls that are forbidden.

Read from the source, so that they hold for every file, imported by a test or not.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

# The source is the same with every NumPy.
Node = TypeVar("Node", bound=ast.AST)

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("noise_core", "operators", "ui", "translations")

# Parts of the extension, the longest name first, and whom each may import besides itself.
MAY_IMPORT = {
    "operators.bridge": {"noise_core", "translations"},
    "operators": {"operators.bridge", "noise_core"},
    "noise_core": set(),
    "ui": {"operators.bridge"},
    "translations": set(),
}
# Folders of the bridge, each of which may import only those before it, and what lies in the bridge's root.
# The builder of nodes comes first, since vertex groups are read with nodes; the trees come late.
BRIDGE_FOLDERS = (
    *("interface", "nodetree", "datablocks", "schema", "tasks", "terrain.user_mesh"),
    *("terrain", "textures"),
    *("nodetree.noise_nodes", "nodetree.terrain_material", "nodetree.surface_material"),
    "nodetree.tiled_image",
    *("scene", "exchange"),
)
# Folders of the core. Each may import only those before it, on its own line only those to its left.
# A folder within another that is not listed is part of it. `curves` may be missing.
CORE_ORDER = """
base
lattice
voronoi fractals simplex domain_warp sparse_convolution cratering tilings gully_patterns
rasters flow_routing
curves
codecs
noises/bases noises
stages
erosion
maps/bases maps masks/bases masks modifiers/bases modifiers
recipes recipes/ant_landscape
materials/colors materials/colorings/bases materials/colorings materials/ground materials/surfaces materials/by_example materials
landscapes landscapes/far_land landscapes/water landscapes/plant_shapes landscapes/planets landscapes/grid_meshes landscapes/cliffs
robots/bases robots
pictures pictures/charts pictures/relief_figures
io/spatial_reference io/elevation_reading io/looks io/targets/bases io/heightmaps io/pyramids io/meshes io/targets io
commands
"""
PLANNED = {"curves"}
# Nothing in the core may depend on chance, on the moment or on Blender.
BANNED_IN_CORE = {
    *("bpy", "bpy_extras", "mathutils", "gpu", "bmesh"),
    *("random", "secrets", "uuid", "time", "datetime"),
}
DATABLOCKS = Path("operators/bridge/datablocks")
VERSION_FILE = DATABLOCKS / "compat.py"
REFERENCE_FILE = DATABLOCKS / "ref.py"
NODE_BUILDER = Path("operators/bridge/nodetree/builder.py")


def _files(*folders: str) -> list[Path]:
    return sorted(
        path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py")
    )


@cache
def _source(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def _by_kind(path: Path) -> dict[type[ast.AST], list[ast.AST]]:
    found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
    for node in ast.walk(ast.parse(_source(path), str(path))):
        found[type(node)].append(node)
    return found


def _nodes(path: Path, kind: type[Node]) -> list[Node]:
    """Return all nodes of a kind in a file: every law asks, each file is parsed once."""
    return _by_kind(path)[kind]  # type: ignore[return-value]


def _absolute_imports(path: Path) -> Iterator[str]:
    """Yield the imports of a file from outside the extension, with dots."""
    for node in _nodes(path, ast.Import):
        yield from (alias.name for alias in node.names)
    for node in _nodes(path, ast.ImportFrom):
        if not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _relative_imports(path: Path) -> Iterator[str]:
    """Yield the imports of a file from inside the extension, as names from its root."""
    package = path.parent.parts
    for node in _nodes(path, ast.ImportFrom):
        if node.level:
            assert node.level - 1 <= len(package), f"{path}:{node.lineno} leaves the extension"
            start = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            base = ".".join(part for part in start if part)
            yield from (f"{base}.{alias.name}".strip(".") for alias in node.names)


def _part(name: str) -> str:
    """Return the part of the extension that a dotted name belongs to."""
    for part in MAY_IMPORT:
        if name == part or name.startswith(f"{part}."):
            return part
    return "the root"


CORE = _files("noise_core")
ALL = _files(*SHIPPED)
WORLDS = _files("terrane_worlds")


def test_the_walls_have_something_to_hold():
    assert len(CORE) > 10 and len(ALL) > len(CORE)


def test_the_core_imports_the_standard_library_and_numpy_only():
    for path in CORE:
        for name in _absolute_imports(path):
            top = name.split(".")[0]
            assert top == "numpy" or top in sys.stdlib_module_names, f"{path} imports {name}"
            assert top not in BANNED_IN_CORE, f"{path} imports {name}"
            assert not name.startswith("numpy.random"), f"{path} imports {name}"


NEEDED_BY_WORLDS = {"numpy", "zarr", "numcodecs", "google_crc32c", "dask", "distributed", "xarray"}
"""Beside the standard library and the core; the extra `worlds` of the wheel."""


def test_worlds_import_the_core_and_what_they_need():
    assert len(WORLDS) > 10
    for path in WORLDS:
        for name in _absolute_imports(path):
            top = name.split(".")[0]
            known = top == "noise_core" or top in NEEDED_BY_WORLDS | sys.stdlib_module_names
            assert known, f"{path} imports {name}"
            assert top not in ("random", "secrets") and not name.startswith("numpy.random")
        for name in _relative_imports(path):  # which fails if it leaves the repository
            assert name.split(".")[0] == "terrane_worlds", f"{path} imports {name}"


def test_nothing_that_is_shipped_imports_worlds():
    for path in (Path("__init__.py"), *ALL):
        for name in (*_absolute_imports(path), *_relative_imports(path)):
            assert name.split(".")[0] != "terrane_worlds", f"{path} imports {name}"


def test_only_the_command_line_of_worlds_prints():
    for path in set(WORLDS) - {Path("terrane_worlds/__main__.py")}:
        for name in _nodes(path, ast.Name):
            assert name.id != "print", f"{path}:{name.lineno} prints"


COMMAND_LINE = Path("noise_core/__main__.py")
"""Alone prints; nothing imports it."""


def test_the_core_neither_prints_nor_draws_random_numbers():
    for path in CORE:
        for name in _nodes(path, ast.Name):
            is_print = name.id == "print" and path != COMMAND_LINE
            assert not is_print, f"{path}:{name.lineno} prints"
        for call in _nodes(path, ast.Call):
            if isinstance(call.func, ast.Name):
                assert call.func.id != "print", f"{path}:{call.lineno} prints"
        for node in _nodes(path, ast.Attribute):
            is_numpy = isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy")
            assert not (is_numpy and node.attr == "random"), f"{path}:{node.lineno} numpy.random"


def test_each_part_imports_only_whom_it_may():
    for path in ALL:
        importer = _part(".".join(path.with_suffix("").parts))
        for name in _relative_imports(path):
            imported = _part(name)
            # The extension's own name for preferences: `from .. import __package__ as base_package`.
            if imported != importer and name.rpartition(".")[2] != "__package__":
                assert imported in MAY_IMPORT[importer], f"{path}: {importer} imports {name}"


def test_folders_of_the_bridge_import_only_those_before_them():
    for path in _files("operators/bridge"):
        if len(path.parts) == 3:
            assert path.name == "__init__.py", f"{path}: the root of the bridge is empty"
            continue
        own = _folder(".".join(path.with_suffix("").parts))
        assert own is not None, f"{path} is in no folder of the list"
        for name in _relative_imports(path):
            other = _folder(name)
            is_before = other is None or BRIDGE_FOLDERS.index(other) <= BRIDGE_FOLDERS.index(own)
            assert is_before, f"{path} imports {name}"


def test_folders_of_the_core_import_only_those_before_them():
    """Late imports and those for types count too. The root collects names and is imported by none."""
    order = CORE_ORDER.split()
    for path in CORE:
        if len(path.parts) == 2:  # the root: the names that programs import, and the command line
            continue
        place = _place_in_core(".".join(path.parent.parts), order)
        for name in _relative_imports(path):
            assert _place_in_core(name, order) <= place, f"{path} imports {name}"


def test_the_innermost_folder_of_the_core_counts():
    order = ["lattice", "noises/bases", "noises"]
    names = (
        "noises.perlin",
        "noises",
        "noises.bases.noise",
        "lattice.hash",
        "lattice.hash.mix_bits",
    )
    places = [_place_in_core(f"noise_core.{name}", order) for name in names]
    assert places == [2, 2, 1, 0, 0]
    with pytest.raises(AssertionError, match="noises_of_old lies in no folder"):
        _place_in_core("noise_core.noises_of_old", order)


def test_the_order_of_the_core_lists_its_folders_once():
    order = CORE_ORDER.split()
    assert len(set(order)) == len(order)
    folders = {"/".join(path.parent.parts[1:]) for path in CORE} - {""}
    assert {folder.partition("/")[0] for folder in folders} <= set(order)
    assert set(order) <= folders | PLANNED


def test_the_page_on_the_layout_has_the_order_of_the_core():
    page = (ROOT / "docs" / "develop" / "layout.md").read_text(encoding="utf-8")
    table = page.partition("## The core, from below")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = [re.findall(r"`(\w+)/`", row) for row in rows]
    lines = [[name for name in line.split() if "/" not in name] for line in CORE_ORDER.split("\n")]
    present = [[name for name in line if (ROOT / "noise_core" / name).is_dir()] for line in lines]
    assert listed == [line for line in present if line]


def _place_in_core(name: str, order: list[str]) -> int:
    """Return the place of the innermost folder of the list that a dotted name lies in."""
    inside = [
        folder
        for folder in order
        if f"{name}.".startswith(f"noise_core.{folder.replace('/', '.')}.")
    ]
    assert inside, f"{name} lies in no folder of the list"
    return order.index(max(inside, key=len))


def _folder(name: str) -> str | None:
    """Return the innermost folder of the bridge that a dotted name lies in."""
    inside = [one for one in BRIDGE_FOLDERS if f"{name}.".startswith(f"operators.bridge.{one}.")]
    return max(inside, key=len, default=None)


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """Return a circle of names that import each other, none if there is none."""
    left = {name: set(targets) for name, targets in graph.items()}
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def test_a_circle_is_seen():
    assert _circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c", "d"]
    assert not _circle({"a": {"b", "c"}, "b": {"c"}, "c": {"numpy"}})


def test_neither_files_nor_folders_import_in_circles():
    """Late imports and those for types count too."""
    files: dict[str, set[str]] = {}
    for path in _files("noise_core", "operators", "ui", "terrane_worlds"):
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        files[name] = {one for one in _relative_imports(path) if one != name}
    known = set(files)

    def file_of(name: str) -> str:
        return name if name in known else name.rpartition(".")[0]

    for name, targets in files.items():
        files[name] = {file_of(one) for one in targets} - {name}
    assert not _circle(files)
    parts = ("noise_core", "operators", "ui", "terrane_worlds")
    packages = {".".join(path.parent.parts) for path in _files(*parts)}

    def folder_of(name: str) -> str:
        return name if name in packages else name.rpartition(".")[0]

    folders: dict[str, set[str]] = {}
    for name, targets in files.items():
        assert "noise_core.__main__" not in targets, name
        own = folders.setdefault(folder_of(name), set())
        own.update(folder_of(one) for one in targets if folder_of(one) != folder_of(name))
    assert not _circle(folders)


def test_only_one_file_adds_nodes_and_links():
    adds = re.compile(r"\b(nodes|links)\.new\b")
    assert adds.search(_source(NODE_BUILDER))
    for path in _files("operators", "ui"):
        found = adds.search(_source(path))
        assert path == NODE_BUILDER or not found, f"{path} adds nodes: {found}"


def test_only_one_file_makes_a_group_of_properties_for_each_type():
    named = re.compile(r"""f["']TERRANE_PG_""")
    makers = {path for path in _files("operators") if named.search(_source(path))}
    assert makers == {Path("operators/bridge/schema/properties.py")}


def test_datablocks_need_of_the_bridge_only_the_builder_of_nodes_and_the_interface():
    for path in _files(str(DATABLOCKS)):
        for name in _relative_imports(path):
            allowed = (
                "noise_core.",
                *(f"operators.bridge.{one}." for one in ("interface", "nodetree", "datablocks")),
            )
            assert f"{name}.".startswith(allowed), f"{path} imports {name}"


def test_only_one_file_refers_to_datablocks_by_number():
    # A number finds a datablock again after undo: `Ref` stores and looks it up.
    users = {
        path for path in ALL for node in _nodes(path, ast.Attribute) if node.attr == "session_uid"
    }
    assert set(users) == {REFERENCE_FILE}


def test_no_address_in_blenders_memory_is_asked_for():
    for path in ALL:
        for node in _nodes(path, ast.Attribute):
            assert node.attr != "as_pointer", f"{path}:{node.lineno}: use foreach_get and _set"


def test_own_modules_are_imported_relatively():
    # An extension lives under a name that its own code cannot know.
    own = {*SHIPPED, "terrane", "bl_ext"}
    for path in ALL:
        named = [name for name in _absolute_imports(path) if name.split(".")[0] in own]
        assert not named, f"{path} imports {named}"


def test_the_root_imports_nothing_at_module_level():
    # Tools import the root package without Blender: pytest does so for every test.
    imports = [
        node
        for node in ast.parse(_source(Path("__init__.py"))).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert [ast.unparse(node) for node in imports] == ["from __future__ import annotations"]


def test_only_one_file_knows_blenders_version():
    for path in ALL:
        for node in _nodes(path, ast.Attribute):
            if node.attr.startswith("version"):
                is_app = isinstance(node.value, ast.Attribute) and node.value.attr == "app"
                is_known = not is_app or path == VERSION_FILE
                assert is_known, f"{path}:{node.lineno} asks for the version"


def test_no_star_imports():
    for path in (*ALL, *WORLDS):
        for node in _nodes(path, ast.ImportFrom):
            assert [alias.name for alias in node.names] != ["*"], f"{path}:{node.lineno}"


def test_no_error_is_swallowed_wholesale():
    for path in (*ALL, *WORLDS):
        for node in _nodes(path, ast.ExceptHandler):
            assert node.type is not None, f"{path}:{node.lineno} catches everything"
            caught = ast.walk(node.type)
            names = {name.id for name in caught if isinstance(name, ast.Name)}
            assert not names & {"Exception", "BaseException"}, f"{path}:{node.lineno}"


GESTURES = (
    "operators/numbers.py: TERRANE_OT_number_scale",
    "operators/pointer_operator.py: PointerOperator",
)
"""They follow the mouse until a click or a release, and no timer: what takes long goes through the queue."""


def test_one_timer_and_one_modal_operator():
    """One task queue: what else wants to be called from time to time asks `tasks/timer.py`."""
    timers, modals = [], []
    for path in ALL:
        for call in _nodes(path, ast.Call):
            if ast.unparse(call.func).endswith("timers.register"):
                timers.append(str(path))
        for node in _nodes(path, ast.ClassDef):
            modals += [
                f"{path}: {node.name}"
                for one in node.body
                if isinstance(one, ast.FunctionDef) and one.name == "modal"
            ]
    assert timers == ["operators/bridge/interface/timer.py"]
    assert sorted(modals) == sorted(["operators/long_operator.py: ModalOperator", *GESTURES])
    for gesture in GESTURES:
        assert "timer" not in Path(gesture.partition(":")[0]).read_text(encoding="utf-8"), gesture


FILE_WRITER = Path("noise_core/base/atomic_files.py")
CHANGES_FILES = {"write_bytes", "write_text", "unlink", "rmdir", "rmtree", "touch", "hardlink_to", "symlink_to"}  # fmt: skip


def test_only_one_file_writes_renames_and_removes_files():
    # It checks their names, waits for locked ones, and leaves nothing half done.
    for path in set(ALL) - {FILE_WRITER}:
        for call in _nodes(path, ast.Call):
            if isinstance(call.func, ast.Attribute):
                # A path's `replace` has one argument, that of a text two, that of a dataclass keywords;
                # a path's `rename` has one, too.
                has_one = len(call.args) == 1 and not call.keywords
                is_path = call.func.attr in ("replace", "rename") and has_one
                changes = is_path or call.func.attr in CHANGES_FILES
                assert not changes, f"{path}:{call.lineno}: {ast.unparse(call)}"
            elif isinstance(call.func, ast.Name) and call.func.id == "open":
                assert ast.unparse(call).endswith("'rb')"), f"{path}:{call.lineno} opens a file"


FROM_THE_C_LIBRARY = {
    *("pow", "power", "float_power", "exp", "exp2", "expm1", "cbrt"),
    *("log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("asin", "acos", "atan", "atan2", "arcsin", "arccos", "arctan", "arctan2"),
}
"""Functions of `math` and NumPy whose last bit differs between systems; see `noise_core/base/elementary.py`."""

MAKES_LAND = (
    *("base", "lattice", "noises", "fractals", "domain_warp", "voronoi", "simplex", "cratering", "sparse_convolution", "gully_patterns", "rasters"),
    *("modifiers", "erosion", "flow_routing", "maps", "masks", "landscapes/far_land"),
    *("materials/colorings/bases", "io/targets/bases"),
)  # fmt: skip

WITHOUT_A_LAST_BIT = {
    "noises/raster.py": {"np.cos"},  # rounded to four places
    "base/ellipsoid.py": {"math.sin", "math.cos", "math.log"},
    "base/cylinders.py": {
        "math.sin",
        "math.cos",
    },  # the meters and the place of measured land, no height of it, and of land exported there
    "io/targets/bases/pyramid.py": {"math.log2"},
    "landscapes/far_land/rings.py": {"math.log", "math.log1p"},  # rounded up to whole rings
    "flow_routing/flow_scale.py": {"math.log2"},  # of one number, and rounded to float32, as this:
    "maps/wetness_map.py": {"np.log"},
}
"""What depends on no last bit there."""


def test_land_asks_no_function_of_the_c_library():
    """It is to have the same bits on every system, and the C libraries differ."""
    unused = {path: set(names) for path, names in WITHOUT_A_LAST_BIT.items()}
    for path in _files(*(f"noise_core/{folder}" for folder in MAKES_LAND)):
        allowed = WITHOUT_A_LAST_BIT.get("/".join(path.parts[1:]), set())
        for node in _nodes(path, ast.Attribute):
            name = ast.unparse(node)
            if name.partition(".")[0] in ("math", "np") and node.attr in FROM_THE_C_LIBRARY:
                assert name in allowed, f"{path}:{node.lineno}: {name}"
                unused["/".join(path.parts[1:])].discard(name)
    assert not any(unused.values()), unused


INTEGERS = {"arange": 3, "indices": 1, "cumsum": 2, "cumprod": 2, "full": 2}
"""NumPy's functions that make integers of the default type, and the place of dtype among their arguments."""


def _is_of_default_integers(call: ast.Call) -> bool:
    """Return whether a call leaves it to NumPy how many bits an integer has."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    keywords = {keyword.arg for keyword in call.keywords}
    types = [*call.args, *(one.value for one in call.keywords if one.arg == "dtype")]
    if name and any(isinstance(one, ast.Name) and one.id == "int" for one in types):
        return name != "cast"
    is_numpy = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "np"
    if "dtype" in keywords or not name:
        return False
    if name == "where" and is_numpy:
        return len(call.args) == 3 and all(_is_integer(one) for one in call.args[1:])
    if name == "sum":
        return _is_mask(call.args[0] if is_numpy else call.func.value)
    if not is_numpy:
        return name in ("cumsum", "cumprod")
    values = [one.value for one in ast.walk(call) if isinstance(one, ast.Constant)]
    has_float = any(isinstance(value, float) for value in values)
    if name in ("array", "asarray") and isinstance(call.args[0], (ast.List, ast.Tuple)):
        kinds = {type(one.value) for one in call.args[0].elts if isinstance(one, ast.Constant)}
        return len(call.args) == 1 and int in kinds and not has_float
    if name == "full" and not isinstance(call.args[1], ast.Constant):
        return False
    return len(call.args) <= INTEGERS.get(name, -1) and not has_float


def _is_integer(node: ast.expr) -> bool:
    """Return whether an expression is a whole number, with or without a sign."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and type(inner.value) is int


def _is_mask(node: ast.expr) -> bool:
    """Return whether an expression is an array of booleans, as its form or its name says."""
    if isinstance(node, ast.Compare) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
    ):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        return _is_mask(node.left) or _is_mask(node.right)
    name = ast.unparse(node.value if isinstance(node, ast.Subscript) else node).rpartition(".")[2]
    return name.startswith(("is_", "has_"))


def test_integers_say_how_many_bits_they_have():
    # NumPy 1 on Windows makes integers of 32 bits, which overflow without a word.
    for path in _files("noise_core", "operators", "ui", "terrane_worlds"):
        for call in _nodes(path, ast.Call):
            where = f"{path}:{call.lineno}: {ast.unparse(call)}"
            assert not _is_of_default_integers(call), f"{where}: say which dtype, such as np.intp"
        for node in _nodes(path, ast.Attribute):
            assert node.attr not in ("int_", "uint"), f"{path}:{node.lineno}: np.{node.attr}"


@pytest.mark.parametrize(
    ("source", "is_wrong"),
    [
        ("np.arange(n)", True),
        ("np.arange(n, dtype=np.intp)", False),
        ("np.arange(0, n, 1, np.int64)", False),
        ("np.arange(0.0, 1.0, 0.1)", False),
        ("np.cumsum(sizes)", True),
        ("sizes.cumsum()", True),
        ("sizes.cumsum(dtype=np.int64)", False),
        ("np.full(n, 0)", True),
        ("np.full(n, 0.5)", False),
        ("np.full(n, 0, np.int32)", False),
        ("np.zeros(n, int)", True),
        ("np.zeros(n)", False),
        ("field.astype(int)", True),
        ("np.array([0, n - 1])", True),
        ("np.array([0, n - 1], np.intp)", False),
        ("np.array([0.0, half])", False),
        ("np.where(is_below, 1, -1)", True),
        ("np.where(is_below, np.intp(1), np.intp(-1))", False),
        ("np.where(is_below, 1.0, -1)", False),
        ("np.where(is_below, one, 0)", False),
        ("np.where(is_below)", False),
        ("is_taken.sum(axis=1)", True),
        ("is_taken[1:].sum()", True),
        ("(height > sea).sum()", True),
        ("np.sum(~is_dry & (a < b))", True),
        ("is_taken.sum(axis=1, dtype=np.intp)", False),
        ("weights.sum(axis=1)", False),
        ("np.sum(lengths * is_kept)", False),
    ],
)
def test_what_leaves_an_integers_size_to_numpy_is_seen(source, is_wrong):
    call = ast.parse(source, mode="eval").body
    assert isinstance(call, ast.Call)
    assert _is_of_default_integers(call) is is_wrong


def test_every_file_names_its_license():
    for path in (Path("__init__.py"), *ALL, *WORLDS):
        first = _source(path).split("\n", 1)[0]
        assert first == "# SPDX-License-Identifier: GPL-3.0-or-later", path


def test_every_test_file_names_its_license_and_has_a_test():
    files = _files("tests", "tools", "benchmarks", "examples")
    assert len(files) > 300
    for path in files:
        lines = _source(path).split("\n")[:2]
        assert "# SPDX-License-Identifier: GPL-3.0-or-later" in lines, path
        if path.name.startswith("test_"):
            assert re.search(r"^ *(async )?def test_", _source(path), re.MULTILINE), path


def test_importing_the_core_is_light():
    """The folders of types are imported when someone asks for a type, not before."""
    code = "import sys, noise_core; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "noise_core" in loaded
    heavy = ("noise_core.noises.", "noise_core.modifiers.", "noise_core.maps.")
    bases = "noise_core.noises.bases"
    assert not [name for name in loaded if name.startswith(heavy) and not name.startswith(bases)]
