# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Pictures of docs/images, one module each. scripts/picture is the command."""
