# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
import sys
import heddle

N = 1000
with heddle.Machine("gk110", smx={"scheduler": "gto"}) as m:
    m.load(sys.argv[1] if len(sys.argv) > 1 else "vector_add.cpp")
    a = m.array([float(i) for i in range(N)], name="a")
    b = m.array([float(i) for i in range(N)], name="b")
    total = m.zeros(N, name="sum")
    m.launch("vector_add", grid=(N + 255) // 256, block=256, args=[N, a, b, total])
    print(f"sum[{N - 1}] = {total.read()[N - 1]:g} after {m.statistics['gpu.cycles']} cycles")
