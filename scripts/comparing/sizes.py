# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Small inputs of the workloads, for scripts that run all of them."""
import shlex

# Inputs that keep a run below a second and still fill several SMXs.
SIZES = {
    "amr": "across=4 levels=1", "children": "launches=64", "bfs_pockets": "--input kronecker:scale=7,degree=8",
    "bht": "bodies=64", "clr": "--input kronecker:scale=6,degree=4",
    "join": "left=200 right=300", "pre": "--input ratings:users=24,items=40,mean=6,least=2",
    "regx": "--input packets:count=40,longest=100", "sssp": "--input hubs:vertices=256,hubs=8",
    "atax": "rows=64 columns=64", "bandwidth": "size=65536", "barrier": "rounds=2",
    "bicg": "rows=64 columns=64", "mvt": "rows=64 columns=64",
    "bitonic": "arrays=4 size=256", "black": "options=1024", "contrived": "n=512 iterations=20",
    "fft": "arrays=8 side=8", "hmmer": "sequences=128 nodes=6", "lbm": "nx=12 ny=10 nz=5",
    "lu": "matrices=4 tiles=5",
    "audit": "block=64 blocks=2 --set tm.enabled=true",
    "gc": "block=64 blocks=2 version=lock", "ht": "block=64 blocks=2 version=lock",
    "it": "block=64 blocks=2 version=lock", "km": "block=64 blocks=2 version=lock",
    "bfs": "--input kronecker:scale=7,degree=8 variant=queue", "compute": "n=2048 rounds=4",
    "divergence": "n=256", "histogram": "n=4096 blocks=8", "laplace": "nx=32 ny=16 nz=6",
    "latency": "rounds=2", "launch": "blocks=64", "lock": "n=256 rounds=2",
    "lps": "nx=32 ny=32 nz=4", "matrix": "rows=32 columns=32 inner=32",
    "montecarlo": "options=4 paths=512",
    "pathfinder": "columns=1024 rows=11", "reduction": "n=4096 blocks=8", "saxpy": "n=4096",
    "sobolqrng": "points=512 dimensions=4", "stencil": "nx=32 ny=16 nz=6",
    "throughput": "rounds=1", "transpose": "rows=64 columns=64",
    "color": "--input circuit:vertices=150", "mis": "--input circuit:vertices=150",
    "p_sssp": "--input road:width=8,height=8", "l_bfs": "--input road:width=10,height=10",
    "l_sssp": "--input road:width=8,height=8", "octree": "points=600 threshold=8",
    "octree_pockets": "points=600 leaf=8",
    "game": "plies=4 below=2", "uts": "roots=8 --set tm.enabled=true"}


def sizes_of(workload):
    arguments = []
    words = shlex.split(SIZES.get(workload, ""))
    while words:
        word = words.pop(0)
        arguments += [word, words.pop(0)] if word.startswith("--") else ["--option", word]
    return arguments
