# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The table of pairs of mechanisms (docs/combinations.md), machines that have all of them, and programs
that use them."""
import itertools

POLICIES = ("time", "pc", "majority", "minority", "pdom_priority")
FORMATIONS = {"pdom": [], "nrec": ["smx.formation=nrec"], "mimd": ["smx.formation=mimd"]} | {
    f"dwf {policy} {pools}": ["smx.formation=dwf", f"dwf.policy={policy}", f"dwf.pools={pools}"]
    for policy in POLICIES for pools in ("per_scheduler", "shared")}
SCHEDULERS = ("lrr", "gto", "mto", "motrr", "motrr_recency", "two_level", "ccws")
TRANSACTIONS = [f"{detection} {serialization}" for detection, serialization in itertools.product(
    ("prw_sig", "swo_sig", "dcd", "smdcd"),
    ("ascending_single", "descending_single", "ascending_multiple", "descending_multiple"))]
MODES = ("flat", "cdp", "cdp_ideal", "dtbl", "dtbl_ideal")
COOPERATION = {"on": [], "off": ["coop.enabled=false"], "preempt": ["coop.preempt=true"]}
TABLE = {"formation": list(FORMATIONS), "scheduler": SCHEDULERS, "transactions": TRANSACTIONS,
         "mode": MODES, "cooperation": list(COOPERATION)}

# Machines with every mechanism: loom, and tiny, where every queue overflows.
MACHINES = {"loom": ["gpu.smx_count=4", "coop.preempt=false"], "tiny": ["tm.enabled=true"]}


class Program:
    """A workload with small options, and which mechanisms it uses."""

    def __init__(self, name, options, *uses):
        self.name = name
        self.arguments = [word for option in options.split() for word in (
            option.split("=", 1) if option.startswith("--") else ("--option", option))]
        self.uses = set(uses)


TASK = " task=medium task_size=measured scale=0.0001"
PROGRAMS = [
    Program("audit", "block=96 blocks=6", "transactions"),
    Program("ht", "block=96 blocks=6", "transactions"),
    Program("gc", "block=64 blocks=4 rounds=1", "transactions"),
    Program("ledgers", "books=60 longest=90", "transactions", "launches"),
    Program("uts", "roots=12 block=64 places=6", "transactions", "cooperation"),
    Program("uts", "roots=12 block=64" + TASK, "transactions", "cooperation"),
    Program("octree_pockets", "points=1500 leaf=16 block=64", "launches", "cooperation"),
    Program("octree_pockets", "points=1500 leaf=16 block=64" + TASK, "launches", "cooperation"),
    Program("bfs_pockets", "--input=kronecker:scale=8,degree=6 block=64", "launches"),
    Program("clr", "--input=kronecker:scale=6,degree=6", "launches"),
    Program("join", "left=150 right=300 different=12", "launches"),
    Program("regx", "--input=strings:count=40 section=30", "launches"),
    Program("l_bfs", "--input=road:width=12,height=12 block=64" + TASK, "cooperation"),
    Program("mis", "--input=circuit:vertices=200 block=64" + TASK, "cooperation"),
    Program("octree", "points=1500 threshold=16 block=64" + TASK, "cooperation"),
    Program("game", "plies=4 below=2 block=64" + TASK, "cooperation")]


def fitting(drawn):
    """Programs that together use all mechanisms that a program can use."""
    chosen, used = [], set()
    for program in drawn.sample(PROGRAMS, len(PROGRAMS)):
        if not program.uses <= used:
            chosen.append(program)
            used |= program.uses
    return chosen


def words_of(drawn, cell, program):
    """What a run of the program on a machine of the cell is, and the words for heddle."""
    machine = drawn.choice(list(MACHINES))
    detection, serialization = cell["transactions"].split()
    settings = MACHINES[machine] + FORMATIONS[cell["formation"]] + COOPERATION[
        cell["cooperation"]] + [f"smx.scheduler={cell['scheduler']}", f"tm.detection={detection}",
                                f"tm.serialization={serialization}"]
    mode = cell["mode"] if "launches" in program.uses else "flat"
    words = ["run", program.name, "--config", machine, "--mode", mode, "--seed",
             str(drawn.randrange(1, 1000)), *program.arguments]
    if cell["cooperation"] == "off" and "cooperation" in program.uses:
        # A block for each SMX: all of them are on the machine at once.
        words += ["--option", "kernel=original"]
    for setting in settings:
        words += ["--set", setting]
    return cell | {"program": program.name, "machine": machine}, words
