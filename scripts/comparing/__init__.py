# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What scripts have in common that compare runs: scripts/same_as, scripts/threads_same, scripts/cells."""
