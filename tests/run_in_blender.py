# SPDX-License-Identifier: GPL-3.0-or-later
"""Run pytest inside a Blender executable and hand its exit status on.

    BLENDER_USER_RESOURCES=<folder> TERRANE_TEST_SITE=<folder with pytest> \
        blender --background --python-exit-code 1 --python tests/run_in_blender.py -- tests/blender [pytest arguments]

The noxfile's session ``blender_app`` prepares both folders.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    """Run pytest with the arguments after ``--``."""
    sys.path.append(os.environ["TERRANE_TEST_SITE"])
    os.chdir(Path(__file__).resolve().parents[1])
    import pytest

    return int(pytest.main(sys.argv[sys.argv.index("--") + 1 :]))


if __name__ == "__main__":
    status = main()  # an exception here is Blender's to report: --python-exit-code
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
