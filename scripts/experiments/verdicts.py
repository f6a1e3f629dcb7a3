# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Values of rows, and the verdict on each that a paper has a value for.

Verdicts: `agrees`, `direction` (only the direction is the paper's), `differs`, or `failed` when a
run failed. criteria.toml has the limits and their reasons.
"""
import dataclasses
import math

from experiments import expressions, seeds

AGREES, DIRECTION, DIFFERS, FAILED = "agrees", "direction", "differs", "failed"


@dataclasses.dataclass(frozen=True)
class Result:
    """What a row came to. `cells`: {(line, column): number, None if not defined, list of names, or
    Failed}, means over the seeds; a single value is at (None, None). `half_widths`: of the
    intervals of those cells whose seeds differ."""
    row: object
    cells: dict
    half_widths: dict = dataclasses.field(default_factory=dict)
    verdict: str = ""

    @property
    def value(self):
        return self.cells[None, None]

    @property
    def half_width(self):
        return self.half_widths.get((None, None))


@dataclasses.dataclass(frozen=True)
class Counts:
    """How many rows with a paper's value have which verdict."""
    agrees: int
    direction: int
    differs: int
    failed: int
    not_explained: int  # of those that do not agree

    @classmethod
    def of(cls, results):
        given = [one for one in results if one.verdict]
        of_verdict = [sum(one.verdict == name for one in given)
                      for name in (AGREES, DIRECTION, DIFFERS, FAILED)]
        return cls(*of_verdict, sum(one.row.not_explained for one in given))

    @property
    def rows(self):
        return self.agrees + self.direction + self.differs + self.failed

    def text(self):
        """Those that there are."""
        return ", ".join(f"{name.replace('_', ' ')} {count}"
                         for name, count in dataclasses.asdict(self).items() if count)


def computed(row, look_ups):
    """(cells, half widths) of a row; a list of values becomes a line for each workload. `look_ups`:
    one for each seed."""
    by_seed = {}  # cell -> its value for each seed
    for (line, column), expression in row.cells().items():
        try:
            values = seeds.evaluated(expression, look_ups)
        except expressions.RunFailed as failure:
            values = [expressions.Failed(failure.run)]
        except expressions.ExpressionError as error:
            raise expressions.ExpressionError(f"row '{row.id}': {error}") from None
        if isinstance(values[0], expressions.Values):
            if not row.columns:
                raise expressions.ExpressionError(
                    f"row '{row.id}': a list of values needs 'columns'")
            for benchmark in values[0]:
                by_seed[benchmark, column] = [one[benchmark] for one in values]
            if row.summary is not None:
                by_seed[row.summary, column] = [summary_of(one, row) for one in values]
        else:
            by_seed[line, column] = values
    found = {cell: seeds.over(values) for cell, values in by_seed.items()}
    return (by_lines({cell: value for cell, (value, _) in found.items()}),
            {cell: width for cell, (_, width) in found.items() if width is not None})


def by_lines(cells):
    """The same cells, line by line."""
    lines = list(dict.fromkeys(line for line, _ in cells))
    columns = list(dict.fromkeys(column for _, column in cells))
    return {(line, column): cells[line, column] for line in lines for column in columns}


def summary_of(values, row):
    try:
        return expressions.FUNCTIONS[row.summary](values)
    except expressions.RunFailed as failure:
        return expressions.Failed(failure.run)
    except expressions.ExpressionError:
        return None


def judged(row, cells, half_widths, criteria):
    """The Result of a row with these cells. The verdict is that of the interval's middle."""
    if row.criterion is None:
        return Result(row, cells, half_widths)
    value = cells[None, None]
    if isinstance(value, expressions.Failed):
        return Result(row, cells, half_widths, FAILED)
    criterion = criteria[row.criterion]
    if isinstance(value, list) != isinstance(row.paper, list):
        raise expressions.ExpressionError(f"row '{row.id}': names and numbers can't be compared")
    return Result(row, cells, half_widths, JUDGES[criterion.kind](value, row.paper, criterion))


def direction(value, neutral):
    return math.copysign(1, value - neutral) if value != neutral else 0


def judge_number(value, paper, criterion):
    """Distances from the neutral value are compared: 0 for a change, 1 for a ratio."""
    if value is None or direction(value, criterion.neutral) != direction(paper, criterion.neutral):
        return DIFFERS
    allowed = criterion.within * abs(paper - criterion.neutral)
    return AGREES if abs(value - paper) <= allowed + 1e-12 else DIRECTION


def judge_amount(value, paper, criterion):
    """An amount has no direction: it is near enough or not."""
    near = value is not None and abs(value - paper) <= criterion.within * abs(paper) + 1e-12
    return AGREES if near else DIFFERS


def judge_multiple(value, paper, criterion):
    """The larger amount is at most `within` times the smaller one."""
    near = value is not None and (max(value, paper) <= criterion.within * min(value, paper) + 1e-12)
    return AGREES if near else DIFFERS


def judge_claim(value, paper, criterion):
    """The paper says 'lower' or 'higher', perhaps with a word before it, and no number."""
    sign = {"lower": -1, "higher": 1}[paper.split()[-1]]
    if value is None or (value - criterion.neutral) * sign <= 0:
        return DIFFERS
    return AGREES if (value - criterion.neutral) * sign >= criterion.margin else DIRECTION


def judge_names(value, paper, criterion):
    """The same names, in any order; `within` is the share of the paper's names that may lack for
    the direction to be the same."""
    lacking = len(set(paper) - set(value))
    if lacking == 0 and len(set(value)) == len(set(paper)):
        return AGREES
    return DIRECTION if lacking <= criterion.within * len(paper) else DIFFERS


def judge_order(value, paper, criterion):
    """`within` is the share of all pairs that may stand the other way for the direction to be the
    same."""
    if set(value) != set(paper):
        return DIFFERS
    pairs = [(first, second) for i, first in enumerate(paper) for second in paper[i + 1:]]
    wrong = sum(value.index(first) > value.index(second) for first, second in pairs)
    if wrong == 0:
        return AGREES
    return DIRECTION if wrong <= criterion.within * len(pairs) else DIFFERS


JUDGES = {"number": judge_number, "amount": judge_amount, "multiple": judge_multiple, "claim": judge_claim,
          "names": judge_names, "order": judge_order}


def fits(kind, paper):
    """Whether a paper's value is of the type that a kind of criterion needs."""
    if kind in ("names", "order"):
        return isinstance(paper, list)
    if kind == "claim":
        return isinstance(paper, str) and paper.split()[-1:] in (["lower"], ["higher"])
    return isinstance(paper, (int, float))
