# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Numbers as people read them."""
NOTHING = "–"


def plain(value):
    """Whole numbers exactly with commas, others with four digits that count."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    size = abs(value)
    if 1e-4 <= size < 1000:
        return f"{value:.4g}"
    return f"{value:,.0f}" if 1000 <= size < 1e15 else f"{value:.3e}"


def percent(value, digits=1):
    return NOTHING if value is None else f"{100 * value:.{digits}f} %"


def with_prefix(value, unit):
    """1.23 GB/s"""
    if value is None:
        return NOTHING
    for size, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def ratio(value, base):
    """value / base; None where that has no meaning."""
    if value is None or not base or isinstance(value, str) or isinstance(base, str):
        return None
    return value / base


def times(value):
    """A quotient: ×1.25"""
    return NOTHING if value is None else f"×{value:.3g}" if value < 1000 else f"×{value:,.0f}"


def short(value):
    """For data that a page's script reads: six digits that count."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else float(f"{value:.6g}")
    return value
