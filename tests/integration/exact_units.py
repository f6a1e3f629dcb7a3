# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Rules of single units, applied to retired instructions; see exact_statistics.py."""
import re

WINDOWS = {0x1: "shared", 0x2: "private", 0x4: "global", 0xC: "reserve"}
SOURCES = re.compile(r"\b(zero|ra|sp|gp|tp|[ast]\d+)\b")
REGISTERS = {name: n for n, name in enumerate(
    "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 "
    "t3 t4 t5 t6".split())}
TURNS = ("beq", "bne", "blt", "bge", "bltu", "bgeu", "jal", "jalr", "exit")


def is_load(row):
    return row["address"] != "-" and row["op"].startswith("l")


def is_store(row):
    return row["address"] != "-" and row["op"].startswith("s")


def is_atomic(row):
    return row["op"].startswith("amo")


def lanes_of(row):
    mask = int(row["mask"], 16)
    return [lane for lane in range(32) if mask >> lane & 1]


def addresses_of(row):
    """By active lane: "ADDRESS" for all, "FIRST+STEP", or a list."""
    text = row["address"]
    if "," in text:
        return [int(a, 16) for a in text.split(",")]
    first, _, step = text.partition("+")
    return [(int(first, 16) + n * int(step or "0", 16)) % 2**32 for n in range(len(lanes_of(row)))]


def window(row):
    return WINDOWS[addresses_of(row)[0] >> 28]


def lines_of(row, size):
    return {a // size for a in addresses_of(row)}


def bank_turns(row, banks):
    """Most different words of one bank; of an atomic, most lanes."""
    words = [a // 4 for a in addresses_of(row)]
    if not is_atomic(row):
        words = list(set(words))
    return max(sum(w % banks == bank for w in words) for bank in range(banks))


def branches(rows):
    """For each conditional branch or indirect jump whether its lanes part: some of them, and no
    others, run next."""
    jumps = []
    for row, after in zip(rows, rows[1:]):
        if row["op"] in TURNS and row["op"] not in ("jal", "exit"):
            own, then = int(row["mask"], 16), int(after["mask"], 16)
            jumps.append(then != own and then & ~own == 0)
    return jumps


def in_flight_cycles(rows, c):
    """Cycles at whose end a register waits for its result."""
    cycles = set()
    for row in rows:
        if row["result"] == "-" or is_store(row):
            continue
        end = row["done"] if row["address"] != "-" else row["issue"] + result_time(row, c)
        cycles.update(range(row["issue"], end))
    return len(cycles)


def result_time(row, c):
    unit = "divide" if row["op"].startswith(("div", "rem")) else (
        "multiply" if row["op"].startswith("mul") else "integer")
    names = SOURCES.findall(row["instruction"].split(None, 1)[1])[1:]
    sources = {REGISTERS[name] for name in names} - {0}
    banks = [r % c["smx.register_banks"] for r in sources]
    conflicts = max([banks.count(b) for b in banks] or [1]) - 1
    return c["smx.operand_latency"] + conflicts + c[f"smx.units.{unit}.latency"]


def count_fetches(rows, requests, c):
    """A buffer of a few instructions that is filled in each cycle in which it has room: from one
    line, up to an instruction that turns, or up to where lanes meet again. After the first, fetch
    waits for smx.branch_latency; after the second, until the lanes have met.
    A line is in L1I from the end of the SMX's request on."""
    size, line = c["smx.instruction_buffer"], c["l1i.line"]
    fetches, buffered = 0, []
    arrived = {int(s.args["address"], 16) // line: s.end for s in requests
               if s.args["kind"] == "instruction_fetch"}
    at, cycle = 0, rows[0]["issue"] - 1
    fetched, open_at = 0, cycle
    while at < len(rows):
        if cycle > rows[at]["issue"]:
            raise AssertionError("fetch is slower than the run")
        if cycle == rows[at]["issue"] and buffered:
            row = buffered.pop(0)
            at += 1
            if row["op"] in TURNS:
                open_at = cycle + c["smx.branch_latency"]
            if at < len(rows) and rows[at]["issue"] == cycle:
                raise AssertionError("one instruction a cycle")
        if fetched < len(rows) and len(buffered) < size and cycle >= open_at:
            first = int(rows[fetched]["pc"], 16) // line
            waits = buffered and (buffered[-1]["op"] in TURNS or meets(rows, fetched))
            if cycle >= arrived[first] and not waits:
                fetches += 1
                while len(buffered) < size and fetched < len(rows):
                    row = rows[fetched]
                    if int(row["pc"], 16) // line != first:
                        break
                    buffered.append(row)
                    fetched += 1
                    if row["op"] in TURNS or meets(rows, fetched):
                        break
        cycle += 1
    return fetches


def meets(rows, at):
    """Whether lanes come back to the warp before this instruction."""
    return 0 < at < len(rows) and len(lanes_of(rows[at])) > len(lanes_of(rows[at - 1]))


def l2_outcomes(accesses, c):
    """Hits, loads, stores, atomics of a bank that is empty at first and has room for all."""
    line, sector = c["l2.line"], c["l2.sector"]
    valid, hits, loads, stores, atomics = set(), 0, 0, 0, 0
    for s in sorted(accesses, key=lambda s: s.begin_ps):
        address, size, kind = int(s.args["address"], 16), s.args["bytes"], s.args["kind"]
        wanted = set(range(address // sector, (address + size - 1) // sector + 1))
        if kind == "store":
            hits += any(v * sector // line == address // line for v in valid)
        else:
            hits += wanted <= valid
        valid |= wanted
        loads += kind in ("load", "instruction_fetch")
        stores += kind == "store"
        atomics += kind == "atomic"
    return hits, loads, stores, atomics
