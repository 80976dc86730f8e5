# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds that are killed, crowded out, or run out of disk go on with the same digest."""

from __future__ import annotations

import dataclasses
import errno
import functools
import itertools
import os
import resource
import shutil
import subprocess
from pathlib import Path

import dask
import distributed
import numpy as np
import pytest
from zarr.storage import _local as local

import noise_core.base.atomic_files as atomic_files  # the module itself: a placeholder cannot be patched
from noise_core.base.errors import TerraneError
from terrane_worlds import World, WorldError
from terrane_worlds.base import workers
from terrane_worlds.base.journal import StageLog
from terrane_worlds.base.workers import OnDask, local_workers
from terrane_worlds.store.digest import array_digest, joint_digest
from terrane_worlds.store.lock import exclusive
from terrane_worlds.tiles import engine
from terrane_worlds.tiles.engine import Engine, Status
from tests import drawing
from tests.worlds import killed_builds
from tests.worlds.killed_builds import kill_often
from tests.worlds.noise_recipes import RECIPES

WORLD = World(RECIPES["hills"], 1025, 1025, 128)
WORLDS = {"hills": WORLD, "alps": World("alps", 641, 641, 128)}


@pytest.fixture(scope="module")
def digest(tmp_path_factory) -> str:
    return WORLD.build(tmp_path_factory.mktemp("whole") / "a.zarr")


def start(store: Path, name: str = "hills", **options) -> subprocess.Popen:
    prepare = "from tests.worlds.test_robust_builds import WORLDS"
    return killed_builds.start(store, f"WORLDS[{name!r}]", prepare, **options)


@pytest.mark.parametrize(
    ("name", "workers", "kills", "items"),
    [("hills", 2, 2, 12), ("alps", 1, 5, 100)],
)
def test_builds_that_are_killed_go_on(tmp_path, name, workers, kills, items):
    world, store = WORLDS[name], tmp_path / "a.zarr"
    kill_often(lambda: start(store, name, workers=workers), workers, kills, items)
    height = world.recipe.evaluate(world.grid).height
    assert world.build(store) == joint_digest({"height": array_digest(height)})
    with World.open(store) as opened:
        assert opened.height.values.tobytes() == height.tobytes()
    assert not store.with_name("a.zarr.build").exists()


def test_finished_items_are_not_done_again(tmp_path, digest, monkeypatch):
    store = tmp_path / "a.zarr"
    seen: list[Status] = []

    def stop(status: Status) -> None:
        seen.append(status)
        if status.done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        WORLD.build(store, progress=stop)
    (store / "zarr.123.partial").write_text("{")  # as zarr leaves it when it is killed
    st_mtime_ns_before = (store / "height" / "c" / "0" / "0").stat().st_mtime_ns
    assert WORLD.build(store, progress=seen.append) == digest
    assert (store / "height" / "c" / "0" / "0").stat().st_mtime_ns == st_mtime_ns_before
    assert [one.done for one in seen if one.stage == "height/samples"] == list(range(1, 26))
    assert not list(store.rglob("*.partial"))
    last = [one for one in seen if one.stage == "height/samples"][-1]
    assert (last.done, last.count, last.seconds_left) == (25, 25, 0.0)


def test_finished_stores_are_left_alone(tmp_path, digest):
    store = tmp_path / "a.zarr"
    assert WORLD.build(store) == digest
    times = {path: path.stat().st_mtime_ns for path in store.rglob("*")}
    assert WORLD.build(store, progress=lambda status: pytest.fail("built again")) == digest
    assert {path: path.stat().st_mtime_ns for path in store.rglob("*")} == times


@pytest.mark.parametrize("damage", ["torn", "one byte", "nothing", "gone"])
def test_journals_that_end_within_a_result(tmp_path, digest, damage):
    store = tmp_path / "a.zarr"

    def stop(status: Status) -> None:
        if status.done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        WORLD.build(store, progress=stop)
    log = tmp_path / "a.zarr.build" / "journal" / "height" / "samples.log"
    whole = log.read_bytes()
    if damage == "gone":
        shutil.rmtree(log.parents[1])
    elif damage == "one byte":
        log.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    else:
        log.write_bytes(whole[: {"torn": len(whole) - 3, "nothing": 0}[damage]])
    assert WORLD.build(store) == digest


def test_logs_keep_whole_results(tmp_path):
    path = tmp_path / "stage" / "one.log"
    with StageLog(path) as log:
        log.add(3, "three")
        first = path.stat().st_size
        log.add(1, np.arange(3))
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with StageLog(path) as log:
            assert log.results == ({3: "three"} if size >= first else {})
            log.add(7, "seven")
        with StageLog(path) as log:
            assert log.results[7] == "seven"


def test_a_store_that_was_removed_is_built_from_the_beginning(tmp_path, digest):
    store = tmp_path / "a.zarr"

    def stop(status: Status) -> None:
        if status.done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        WORLD.build(store, progress=stop)
    shutil.rmtree(store)
    assert WORLD.build(store) == digest


# --- workers ------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Mortal:
    """Work whose process ends at the item 3: once, or whenever it is done."""

    flag: str
    is_once: bool = True

    def __call__(self, item: int) -> int:
        if item == 3 and not (self.is_once and os.path.exists(self.flag)):
            Path(self.flag).touch()
            os._exit(9)
        return item * item


def test_workers_that_die_are_replaced(tmp_path, client):
    engine = Engine(OnDask(client, tmp_path), tmp_path / "journal")
    work = Mortal(str(tmp_path / "flag"))
    assert engine.run("squares", work, range(8)) == [item * item for item in range(8)]
    assert (tmp_path / "flag").exists()


def test_items_that_kill_every_worker_are_given_up(tmp_path, client):
    engine = Engine(OnDask(client, tmp_path), tmp_path / "journal")
    work = Mortal(str(tmp_path / "flag"), is_once=False)
    with pytest.raises(WorldError, match="^workers died 4 times while they did the same item"):
        engine.run("squares", work, range(8))


class Unanswered:
    """A task that has failed, about which a busy scheduler does not answer in time."""

    status = "error"

    def result(self, timeout=None):
        if timeout is not None:
            raise TimeoutError(timeout)
        raise distributed.KilledWorker("square", None, 3)


def test_a_failure_is_told_as_such_however_slow_its_answer(tmp_path):
    tasks = workers._Tasks(None, tmp_path, {})
    tasks.raise_failure()
    tasks.handed_out[Unanswered()] = (0,)
    with pytest.raises(WorldError, match="^workers died 4 times"):
        tasks.raise_failure()


def test_a_build_without_workers_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_LOOK_AGAIN", 0.2)
    monkeypatch.setattr(workers, "_PATIENCE", 1.0)
    with local_workers(2, tmp_path) as alone:
        alone._client.cluster.scale(0)
        with pytest.raises(WorldError, match=r"^no worker has been there for [12] s; start "):
            Engine(alone).run("squares", Mortal(str(tmp_path), is_once=True), range(3))


@dataclasses.dataclass(frozen=True)
class TimedOut:
    """Work whose file does not answer."""

    def __call__(self, item: int) -> int:
        raise TimeoutError(errno.ETIMEDOUT, "no answer")


def test_work_that_times_out_is_not_waited_for(tmp_path, client):
    with pytest.raises(TimeoutError, match="no answer"):
        Engine(OnDask(client, tmp_path)).run("late", TimedOut(), range(3))


def test_places_of_dead_workers_are_kept_on_a_slow_machine(client):
    assert dask.config.get("distributed.deploy.lost-worker-timeout") == "1 hour"


@dataclasses.dataclass(frozen=True)
class Refusing:
    """Work that fails."""

    def __call__(self, item: int) -> int:
        raise TerraneError("item {} {{}} is refused", item)


def test_errors_of_workers_are_the_callers(tmp_path, client):
    with pytest.raises(TerraneError, match=r"^item \d \{\} is refused$"):
        Engine(OnDask(client, tmp_path)).run("refused", Refusing(), range(3))
    assert not list(tmp_path.glob("*.work"))


def test_no_scheduler(tmp_path):
    patience = dask.config.set({"distributed.comm.timeouts.connect": "1s"})
    with patience, pytest.raises(WorldError, match="^no scheduler of Dask at tcp://127.0.0.1:9: "):
        WORLD.build(tmp_path / "a.zarr", client="tcp://127.0.0.1:9")


# --- builders that meet --------------------------------------------------------------------------


def test_two_builders_of_one_store(tmp_path, digest):
    store = tmp_path / "a.zarr"
    with exclusive(tmp_path / "a.zarr.build" / "lock", store):
        with pytest.raises(WorldError, match=f"is being built by process {os.getpid()} on "):
            WORLD.build(store)
    assert WORLD.build(store) == digest


def test_two_processes_at_one_store(tmp_path, digest):
    store = tmp_path / "a.zarr"
    with start(store) as first, start(store) as second:
        ended = [one.communicate() for one in (first, second)]
    codes = sorted((first.returncode, second.returncode))
    assert any(digest in out for out, _ in ended)
    if codes != [0, 0]:  # unless one was done before the other began
        assert codes == [0, 1]
        assert any("WorldError" in error and "is being built by" in error for _, error in ended)
    assert WORLD.build(store) == digest


# --- a full disk ---------------------------------------------------------------------------------


def test_too_little_room_is_seen_before(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=2_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(
        WorldError, match=r"the build needs \d+\.\d\d MB of disk; got 2\.00 MB free there$"
    ):
        WORLD.build(tmp_path / "a.zarr")
    assert not (tmp_path / "a.zarr").exists()


@pytest.mark.parametrize("place", ["zarr/height", "build/fields", "zarr/overviews/4"])
def test_a_disk_that_fills_up(tmp_path, digest, monkeypatch, place):
    store = tmp_path / "a.zarr"
    write, count = atomic_files.write_part, 0

    def write_part(part, content):
        nonlocal count
        count += place in str(part)
        if count == 5 and place in str(part):
            part.write_bytes(b"half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(part, content)

    with monkeypatch.context() as patch:
        patch.setattr(atomic_files, "write_part", write_part)
        with pytest.raises(TerraneError, match="cannot be written: No space left on device$") as it:
            WORLD.build(store)
    assert "\n" not in str(it.value)
    with World.open(store) as opened:  # still readable
        assert np.isfinite(opened.height.values).any()
    assert not list(tmp_path.rglob("*.part"))
    assert WORLD.build(store) == digest


def test_the_system_refuses_to_write(tmp_path, digest):
    store = tmp_path / "a.zarr"
    limit = (40_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
    with start(
        store, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    ) as builder:
        _, error = builder.communicate()
    assert builder.returncode == 1
    assert error.strip().endswith("cannot be written: File too large")
    assert WORLD.build(store) == digest


def test_any_write_may_fail(tmp_path, whole_alps, monkeypatch):
    chance, write_part, put = drawing.generator("full disk"), atomic_files.write_part, local._put
    for number in range(drawing.count_of(60)):
        store, left = tmp_path / f"{number}.zarr", chance.randrange(chance.choice([5, 300]))

        def fail(write, *arguments, **keywords):
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write(*arguments, **keywords)

        with monkeypatch.context() as patch:
            patch.setattr(atomic_files, "write_part", functools.partial(fail, write_part))
            patch.setattr(local, "_put", functools.partial(fail, put))
            with pytest.raises(TerraneError, match="cannot be written: No space left on dev") as it:
                SMALL.build(store, edges=True)
        assert str(tmp_path) in str(it.value) and "\n" not in str(it.value)
        assert SMALL.build(store, edges=True) == whole_alps
        assert not store.with_name(f"{store.name}.build").exists()
        shutil.rmtree(store)


# --- stores are what they say ---------------------------------------------------------------------

SMALL = World("alps", 97, 97, 32)


@pytest.fixture(scope="module")
def whole_alps(tmp_path_factory) -> str:
    return SMALL.build(tmp_path_factory.mktemp("alps") / "a.zarr", edges=True)


def end_early(store: Path, items: int, **options) -> None:
    numbers = itertools.count(1)

    def stop(status: Status) -> None:
        if next(numbers) == items:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SMALL.build(store, progress=stop, **options)


ORDERS = [{}, {"edges": True}, {"edges": "only"}, {"compress": True}, {"maps": ["slope"]}]


def test_a_build_goes_on_with_its_own_order_alone(tmp_path):
    for first, second in itertools.permutations(ORDERS, 2):
        store = tmp_path / "a.zarr"
        end_early(store, 3, **first)
        with pytest.raises(
            WorldError, match="holds another world, whose (maps|edges|compressed) di"
        ):
            SMALL.build(store, **second)
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()


def test_edges_are_there_if_the_store_says_so(tmp_path, whole_alps):
    store = tmp_path / "a.zarr"
    end_early(store, 60, edges=True)
    with pytest.raises(WorldError, match="whose edges differs: "):
        SMALL.build(store)
    assert SMALL.build(store, edges=True) == whole_alps
    expected = SMALL.recipe.evaluate(SMALL.grid).height
    assert (SMALL.region(store, 0, 0, 97, 97, rebuild=True) == expected).all()


def test_the_progress_of_another_world_is_not_gone_on_with(tmp_path, whole_alps):
    variant = dataclasses.replace(SMALL, recipe=dataclasses.replace(SMALL.recipe, seed=99))
    for world, name in ((SMALL, "a.zarr"), (variant, "b.zarr")):
        numbers = itertools.count(1)

        def stop(status: Status, numbers=numbers) -> None:
            if next(numbers) == 60:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            world.build(tmp_path / name, edges=True, progress=stop)
    for folder in ("journal", "fields", "edges"):
        mine, others = (tmp_path / f"{name}.zarr.build" / folder for name in ("a", "b"))
        shutil.rmtree(mine)
        shutil.copytree(others, mine)
    assert SMALL.build(tmp_path / "a.zarr", edges=True) == whole_alps
    shutil.move(tmp_path / "b.zarr.build", tmp_path / "a.zarr.build")
    shutil.rmtree(tmp_path / "a.zarr")
    assert SMALL.build(tmp_path / "a.zarr", edges=True) == whole_alps


def test_a_store_by_a_link_is_the_same_store(tmp_path, digest):
    real, link = tmp_path / "real" / "a.zarr", tmp_path / "link.zarr"
    real.parent.mkdir()
    link.symlink_to(real)
    with exclusive(tmp_path / "real" / "a.zarr.build" / "lock", real):
        with pytest.raises(WorldError, match="is being built by process "):
            WORLD.build(link)
    assert WORLD.build(link) == digest
    assert WORLD.build(real) == digest
    assert {path.name for path in tmp_path.iterdir()} == {"real", "link.zarr"}


def test_a_lock_holds_though_its_folder_was_removed(tmp_path):
    path = tmp_path / "build" / "lock"
    with exclusive(path, tmp_path):
        shutil.rmtree(path.parent)  # as the first builder does when it is done
        with exclusive(path, tmp_path):
            with pytest.raises(WorldError, match="is being built by "), exclusive(path, tmp_path):
                pytest.fail("two builders have the lock")


def test_what_is_built_again_is_told(tmp_path, digest, monkeypatch):
    store = tmp_path / "a.zarr"

    def stop(status: Status) -> None:
        if status.done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        WORLD.build(store, progress=stop)
    (store / "height" / "c" / "0" / "0").write_bytes(b"")
    told: list[str] = []
    monkeypatch.setattr(engine._LOG, "warning", lambda text, *values: told.append(text % values))
    assert WORLD.build(store) == digest
    assert told == [f"Terrane: {store}/height/c/0/0: is missing or damaged, and is built again"]
