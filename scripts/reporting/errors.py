# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What a report can't be made of."""


class ReportError(Exception):
    """The file, what was found, and what would be legal."""

    def __init__(self, file, problem):
        super().__init__(f"'{file}': {problem}")
