# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages in a headless Chromium that read exported files from a server on this machine, and answer a question."""

from __future__ import annotations

import functools
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGES = Path(__file__).resolve().parent / "pages"
PATIENCE = 60.0
"""Seconds until a page has answered."""

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"),
    *("--use-angle=swiftshader", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
    *("--window-size=1300,1300", "--mute-audio"),
)


def find_chromium() -> str | None:
    """Return the command of Chromium; None if there is none."""
    return os.environ.get("TERRANE_CHROMIUM") or shutil.which("chromium")


def find_package(name: str) -> Path | None:
    """Return the folder of an npm package; None if there is none."""
    places = (os.environ.get("TERRANE_NPM"), Path(__file__).resolve().parent / "node_modules")
    found = (Path(place) / name for place in places if place)
    return next((folder for folder in found if folder.is_dir()), None)


class _Handler(SimpleHTTPRequestHandler):
    """A plain static server, and a place for the question and for the answer."""

    folders: dict[str, Path]
    question: bytes
    answers: queue.Queue[dict[str, object]]

    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def translate_path(self, path: str) -> str:
        """Find a file in the folder that the first part of its address names."""
        first, _, rest = path.partition("?")[0].lstrip("/").partition("/")
        if first == "npm":
            name, _, rest = rest.partition("/")
            first = f"npm/{name}"
        folder = self.folders.get(first)
        return str(folder / rest) if folder else "/nowhere"

    def do_GET(self) -> None:
        if self.path != "/question.json":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(self.question)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self.answers.put(json.loads(body))

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


def ask(
    page: str, question: dict[str, object], folder: Path, package: str, pages: Path = PAGES
) -> dict[str, object]:
    """Return the answer of a page to a question about files in a folder, served as ``/land/``."""
    npm = find_package(package)
    chromium = find_chromium()
    assert npm is not None and chromium is not None
    answers: queue.Queue[dict[str, object]] = queue.Queue()
    folders = {"pages": pages, "ask": PAGES, "land": folder, f"npm/{package}": npm}
    handler = type(
        "Handler",
        (_Handler,),
        {"folders": folders, "question": json.dumps(question).encode(), "answers": answers},
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/pages/{page}.html"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        log = Path(profile) / "chromium.log"
        command = [chromium, *FLAGS, f"--user-data-dir={profile}", address]
        with log.open("wb") as output:
            browser = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
            try:
                answer = answers.get(timeout=PATIENCE)
            except queue.Empty:
                answer = {"failure": f"no answer: {log.read_text(errors='replace')[-3000:]}"}
            finally:
                browser.terminate()
                browser.wait(30)
                server.shutdown()
                server.server_close()
    assert "failure" not in answer, answer["failure"]
    return answer
