# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""RTL outside of the model: scripts/replay and scripts/verify-rtl are the commands."""
