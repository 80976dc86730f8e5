#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs nox on a fresh Debian machine with Python 3.11, after installing it and what Blender's module links;
# all arguments go to nox:
#
#   tools/nox.sh -s package           build the zip
#
# Keeps downloads, environments and Debian roots in .cache/ (or $TERRANE_CACHE), results in build/.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export TERRANE_CACHE=${TERRANE_CACHE:-$PWD/.cache}
export PIP_CACHE_DIR=${PIP_CACHE_DIR:-$TERRANE_CACHE/pip} PIP_DISABLE_PIP_VERSION_CHECK=1
export PIP_COMPILE=0   # Python compiles what a test imports; most of Blender's module nobody does
export UV_CACHE_DIR=${UV_CACHE_DIR:-$TERRANE_CACHE/uv} UV_PYTHON_DOWNLOADS=never UV_SYSTEM_CERTS=1
mkdir -p "$TERRANE_CACHE" build

# Blender's Python module links these; a machine without a desktop lacks them.
libraries=(libgl1 libgomp1 libice6 libsm6 libx11-6 libxext6 libxfixes3 libxi6 libxkbcommon0 libxrender1 libxxf86vm1)

missing_libraries() {
  dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "${libraries[@]}" 2>/dev/null |
    awk '$2 == "installed" { print $1 }' | grep -vxFf - <(printf '%s\n' "${libraries[@]}") || true
}

install_libraries() {
  command -v dpkg-query >/dev/null || return 0   # not Debian: Blender's own error will name what is missing
  local missing
  missing=$(missing_libraries)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    echo "nox.sh: as root, run first: apt-get install" $missing >&2
    return 0
  fi
  echo "nox.sh: installing" $missing
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

python311() {  # the first Python 3.11 that starts: pyenv's shims exist for versions that do not
  local candidate
  for candidate in python3.11 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.11*/bin/python3.11; do
    if "$candidate" -c '' 2>/dev/null; then echo "$candidate"; return; fi
  done
  echo "nox.sh: needs Python 3.11" >&2
  return 1
}

install_nox() {  # the versions that pyproject.toml pins, in an environment of their own
  local wanted python
  python=$(python311)
  wanted=$("$python" -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["nox"])')
  [ "$(cat "$TERRANE_CACHE/run/nox" 2>/dev/null)" = "$wanted" ] && return
  rm -rf "$TERRANE_CACHE/run"
  "$python" -m venv "$TERRANE_CACHE/run"
  "$TERRANE_CACHE/run/bin/python" -m pip install --quiet $wanted
  echo "$wanted" >"$TERRANE_CACHE/run/nox"
}

choose_installer() {  # uv is several times as fast as pip, but reads none of pip's settings: it may reach nothing
  local uv=$TERRANE_CACHE/run/bin/uv
  if [ -x "$uv" ] && echo pytest | "$uv" pip compile --quiet --python-version 3.11 --output-file /dev/null - 2>/dev/null; then
    return
  fi
  echo "nox.sh: uv cannot reach packages here; pip installs them, which takes longer" >&2
  export TERRANE_VENV_BACKEND=virtualenv
}

install_libraries
install_nox
choose_installer
exec "$TERRANE_CACHE/run/bin/nox" --non-interactive "$@"
