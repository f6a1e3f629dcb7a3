# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Pages about runs, sweeps and papers: one HTML file each, which loads nothing."""
