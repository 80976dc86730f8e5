# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds in processes of their own, killed at random moments of their work."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

SCRIPT = """
import sys
sys.path.insert(0, {root!r})
{prepare}
def tell(status):
    print(status.stage, status.done, flush=True)
if __name__ == "__main__":
    print("begun", flush=True)
    print({world}.build({store!r}, progress=tell, **{options!r}))
"""


def start(
    store: Path, world: str, prepare: str, /, *, preexec_fn=None, **options
) -> subprocess.Popen:
    """Start a build: `prepare` is the code that the expression `world` needs."""
    script = store.with_suffix(".py")
    values = {"root": str(ROOT), "prepare": prepare, "world": world}
    script.write_text(SCRIPT.format(**values, store=str(store), options=options))
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=preexec_fn,
    )


def kill(builder: subprocess.Popen, items: int, seconds: float) -> bool:
    """Kill a build so many seconds after so many items; return whether it was still at work.

    Items are counted and not time alone, so that a fast machine is not done before.
    """
    assert builder.stdout.readline() == "begun\n"
    if not all(builder.stdout.readline() for _ in range(items)):
        return False
    try:
        builder.wait(seconds)
    except subprocess.TimeoutExpired:
        builder.kill()
        return True
    return False


def kill_often(begin, seed: int, kills: int, items: int) -> None:
    """Start a build by `begin()` and kill it, until it is done or so many were killed; one is for certain.

    Each is killed after at most `items` items.
    """
    chance = random.Random(seed)
    for count in range(kills):
        with begin() as builder:
            most = items if count else items // 4
            was_killed = kill(builder, chance.randint(0, most), chance.uniform(0.0, 0.02))
        if not was_killed:
            assert count, "the first build was done before it was killed"
            return
