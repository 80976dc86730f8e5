#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Starts the Blender that `tools/make_blender.sh SUITE` made:
#
#   tools/blender.sh [--window] SUITE [Blender's own arguments...]
#   tools/blender.sh --program PATH SUITE [arguments...]      another program of that system
#
# The Blender sees the caller's files at their own paths: /tmp, the home folder, this repository, and the
# top folders of the current one and of the cache. With --window it gets a real window on a virtual screen
# of $TERRANE_SCREEN pixels, 1600x900 if not told, drawn in software.
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=(/usr/bin/blender)
if [ "${1-}" = --window ]; then
  shift
  program=(/usr/bin/xvfb-run -a -s "-screen 0 ${TERRANE_SCREEN:-1600x900}x24" /usr/bin/blender --gpu-backend opengl)
elif [ "${1-}" = --program ]; then
  program=("${2:?path of a program}")
  shift 2
fi
suite=${1:?suite: trixie or sid}
shift
root=$(realpath -m "${TERRANE_CACHE:-$repo/.cache}")/blender/$suite
[ "$program" = /usr/bin/blender ] || [ "$program" = /usr/bin/xvfb-run ] || [ -x "$root$program" ] || {
  echo "blender.sh: no $program in $root" >&2
  exit 2
}
[ -x "$root/usr/bin/blender" ] || { echo "blender.sh: no Blender in $root; run tools/make_blender.sh $suite" >&2; exit 2; }

# The mounts live in a private namespace and vanish with the process.
inside() {
  local root=$1 repo=$2 cwd=$3 path
  shift 3
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  for path in /tmp "$HOME" "$repo" "/$(cut -d/ -f2 <<<"$cwd")" "/$(cut -d/ -f2 <<<"$root")"; do
    case "$path/" in // | /usr/* | /etc/* | /lib*/* | /bin/* | /sbin/* | /var/* | /proc/* | /dev/* | /sys/*) continue ;; esac
    [ -d "$path" ] || continue
    mkdir -p "$root$path"
    mountpoint -q "$root$path" || mount --rbind "$path" "$root$path"
  done
  # A virtual environment of the caller's would become Blender's: its Python looks for itself on the PATH.
  unset VIRTUAL_ENV PYTHONHOME PYTHONPATH
  export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  exec chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$cwd" "$@"
}

export -f inside
exec unshare --mount --propagation private bash -euc 'inside "$@"' bash "$root" "$repo" "$PWD" "${program[@]}" "$@"
