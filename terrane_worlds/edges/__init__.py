# SPDX-License-Identifier: GPL-3.0-or-later
"""The edge graph of a world: what each tile needs from outside itself, so that it can be rebuilt alone.

While a world is built, `recording` notes what the work on a tile reads beyond the tile, and what the tile is told
of what was solved for the whole land. `rebuilding` runs the same stages of the same recipe for some tiles
alone: they read their own fields as far as these are rebuilt, and the rest from these notes. No law of
erosion is written here: both see nothing but windows of fields, and arrays that are handed out.

What is stored follows from how a field comes about:

- Fields that are worked on tile by tile are rebuilt in the tile; what it reads around itself is stored with
  the tile, once, however often it is read.
- Noise, and coarser levels of what tiles hold, are computed where they are read: see `Engine.derive`.
- Fields that are worked on as a whole are stored where tiles read them, and so are those of levels that are much
  coarser than these tiles.
"""
