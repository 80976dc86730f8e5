# SPDX-License-Identifier: GPL-3.0-or-later
"""The edge graph of a world: the samples and numbers that a tile needs from outside itself, to be rebuilt alone.

While a world is built, `recording` notes the samples that the work on a tile reads beyond the tile, and the results for
the whole land that are handed to it. `rebuilding` runs the same stages of the same recipe for some tiles
alone: they read their own fields as far as these are rebuilt, and the rest from these notes. No law of
erosion is written here: both see nothing but windows of fields, and arrays that are handed out.

Three kinds of field are stored in three ways:

- Fields that are worked on tile by tile are rebuilt in the tile; the samples read around it are stored with
  the tile, once, however often it is read.
- Noise, and coarser levels of fields in tiles, are computed where they are read: see `Engine.derive`.
- Fields that are worked on as a whole are stored where tiles read them, and so are those of levels that are much
  coarser than these tiles.
"""
