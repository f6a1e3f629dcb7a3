# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Runs in batches: a batch is a job of Snakemake, whose price a single short run is not worth."""
import dataclasses
import math

from experiments.store import Cost

SHORTEST_OF_CLUSTER = 60  # seconds: a job of a cluster waits and starts for some seconds
LONGEST = 120  # seconds: more than a batch of several runs should take
MOST = 300  # batches: the price of a job grows with the number of jobs
PARTS = 8  # batches for each job that runs at a time, so that all end at about the same time
PARTS_UNMEASURED = 16
UNMEASURED = Cost(seconds=1, memory=0)


@dataclasses.dataclass(frozen=True)
class Point:
    """A run to carry out; `cost` is None if it was never measured."""
    key: object  # keys.Key
    run: object  # definitions.Run
    cost: Cost | None


@dataclasses.dataclass
class Batch:
    points: list
    seconds: float

    @property
    def measured(self):
        return all(point.cost for point in self.points)

    @property
    def memory(self):
        return max((point.cost.memory for point in self.points if point.cost), default=0)


def expected(points):
    """(a list of (seconds, point), number of points that were never measured). What was never
    measured is taken for a mean one."""
    known = [point.cost.seconds for point in points if point.cost]
    mean = sum(known) / len(known) if known else UNMEASURED.seconds
    return ([(point.cost.seconds if point.cost else mean, point) for point in points],
            len(points) - len(known))


def planned(points, jobs, shortest=0):
    """Batches of these points, the longest first: what takes long begins early. Two neighbours
    together exceed the limit, so there are at most MOST batches, and one."""
    timed, unmeasured = expected(points)
    total = sum(seconds for seconds, _ in timed)
    parts = jobs * (PARTS_UNMEASURED if unmeasured else PARTS)
    limit = max(min(total / parts, LONGEST), 2 * total / MOST, shortest)
    batches = []
    for seconds, point in sorted(timed, key=lambda one: -one[0]):
        if batches and batches[-1].seconds + seconds <= limit:
            batches[-1].points.append(point)
            batches[-1].seconds += seconds
        else:
            batches.append(Batch([point], seconds))
    return batches


def duration(seconds):
    """A time as people say it."""
    if seconds < 100:
        return f"{math.ceil(seconds)} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
