#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes a terrain, a planet and textures with the zip installed in Blender's Python module, on a fresh Debian machine with
# Python 3.11, and renders pictures of them into build/demo/. Takes some minutes.
set -euo pipefail

exec "$(dirname "${BASH_SOURCE[0]}")/nox.sh" -s "pictures(demo)" "$@"
