# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# shellcheck shell=bash
# Sourced by scripts: with --help they print the comment at their head, and do nothing.
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '4,/^[^#]/ s/^# \{0,1\}//p' "$0"
    exit 0
fi
