# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""The site: README and docs/ as MkDocs wants them, and a check of what it made."""
