# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Conditions on the columns of a point: l1d.size > 16384 and workload in ['bfs', 'saxpy'].

Names are those of columns. Numbers are computed with + - * / // %, compared with < <= == != >= >
and in, and conditions are joined by and, or, not.
"""
import ast
import operator

COMPARISONS = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Eq: operator.eq,
               ast.NotEq: operator.ne, ast.GtE: operator.ge, ast.Gt: operator.gt,
               ast.In: lambda one, many: one in many,
               ast.NotIn: lambda one, many: one not in many}
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
              ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}


class ConditionError(Exception):
    """A condition that can't be read, or that has no value."""


class Condition:
    """One condition; holds(columns) says whether a point fulfils it."""

    def __init__(self, text):
        self.text = text
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            raise ConditionError(f"'{text}' is no condition") from None

    def holds(self, columns):
        try:
            return bool(value_of(self._tree, columns))
        except (TypeError, ZeroDivisionError) as error:
            raise ConditionError(f"'{self.text}': {error}") from None


def value_of(node, columns):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = ast.unparse(node)
        constant = {"true": True, "false": False}.get(name)
        if constant is None and name not in columns:
            raise ConditionError(f"no column '{name}' (there are: {', '.join(columns)})")
        return columns[name] if constant is None else constant
    if isinstance(node, (ast.List, ast.Tuple)):
        return [value_of(one, columns) for one in node.elts]
    if isinstance(node, ast.BoolOp):
        values = [value_of(one, columns) for one in node.values]
        return all(values) if isinstance(node.op, ast.And) else any(values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not value_of(node.operand, columns)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -value_of(node.operand, columns)
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        return ARITHMETIC[type(node.op)](value_of(node.left, columns),
                                         value_of(node.right, columns))
    if isinstance(node, ast.Compare) and all(type(one) in COMPARISONS for one in node.ops):
        values = [value_of(one, columns) for one in (node.left, *node.comparators)]
        return all(COMPARISONS[type(one)](left, right)
                   for one, left, right in zip(node.ops, values, values[1:]))
    raise ConditionError(f"not allowed in a condition: {ast.unparse(node)}")
