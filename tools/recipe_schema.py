# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the JSON Schema of recipes, which the site and the wheel have as a file.

python tools/recipe_schema.py            # after a type was added, or a declaration was changed
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from noise_core import recipe_schema  # noqa: E402

FILE = ROOT / "docs" / "recipe.schema.json"


def schema_text() -> str:
    """Return the content of the file."""
    return json.dumps(recipe_schema(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8", newline="\n")
    print(FILE.relative_to(ROOT))
