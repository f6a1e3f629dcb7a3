# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""What limits a program on a machine: `heddle why`. docs/why.md explains the answer."""
