# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Expressions over the statistics of runs: ratio(kim.motrr['gpu.ipc'], kim.gto['gpu.ipc']).

SET.VARIANT['STATISTIC'] is a list with a value for each workload of the set, and
SET.VARIANT['STATISTIC']['WORKLOAD'] is one value of it. Lists are added, subtracted, multiplied and
divided value by value. The functions below are all that there are; nothing else can be called.
"""
import ast
import math
import operator
import statistics

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.Div: operator.truediv}


class ExpressionError(Exception):
    """An expression that can't be read, or that has no value."""


class RunFailed(Exception):
    """A value needs a run that has failed; `run` is its name."""

    def __init__(self, run):
        super().__init__(f"run {run} failed")
        self.run = run


class Failed:
    """Stands for the value of a failed run in a list."""

    def __init__(self, run):
        self.run = run


class Values(dict):
    """A value for each workload: a number, None where it is not defined, or Failed."""

    def numbers(self):
        """The values that are defined, for a mean."""
        for value in self.values():
            if isinstance(value, Failed):
                raise RunFailed(value.run)
        found = [value for value in self.values() if value is not None]
        if not found:
            raise ExpressionError("no workload has a value")
        return found


def combine(operation, left, right):
    """left OPERATION right, workload by workload if one of them is a list."""
    if isinstance(left, Values) or isinstance(right, Values):
        names = left if isinstance(left, Values) else right
        if isinstance(left, Values) and isinstance(right, Values) and set(left) != set(right):
            raise ExpressionError("lists of different workloads")
        return Values((name, combine(operation,
                                     left[name] if isinstance(left, Values) else left,
                                     right[name] if isinstance(right, Values) else right))
                      for name in names)
    for value in (left, right):
        if isinstance(value, Failed):
            return value
    if left is None or right is None or (operation is operator.truediv and right == 0):
        return None
    if isinstance(left, (str, list)) or isinstance(right, (str, list)):
        raise ExpressionError("arithmetic needs numbers")
    return operation(left, right)


def mean(values):
    return sum(values.numbers()) / len(values.numbers())


def geomean(values):
    """Geometric mean; not defined if a value is not above 0."""
    numbers = values.numbers()
    if min(numbers) <= 0:
        raise ExpressionError("a geometric mean needs values above 0")
    return math.exp(sum(math.log(number) for number in numbers) / len(numbers))


def harmonic(values):
    """Harmonic mean; not defined if a value is not above 0."""
    numbers = values.numbers()
    if min(numbers) <= 0:
        raise ExpressionError("a harmonic mean needs values above 0")
    return len(numbers) / sum(1 / number for number in numbers)


def median(values):
    return statistics.median(values.numbers())


def maximum(*values):
    """The largest value of all workloads of all lists."""
    return max(max(one.numbers()) for one in values)


def ratio(value, base):
    """value / base; not defined where the base is 0."""
    return combine(operator.truediv, value, base)


def percent(value):
    """A ratio as a change in percent: 1.12 is +12."""
    return combine(operator.mul, combine(operator.sub, value, 1), 100)


def above(values, limit):
    """Names of the workloads whose value is above the limit."""
    values.numbers()
    return [name for name, value in values.items() if value is not None and value > limit]


def top(values, count):
    """Names of the `count` workloads with the largest values, the largest first."""
    values.numbers()
    defined = {name: value for name, value in values.items() if value is not None}
    return sorted(defined, key=defined.get, reverse=True)[:count]


def order(**named):
    """The names by their values, the largest first: order(a=1, b=2) is b, a."""
    return sorted(named, key=named.get, reverse=True)


FUNCTIONS = {function.__name__: function for function in
             (mean, geomean, harmonic, median, maximum, ratio, percent, above, top, order)}


def parse(text):
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ExpressionError(f"'{text}' is no expression: {error}") from None


def list_reference(node):
    """(set, variant, statistic) of SET.VARIANT['STATISTIC'], else None."""
    if (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)
            and isinstance(node.value.value, ast.Name) and isinstance(node.slice, ast.Constant)):
        return node.value.value.id, node.value.attr, node.slice.value
    return None


def value_of(node, look_up):
    """Value of a node. `look_up(set, variant, statistic)` gives the list of all workloads; the one
    of one workload takes a fourth argument."""
    reference = list_reference(node)
    if reference is not None:
        return look_up(*reference)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        reference = list_reference(node.value)
        if reference is not None:
            return look_up(*reference, node.slice.value)
        values = value_of(node.value, look_up)
        if isinstance(values, Values) and node.slice.value in values:
            return values[node.slice.value]
        raise ExpressionError(f"no value for workload '{node.slice.value}'")
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return combine(OPERATORS[type(node.op)], value_of(node.left, look_up),
                       value_of(node.right, look_up))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return combine(operator.sub, 0, value_of(node.operand, look_up))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id not in FUNCTIONS:
            raise ExpressionError(f"no function '{node.func.id}' "
                                  f"(there are: {', '.join(FUNCTIONS)})")
        named = {keyword.arg: value_of(keyword.value, look_up) for keyword in node.keywords}
        return call(node.func.id, [value_of(one, look_up) for one in node.args], named)
    raise ExpressionError(f"not allowed in an expression: {ast.unparse(node)}")


def call(name, arguments, named):
    for value in (*arguments, *named.values()):
        if isinstance(value, Failed):
            raise RunFailed(value.run)
    try:
        return FUNCTIONS[name](*arguments, **named)
    except (TypeError, AttributeError) as error:
        raise ExpressionError(f"{name}: {error}") from None


def evaluate(text, look_up):
    """Value of an expression: a number, None, a list of names, or Values."""
    value = value_of(parse(text), look_up)
    if isinstance(value, Failed):
        raise RunFailed(value.run)
    return value


def runs_in(text):
    """{(set, variant, workload or None for all)} that an expression needs."""
    needed = set()

    def note(set_name, variant, _, benchmark=None):
        needed.add((set_name, variant, benchmark))

    def walk(node):
        reference = list_reference(node)
        if reference is not None:
            note(*reference)
        elif isinstance(node, ast.Subscript) and list_reference(node.value) is not None:
            note(*list_reference(node.value), getattr(node.slice, "value", None))
        else:
            allowed(node)
            for child in ast.iter_child_nodes(node):
                walk(child)

    walk(parse(text))
    return needed


def allowed(node):
    """Raises ExpressionError for what value_of() would refuse whatever the runs give."""
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            raise ExpressionError(f"no function '{ast.unparse(node.func)}' "
                                  f"(there are: {', '.join(FUNCTIONS)})")
    elif isinstance(node, ast.Name):
        if node.id not in FUNCTIONS:
            raise ExpressionError(f"not allowed in an expression: {node.id}")
    elif not isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Constant, ast.Subscript, ast.keyword,
                               ast.operator, ast.unaryop, ast.expr_context)):
        raise ExpressionError(f"not allowed in an expression: {ast.unparse(node)}")
