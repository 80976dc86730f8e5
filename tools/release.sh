#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes everything that a release needs into dist/, from the commit that is checked out: the extension's zip, wheel and
# sdist of the core, the offline manual, the site, what Blender's platform asks for, and checksums.
#
#   tools/release.sh --website https://... --maintainer "NAME <ADDRESS>" --version v0.1.0
#
# Without the first two it says what is missing; a version that the manifest does not have is refused. The same commit gives
# the same bytes. See docs/develop/releasing.md.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/nox.sh" -s release -- "$@"
