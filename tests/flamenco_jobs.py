# SPDX-License-Identifier: GPL-3.0-or-later
"""Job types of Flamenco, compiled as its manager does it: by an engine of JavaScript, here that of node.

The script sees the functions of Flamenco's page on job types: `author.Task(name, type)`, `author.Command(name, parameters)`,
`task.addCommand`, `task.addDependency`, `job.addTask`, and `path` with `join`, `dirname`, `basename` and `stem`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "examples" / "flamenco" / "terrane_render.js"

_MANAGER = """
"use strict";
const fs = require("fs"), vm = require("vm"), posix = require("path").posix;
const [script, settings] = process.argv.slice(1);
const tasks = [];
class Task {
    constructor(name, type) { Object.assign(this, {name, type, commands: [], dependencies: []}); }
    addCommand(command) { this.commands.push(command); }
    addDependency(task) { this.dependencies.push(task.name); }
}
const author = {
    Task: (name, type) => new Task(name, type),
    Command: (name, parameters) => ({name, parameters}),
};
const path = {
    join: posix.join, dirname: posix.dirname, basename: posix.basename,
    stem: (one) => posix.basename(one, posix.extname(one)),
};
const context = vm.createContext({author, path, print: () => {}});
vm.runInContext(fs.readFileSync(script, "utf8"), context, {filename: script});
const type = vm.runInContext("JOB_TYPE", context);
const given = JSON.parse(settings), values = {};
for (const one of type.settings) values[one.key] = one.key in given ? given[one.key] : one.default;
let error = null;
try {
    context.job = {settings: values, addTask: (task) => tasks.push(task)};
    vm.runInContext("compileJob(job)", context);
} catch (raised) { error = String(raised); }
console.log(JSON.stringify({type, tasks, error}));
"""


def compile_job(**settings: object) -> dict[str, Any]:
    """Return the job's `type`, its `tasks`, and the `error` that ended it; skip a test without node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("NOT TESTED: node is not installed")
    command = [node, "-e", _MANAGER, str(SCRIPT), json.dumps(settings)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
