# SPDX-License-Identifier: GPL-3.0-or-later
"""Summary of the layers of tests that ran, with the sums of their results.

Called as ``python tools/summarize_tests.py build``. Reads nox's own report and pytest's report of each
session. Names each test that failed, with the first line of its message. The last line is
"N passed, N failed". A layer that failed without a failed test (a linter, a Blender that did not start) counts
as one failure. Exits with 1 if anything failed or a layer was skipped without a reason.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree


@dataclass
class Layer:
    """One nox session with the results of its tests."""

    name: str
    result: str
    seconds: float
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reason: str = ""
    failures: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        """Whether the layer ran and passed, or said why it could not run."""
        return (self.result == "success" and not self.failed) or bool(self.reason)

    def line(self) -> str:
        """Describe the layer in one line."""
        counts = f"{self.passed:5} passed {self.failed:3} failed {self.skipped:3} skipped"
        word = "SKIPPED" if self.reason else "ok" if self.is_fine else "FAILED"
        return f"  {self.name:24} {word:8} {counts} {self.seconds:6.0f} s  {self.reason}".rstrip()


def read_layer(session: dict, reports: Path) -> Layer:
    """Join a session of nox's report with the report that pytest left."""
    name = session["signatures"][0] if session["signatures"] else session["name"]
    layer = Layer(name, session["result"], float(session.get("duration") or 0))
    stem = reports / name.replace("(", "-").replace(")", "")
    skipped = Path(f"{stem}.skipped")
    report = Path(f"{stem}.xml")
    if skipped.exists():
        layer.reason = skipped.read_text(encoding="utf-8")
    if report.exists():
        root = ElementTree.parse(report).getroot()
        layer.failures = read_failures(root)
        for suite in root.iter("testsuite"):
            count = {
                key: int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped")
            }
            failed = count["failures"] + count["errors"]
            layer.failed += failed
            layer.skipped += count["skipped"]
            layer.passed += count["tests"] - failed - count["skipped"]
    if not layer.is_fine and not layer.failed:
        layer.failed = 1
    return layer


def read_failures(root: ElementTree.Element) -> list[str]:
    """Return the name and the first line of the message of each failed test of pytest's report."""
    return [
        f"{case.get('classname')}::{case.get('name')}: {failure.get('message', '').split(chr(10))[0]}"
        for case in root.iter("testcase")
        for failure in [*case.findall("failure"), *case.findall("error")]
    ]


def main(build: Path) -> int:
    """Print the summary; return the exit status."""
    report = build / "nox.json"
    if not report.exists():
        print("no layer ran: nox left no report\n0 passed, 1 failed")
        return 1
    sessions = json.loads(report.read_text(encoding="utf-8"))["sessions"]
    layers = [read_layer(session, build / "reports") for session in sessions]
    print("\nLayers:")
    for layer in layers:
        print(layer.line())
    for layer in layers:
        if layer.reason:
            print(f"\n*** {layer.name}: {layer.reason} ***")
        for failure in layer.failures:
            print(f"\n{layer.name}: {failure}")
    passed, failed = sum(layer.passed for layer in layers), sum(layer.failed for layer in layers)
    print(f"\n{passed} passed, {failed} failed")
    return 0 if layers and all(layer.is_fine for layer in layers) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
