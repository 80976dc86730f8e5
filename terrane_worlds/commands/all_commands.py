# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of the command line, by their names."""

from __future__ import annotations

from types import MappingProxyType

from noise_core.commands.command_line import Commands

from . import build, export, info, picture, region, verify

COMMANDS: Commands = MappingProxyType(
    {
        "build": (build, "build a world into a Zarr store, or go on with it"),
        "info": (info, "say what a store holds"),
        "verify": (verify, "check that all files of a store are as they were built"),
        "picture": (picture, "draw a world, as large as its overviews"),
        "region": (region, "write a window of a world"),
        "export": (export, "write a world for other programs, a few rows at a time"),
    }
)
