#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what reads exported files and is in no Python package: Chromium, GDAL's programs, Godot without a
# window, and npm, which fetches what runs in Chromium. What is there is kept.
#
#   tools/install_clients.sh       prints the programs that the archive cannot give, a line each
#
# Needs root on a Debian machine if something is missing.
#
# Exit status: 0 done, 2 this machine cannot do it, 3 the archive cannot give all of it.
set -euo pipefail

readonly CANNOT_HERE=2 NOT_IN_ARCHIVE=3

declare -A package=([chromium]=chromium [gdalinfo]=gdal-bin [gdallocationinfo]=gdal-bin [npm]=npm [xvfb-run]=xvfb [godot3-server]=godot3-server)

missing() {
  local program
  for program in "${!package[@]}"; do
    command -v "$program" >/dev/null || echo "${package[$program]}"
  done | sort -u
}

wanted=$(missing)
[ -n "$wanted" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "install_clients: as root on Debian, run first: apt-get install" $wanted >&2
  exit $CANNOT_HERE
fi
echo "install_clients: installing" $wanted >&2
apt-get update -qq >&2 || true
for one in $wanted; do   # others may be installing something meanwhile
  DEBIAN_FRONTEND=noninteractive apt-get install -o DPkg::Lock::Timeout=600 -y -qq --no-install-recommends "$one" >/dev/null ||
    echo "install_clients: the archive cannot give $one at the moment" >&2
done
left=$(missing)
[ -z "$left" ] || { echo "$left"; exit $NOT_IN_ARCHIVE; }
