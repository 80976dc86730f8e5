#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs every test of the project on a fresh Debian machine with Python 3.11 and 3.13:
#
#   tools/test.sh                     everything, three sessions at a time
#   tools/test.sh -s core lint        some sessions; all arguments go to nox
#
# Keeps downloads, environments and Debian roots in .cache/ (or $TERRANE_CACHE), results in build/: everything
# takes 15 GB there. The last line reads "N passed, N failed"; the exit status is 0 only if every layer ran and passed.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf build/reports build/nox.json build/bytecode

# What a run of everything leaves in an empty .cache/, and little more.
readonly NEEDED_MEGABYTES=14500

check_disk() {  # a full disk shows itself after ten minutes, in some session that has nothing to do with it
  local cache=${TERRANE_CACHE:-.cache} free held
  mkdir -p "$cache"
  free=$(df --output=avail --block-size=1M "$cache" | tail -n 1)
  held=$(du -s --block-size=1M "$cache" | cut -f 1)
  [ $((free + held)) -lt $NEEDED_MEGABYTES ] || return 0
  echo "test.sh: all layers need $NEEDED_MEGABYTES MB in $(realpath "$cache"); it holds $held MB and $((free)) MB are free" >&2
  echo "0 passed, 1 failed"
  exit 1
}

# Nearly all of it is waiting for the archive, so other layers go on meanwhile. What comes of it, or
# what does not, the layers see that need a Blender.
make_blenders() {
  mkdir -p build "${TERRANE_CACHE:-.cache}/blender"
  local suite
  for suite in trixie sid; do
    flock "${TERRANE_CACHE:-.cache}/blender/.lock" tools/make_blender.sh "$suite" </dev/null || true
  done >build/make_blender.log 2>&1
}

TIMEFORMAT='test.sh: %R s, processors worked %U + %S s'
status=0
if [ $# = 0 ]; then
  check_disk
  export TERRANE_WHOLE_RUN=1  # sessions may count on each other
  tools/nox.sh --list >/dev/null  # installs what both need
  make_blenders &
fi
time tools/nox.sh --parallel "${TERRANE_JOBS:-3}" --report build/nox.json "$@" || status=$?
wait
"${TERRANE_CACHE:-.cache}/run/bin/python" tools/summarize_tests.py build || status=$?
exit "$status"
