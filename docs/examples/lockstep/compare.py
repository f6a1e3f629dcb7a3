# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Compares the records of a core, as text, with the reference."""
import heddle

with heddle.Lockstep("tiny", tells_drained=True, stale_loads=True) as m:
    m.load("exchange.cpp")
    words = m.zeros(64, "I", name="words")
    m.launch("exchange", grid=1, block=64, args=[words])
    try:
        with open("records.txt") as lines:
            m.step(map(heddle.Retired.parsed, lines))
        m.finish_launches()
        print("equal:", m.counts["instructions"], "instructions")
    except heddle.WrongResult:
        print(m.difference.text, *m.difference.steps[-3:], sep="\n")
