# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Keeps what Heddle's own machine retires, as records of a core for core.sv and compare.py."""
import heddle

with heddle.Machine("tiny", keep_retired="parts") as m:
    m.load("exchange.cpp")
    words = m.zeros(64, "I", name="words")
    m.launch("exchange", grid=1, block=64, args=[words])
    records = list(m.retired())
with open("records.txt", "w") as lines, open("records.hex", "w") as bits:
    for record in records:
        print(record.line, file=lines)
        for word in range(-(-heddle.Retired.packed_bits(32) // 32)):
            print(f"{record.packed >> 32 * word & 0xffffffff:x}", file=bits)
with open("count.hex", "w") as count:
    print(f"{len(records):x}", file=count)
