# SPDX-License-Identifier: GPL-3.0-or-later
"""examples/worlds/compose.yaml, its commands as plain processes, and the code of docs/clusters.md."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from noise_core import Recipe
from terrane_worlds import World
from terrane_worlds.base.workers import _KEEP_MEMORY
from terrane_worlds.store.attributes import attributes_of
from tests.page_code import indented

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "examples/worlds/compose.yaml").read_text())
SERVICES = COMPOSE["services"]
PAGE = "docs/clusters.md"

KEYS = {
    *("image", "build", "volumes", "environment", "command", "depends_on", "deploy", "restart"),
}
"""Of a service in the Compose specification, as far as they are used."""


def test_the_file_has_the_structure_of_the_compose_specification():
    assert set(COMPOSE) - {"x-terrane"} == {"services", "volumes"}
    assert set(SERVICES) == {"scheduler", "worker", "build"}
    for service in SERVICES.values():
        assert set(service) <= KEYS
        assert all(isinstance(word, str) for word in service["command"])
        assert all(isinstance(value, str) for value in service["environment"].values())
        assert set(service.get("depends_on", ())) <= set(SERVICES)
        for volume in service["volumes"]:
            name, path = volume.split(":")
            assert name in COMPOSE["volumes"] and path == "/worlds"
        context = (ROOT / "examples/worlds" / service["build"]["context"]).resolve()
        assert context == ROOT
    assert SERVICES["worker"]["deploy"]["replicas"] == 2
    own = {name.rpartition(".")[2]: str(value) for name, value in _KEEP_MEMORY.items()}
    assert SERVICES["worker"]["environment"] == own


@contextlib.contextmanager
def process(words: list[str], changes: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Run a command of the file, with other words here and there; end it afterwards."""
    words = [changes.get(word, word) for word in words]
    program = {"dask": ["-m", "dask"], "python": []}[words[0]]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **SERVICES["worker"]["environment"]}
    with subprocess.Popen(
        [sys.executable, *program, *words[1:]],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as one:
        try:
            yield one
        finally:
            one.terminate()


def test_its_commands_build_what_one_process_builds(tmp_path):
    recipe = Recipe.from_preset("none")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    store = tmp_path / "alps.zarr"
    changes = {
        "8786": port,
        "tcp://scheduler:8786": f"tcp://127.0.0.1:{port}",
        "/worlds/alps.zarr": str(store),
        "/tmp/dask": str(tmp_path / "dask"),
        "16384": "700",
        "alps": "none",
    }
    used = {word for one in SERVICES.values() for word in one["command"]}
    assert set(changes) <= used
    with contextlib.ExitStack() as stack:
        for name in ("scheduler", "worker", "worker"):
            stack.enter_context(process(SERVICES[name]["command"], changes))
        words = [*SERVICES["build"]["command"], "--tile", "128"]
        build = stack.enter_context(process(words, changes))
        printed, _ = build.communicate(timeout=240)
        assert build.returncode == 0, printed
    digest = World(recipe, 700, 700, 128).build(tmp_path / "own.zarr")
    assert attributes_of(store)["digest"] == digest
    assert f"digest {digest}" in printed


def blocks(begin: str) -> list[str]:
    return [one for one in indented(PAGE) if one.startswith(begin)]


def test_the_job_of_slurm(monkeypatch):
    jobqueue = pytest.importorskip("dask_jobqueue")
    (code,) = blocks("from dask_jobqueue")
    created = re.search(r"SLURMCluster\((.*?)\n\)", code, re.DOTALL).group(1)
    keywords = eval(f"dict({created})")
    script = jobqueue.SLURMCluster(
        **keywords, scheduler_options={"dashboard_address": ":0"}
    ).job_script()
    assert "#SBATCH -p compute" in script and "#SBATCH --mem=4G" in script
    assert "--nthreads 1" in script and "MALLOC_TRIM_THRESHOLD_" in script


def test_the_cluster_of_kubernetes():
    (text,) = blocks("apiVersion")
    cluster = yaml.safe_load(text)
    assert (cluster["apiVersion"], cluster["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    worker, scheduler = cluster["spec"]["worker"], cluster["spec"]["scheduler"]
    assert worker["replicas"] == 2
    (container,) = worker["spec"]["containers"]
    assert "--memory-limit" in container["args"] and container["resources"]["limits"]["memory"]
    claims = [one["persistentVolumeClaim"]["claimName"] for one in worker["spec"]["volumes"]]
    assert claims == ["worlds"]
    assert {port["name"] for port in scheduler["service"]["ports"]} >= {"tcp-comm"}
