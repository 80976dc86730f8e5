# SPDX-License-Identifier: GPL-3.0-or-later
"""Flow over a land in tiles: exact, though rivers leave a tile and come back.

Each tile is worked on alone and gives a small graph of the flow at its edges; the graphs are joined
and solved in one place; each tile is then finished with the solution.

References
----------
Richard Barnes (2016). Parallel priority-flood depression filling for trillion cell digital elevation
models on desktops or clusters. Computers & Geosciences 96.
Richard Barnes (2017). Parallel non-divergent flow accumulation for trillion cell digital elevation
models on desktops or clusters. Environmental Modelling & Software 92.
"""
