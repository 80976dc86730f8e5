#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes a real `blender` executable out of Debian's archive, for the tests that need one:
# the Python package `bpy` has no executable and no windows.
#
#   tools/make_blender.sh SUITE      SUITE is trixie (Blender 4.3.2) or sid (Blender 5.2 LTS, and Godot 4)
#
# Leaves a small Debian system of about 1.5 GB in $TERRANE_CACHE/blender/SUITE (default: .cache/ in
# this repository); `tools/blender.sh SUITE ...` starts the Blender inside. One that is already
# there is kept, so calling this again costs nothing. Delete the folder to get a fresh one.
#
# Needs root on a Debian machine; the archive's address is the one apt already uses.
#
# Exit status: 0 done, 2 this machine cannot do it, 3 the archive cannot give this suite's Blender,
# 1 anything else.
set -euo pipefail

readonly CANNOT_HERE=2 NOT_IN_ARCHIVE=3

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
suite=${1:?suite: trixie or sid}
root=$(realpath -m "${TERRANE_CACHE:-$repo/.cache}")/blender/$suite

say() { printf 'make_blender: %s\n' "$*" >&2; }
give_up() { local status=$1; shift; say "$*"; exit "$status"; }

require_machine() {
  [ "$(uname -s)" = Linux ] || give_up $CANNOT_HERE "needs Debian Linux; this is $(uname -s)"
  [ "$(id -u)" = 0 ] || give_up $CANNOT_HERE "needs root: it unpacks a Debian system and enters it with chroot"
  command -v apt-get >/dev/null || give_up $CANNOT_HERE "needs apt: Blender comes from Debian's archive"
  unshare --mount --propagation private true 2>/dev/null ||
    give_up $CANNOT_HERE "needs mount namespaces, which this machine (a container?) forbids"
}

require_tools() {
  local tool missing=
  for tool in mmdebstrap mount mountpoint; do command -v $tool >/dev/null || missing=$tool; done
  [ -n "$missing" ] || return 0
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mmdebstrap mount >/dev/null
}

archive_address() {
  apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' |
    sed -n 1p
}

packages() {
  local names=blender,python3-numpy,xvfb,xauth,xdotool,imagemagick,libgl1-mesa-dri
  # Blender's own extension code imports these since 5.2; Debian only recommends them.
  [ "$suite" = sid ] && names+=,python3-cattr,python3-requests,python3-zstandard
  printf '%s' "$names"
}

bootstrap() {  # bootstrap TARGET [MORE OPTIONS...]
  local target=$1; shift
  # Manuals, translations of programs and their documentation are of no use to a test.
  mmdebstrap --quiet --variant=minbase \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --include="$(packages)" "$@" "$suite" "$target" "$mirror"
}

# Tests of exported meshes read them in Godot 4, which only sid has. Blender's tests do without.
install_godot() {
  [ ! -x "$root/usr/bin/godot" ] || return 0
  say "installing Godot in $root"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  unshare --mount --propagation private sh -ec '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    chroot "$0" sh -ec "apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends --no-upgrade godot"
  ' "$root" </dev/null >/dev/null || say "the archive cannot give Godot at the moment"
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
}

case $suite in trixie | sid) ;; *) give_up 1 "unknown suite '$suite': trixie or sid" ;; esac
require_machine

require_tools

if [ ! -e "$root/.complete" ]; then
  mirror=$(archive_address)
  [ -n "$mirror" ] || { apt-get update -qq; mirror=$(archive_address); }
  [ -n "$mirror" ] || give_up $CANNOT_HERE "no Debian archive among this machine's apt sources"
  mkdir -p "${root%/*}"
  say "making $root (a few minutes, 1.5 GB)"
  made=no
  for attempt in 1 2; do   # the archive may change while we read it: try once more
    rm -rf --one-file-system "$root"
    if bootstrap "$root"; then made=yes; break; fi
    say "attempt $attempt failed"
  done
  if [ "$made" = no ]; then
    rm -rf --one-file-system "$root"
    bootstrap /dev/null --simulate --format=null >/dev/null 2>&1 ||
      give_up $NOT_IN_ARCHIVE "the archive cannot install Blender from '$suite' at the moment"
    give_up 1 "making the '$suite' system failed although the archive has all its packages"
  fi
  ln -sf /proc/self/mounts "$root/etc/mtab"   # Blender asks it for the list of drives
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  touch "$root/.complete"
fi

unshare --mount --propagation private sh -c 'mount -t proc proc "$0/proc" && chroot "$0" true' "$root" ||
  give_up $CANNOT_HERE "this machine (a container?) forbids chroot or mount"
[ "$suite" = trixie ] || install_godot
"$repo/tools/blender.sh" "$suite" --version </dev/null | sed -n 1p ||
  give_up $NOT_IN_ARCHIVE "the archive's Blender of '$suite' is installed but does not start"
