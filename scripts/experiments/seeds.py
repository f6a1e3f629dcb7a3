# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""A value over several seeds: its mean, and the half width of the interval that it lies in.

The interval is that of Student's t at 95 %: it has the mean over all seeds in 19 of 20 cases, if
the values of seeds are spread as errors are.
"""
import ast
import math

from experiments import expressions
from experiments.expressions import Failed, Values

# 97.5 % quantiles of Student's t for 2, 3, ... seeds: 1, 2, ... degrees of freedom.
QUANTILES = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004,
             2.262157)
MOST = len(QUANTILES) + 1  # seeds
NAMES = ("above", "top", "order")  # functions that give names


def over(values):
    """(mean, half width of its interval) of a value for each seed. The half width is None if all
    seeds agree, or if there is one. A value that is not defined is left out; names are those of
    all seeds already, and a failed run fails the value."""
    for value in values:
        if isinstance(value, Failed):
            return value, None
    known = [value for value in values if value is not None]
    if not known or all(value == known[0] for value in known):
        return (known[0] if known else None), None
    mean = math.fsum(known) / len(known)
    variance = math.fsum((value - mean) ** 2 for value in known) / (len(known) - 1)
    return mean, QUANTILES[len(known) - 2] * math.sqrt(variance / len(known))


def mean(values):
    """The mean over seeds of numbers or, workload by workload, of lists."""
    if isinstance(values[0], Values):
        return Values((name, over([one[name] for one in values])[0]) for name in values[0])
    return over(values)[0]


def evaluated(text, look_ups):
    """Values of an expression, one for each seed; `look_ups` are as evaluate() takes them, one for
    each seed. Names come once: workloads are compared by their means over the seeds."""
    node = expressions.parse(text)
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) in NAMES:
        def argument(part):
            return mean([expressions.value_of(part, look_up) for look_up in look_ups])

        return [expressions.call(node.func.id, [argument(one) for one in node.args],
                                 {one.arg: argument(one.value) for one in node.keywords})]
    return [expressions.evaluate(text, look_up) for look_up in look_ups]
