import time, os, bpy
from pathlib import Path


def test_proto(terrane, tmp_path):
    t0 = time.time()
    c0 = time.process_time()
    assert bpy.ops.terrane.assets_fill(directory=str(tmp_path)) == {"FINISHED"}
    print("TIME", time.time() - t0, time.process_time() - c0)
    n = sum(p.stat().st_size for p in tmp_path.rglob("*") if p.is_file())
    print("SIZE", n / 1e6, len(list(tmp_path.rglob("*.blend"))))
    for p in sorted(tmp_path.rglob("*.blend"), key=lambda p: -p.stat().st_size)[:5]:
        print(p, p.stat().st_size)
    for k in ("materials", "images", "node_groups"):
        print(k, len(getattr(bpy.data, k)))
