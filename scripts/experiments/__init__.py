# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Rows of papers: what is stated, run, computed, judged and drawn. scripts/paper is the command."""
