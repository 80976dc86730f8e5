#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Gets the eroder of A.N.T. Landscape, which benchmarks compare with: an add-on that Blender shipped
# until 4.1. Debian bookworm still has it, in the data of its Blender 3.4.
#
#   tools/get_ant_landscape.sh      prints the folder it lies in, below $TERRANE_CACHE (default: .cache/)
#
# Asks Debian's archive by apt, with package lists of its own: neither root nor bookworm is needed.
# One that is already there is kept. Exit status: 0 done, 2 this machine cannot do it, 1 anything else.
set -euo pipefail

readonly CANNOT_HERE=2 KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$(realpath -m "${TERRANE_CACHE:-$repo/.cache}")/ant_landscape

say() { printf 'get_ant_landscape: %s\n' "$*" >&2; }

if [ ! -e "$target/eroder.py" ]; then
  for need in apt-get dpkg-deb; do
    command -v $need >/dev/null || { say "needs $need, which comes with Debian"; exit $CANNOT_HERE; }
  done
  [ -e $KEYS ] || { say "needs the keys of Debian's archive: $KEYS"; exit $CANNOT_HERE; }
  address=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' |
    sed -n 1p)
  [ -n "$address" ] || { say "no Debian archive among this machine's apt sources"; exit $CANNOT_HERE; }
  work=$(mktemp -d)
  trap 'rm -rf -- "$work"' EXIT
  mkdir -p "$work"/{state/lists/partial,cache/archives/partial,parts}
  printf 'deb [signed-by=%s] %s bookworm main\n' \
    $KEYS "$address" >"$work/sources.list"
  apt=(apt-get -qq -o "Dir::State=$work/state" -o "Dir::Cache=$work/cache" -o "Dir::Etc::SourceParts=$work/parts"
    -o "Dir::Etc::SourceList=$work/sources.list" -o APT::Sandbox::User= -o Acquire::Retries=3
    -o Acquire::Languages=none)
  cd "$work"
  "${apt[@]}" update >&2
  "${apt[@]}" download blender-data >&2
  folder=./usr/share/blender/scripts/addons/ant_landscape
  dpkg-deb --fsys-tarfile blender-data_*.deb | tar -x "$folder"
  mkdir -p "$target"
  cp "$folder"/* "$target"
fi
printf '%s\n' "$target"
